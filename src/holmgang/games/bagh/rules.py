"""BAGH — Boost, Attack, Guard, Heal — as pure functions, in the order of the rulebook.

Both rulebooks are here: `bagh` (priority) and `bagh-advantage` (the earlier one). They differ in
the heal limit and in what an effective guard earns. Ids such as B4 or P2 are the rulings of
RULES.md.

Words, JSON and drawings are in `notation.py`, `story.py` and `board.py`, which contain no rules.
"""

from enum import IntEnum
from typing import Annotated, NamedTuple

RED, BLUE, NOBODY = 0, 1, -1


class Rules(NamedTuple):
    """Every number of the rulebooks, with the values it may take."""

    start_hp: Annotated[int, range(1, 100)] = 3
    max_boost: Annotated[int, range(100)] = 6
    boost_gain: Annotated[int, range(1, 100)] = 1
    attack_damage: Annotated[int, range(100)] = 1
    guard_gain: Annotated[int, range(100)] = 1
    priority_damping: Annotated[int, range(100)] = 1
    priority_fall: Annotated[int, range(1, 100)] = 1
    shield_repair: Annotated[int, range(1, 100)] = 1
    heal_amount: Annotated[int, range(100)] = 1
    heal_limit: Annotated[int, range(1, 1000)] = 10
    heal_limit_per_boost: Annotated[int, range(100)] = 0
    advantage: Annotated[int, range(2)] = (
        0  # 1: guards earn advantage (A2) instead of priority (P2)
    )


class Fighter(NamedTuple):
    hp: int
    boost: int
    priority: int  # "advantage" in the earlier rulebook
    shield_damage: int  # 0: the shield is whole


class State(NamedTuple):
    red: Fighter
    blue: Fighter


class Action(IntEnum):
    BOOST = 0
    ATTACK = 1
    GUARD = 2
    HEAL = 3


class Reason(IntEnum):
    ON = 0
    HP = 1


class Outcome(NamedTuple):
    reason: int
    winner: int


def initial(rules: Rules) -> State:
    fighter = Fighter(hp=rules.start_hp, boost=0, priority=0, shield_damage=0)
    return State(fighter, fighter)


def choices(rules: Rules, state: State, seat: int) -> int:
    return 0b1111


# Boost


def boost_after(rules: Rules, fighter: Fighter, action: int) -> int:
    """Boosting adds to the boost, up to the maximum; 6 stays 6 (B7)."""
    if action == Action.BOOST:
        return min(fighter.boost + rules.boost_gain, rules.max_boost)
    return fighter.boost


# Attack


def damage(rules: Rules, attacker: Fighter) -> int:
    return rules.attack_damage + attacker.boost


def is_hit(me: Fighter, mine: int, foe: Fighter, theirs: int) -> bool:
    """Whether the foe's action hurts me. Higher means strictly higher (B2, B8, B9)."""
    if theirs != Action.ATTACK:
        return False
    if mine == Action.GUARD:
        return me.shield_damage > 0  # B5; priority never pierces a guard (B8)
    if mine == Action.ATTACK:
        return me.priority <= foe.priority
    return True


# Guard


def is_blocking(me: Fighter, mine: int, foe: Fighter, theirs: int) -> bool:
    """A guard with a whole shield against an attack: no damage, but the shield may break."""
    return mine == Action.GUARD and theirs == Action.ATTACK and me.shield_damage == 0


# Priority


def priority_after(rules: Rules, me: Fighter, mine: int, foe: Fighter, theirs: int) -> int:
    """Priority falls every round, except in a round with an effective guard (B6)."""
    lead = me.boost - foe.boost
    if is_blocking(me, mine, foe, theirs) and lead >= 0:
        if rules.advantage == 0:  # P2; damping does not depend on the attacker's priority (P3)
            base = rules.guard_gain if me.priority == 0 else 0
            damping = rules.priority_damping if foe.priority > 0 else 0
            return me.priority + max(0, base + lead - damping)
        base = 0 if foe.priority > me.priority else rules.guard_gain  # A2
        if base + lead > 0:
            return max(me.priority, base + lead)
    return max(0, me.priority - rules.priority_fall)


# Shield breaking


def mend_sides(fighter: Fighter) -> int:
    """A broken shield mends with a chance of 1 in (damage + 1); a whole one rolls nothing (B4)."""
    return fighter.shield_damage + 1


def shield_after(rules: Rules, me: Fighter, mine: int, foe: Fighter, theirs: int) -> int:
    """A shield breaks by the difference in boost, and is repaired from the next round on (B4)."""
    if is_blocking(me, mine, foe, theirs):
        return max(0, foe.boost - me.boost)
    return max(0, me.shield_damage - rules.shield_repair)


# Heal


def heal_limit(rules: Rules, healer: Fighter) -> int:
    """10 whatever the boost (P1); in the earlier rulebook 4, and 1 more for each boost (A1)."""
    return rules.heal_limit + rules.heal_limit_per_boost * healer.boost


def is_healing(me: Fighter, mine: int, foe: Fighter, theirs: int) -> bool:
    """An attack interrupts a heal unless the healer's priority is higher (B9)."""
    return mine == Action.HEAL and (theirs != Action.ATTACK or me.priority > foe.priority)


def hp_after(rules: Rules, me: Fighter, mine: int, foe: Fighter, theirs: int) -> int:
    """Damage first, not stopped at 0, then the heal (B1), which never lowers hp (B10)."""
    hp = me.hp
    if is_hit(me, mine, foe, theirs):
        hp = hp - damage(rules, foe)
    if is_healing(me, mine, foe, theirs):
        hp = max(hp, min(hp + rules.heal_amount + me.boost, heal_limit(rules, me)))
    return max(0, hp)


# A round: mend rolls, boosts, actions, game over?, then boost and priority are lost


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    """The number of equally likely faces of the one throw that decides both mend rolls."""
    return mend_sides(state.red) * mend_sides(state.blue)


def face_groups(rules: Rules, state: State, red: int, blue: int) -> int:
    """Faces differ only in which shields mend: none, one of them, or both."""
    return (2 if mend_sides(state.red) > 1 else 1) * (2 if mend_sides(state.blue) > 1 else 1)


def face_group(rules: Rules, state: State, red: int, blue: int, group: int) -> tuple[int, int]:
    """A face of the group, and the number of faces with the same result."""
    reds, blues = mend_sides(state.red), mend_sides(state.blue)
    kinds = 2 if reds > 1 else 1
    red_roll, blue_roll = group % kinds, group // kinds  # 0 mends; 1 represents all others
    weight = (1 if red_roll == 0 else reds - 1) * (1 if blue_roll == 0 else blues - 1)
    return blue_roll * reds + red_roll, weight


def does_red_mend(state: State, face: int) -> bool:
    return face % mend_sides(state.red) == 0


def does_blue_mend(state: State, face: int) -> bool:
    return face // mend_sides(state.red) == 0


def readied(rules: Rules, fighter: Fighter, action: int, mends: bool) -> Fighter:
    """The fighter with the values that count for the actions of this round."""
    return Fighter(
        hp=fighter.hp,
        boost=boost_after(rules, fighter, action),
        priority=fighter.priority,
        shield_damage=0 if mends else fighter.shield_damage,
    )


def rested(rules: Rules, me: Fighter, mine: int, foe: Fighter, theirs: int, hp: int) -> Fighter:
    """The fighter at the end of a round: only boosting keeps the boost."""
    return Fighter(
        hp=hp,
        boost=me.boost if mine == Action.BOOST else 0,
        priority=priority_after(rules, me, mine, foe, theirs),
        shield_damage=shield_after(rules, me, mine, foe, theirs),
    )


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    r = readied(rules, state.red, red, does_red_mend(state, face))
    b = readied(rules, state.blue, blue, does_blue_mend(state, face))
    red_hp = hp_after(rules, r, red, b, blue)
    blue_hp = hp_after(rules, b, blue, r, red)
    if red_hp == 0 or blue_hp == 0:  # over: the rest of the round is not played
        return State(
            Fighter(red_hp, r.boost, r.priority, r.shield_damage),
            Fighter(blue_hp, b.boost, b.priority, b.shield_damage),
        )
    return State(
        rested(rules, r, red, b, blue, red_hp),
        rested(rules, b, blue, r, red, blue_hp),
    )


# The objective


def outcome(rules: Rules, state: State) -> Outcome:
    """The survivor wins; nobody does if both fall in the same round (B3)."""
    if state.red.hp > 0 and state.blue.hp > 0:
        return Outcome(Reason.ON, NOBODY)
    if state.red.hp > 0:
        return Outcome(Reason.HP, RED)
    if state.blue.hp > 0:
        return Outcome(Reason.HP, BLUE)
    return Outcome(Reason.HP, NOBODY)
