"""A heuristic value of an undecided state of Defend The City, for searches.

The numbers are fitted to the exact values by bench/fit_estimates.py.
"""

from math import sqrt

from holmgang.games.defend_the_city.rules import Rules, State

EVEN = 0.5  # red's chance in a fresh encounter
DOUBT = 2.4  # a lead of this, times the square root of all stamina, is worth 0.7
SPENT = 0.999  # the edge over a spent fighter, who cannot defend
MOST_LATER = 12  # encounters to consider; the chance to win more is negligible


def estimate(rules: Rules, state: State) -> float:
    """The value to red, strictly between -1 and 1: this encounter by stamina, later ones even."""
    red, blue = max(0.0, 1.0 * state.red.stamina), max(0.0, 1.0 * state.blue.stamina)
    edge = encounter(red, blue)
    if rules.duel == 1:
        return edge
    reward = next_encounter(rules, state.defeated)
    value = 0.5 * (1.0 + edge) * (1.0 + reward) - 1.0
    if rules.endless_loses == 0 and red > 0.0 and blue == 0.0:  # red can wait for a draw (D9)
        return max(0.0, value)
    return value


def encounter(red: float, blue: float) -> float:
    """Who is likely to win the encounter by stamina: 1 is red, -1 is blue."""
    if red > 0.0 and blue == 0.0:
        return SPENT
    if blue > 0.0 and red == 0.0:
        return -SPENT
    lead = red - blue
    return lead / sqrt(lead * lead + DOUBT * DOUBT * (red + blue) + 1.0)


def next_encounter(rules: Rules, defeated: int) -> float:
    """The value of the duel after one more soldier has fallen."""
    chance = 1.0
    for _ in range(min(rules.soldiers - defeated - 1, MOST_LATER)):
        chance *= EVEN
    return 2.0 * chance - 1.0
