"""What happened in a turn of Defend The City, and what a choice does, in words."""

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
        mine, other = (r, b) if lower == RED else (b, r)
        lower_offense = f"has the lower offense ({mine.offense} against {other.offense})"
        return [*told, Clause(lower, f"{lower_offense} and may forfeit it")]
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
    return [score_clause(RED, r), score_clause(BLUE, b)._replace(continues=True)]


def score_clause(seat: int, side: Fighter) -> Clause:
    if is_spent(side):
        return Clause(seat, "can neither attack nor defend", why=Clause(seat, "is spent"))
    return Clause(seat, f"has offense {side.offense} and defense {side.defense}")


class Attack(NamedTuple):
    """One attack of a turn."""

    seat: int
    chances: int
    """The number of faces of the die that hit."""
    roll: int
    is_rolled: bool
    """Whether it is rolled: not if it cannot hit, nor after the other attack has hit (D6)."""
    hits: bool
    offense: int
    defense: int
    """The target's defense."""


def chances_of(rules: Rules, striker: Fighter, target: Fighter) -> int:
    """The number of rolls with which an attack hits."""
    return sum(does_hit(striker, target, roll) for roll in range(rules.die))


def attacks_of(rules: Rules, r: Fighter, b: Fighter, face: int) -> list[Attack]:
    """Both attacks in the order in which they are rolled (D6)."""
    order = [(BLUE, b, r), (RED, r, b)] if b.offense > r.offense else [(RED, r, b), (BLUE, b, r)]
    found: list[Attack] = []
    for seat, striker, target in order:
        chances = chances_of(rules, striker, target)
        is_stopped = r.offense != b.offense and any(earlier.hits for earlier in found)
        roll = red_roll(rules, face) if seat == RED else blue_roll(rules, face)
        is_rolled = chances > 0 and not is_stopped
        hits = is_rolled and does_hit(striker, target, roll)
        attack = Attack(seat, chances, roll, is_rolled, hits, striker.offense, target.defense)
        found.append(attack)
    return found


def attacks(rules: Rules, r: Fighter, b: Fighter, face: int) -> list[Clause]:
    found = attacks_of(rules, r, b, face)
    if not any(each.is_rolled for each in found):
        neither = "neither offense is higher than the other's defense"
        return [Clause(NOBODY, "Nobody can hit", why=Clause(NOBODY, neither))]
    return [attack_clause(rules, each) for each in found if each.offense > 0]


def attack_clause(rules: Rules, attack: Attack) -> Clause:
    seat, offense, defense = attack.seat, attack.offense, attack.defense
    if attack.is_rolled:
        odds = f"a chance of {attack.chances} in {rules.die}"
        why = Clause(NOBODY, f"offense {offense} against defense {defense} is {odds}")
        way = "hits" if attack.hits else "misses"
        return Clause(seat, way, attack.chances, why, is_hit=attack.hits)
    if attack.chances:
        first = Clause(1 - seat, "had the higher offense and hit first")
        return Clause(seat, "comes too late", attack.chances, first, thing="attack")
    low = f"offense {offense} is not higher than defense {defense}"
    return Clause(seat, "cannot hit", 0, Clause(NOBODY, low))


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
    other = SEAT_NAMES[1 - seat]
    if choice in (KEEP, FORFEIT):
        return answer_notes(rules, reacted(me, choice), foe, other)
    mine = scored(rules, me, choice)
    if is_spent(foe):
        return [cost_note(mine), f"{other} is spent", hit_note(rules, mine, foe)]
    hit = "you cannot hit"
    if mine.offense:
        odds = f"{chances_of(rules, mine, foe._replace(defense=0))} in {rules.die}"
        hit = f"you hit if offense {mine.offense} beats {other}'s defense: {odds} against 0"
    least = mine.defense + 1
    hurt = f"{other} cannot hit you"
    if least <= rules.max_score:
        hurt = f"{other} needs offense {least} or more to hit you"
    return [cost_note(mine), hit, hurt]


def answer_notes(rules: Rules, me: Fighter, foe: Fighter, other: str) -> list[str]:
    """The chances after keeping or forfeiting the offense: both pairs are known."""
    chances = chances_of(rules, foe, me)
    first = (
        f"{other} attacks first: {chances} in {rules.die}" if chances else f"{other} cannot hit you"
    )
    mine = "you do not attack"
    if me.offense:
        mine = hit_note(rules, me, foe)
        mine = f"if {other} misses, {mine}" if chances else mine
    return [cost_note(me), first, mine]


def hit_note(rules: Rules, me: Fighter, foe: Fighter) -> str:
    chances = chances_of(rules, me, foe)
    return f"you hit: {chances} in {rules.die}" if chances else "you cannot hit"


def cost_note(me: Fighter) -> str:
    left = paid(me)
    spent = ": you are then spent and cannot defend" if left <= 0 else ""
    return f"stamina {me.stamina} → {left}{spent}"


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
