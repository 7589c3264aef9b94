"""What happened in a turn of fencing, and what an action is for, in words."""

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
    is_disqualified,
    reach,
)

NAMES = ("Red", "Blue")


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[str]:
    lines = [f"Red: {spoken(red)}; Blue: {spoken(blue)}."]
    acts = (red, blue)
    for seat, other in ((RED, BLUE), (BLUE, RED)):
        me = after[1 + seat]
        points = me.score - before[1 + seat].score
        if points and acts[seat] == Action.LUNGE:
            lines.append(f"{NAMES[seat]} touches: {after.red.score}-{after.blue.score}.")
        elif points:
            lines.append(
                f"{NAMES[other]} leaves the piste: {after.red.score}-{after.blue.score}."
            )
        elif acts[seat] == Action.LUNGE and acts[other] == Action.PARRY and me.energy >= 0:
            lines.append(f"{NAMES[other]} parries and takes {rules.energy_transfer} energy.")
        if me.doped and not before[1 + seat].doped:
            lines.append(f"{NAMES[seat]} takes one drug too many.")
        if me.energy < 0:
            lines.append(f"{NAMES[seat]} is out of energy.")
    if after.turn - before.turn == 2:
        lines.append("Both respawn.")
    return lines


def spoken(action: int) -> str:
    return WORDS[action].replace("_", " ")


def preview(rules: Rules, state: State, seat: int, choice: int) -> str:
    me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
    energy = action_energy(rules, me, choice)
    left = min(me.energy + energy, me.energy_max)
    cost = f"energy {me.energy} → {left}" + (" [out!]" if left < 0 else "")
    move = action_move(rules, me, choice)
    if move:
        gap = abs(state.blue.position - state.red.position)
        return f"{cost}, {'forward' if move > 0 else 'back'} {abs(move)} (distance is {gap})"
    if choice == Action.LUNGE:
        plain, parried = reach(rules, me, foe, Action.LUNGE), reach(rules, me, foe, Action.PARRY)
        return f"{cost}, touches within {plain}, if parried within {parried}"
    if choice == Action.PARRY:
        return f"{cost}, touched only within {reach(rules, foe, me, Action.PARRY)}"
    if choice >= Action.LUNGE_DRUG:
        return f"{cost}, {drug_effect(rules, choice)} ({drugs_left(rules, me)})"
    return cost


def drug_effect(rules: Rules, choice: int) -> str:
    word = WORDS[choice].removesuffix("_drug")
    amount = getattr(rules, f"{word}_drug_skill")
    if choice == Action.PARRY_DRUG and not rules.parry_drug_works:
        return "no effect"
    return f"{word.replace('_', ' ')} {amount:+} for good"


def drugs_left(rules: Rules, me: Fencer) -> str:
    left = rules.max_drugs - me.drug_count
    return f"{left} more allowed" if left > 0 else "one too many: disqualified!"


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    score = f"{state.red.score}-{state.blue.score}"
    if outcome.reason in (Reason.ENERGY, Reason.DOPING):
        out = [NAMES[seat] for seat in (RED, BLUE) if is_disqualified(state[1 + seat])]
        reason = "out of energy" if outcome.reason == Reason.ENERGY else "doping"
        verb = "is" if len(out) == 1 else "are"
        winner = f"; {NAMES[outcome.winner]} wins" if outcome.winner >= 0 else "; nobody wins"
        return f"{' and '.join(out)} {verb} disqualified ({reason}){winner}."
    if outcome.reason == Reason.NON_COMBATIVITY:
        return f"{rules.turns} turns without a point: both are disqualified."
    if outcome.winner < 0:
        return f"Draw: {score} after {rules.turns} turns."
    after = f" after {rules.turns} turns" if outcome.reason == Reason.TURNS else ""
    return f"{NAMES[outcome.winner]} wins {score}{after}."
