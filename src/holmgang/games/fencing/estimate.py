"""What an undecided state of Fencing looks like it is worth: an opinion for searches, no rule."""

from holmgang.games.fencing.rules import Fencer, Rules, State


def estimate(rules: Rules, state: State) -> float:
    """To red, between -1 and 1, both excluded."""
    lead = strength(rules, state.red) - strength(rules, state.blue)
    left = max(0.0, 1.0 * rules.turns - state.turn)
    return 0.99 * lead / (abs(lead) + 1.0 + 0.1 * left**0.5)


def strength(rules: Rules, fencer: Fencer) -> float:
    return fencer.score + 0.1 * min(fencer.energy, 20)
