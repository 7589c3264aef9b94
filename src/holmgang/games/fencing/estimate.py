"""A heuristic value of an undecided state of Fencing, for searches.

It is the lead in points, and in what is likely to become points, relative to the remaining
uncertainty. The weights that matter in league 1 are close to a fit to its exact values
(bench/fit_estimates.py; the fit depends on the sampled states): energy and the edge of the piste
count within reach of the opponent, and hardly elsewhere. Those of ground and drugs are set by hand.
"""

from math import sqrt

from holmgang.games.fencing.rules import Fencer, Rules, State

LUNGE = 0.6  # the energy for one lunge within reach; in points, like all weights here
RALLY = 0.45  # the energy for a rally of lunges
EDGE = 0.1  # two steps of room behind a fencer
GROUND = 0.05  # a step forward, at any distance
DOUBT = 0.6  # uncertainty in the last turns,
MORE_DOUBT = 0.8  # added if many turns are left,
NEAR_DOUBT = 0.4  # and added if they are within reach
HALF_TIME = 90.0  # turns left at which half of it is added
LUNGES = 2.4  # lunges in a rally


def estimate(rules: Rules, state: State) -> float:
    """The value to red, strictly between -1 and 1."""
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
    """1 within reach of a lunge, and less with every step outside it."""
    reach = rules.lunge_distance + max(red.lunge_distance_skill, blue.lunge_distance_skill)
    steps = max(0.0, (abs(red.position - blue.position) - reach) / max(1.0, 1.0 * rules.walk_move))
    return 1.0 / ((1.0 + steps) * (1.0 + steps))


def readiness(rules: Rules, me: Fencer, room: int, near: float) -> float:
    """The value of ground and of energy, of which the first part counts most."""
    lunges = max(0.0, me.energy / max(1.0, -1.0 * rules.lunge_energy))
    step = max(1.0, 1.0 * rules.walk_move)
    ready = LUNGE * min(lunges, 1.0) + RALLY * min(lunges, LUNGES) / LUNGES
    return (ready + EDGE * min(room / step, 2.0) / 2.0) * near + GROUND * room / step


def training(rules: Rules, me: Fencer, foe: Fencer) -> float:
    """The value of skills, and of drugs that may still be taken."""
    pierced = max(0, me.lunge_distance_skill + foe.parry_distance_skill)
    return (
        0.03 * min(me.break_skill, 10)
        + 0.08 * me.lunge_distance_skill
        + 0.02 * (pierced - me.parry_distance_skill)
        - 0.02 * me.retreat_skill
        - 0.01 * me.double_retreat_skill
        + 0.04 * (rules.max_drugs - me.drug_count)
    )
