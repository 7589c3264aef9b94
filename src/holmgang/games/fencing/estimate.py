"""What an undecided state of Fencing looks like it is worth: an opinion for searches, no rule.

A lead in points, and what is likely to become points, against the doubt that is left. What league 1
can tell is close to a fit to its exact values (bench/fit_estimates.py; it depends on the states
that are sampled): energy and the edge of the piste count within reach of the other, and hardly
elsewhere. The weights of ground and of drugs are set by hand.
"""

from math import sqrt

from holmgang.games.fencing.rules import Fencer, Rules, State

LUNGE = 0.6  # the energy for one lunge, in points, as all of these; within reach of the other
RALLY = 0.45  # the energy for a rally
EDGE = 0.1  # two steps between oneself and the end of the piste
GROUND = 0.05  # a step forward, from afar: who stands still makes no touch
DOUBT = 0.6  # that is there in the last turns,
MORE_DOUBT = 0.8  # and that comes with the turns that are left,
NEAR_DOUBT = 0.4  # and that is there within reach
HALF_TIME = 90.0  # turns with which half of it comes
LUNGES = 2.4  # in a rally


def estimate(rules: Rules, state: State) -> float:
    """To red, between -1 and 1, both excluded."""
    red, blue = state.red, state.blue
    left = max(0.0, 1.0 * rules.turns - state.turn)
    later = left / (left + HALF_TIME)
    near = nearness(rules, red, blue)
    lead = 1.0 * red.score - blue.score
    lead += readiness(rules, red, red.position, near)
    lead -= readiness(rules, blue, rules.piste - blue.position, near)
    lead += (training(rules, red, blue) - training(rules, blue, red)) * left / 200.0
    doubt = DOUBT + (MORE_DOUBT + NEAR_DOUBT * near) * later
    return lead / sqrt(sqrt(lead * lead * lead * lead + doubt * doubt * doubt * doubt))


def nearness(rules: Rules, red: Fencer, blue: Fencer) -> float:
    """1 within reach of a lunge, and less with every step that it takes to come there."""
    reach = rules.lunge_distance + max(red.lunge_distance_skill, blue.lunge_distance_skill)
    steps = max(0.0, (abs(red.position - blue.position) - reach) / max(1.0, 1.0 * rules.walk_move))
    return 1.0 / ((1.0 + steps) * (1.0 + steps))


def readiness(rules: Rules, me: Fencer, room: int, near: float) -> float:
    """Energy, of which the first is worth most, and ground."""
    lunges = max(0.0, me.energy / max(1.0, -1.0 * rules.lunge_energy))
    step = max(1.0, 1.0 * rules.walk_move)
    ready = LUNGE * min(lunges, 1.0) + RALLY * min(lunges, LUNGES) / LUNGES
    return (ready + EDGE * min(room / step, 2.0) / 2.0) * near + GROUND * room / step


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
