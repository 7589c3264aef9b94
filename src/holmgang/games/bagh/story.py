"""What happened in a round of BAGH, and what a choice is for, in words."""

from holmgang.games.bagh.notation import fields
from holmgang.games.bagh.rules import (
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
    mend_sides,
    readied,
)

NAMES = ("Red", "Blue")


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[str]:
    red_mends, blue_mends = does_red_mend(before, face), does_blue_mend(before, face)
    r = readied(rules, before.red, red, red_mends)
    b = readied(rules, before.blue, blue, blue_mends)
    lines = [
        *mend_line("Red", before.red, red_mends),
        *mend_line("Blue", before.blue, blue_mends),
        (
            f"{deed(rules, 'Red', r, red, b, blue, after.red)}; "
            f"{deed(rules, 'Blue', b, blue, r, red, after.blue)}."
        ),
    ]
    for name, was, now in (("Red", before.red, after.red), ("Blue", before.blue, after.blue)):
        if now.hp < was.hp:
            lines.append(f"{name} falls to {now.hp} hp.")
        elif now.hp > was.hp:
            lines.append(f"{name} rises to {now.hp} hp.")
    return lines


def mend_line(name: str, fighter: Fighter, mends: bool) -> list[str]:
    if fighter.shield_damage == 0:
        return []
    return [f"{name}'s shield mends." if mends else f"{name}'s shield stays broken."]


def deed(
    rules: Rules, name: str, me: Fighter, mine: int, foe: Fighter, theirs: int, after: Fighter
) -> str:
    if mine == Action.BOOST:
        return f"{name} boosts to {me.boost}"
    if mine == Action.ATTACK:
        outpaced = theirs == Action.ATTACK and me.priority < foe.priority
        return f"{name} attacks for {damage(rules, me)}" + (", too late" if outpaced else "")
    if mine == Action.HEAL:
        if is_healing(me, mine, foe, theirs):
            return f"{name} heals"
        return f"{name} tries to heal and is interrupted"
    if theirs != Action.ATTACK:
        return f"{name} guards against nothing"
    if not is_blocking(me, mine, foe, theirs):
        return f"{name} guards with a broken shield"
    if after.shield_damage:
        return f"{name} guards, but the shield breaks (damage {after.shield_damage})"
    gained = after.priority > me.priority
    condition = fields(rules)[2]
    return f"{name} guards" + (f" and has {condition} {after.priority}" if gained else "")


def preview(rules: Rules, state: State, seat: int, choice: int) -> str:
    me, foe = (state.red, state.blue) if seat == RED else (state.blue, state.red)
    if choice == Action.BOOST:
        boost = boost_after(rules, me, choice)
        return f"boost {me.boost} → {boost}" if boost != me.boost else f"hold the boost at {boost}"
    if choice == Action.ATTACK:
        clash = ""
        if me.priority != foe.priority:
            clash = "; you alone hit if both attack" if me.priority > foe.priority else ""
            clash = clash or "; only they hit if both attack"
        return f"{damage(rules, me)} damage{clash}"
    if choice == Action.GUARD:
        if me.shield_damage:
            return f"shield broken: 1 in {mend_sides(me)} that it mends and blocks"
        if foe.boost > me.boost:
            return f"blocks, but an attack with boost {foe.boost} breaks the shield"
        return "blocks an attack, and may earn " + fields(rules)[2]
    resists = is_healing(me, choice, foe, Action.ATTACK)
    healed = hp_after(rules, me, choice, foe, Action.BOOST)
    return f"hp {me.hp} → {healed}; an attack {'does not stop' if resists else 'stops'} it"


def ending(rules: Rules, state: State, outcome: Outcome) -> str:
    if outcome.winner < 0:
        return "Draw: both are down."
    return f"{NAMES[outcome.winner]} wins: {NAMES[1 - outcome.winner]} is down."
