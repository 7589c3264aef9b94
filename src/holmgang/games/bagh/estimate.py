"""What an undecided state of BAGH looks like it is worth: an opinion for searches, no rule."""

from holmgang.games.bagh.rules import Fighter, Rules, State


def estimate(rules: Rules, state: State) -> float:
    """To red, between -1 and 1, both excluded."""
    lead = strength(state.red, state.blue) - strength(state.blue, state.red)
    return 0.99 * lead / (2.0 + abs(lead))


def strength(me: Fighter, foe: Fighter) -> float:
    return 1.0 * me.hp + 0.5 * me.boost + 0.3 * me.priority - 0.3 * me.shield_damage
