"""What happened in a turn of fencing, and what an action is for, in words."""

from enum import Enum

from holmgang.games.contract import NOBODY, SEAT_NAMES, Clause
from holmgang.games.fencing.notation import WORDS
from holmgang.games.fencing.rules import (
    BLUE,
    RED,
    Action,
    Fencer,
    Outcome,
    Reason,
    Rules,
    State,
    action_energy,
    action_move,
    charged,
    dosed,
    is_disqualified,
    is_off_piste,
    reach,
)

DRUGGED = {
    Action.WALK_DRUG: Action.WALK,
    Action.RETREAT_DRUG: Action.RETREAT,
    Action.DOUBLE_WALK_DRUG: Action.DOUBLE_WALK,
    Action.DOUBLE_RETREAT_DRUG: Action.DOUBLE_RETREAT,
}


DEEDS = {
    Action.BREAK: "rests",
    Action.WALK: "walks",
    Action.RETREAT: "retreats",
    Action.LUNGE: "lunges",
    Action.PARRY: "parries",
    Action.DOUBLE_WALK: "walks twice",
    Action.DOUBLE_RETREAT: "retreats twice",
}


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[Clause]:
    acts, were, are = (red, blue), (before.red, before.blue), (after.red, after.blue)
    lunges = [lunge_result(rules, before, red, blue, after, seat) for seat in (RED, BLUE)]
    told = [
        Clause(RED, deed(red), why=why_no_touch(RED, lunges[RED])),
        Clause(BLUE, deed(blue), why=why_no_touch(BLUE, lunges[BLUE]), continues=True),
    ]
    score = f"{after.red.score}-{after.blue.score}"
    out = [leaves(rules, were[seat], acts[seat], seat) for seat in (RED, BLUE)]
    for seat in (RED, BLUE):
        me = are[seat]
        if out[seat]:
            told.append(Clause(seat, f"leaves the piste: {score}"))
        if lunges[seat] == Lunge.TOUCH:
            told.append(Clause(seat, f"touches: {score}", me.score))
        elif lunges[seat] == Lunge.PARRIED:
            energy = rules.energy_transfer
            taken = f" and takes {energy} energy" * (energy > 0)
            told.append(Clause(1 - seat, f"parries the lunge{taken}", energy))
        elif lunges[seat] == Lunge.SHORT:
            told.append(Clause(seat, "falls short", thing="lunge"))
        if me.doped and not were[seat].doped:
            told.append(Clause(seat, "takes one drug too many"))
        if me.energy < 0:
            told.append(Clause(seat, "is out of energy", me.energy))
    if after.turn - before.turn == 2:
        told.append(Clause(NOBODY, "Both go back to their lines"))
    return told


class Lunge(Enum):
    """What a lunge came to."""

    NONE = ""
    TOUCH = "touch"
    PARRIED = "parried"
    SHORT = "short"


def lunge_result(
    rules: Rules, before: State, red: int, blue: int, after: State, seat: int
) -> Lunge:
    acts, were, are = (red, blue), (before.red, before.blue), (after.red, after.blue)
    other = 1 - seat
    is_anyone_out = any(leaves(rules, were[each], acts[each], each) for each in (RED, BLUE))
    if acts[seat] != Action.LUNGE or not can_act(rules, were[seat], acts[seat]) or is_anyone_out:
        return Lunge.NONE
    if are[seat].score > were[seat].score:
        return Lunge.TOUCH
    if acts[other] == Action.PARRY and can_act(rules, were[other], acts[other]):
        return Lunge.PARRIED
    return Lunge.SHORT


def why_no_touch(seat: int, lunge: Lunge) -> Clause | None:
    """Why the lunge of a seat did not touch; None if it did, or had no chance to."""
    if lunge == Lunge.PARRIED:
        return Clause(1 - seat, "parries")
    return Clause(1 - seat, "is out of reach") if lunge == Lunge.SHORT else None


def deed(action: int) -> str:
    if action in DEEDS:
        return DEEDS[Action(action)]
    drug = spoken(action)
    return f"takes {'an' if drug[0] in 'aeiou' else 'a'} {drug}"


def spoken(action: int) -> str:
    return WORDS[action].replace("_", " ")


def can_act(rules: Rules, me: Fencer, action: int) -> bool:
    """Whether the fencer had the energy for the action to have an effect (F8)."""
    return energy_after(rules, me, action) >= 0


def energy_after(rules: Rules, me: Fencer, action: int) -> int:
    return charged(me, action_energy(rules, me, action))


def leaves(rules: Rules, me: Fencer, action: int, seat: int) -> bool:
    move = action_move(rules, me, action) if can_act(rules, me, action) else 0
    return is_off_piste(rules, me.position + (move if seat == RED else -move))


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
    left = energy_after(rules, me, choice)
    cost = f"energy {me.energy} → {left}" + (": out!" if left < 0 else "")
    move = action_move(rules, me, choice)
    if move:
        off = ["off the piste!"] if leaves(rules, me, choice, seat) else []
        return [way(move), *off, cost]
    if choice == Action.LUNGE:
        plain, parried = reach(rules, me, foe, Action.LUNGE), reach(rules, me, foe, Action.PARRY)
        return [touched(plain), f"if parried {touched(parried, '')}", cost]
    if choice == Action.PARRY:
        far = reach(rules, foe, me, Action.PARRY)
        return [f"safe beyond {far}" if far >= 0 else "safe at any distance", cost]
    if choice >= Action.LUNGE_DRUG:
        return [drug_effect(rules, me, foe, choice), cost, drugs_left(rules, me)]
    return [cost]


def way(move: int) -> str:
    return f"{abs(move)} {'back' if move < 0 else 'forward'}"


def touched(far: int, verb: str = "touch ") -> str:
    return f"{verb}within {far}" if far >= 0 else "never"


def drug_effect(rules: Rules, me: Fencer, foe: Fencer, drug: int) -> str:
    """What the drug changes for the action it is meant for, such as `retreat 20 back → 15 back`."""
    after = dosed(rules, me, drug, energy_after(rules, me, drug))
    name, was = ability(rules, me, foe, drug)
    now = ability(rules, after, foe, drug)[1]
    return f"{name} {was} → {now}" if was != now else "no effect"


def ability(rules: Rules, me: Fencer, foe: Fencer, drug: int) -> tuple[str, str]:
    """What a drug is for: its name, and how good the fencer is at it."""
    match drug:
        case Action.LUNGE_DRUG:
            return "lunge reach", str(reach(rules, me, foe, Action.BREAK))
        case Action.PARRY_DRUG:
            return "reach against your parry", str(reach(rules, foe, me, Action.PARRY))
        case Action.ENERGY_MAX_DRUG:
            return "energy maximum", str(me.energy_max)
        case Action.BREAK_DRUG:
            return "energy of a break", f"{action_energy(rules, me, Action.BREAK):+}"
    action = DRUGGED[Action(drug)]
    return spoken(action), way(action_move(rules, me, action))


def drugs_left(rules: Rules, me: Fencer) -> str:
    left = rules.max_drugs - me.drug_count
    return f"{left} more allowed" if left > 0 else "one too many!"


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    score = f"{state.red.score}-{state.blue.score}"
    if outcome.reason in (Reason.ENERGY, Reason.DOPING):
        sides = (state.red, state.blue)
        out = [SEAT_NAMES[seat] for seat in (RED, BLUE) if is_disqualified(sides[seat])]
        reason = "out of energy" if outcome.reason == Reason.ENERGY else "doping"
        verb = "is" if len(out) == 1 else "are"
        winner = f"; {SEAT_NAMES[outcome.winner]} wins" if outcome.winner >= 0 else "; nobody wins"
        return f"{' and '.join(out)} {verb} disqualified ({reason}){winner}."
    if outcome.reason == Reason.NON_COMBATIVITY:
        return f"{rules.turns} turns without a point: both are disqualified."
    if outcome.winner < 0:
        return f"Draw: {score} after {rules.turns} turns."
    after = f" after {rules.turns} turns" if outcome.reason == Reason.TURNS else ""
    return f"{SEAT_NAMES[outcome.winner]} wins {score}{after}."
