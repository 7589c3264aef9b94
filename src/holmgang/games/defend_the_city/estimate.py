"""What an undecided state of Defend The City looks like it is worth: an opinion for searches, no
rule.
"""

from holmgang.games.defend_the_city.rules import Rules, State


def estimate(rules: Rules, state: State) -> float:
    """To red, between -1 and 1, both excluded."""
    lead = 1.0 * (state.red.stamina - state.blue.stamina) / rules.stamina
    if rules.duel == 0:
        lead += state.defeated - rules.soldiers + 1
    return 0.99 * lead / (1.0 + abs(lead))
