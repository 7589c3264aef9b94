"""What an undecided state of BAGH looks like it is worth: an opinion for searches, no rule."""

from holmgang.games.bagh.rules import Fighter, Rules, State


def estimate(rules: Rules, state: State) -> float:
    """To red, between -1 and 1, both excluded: a lead counts the more, the less hp there is."""
    red, blue = state.red, state.blue
    lead = strength(red, blue) - strength(blue, red)
    return 0.99 * lead / (abs(lead) + 1.0 + 0.25 * (red.hp + blue.hp))


def strength(me: Fighter, foe: Fighter) -> float:
    """In hp. Boost beyond what kills is worth nothing."""
    return me.hp + 0.6 * min(me.boost, foe.hp) + 0.3 * me.priority - 0.3 * me.shield_damage
