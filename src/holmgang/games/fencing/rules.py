"""Fencing Esport as pure functions: leagues 1 to 3, in the order in which a turn is played.

Positions are absolute: red advances upwards, blue downwards. Ids such as F7 are the rulings of
RULES.md. Four fields of `Rules` select the differences of the published referee (preset
`fencing-codingame`). Words, JSON and drawings are in `notation.py`, `story.py` and `board.py`.
"""

from enum import IntEnum
from typing import Annotated, NamedTuple

RED, BLUE, NOBODY = 0, 1, -1


class Rules(NamedTuple):
    """Every number of the rulebook, with the values it may take."""

    league: Annotated[int, range(1, 4)] = 3
    points_to_win: Annotated[int, range(1, 1000)] = 20
    lead_to_win: Annotated[int, range(1, 100)] = 2  # F2
    turns: Annotated[int, range(1, 10_000)] = 200
    piste: Annotated[int, range(1, 10_000)] = 500
    red_start: Annotated[int, range(10_000)] = 200
    blue_start: Annotated[int, range(10_000)] = 300
    start_energy: Annotated[int, range(1000)] = 20
    max_energy: Annotated[int, range(1000)] = 20
    max_drugs: Annotated[int, range(100)] = 7
    break_energy: Annotated[int, range(-100, 101)] = 2
    walk_energy: Annotated[int, range(-100, 101)] = -1
    walk_move: Annotated[int, range(-1000, 1001)] = 20
    retreat_energy: Annotated[int, range(-100, 101)] = -1
    retreat_move: Annotated[int, range(-1000, 1001)] = -20
    lunge_energy: Annotated[int, range(-100, 101)] = -5
    lunge_distance: Annotated[int, range(-1000, 1001)] = 40
    parry_energy: Annotated[int, range(-100, 101)] = -2
    parry_distance: Annotated[int, range(-1000, 1001)] = -40
    energy_transfer: Annotated[int, range(101)] = 2
    double_walk_energy: Annotated[int, range(-100, 101)] = -4
    double_walk_move: Annotated[int, range(-1000, 1001)] = 40
    double_retreat_energy: Annotated[int, range(-100, 101)] = -4
    double_retreat_move: Annotated[int, range(-1000, 1001)] = -30
    lunge_drug_energy: Annotated[int, range(-100, 101)] = -5
    lunge_drug_skill: Annotated[int, range(-1000, 1001)] = 5
    parry_drug_energy: Annotated[int, range(-100, 101)] = -5
    parry_drug_skill: Annotated[int, range(-1000, 1001)] = -5
    energy_max_drug_energy: Annotated[int, range(-100, 101)] = -5
    energy_max_drug_skill: Annotated[int, range(-1000, 1001)] = 5
    walk_drug_energy: Annotated[int, range(-100, 101)] = -5
    walk_drug_skill: Annotated[int, range(-1000, 1001)] = 5
    retreat_drug_energy: Annotated[int, range(-100, 101)] = -5
    retreat_drug_skill: Annotated[int, range(-1000, 1001)] = 5
    double_walk_drug_energy: Annotated[int, range(-100, 101)] = -5
    double_walk_drug_skill: Annotated[int, range(-1000, 1001)] = 10
    double_retreat_drug_energy: Annotated[int, range(-100, 101)] = -5
    double_retreat_drug_skill: Annotated[int, range(-1000, 1001)] = 10
    break_drug_energy: Annotated[int, range(-100, 101)] = -5
    break_drug_skill: Annotated[int, range(-1000, 1001)] = 10
    level_collides: Annotated[int, range(2)] = 0  # F3; 1: level positions collide too
    parry_drug_works: Annotated[int, range(2)] = 1  # F4; 0: it only costs energy, and is no drug
    scoreless_doping_fails_both: Annotated[int, range(2)] = 0  # F5; 1: doping at 0-0 gives both -1


def impossible(rules: Rules) -> str:
    """Why these rules cannot be played; empty if they can."""
    if rules.red_start > rules.piste or rules.blue_start > rules.piste:
        return "both start positions must be on the piste"
    if rules.start_energy > rules.max_energy:
        return "start_energy must not be above max_energy"
    if is_collision(rules, rules.red_start, rules.blue_start):
        return "red_start must be to the left of blue_start"
    return ""


class Fencer(NamedTuple):
    position: int
    energy: int
    score: int
    drug_count: int
    energy_max: int
    break_skill: int
    walk_skill: int
    double_walk_skill: int
    retreat_skill: int
    double_retreat_skill: int
    lunge_distance_skill: int
    parry_distance_skill: int
    doped: bool


class State(NamedTuple):
    turn: int  # turns used so far
    red: Fencer
    blue: Fencer


class Action(IntEnum):
    BREAK = 0
    WALK = 1
    RETREAT = 2
    LUNGE = 3
    PARRY = 4
    # league 2
    DOUBLE_WALK = 5
    DOUBLE_RETREAT = 6
    # league 3
    LUNGE_DRUG = 7
    PARRY_DRUG = 8
    ENERGY_MAX_DRUG = 9
    WALK_DRUG = 10
    RETREAT_DRUG = 11
    DOUBLE_WALK_DRUG = 12
    DOUBLE_RETREAT_DRUG = 13
    BREAK_DRUG = 14


IDLE = -1  # an action without effect (F8, F13)


class Reason(IntEnum):
    ON = 0
    SCORE = 1
    TURNS = 2
    ENERGY = 3
    DOPING = 4
    NON_COMBATIVITY = 5


class Outcome(NamedTuple):
    reason: int
    winner: int
    red_points: int
    blue_points: int


def fresh_fencer(rules: Rules, position: int) -> Fencer:
    return Fencer(
        position=position,
        energy=rules.start_energy,
        score=0,
        drug_count=0,
        energy_max=rules.max_energy,
        break_skill=0,
        walk_skill=0,
        double_walk_skill=0,
        retreat_skill=0,
        double_retreat_skill=0,
        lunge_distance_skill=0,
        parry_distance_skill=0,
        doped=False,
    )


def changed(fencer: Fencer, position: int, energy: int, points: int) -> Fencer:
    """The fencer with another position and energy, and with points added."""
    return Fencer(
        position,
        energy,
        fencer.score + points,
        fencer.drug_count,
        fencer.energy_max,
        fencer.break_skill,
        fencer.walk_skill,
        fencer.double_walk_skill,
        fencer.retreat_skill,
        fencer.double_retreat_skill,
        fencer.lunge_distance_skill,
        fencer.parry_distance_skill,
        fencer.doped,
    )


def initial(rules: Rules) -> State:
    return State(0, fresh_fencer(rules, rules.red_start), fresh_fencer(rules, rules.blue_start))


def choices(rules: Rules, state: State, seat: int) -> int:
    if rules.league == 1:
        return (1 << Action.DOUBLE_WALK) - 1
    if rules.league == 2:
        return (1 << Action.LUNGE_DRUG) - 1
    return (1 << (Action.BREAK_DRUG + 1)) - 1


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    return 1


# 1. Energy


def action_energy(rules: Rules, fencer: Fencer, action: int) -> int:
    """The energy an action gives (+) or costs (-); skills add to the printed numbers (F4, F15)."""
    printed = (
        rules.break_energy,
        rules.walk_energy,
        rules.retreat_energy,
        rules.lunge_energy,
        rules.parry_energy,
        rules.double_walk_energy,
        rules.double_retreat_energy,
        rules.lunge_drug_energy,
        rules.parry_drug_energy,
        rules.energy_max_drug_energy,
        rules.walk_drug_energy,
        rules.retreat_drug_energy,
        rules.double_walk_drug_energy,
        rules.double_retreat_drug_energy,
        rules.break_drug_energy,
    )[action]
    return printed + (fencer.break_skill if action == Action.BREAK else 0)


def charged(fencer: Fencer, amount: int) -> int:
    """Energy after a gain, up to the fencer's maximum, or a loss, without a limit."""
    if amount > 0:
        return min(fencer.energy + amount, fencer.energy_max)
    return fencer.energy + amount


# 2. Drugs


def is_drug(rules: Rules, action: int) -> bool:
    if action == Action.PARRY_DRUG:
        return rules.parry_drug_works == 1
    return action >= Action.LUNGE_DRUG


def dosed(rules: Rules, fencer: Fencer, action: int, energy: int) -> Fencer:
    """The fencer after paying the energy of the action and taking its drug, if any (F13)."""
    if energy < 0 or not is_drug(rules, action):
        return changed(fencer, fencer.position, energy, 0)
    overdose = fencer.drug_count >= rules.max_drugs
    drug = IDLE if overdose else action
    return Fencer(
        position=fencer.position,
        energy=energy,
        score=fencer.score,
        drug_count=fencer.drug_count + (1 if drug != IDLE else 0),
        energy_max=fencer.energy_max
        + (rules.energy_max_drug_skill if drug == Action.ENERGY_MAX_DRUG else 0),
        break_skill=fencer.break_skill
        + (rules.break_drug_skill if drug == Action.BREAK_DRUG else 0),
        walk_skill=fencer.walk_skill + (rules.walk_drug_skill if drug == Action.WALK_DRUG else 0),
        double_walk_skill=fencer.double_walk_skill
        + (rules.double_walk_drug_skill if drug == Action.DOUBLE_WALK_DRUG else 0),
        retreat_skill=fencer.retreat_skill
        + (rules.retreat_drug_skill if drug == Action.RETREAT_DRUG else 0),
        double_retreat_skill=fencer.double_retreat_skill
        + (rules.double_retreat_drug_skill if drug == Action.DOUBLE_RETREAT_DRUG else 0),
        lunge_distance_skill=fencer.lunge_distance_skill
        + (rules.lunge_drug_skill if drug == Action.LUNGE_DRUG else 0),
        parry_distance_skill=fencer.parry_distance_skill
        + (rules.parry_drug_skill if drug == Action.PARRY_DRUG else 0),
        doped=fencer.doped or overdose,
    )


# 3. Moves


def action_move(rules: Rules, fencer: Fencer, action: int) -> int:
    """How far the action advances its fencer (F4)."""
    if action == Action.WALK:
        return rules.walk_move + fencer.walk_skill
    if action == Action.RETREAT:
        return rules.retreat_move + fencer.retreat_skill
    if action == Action.DOUBLE_WALK:
        return rules.double_walk_move + fencer.double_walk_skill
    if action == Action.DOUBLE_RETREAT:
        return rules.double_retreat_move + fencer.double_retreat_skill
    return 0


def is_off_piste(rules: Rules, position: int) -> bool:
    """Whether a position is off the piste. Both edges belong to the piste (F7)."""
    return position < 0 or position > rules.piste


# 4. Assaults


def reach(rules: Rules, striker: Fencer, defender: Fencer, defence: int) -> int:
    """The reach of a lunge against a defender who parries or does not (F1, F4)."""
    lunge = rules.lunge_distance + striker.lunge_distance_skill
    if defence == Action.PARRY:
        return lunge + rules.parry_distance + defender.parry_distance_skill
    return lunge


# The turn (F10): energy, drugs, moves, assaults, off-piste points, end of game?, respawn


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    r = dosed(rules, state.red, red, charged(state.red, action_energy(rules, state.red, red)))
    b = dosed(rules, state.blue, blue, charged(state.blue, action_energy(rules, state.blue, blue)))
    red_acts = red if r.energy >= 0 else IDLE  # F8
    blue_acts = blue if b.energy >= 0 else IDLE

    red_at = r.position + action_move(rules, r, red_acts)
    blue_at = b.position - action_move(rules, b, blue_acts)
    red_out = is_off_piste(rules, red_at)
    blue_out = is_off_piste(rules, blue_at)

    distance = abs(red_at - blue_at)  # also after crossing (F11)
    assault = not (red_out or blue_out)  # F7
    red_lunges = assault and red_acts == Action.LUNGE
    blue_lunges = assault and blue_acts == Action.LUNGE
    red_touches = red_lunges and distance <= reach(rules, r, b, blue_acts)  # each for itself (F12)
    blue_touches = blue_lunges and distance <= reach(rules, b, r, red_acts)

    red_energy, blue_energy = r.energy, b.energy
    if red_lunges and not red_touches and blue_acts == Action.PARRY:  # F9
        red_energy = red_energy - rules.energy_transfer
        blue_energy = charged(b, rules.energy_transfer)
    if blue_lunges and not blue_touches and red_acts == Action.PARRY:
        blue_energy = blue_energy - rules.energy_transfer
        red_energy = charged(r, rules.energy_transfer)

    r = changed(
        r,
        max(0, min(red_at, rules.piste)),
        red_energy,
        (1 if red_touches else 0) + (1 if blue_out else 0),
    )
    b = changed(
        b,
        max(0, min(blue_at, rules.piste)),
        blue_energy,
        (1 if blue_touches else 0) + (1 if red_out else 0),
    )

    if is_disqualified(r) or is_disqualified(b) or is_decided(rules, r.score, b.score):
        return State(state.turn + 1, r, b)
    if red_touches or blue_touches or not assault or is_collision(rules, red_at, blue_at):
        return State(  # the respawn uses a turn of its own, if one is left (F6)
            min(state.turn + 2, rules.turns),
            changed(r, rules.red_start, r.energy, 0),
            changed(b, rules.blue_start, b.energy, 0),
        )
    return State(state.turn + 1, r, b)


def is_collision(rules: Rules, red_at: int, blue_at: int) -> bool:
    """Whether the fencers have passed each other; the same position is not a collision (F3)."""
    return red_at > blue_at or (rules.level_collides == 1 and red_at == blue_at)


# Victory, defeat, scoring


def is_disqualified(fencer: Fencer) -> bool:
    return fencer.energy < 0 or fencer.doped  # exactly 0 is fine (F8)


def is_decided(rules: Rules, red_score: int, blue_score: int) -> bool:
    """Enough points and a lead of at least 2 (F2)."""
    return (
        max(red_score, blue_score) >= rules.points_to_win
        and abs(red_score - blue_score) >= rules.lead_to_win
    )


def outcome(rules: Rules, state: State) -> Outcome:
    red, blue = state.red, state.blue
    if is_disqualified(red) or is_disqualified(blue):  # beats any score (F14)
        reason = Reason.ENERGY if red.energy < 0 or blue.energy < 0 else Reason.DOPING
        red_points = points_of_side(is_disqualified(red))
        blue_points = points_of_side(is_disqualified(blue))
        scoreless = red.score == 0 and blue.score == 0
        if reason == Reason.DOPING and scoreless and rules.scoreless_doping_fails_both == 1:  # F5
            red_points, blue_points = -1, -1
        return Outcome(reason, leader(red_points, blue_points), red_points, blue_points)
    if is_decided(rules, red.score, blue.score):
        return won(Reason.SCORE, red.score, blue.score)
    if state.turn < rules.turns:
        return Outcome(Reason.ON, NOBODY, 0, 0)
    if red.score == 0 and blue.score == 0:
        return Outcome(Reason.NON_COMBATIVITY, NOBODY, -1, -1)  # F5
    return won(Reason.TURNS, red.score, blue.score)


def points_of_side(disqualified: bool) -> int:
    """The points of a side after a disqualification (F14)."""
    return -1 if disqualified else 1


def leader(red: int, blue: int) -> int:
    if red > blue:
        return RED
    if blue > red:
        return BLUE
    return NOBODY


def won(reason: int, red_score: int, blue_score: int) -> Outcome:
    """1 point for the higher score, 0 for the lower or equal one (F14)."""
    winner = leader(red_score, blue_score)
    return Outcome(reason, winner, 1 if winner == RED else 0, 1 if winner == BLUE else 0)
