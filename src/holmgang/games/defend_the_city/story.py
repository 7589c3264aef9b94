"""What happened in a turn of Defend The City, and what a choice is for, in words."""

from typing import NamedTuple

from holmgang.games.contract import NOBODY, SEAT_NAMES, ChoiceLabel, Clause
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


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[Clause]:
    r, b = scores(rules, before, red, blue)
    told = opening(before, r, b, red, blue)
    if after.phase == Phase.REACT:
        lower = asked(after.red, after.blue)
        return [*told, Clause(lower, "has the lower offense and may forfeit it")]
    told.extend(attacks(rules, r, b, face))
    if after.defeated > before.defeated:
        falls = f"A soldier falls: {after.defeated} of {rules.soldiers}"
        told.append(Clause(NOBODY, falls, after.defeated))
    elif not after.red.wounded and not rules.duel and max(paid(r), paid(b)) <= 0:
        told.append(Clause(NOBODY, "Both are spent: the soldier withdraws and a new one comes"))
    return told


def opening(before: State, r: Fighter, b: Fighter, red: int, blue: int) -> list[Clause]:
    if before.phase == Phase.REACT:
        lower, answer = (RED, red) if red in (KEEP, FORFEIT) else (BLUE, blue)
        return [Clause(lower, f"{'forfeits' if answer == FORFEIT else 'keeps'} the offense")]
    return [Clause(RED, scored_text(r)), Clause(BLUE, scored_text(b), continues=True)]


def scored_text(side: Fighter) -> str:
    return "is spent" if is_spent(side) else f"{side.offense}/{side.defense}"


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


def attacks(rules: Rules, r: Fighter, b: Fighter, face: int) -> list[Clause]:
    told = [
        Clause(
            each.seat,
            f"attacks ({each.chances} in {rules.die}) and {'hits' if each.hits else 'misses'}",
            each.chances,
            why=None if each.hits else Clause(NOBODY, f"the roll is {each.roll}", each.roll),
        )
        for each in attacks_of(rules, r, b, face)
        if each.is_rolled
    ]
    return told or [Clause(NOBODY, "No attack can get through")]


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    me = state.red if seat == RED else state.blue
    if choice == KEEP:
        return [f"keep {me.offense}/{me.defense}: stamina {me.stamina} → {paid(me)}"]
    if choice == FORFEIT:
        then = reacted(me, choice)
        return [f"fall to {then.offense}/{then.defense}: stamina {me.stamina} → {paid(then)}"]
    left = paid(scored(rules, me, choice))
    return [f"costs {me.stamina - left}", f"leaves {left}"]


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
    return f"{SEAT_NAMES[outcome.winner]} wins: {SEAT_NAMES[1 - outcome.winner]} is wounded."
