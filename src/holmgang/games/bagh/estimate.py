"""A heuristic value of an undecided state of BAGH, for searches.

The weights are fitted to the exact values of both rulebooks by bench/fit_estimates.py.
"""

from math import sqrt

from holmgang.games.bagh.rules import Fighter, Rules, State

BOOST = 0.6  # in hp, like all weights here
PRIORITY = 0.5
SHIELD_DAMAGE = 0.13
DOUBT = 1.0  # a lead of this much is worth 0.7 if no hp is left,
DOUBT_PER_HP = 0.18  # and this much more is needed for each hp on either side


def estimate(rules: Rules, state: State) -> float:
    """The value to red, strictly between -1 and 1: a lead counts more if less hp is left."""
    red, blue = state.red, state.blue
    lead = strength(red, blue) - strength(blue, red)
    doubt = DOUBT + DOUBT_PER_HP * (red.hp + blue.hp)
    return lead / sqrt(lead * lead + doubt * doubt)


def strength(me: Fighter, foe: Fighter) -> float:
    """A fighter's strength in hp. Boost beyond a lethal amount has no value."""
    boost = min(me.boost, foe.hp)
    return me.hp + BOOST * boost + PRIORITY * me.priority - SHIELD_DAMAGE * me.shield_damage
