"""What an undecided state of Fencing looks like it is worth: an opinion for searches, no rule.

A lead in points, and what is likely to become points, against the doubt that is left. The weights
are in points, and set by hand; a few of them were compared by short matches of shallow searches.
"""

from math import sqrt

from holmgang.games.fencing.rules import Fencer, Rules, State


def estimate(rules: Rules, state: State) -> float:
    """To red, between -1 and 1, both excluded."""
    red, blue = state.red, state.blue
    left = max(0.0, 1.0 * rules.turns - state.turn)
    near = max(0.0, 1.0 - abs(red.position - blue.position) / 100.0)
    lead = 1.0 * red.score - blue.score
    lead += readiness(red, red.position, near) * fading(left, 10.0)
    lead -= readiness(blue, rules.piste - blue.position, near) * fading(left, 10.0)
    lead += (training(rules, red, blue) - training(rules, blue, red)) * left / 200.0
    # Whoever is behind wants to be where touches are made, whoever leads does not.
    doubt = 0.15 + 0.06 * sqrt(left) * (1.0 + near)
    return 0.99 * lead / sqrt(lead * lead + doubt * doubt)


def fading(left: float, turns: float) -> float:
    """What is only worth something while there are turns to use it, when few are left."""
    return left / (left + turns)


def readiness(me: Fencer, room: int, near: float) -> float:
    """Energy, of which the first is worth most, and most within reach of the other; and ground."""
    energy = 1.0 * me.energy
    full = min(energy, 20.0) / 20.0
    ready = 0.15 * min(energy, 5.0) / 5.0 + 0.25 * min(energy, 10.0) / 10.0 + 0.3 * full
    return ready + 0.5 * near * full + 0.03 * min(room, 60) / 60.0 + 0.2 * room / 100.0


def training(rules: Rules, me: Fencer, foe: Fencer) -> float:
    """Skills, and the drugs that may still be taken. One that shortens the retreat is a loss."""
    pierced = max(0, me.lunge_distance_skill + foe.parry_distance_skill)
    return (
        0.03 * min(me.break_skill, 10)
        + 0.08 * me.lunge_distance_skill
        + 0.02 * (pierced - me.parry_distance_skill)
        - 0.02 * me.retreat_skill
        - 0.01 * me.double_retreat_skill
        + 0.04 * (rules.max_drugs - me.drug_count)
    )
