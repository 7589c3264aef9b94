"""What happened in a turn of Defend The City, and what a choice is for, in words."""

from typing import NamedTuple

from holmgang.games.contract import ChoiceLabel
from holmgang.games.defend_the_city.rules import (
    BLUE,
    FORFEIT,
    KEEP,
    RED,
    Fighter,
    Outcome,
    Phase,
    Reason,
    Rules,
    State,
    asked,
    blue_roll,
    defense_of,
    does_hit,
    is_spent,
    offense_of,
    paid,
    reacted,
    red_roll,
    scored,
    scores,
)

NAMES = ("Red", "Blue")


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[str]:
    r, b = scores(rules, before, red, blue)
    lines = [opening(before, r, b, red, blue)]
    if after.phase == Phase.REACT:
        lower = asked(after.red, after.blue)
        return [*lines, f"{NAMES[lower]} has the lower offense and may forfeit it."]
    lines.extend(attacks(rules, r, b, face))
    if after.defeated > before.defeated:
        lines.append(f"A soldier falls: {after.defeated} of {rules.soldiers}.")
    elif not after.red.wounded and not rules.duel and max(paid(r), paid(b)) <= 0:
        lines.append("Both are spent: the soldier withdraws and a new one comes.")
    return lines


def opening(before: State, r: Fighter, b: Fighter, red: int, blue: int) -> str:
    if before.phase == Phase.REACT:
        lower, answer = (0, red) if red in (KEEP, FORFEIT) else (1, blue)
        return f"{NAMES[lower]} {'forfeits' if answer == FORFEIT else 'keeps'} the offense."
    sides = (spoken(NAMES[seat], side) for seat, side in enumerate((r, b)))
    return "; ".join(sides) + "."


def spoken(name: str, side: Fighter) -> str:
    return f"{name} is spent" if is_spent(side) else f"{name} {side.offense}/{side.defense}"


class Attack(NamedTuple):
    """One attack of a turn."""

    seat: int
    chances: int
    """In as many as the die has faces; none at 0."""
    roll: int
    is_rolled: bool
    """Nothing is rolled without a chance, nor after the other has hit first (D6)."""
    hits: bool


def attacks_of(rules: Rules, r: Fighter, b: Fighter, face: int) -> list[Attack]:
    """Both attacks in the order in which they are rolled (D6)."""
    order = [(BLUE, b, r), (RED, r, b)] if b.offense > r.offense else [(RED, r, b), (BLUE, b, r)]
    found: list[Attack] = []
    for seat, striker, target in order:
        chances = max(0, min(striker.offense - target.defense, rules.die))
        is_stopped = r.offense != b.offense and any(earlier.hits for earlier in found)
        roll = red_roll(rules, face) if seat == RED else blue_roll(rules, face)
        is_rolled = chances > 0 and not is_stopped
        hits = is_rolled and does_hit(striker, target, roll)
        found.append(Attack(seat, chances, roll, is_rolled, hits))
    return found


def attacks(rules: Rules, r: Fighter, b: Fighter, face: int) -> list[str]:
    lines = [
        f"{NAMES[each.seat]} attacks ({each.chances} in {rules.die}) and"
        f" {'hits' if each.hits else 'misses'}."
        for each in attacks_of(rules, r, b, face)
        if each.is_rolled
    ]
    return lines or ["No attack can get through."]


def preview(rules: Rules, state: State, seat: int, choice: int) -> str:
    me = state.red if seat == RED else state.blue
    if choice == KEEP:
        return f"keep {me.offense}/{me.defense}: stamina {me.stamina} → {paid(me)}"
    if choice == FORFEIT:
        then = reacted(me, choice)
        return f"fall to {then.offense}/{then.defense}: stamina {me.stamina} → {paid(then)}"
    left = paid(scored(rules, me, choice))
    return f"costs {me.stamina - left}, leaves {left}"


def label(rules: Rules, state: State, seat: int, choice: int) -> ChoiceLabel:
    if choice >= KEEP:
        return ChoiceLabel("Keep the offense" if choice == KEEP else "Forfeit the offense")
    return ChoiceLabel(f"Offense {offense_of(rules, choice)}, defense {defense_of(rules, choice)}")


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    if outcome.reason == Reason.DEFENDED:
        return f"Red wins: {state.defeated} soldiers are defeated and the city stands."
    if outcome.reason == Reason.BESIEGED:  # D9
        fallen = f"{state.defeated} of {rules.soldiers} soldiers defeated"
        return f"Blue wins: the city is still besieged, with {fallen}."
    if outcome.reason == Reason.SPENT:
        return "Draw: both are spent."
    if outcome.winner < 0:
        return "Draw: both are wounded."
    return f"{NAMES[outcome.winner]} wins: {NAMES[1 - outcome.winner]} is wounded."
