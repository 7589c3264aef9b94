"""What happened in a turn of fencing, and what an action does, in words."""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

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
    choices,
    dosed,
    is_collision,
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


RETREATS = {Action.RETREAT: "retreat{}", Action.DOUBLE_RETREAT: "double-retreat{}"}

DEEDS = {
    Action.BREAK: "rests",
    Action.WALK: "walks",
    Action.RETREAT: "retreats",
    Action.LUNGE: "lunges",
    Action.PARRY: "parries",
    Action.DOUBLE_WALK: "walks twice",
    Action.DOUBLE_RETREAT: "retreats twice",
}


class Lunge(Enum):
    """The result of a lunge."""

    NONE = ""
    TOUCH = "touch"
    PARRIED = "parried"
    SHORT = "short"


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[Clause]:
    acts, were, are = (red, blue), (before.red, before.blue), (after.red, after.blue)
    turn = Turn(rules, before, red, blue)
    lunges = [lunge_result(rules, before, red, blue, after, seat) for seat in (RED, BLUE)]
    told = [
        Clause(
            seat, deed(acts[seat]), why=turn.why_no_touch(seat, lunges[seat]), is_reason_told=True
        )
        for seat in (RED, BLUE)
    ]
    told[1] = told[1]._replace(continues=True)
    score = f"{after.red.score}-{after.blue.score}"
    for seat in (RED, BLUE):
        me, other = are[seat], SEAT_NAMES[1 - seat]
        if turn.is_out(seat):
            told.append(Clause(seat, f"leaves the piste, a point for {other}: {score}"))
        if lunges[seat] == Lunge.TOUCH:
            close = f"touches from {turn.distance} away (reach {turn.reach(seat)})"
            told.append(Clause(seat, f"{close}: {score}", me.score, is_hit=True))
        elif lunges[seat] == Lunge.PARRIED:
            told.append(turn.parry(seat))
        elif lunges[seat] == Lunge.SHORT:
            why = turn.why_no_touch(seat, lunges[seat])
            told.append(Clause(seat, "falls short", why=why, thing="lunge"))
        elif turn.acts(seat, Action.LUNGE):
            left = Clause(NOBODY, "someone left the piste")
            told.append(Clause(seat, "does not count", why=left, thing="lunge"))
        if turn.acts(seat, Action.PARRY) and acts[1 - seat] != Action.LUNGE:
            idle = Clause(1 - seat, "does not lunge")
            told.append(Clause(seat, "does nothing", why=idle, thing="parry"))
        told += effects(rules, seat, acts[seat], were[seat], me)
    if after.turn - before.turn == 2:
        passed = Clause(NOBODY, "they have passed each other") if turn.is_collision else None
        told.append(Clause(NOBODY, "Both go back to their lines", why=passed))
    return told


def effects(rules: Rules, seat: int, action: int, was: Fencer, now: Fencer) -> Iterator[Clause]:
    """What an action did to its own fencer: drugs, rest, and disqualification."""
    if now.doped and not was.doped:
        most = Clause(NOBODY, f"{rules.max_drugs} are allowed", rules.max_drugs)
        yield Clause(seat, "takes one drug too many", why=most)
    elif now.drug_count > was.drug_count:
        told = drug_change(rules, SEAT_NAMES[seat], was, now, action)
        yield Clause(NOBODY, told[:1].upper() + told[1:])
    if action == Action.BREAK and can_act(rules, was, action):
        if now.energy == was.energy:
            full = Clause(seat, f"is {was.energy}, the most", was.energy, thing="energy")
            yield Clause(seat, "does nothing", why=full, thing="rest")
        else:
            rises = f"rises from {was.energy} to {now.energy}"
            yield Clause(seat, rises, now.energy, thing="energy")
    if now.energy < 0:
        cost = f"costs {-action_energy(rules, was, action)}, and {SEAT_NAMES[seat]} had"
        left = energy_after(rules, was, action)
        why = Clause(seat, f"{cost} {was.energy}", was.energy, thing=spoken(action))
        if left >= 0:
            taken = f"takes {rules.energy_transfer}, and {SEAT_NAMES[seat]} had {left} left"
            why = Clause(1 - seat, taken, left, thing="parry")
        yield Clause(seat, "is out of energy", now.energy, why)


class Turn(NamedTuple):
    """Where both fencers stand when lunges are judged, by the rules' own functions."""

    rules: Rules
    before: State
    red: int
    blue: int

    def fencer(self, seat: int) -> Fencer:
        return self.before.red if seat == RED else self.before.blue

    def action(self, seat: int) -> int:
        return self.red if seat == RED else self.blue

    def acts(self, seat: int, action: int) -> bool:
        """Whether the fencer chose this action and had the energy for it (F8)."""
        return self.action(seat) == action and can_act(self.rules, self.fencer(seat), action)

    def is_out(self, seat: int) -> bool:
        return leaves(self.rules, self.fencer(seat), self.action(seat), seat)

    @property
    def places(self) -> tuple[int, int]:
        red, blue = (place(self.rules, self.fencer(s), self.action(s), s) for s in (RED, BLUE))
        return red, blue

    @property
    def distance(self) -> int:
        return abs(self.places[RED] - self.places[BLUE])  # F11

    @property
    def is_collision(self) -> bool:
        return is_collision(self.rules, *self.places)

    def reach(self, seat: int, defence: int | None = None) -> int:
        """The reach of a seat's lunge against the other fencer's action."""
        other = 1 - seat
        if defence is None:
            defence = Action.PARRY if self.acts(other, Action.PARRY) else Action.BREAK
        return reach(self.rules, self.fencer(seat), self.fencer(other), defence)

    def why_no_touch(self, seat: int, lunge: Lunge) -> Clause | None:
        """Why the lunge of a seat did not touch; None if it did, or had no chance to."""
        if lunge == Lunge.PARRIED:
            return Clause(1 - seat, "parries")
        if lunge == Lunge.SHORT:
            far = f"is {self.distance} away, and the lunge reaches {self.reach(seat)}"
            return Clause(1 - seat, far, self.distance)
        return None

    def parry(self, lunger: int) -> Clause:
        """A parry that stopped a lunge, and why it did."""
        energy, plain = self.rules.energy_transfer, self.reach(lunger, Action.BREAK)
        taken = f" and takes {energy} energy" * (energy > 0)
        if self.distance > plain:
            far = f"reaches {plain}, and {SEAT_NAMES[1 - lunger]} is {self.distance} away"
            return Clause(1 - lunger, f"parries{taken}", energy, Clause(lunger, far, thing="lunge"))
        reached = self.reach(lunger)
        against = f"reaches {reached}" if reached >= 0 else "reaches nobody"
        why = Clause(lunger, f"{against} against the parry, not {plain}", thing="lunge")
        return Clause(1 - lunger, f"parries{taken}", energy, why)


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


def place(rules: Rules, me: Fencer, action: int, seat: int) -> int:
    """Where the action takes the fencer, on the piste or beyond it."""
    move = action_move(rules, me, action) if can_act(rules, me, action) else 0
    return me.position + (move if seat == RED else -move)


def leaves(rules: Rules, me: Fencer, action: int, seat: int) -> bool:
    return is_off_piste(rules, place(rules, me, action, seat))


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
    other, left = SEAT_NAMES[1 - seat], energy_after(rules, me, choice)
    if left < 0:
        return ["you run out of energy and lose"]
    after = dosed(rules, me, choice, left)
    if after.doped:
        return [f"you take one drug too many and lose: {rules.max_drugs} are allowed"]
    cost = f"energy {me.energy} → {left}"
    if leaves(rules, me, choice, seat):
        return [f"you leave the piste: a point for {other}", cost]
    move = action_move(rules, me, choice)
    distance = abs(me.position - foe.position)
    if move:
        return [move_note(rules, state, seat, choice), cost]
    if choice == Action.LUNGE:
        notes = lunge_notes(rules, state, seat, distance)
        if left < rules.energy_transfer and distance > reach(rules, me, foe, Action.PARRY):
            notes.insert(0, f"if {other} parries, you run out of energy and lose")  # F9
        return [*notes, cost]
    if choice == Action.PARRY:
        far = reach(rules, foe, me, Action.PARRY)
        stops = f"a lunge from more than {far} away" if far > 0 else "a lunge"
        energy = rules.energy_transfer
        takes = f" and takes {energy} energy from {other}" * (energy > 0)
        return [f"stops {stops}{takes}", cost]
    if choice >= Action.LUNGE_DRUG:
        effect = drug_change(rules, "you", me, after, choice)
        return [effect, cost, f"{rules.max_drugs - me.drug_count} more drugs allowed"]
    if left == me.energy:
        return [f"no effect: your energy is {left}, the most"]
    return [cost]


def move_note(rules: Rules, state: State, seat: int, choice: int) -> str:
    """How far a move goes, and the distance if the other fencer stays."""
    me = state.red if seat == RED else state.blue
    move, other = action_move(rules, me, choice), SEAT_NAMES[1 - seat]
    red, blue = state.red.position, state.blue.position
    red, blue = (
        (place(rules, me, choice, seat), blue)
        if seat == RED
        else (red, place(rules, me, choice, seat))
    )
    if is_collision(rules, red, blue):
        return f"{way(move)}, past {other}: both go back to their lines if {other} stays"
    return f"{way(move)}: {abs(red - blue)} apart if {other} stays"


def lunge_notes(rules: Rules, state: State, seat: int, distance: int) -> list[str]:
    me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
    other = SEAT_NAMES[1 - seat]
    plain, parried = reach(rules, me, foe, Action.BREAK), reach(rules, me, foe, Action.PARRY)
    stops = "a parry stops it"
    if distance <= parried:
        stops = "a parry does not stop it"
    elif parried > 0:
        stops = f"a parry stops it beyond {parried}"
    nearest = min(
        abs(me.position - place(rules, foe, action, 1 - seat))
        for action in Action
        if choices(rules, state, 1 - seat) >> action & 1
    )
    if min(nearest, distance) > plain:
        return [f"cannot touch: {other} is {distance} away, and you reach {plain}"]
    if distance > plain:
        return [f"touches only if {other} comes closer: {distance} apart, you reach {plain}", stops]
    return [f"touches up to {plain} away, and {other} is {distance} away", stops]


def way(move: int) -> str:
    return f"{abs(move)} {'back' if move < 0 else 'forward'}"


def drug_change(rules: Rules, who: str, was: Fencer, now: Fencer, drug: int) -> str:
    """What a drug changes for `you` or for a seat: `you then walk 25, not 20`."""
    own, verb, careful = ("your", "", "careful: ") if who == "you" else (f"{who}'s", "s", "")
    match drug:
        case Action.LUNGE_DRUG:
            old, new = (reach(rules, each, each, Action.BREAK) for each in (was, now))
            changed = f"{own} lunge then reaches {new}, not {old}"
        case Action.PARRY_DRUG:
            old, new = (parry_reach(rules, each) for each in (was, now))
            changed = f"{own} parry then shortens lunges by {-new}, not {-old}"
        case Action.ENERGY_MAX_DRUG:
            old, new = was.energy_max, now.energy_max
            changed = f"{own} energy can then rise to {new}, not {old}"
        case Action.BREAK_DRUG:
            old, new = (action_energy(rules, each, Action.BREAK) for each in (was, now))
            changed = f"from now on, a break gives {who} {new} energy, not {old}"
        case _:
            action = DRUGGED[Action(drug)]
            old, new = (action_move(rules, each, action) for each in (was, now))
            changed = f"{own} {spoken(action)} then goes {way(new)}, not {abs(old)}"
            if old < 0 < new:
                changed = f"{careful}{own} {spoken(action)} then goes {new} forward"
            elif old < new <= 0 and action in RETREATS:
                only = f"only {-new}, not {-old}"
                changed = f"{careful}{who} then {RETREATS[action].format(verb)} {only}"
    return changed if old != new else "no effect: this drug does nothing"


def parry_reach(rules: Rules, me: Fencer) -> int:
    """By how much a parry changes the reach of a lunge."""
    return reach(rules, me, me, Action.PARRY) - reach(rules, me, me, Action.BREAK)


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    score = f"{state.red.score}-{state.blue.score}"
    if outcome.reason in (Reason.ENERGY, Reason.DOPING):
        sides = (state.red, state.blue)
        out = [SEAT_NAMES[seat] for seat in (RED, BLUE) if is_disqualified(sides[seat])]
        reason = "out of energy" if outcome.reason == Reason.ENERGY else "doped"
        verb = "is" if len(out) == 1 else "are"
        winner = SEAT_NAMES[outcome.winner] if outcome.winner >= 0 else "Nobody"
        return f"{winner} wins: {' and '.join(out)} {verb} {reason} and disqualified."
    if outcome.reason == Reason.NON_COMBATIVITY:
        return f"{rules.turns} turns without a point: both are disqualified."
    if outcome.winner < 0:
        return f"Draw: {score} after {rules.turns} turns."
    after = f" after {rules.turns} turns" if outcome.reason == Reason.TURNS else ""
    most, least = sorted((state.red.score, state.blue.score), reverse=True)
    return f"{SEAT_NAMES[outcome.winner]} wins {most}-{least}{after}."
