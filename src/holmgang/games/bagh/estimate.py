"""What an undecided state of BAGH looks like it is worth: an opinion for searches, no rule.

The weights are fitted to the exact values of both rulebooks by bench/fit_estimates.py.
"""

from math import sqrt

from holmgang.games.bagh.rules import Fighter, Rules, State

BOOST = 0.6  # in hp, as all of them
PRIORITY = 0.5
SHIELD_DAMAGE = 0.13
DOUBT = 1.0  # a lead of so much is worth most of a win where no hp is left to lose,
DOUBT_PER_HP = 0.18  # and of so much more for each hp on either side


def estimate(rules: Rules, state: State) -> float:
    """To red, between -1 and 1, both excluded: a lead counts the more, the less hp there is."""
    red, blue = state.red, state.blue
    lead = strength(red, blue) - strength(blue, red)
    doubt = DOUBT + DOUBT_PER_HP * (red.hp + blue.hp)
    return lead / sqrt(lead * lead + doubt * doubt)


def strength(me: Fighter, foe: Fighter) -> float:
    """In hp. Boost beyond what kills is worth nothing."""
    boost = min(me.boost, foe.hp)
    return me.hp + BOOST * boost + PRIORITY * me.priority - SHIELD_DAMAGE * me.shield_damage
