"""What an undecided state of Defend The City looks like it is worth: an opinion for searches, no
rule.
"""

from holmgang.games.defend_the_city.rules import Rules, State

EVEN = 0.4  # red's chance in a fresh encounter, where both falling is red's loss
MOST_LATER = 12  # encounters that are looked at: what is left then is hardly more than nothing


def estimate(rules: Rules, state: State) -> float:
    """To red, between -1 and 1, both excluded: this encounter by stamina, later ones as even."""
    red, blue = max(0.0, 1.0 * state.red.stamina), max(0.0, 1.0 * state.blue.stamina)
    edge = 0.9 * (red - blue) / (red + blue + 4.0)
    if red > 0.0 and blue == 0.0:  # who is spent cannot defend
        edge = 0.95
    elif blue > 0.0 and red == 0.0:
        edge = -0.95
    if rules.duel == 1:
        return edge
    chance = 0.5 + 0.5 * edge
    for _ in range(min(rules.soldiers - state.defeated - 1, MOST_LATER)):
        chance *= EVEN
    return 2.0 * chance - 1.0
