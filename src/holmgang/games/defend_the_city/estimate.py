"""What an undecided state of Defend The City looks like it is worth: an opinion for searches, no
rule.

The numbers are fitted to the exact values by bench/fit_estimates.py.
"""

from math import sqrt

from holmgang.games.defend_the_city.rules import Rules, State

EVEN = 0.5  # red's chance in a fresh encounter
DOUBT = 2.4  # a lead of so much stamina, times the square root of all there is, is most of a win
SPENT = 0.999  # the edge over who is spent: he cannot defend
MOST_LATER = 12  # encounters that are looked at: what is left then is hardly more than nothing


def estimate(rules: Rules, state: State) -> float:
    """To red, between -1 and 1, both excluded: this encounter by stamina, later ones as even."""
    red, blue = max(0.0, 1.0 * state.red.stamina), max(0.0, 1.0 * state.blue.stamina)
    edge = encounter(red, blue)
    if rules.duel == 1:
        return edge
    reward = next_encounter(rules, state.defeated)
    value = 0.5 * (1.0 + edge) * (1.0 + reward) - 1.0
    if rules.endless_loses == 0 and red > 0.0 and blue == 0.0:  # red may wait, for a draw (D9)
        return max(0.0, value)
    return value


def encounter(red: float, blue: float) -> float:
    """What stamina says about who falls, from -1 for red to 1 for blue."""
    if red > 0.0 and blue == 0.0:
        return SPENT
    if blue > 0.0 and red == 0.0:
        return -SPENT
    lead = red - blue
    return lead / sqrt(lead * lead + DOUBT * DOUBT * (red + blue) + 1.0)


def next_encounter(rules: Rules, defeated: int) -> float:
    """What the duel is worth when one more soldier has fallen."""
    chance = 1.0
    for _ in range(min(rules.soldiers - defeated - 1, MOST_LATER)):
        chance *= EVEN
    return 2.0 * chance - 1.0
