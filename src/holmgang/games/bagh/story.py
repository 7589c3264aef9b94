"""What happened in a round of BAGH, and what a choice is for, in words."""

from holmgang.games.bagh.notation import fields
from holmgang.games.bagh.rules import (
    BLUE,
    RED,
    Action,
    Fighter,
    Outcome,
    Rules,
    State,
    boost_after,
    damage,
    does_blue_mend,
    does_red_mend,
    hp_after,
    is_blocking,
    is_healing,
    is_hit,
    mend_sides,
    readied,
)
from holmgang.games.contract import SEAT_NAMES, Clause


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[Clause]:
    red_mends, blue_mends = does_red_mend(before, face), does_blue_mend(before, face)
    r = readied(rules, before.red, red, red_mends)
    b = readied(rules, before.blue, blue, blue_mends)
    told = [
        *mending(RED, before.red, red_mends),
        *mending(BLUE, before.blue, blue_mends),
        deed(rules, RED, r, red, b, blue, after.red),
        deed(rules, BLUE, b, blue, r, red, after.blue)._replace(continues=True),
    ]
    for seat, was, now in ((RED, before.red, after.red), (BLUE, before.blue, after.blue)):
        if now.hp != was.hp:
            way = "falls" if now.hp < was.hp else "rises"
            told.append(Clause(seat, f"{way} to {now.hp} hp", now.hp))
    return told


def mending(seat: int, fighter: Fighter, mends: bool) -> list[Clause]:
    if fighter.shield_damage == 0:
        return []
    return [Clause(seat, "mends" if mends else "stays broken", thing="shield")]


def deed(
    rules: Rules, seat: int, me: Fighter, mine: int, foe: Fighter, theirs: int, after: Fighter
) -> Clause:
    if mine == Action.BOOST:
        return Clause(seat, f"boosts to {me.boost}", me.boost)
    if mine == Action.ATTACK:
        return attack(rules, seat, me, mine, foe, theirs)
    if mine == Action.HEAL:
        if is_healing(me, mine, foe, theirs):
            return Clause(seat, "heals")
        return Clause(seat, "tries to heal and is interrupted", why=Clause(1 - seat, "attacks"))
    if theirs != Action.ATTACK:
        return Clause(seat, "guards against nothing", why=Clause(1 - seat, "does not attack"))
    if not is_blocking(me, mine, foe, theirs):
        why = Clause(seat, "is broken", thing="shield")
        return Clause(seat, "guards with a broken shield", why=why)
    if after.shield_damage:
        breaks = f"guards, but the shield breaks (damage {after.shield_damage})"
        return Clause(seat, breaks, after.shield_damage)
    if after.priority > me.priority:
        condition = fields(rules)[2]
        return Clause(seat, f"guards and has {condition} {after.priority}", after.priority)
    return Clause(seat, "guards")


def attack(rules: Rules, seat: int, me: Fighter, mine: int, foe: Fighter, theirs: int) -> Clause:
    dealt = damage(rules, me)
    if is_hit(foe, theirs, me, mine):
        return Clause(seat, f"attacks for {dealt}", dealt)
    if theirs == Action.GUARD:
        return Clause(seat, f"attacks for {dealt}", dealt, why=Clause(1 - seat, "guards"))
    faster = Clause(1 - seat, f"has more {fields(rules)[2]}")
    return Clause(seat, f"attacks for {dealt}, too late", dealt, why=faster)


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
    if choice == Action.BOOST:
        boost = boost_after(rules, me, choice)
        return [
            f"boost {me.boost} → {boost}" if boost != me.boost else f"hold the boost at {boost}"
        ]
    if choice == Action.ATTACK:
        clash = ""
        if me.priority != foe.priority:
            clash = "; you alone hit if both attack" if me.priority > foe.priority else ""
            clash = clash or "; only they hit if both attack"
        return [f"{damage(rules, me)} damage{clash}"]
    if choice == Action.GUARD:
        if me.shield_damage:
            return [f"shield broken: 1 in {mend_sides(me)} that it mends and blocks"]
        if foe.boost > me.boost:
            return [f"blocks, but an attack with boost {foe.boost} breaks the shield"]
        return ["blocks an attack, and may earn " + fields(rules)[2]]
    resists = is_healing(me, choice, foe, Action.ATTACK)
    healed = hp_after(rules, me, choice, foe, Action.BOOST)
    return [f"hp {me.hp} → {healed}; an attack {'does not stop' if resists else 'stops'} it"]


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    if outcome.winner < 0:
        return "Draw: both are down."
    return f"{SEAT_NAMES[outcome.winner]} wins: {SEAT_NAMES[1 - outcome.winner]} is down."
