"""MagicDuel as pure functions, in the order of the rule sheet.

The players alternate: one seat at a time has choices, and its turn is two moves and then an attack
by each of its specters. Start-of-turn events happen as the turn passes, so a state always shows
someone about to choose. Ids such as M7 are the rulings of RULES.md. Words, JSON and drawings are in
`notation.py`, `story.py` and `board.py`.
"""

from enum import IntEnum
from typing import Annotated, NamedTuple

RED, BLUE, NOBODY = 0, 1, -1


class Rules(NamedTuple):
    """Every number of the rule sheet, with the values it may take."""

    max_hp: Annotated[int, range(1, 1000)] = 25
    normal_damage: Annotated[int, range(1000)] = 3
    pierce_damage: Annotated[int, range(1000)] = 5
    max_burn: Annotated[int, range(5)] = 2
    heal: Annotated[int, range(1000)] = 5
    magic_gain: Annotated[int, range(1000)] = 4
    moves: Annotated[int, range(1, 10)] = 2
    minions: Annotated[int, range(3)] = 2
    bubble_cost: Annotated[int, range(1000)] = 2
    bubble_hp: Annotated[int, range(1, 1000)] = 6
    bubble_magic: Annotated[int, range(1000)] = 1
    bubble_fuse: Annotated[int, range(1, 1000)] = 4
    bubble_buff_hp: Annotated[int, range(1000)] = 2
    specter_cost: Annotated[int, range(1000)] = 5
    specter_hp: Annotated[int, range(1, 1000)] = 10
    specter_attack: Annotated[int, range(1000)] = 1
    specter_burn: Annotated[int, range(1000)] = 1
    specter_buff_hp: Annotated[int, range(1000)] = 1
    specter_buff_attack: Annotated[int, range(1000)] = 1
    shield_decay: Annotated[int, range(1000)] = 1
    shield_limit: Annotated[int, range(-1, 1000)] = -1  # M6; the most one heal may add, -1: any


class Kind(IntEnum):
    NONE = 0
    BUBBLE = 1
    SPECTER = 2


class Minion(NamedTuple):
    kind: int
    hp: int
    attack: int
    age: int  # starts of its owner's turns that it has seen (M3)


class Mage(NamedTuple):
    hp: int
    magic: int
    burn: int
    shield: int
    minions: tuple[Minion, Minion]  # in the order of summoning; empty places come last


class Phase(IntEnum):
    MOVE = 0
    SPECTER = 1


class State(NamedTuple):
    to_move: int
    phase: int
    moves_left: int
    specter: int  # the place of the specter that attacks now; 0 outside that phase
    red: Mage
    blue: Mage


class Reason(IntEnum):
    ON = 0
    HP = 1


class Outcome(NamedTuple):
    reason: int
    winner: int


NOTHING = Minion(kind=0, hp=0, attack=0, age=0)


def initial(rules: Rules) -> State:
    player = Mage(rules.max_hp, 0, 0, 0, (NOTHING, NOTHING))
    return State(
        RED, Phase.MOVE, rules.moves, 0, player, player
    )  # M13: red begins, with both moves


# Choices: each is one number. A target is 0 for the enemy player, 1 or 2 for his minions; a
# summoning is 0 for a new minion, 1 or 2 for the minion of one's own to buff. Heals come last, so
# that the shield can be any number.

TARGETS = 3
MAGIC = 0
NORMAL = 1  # + burn * TARGETS + target
PIERCE = 16  # + target
BUBBLE = 19  # + own minion
SPECTER = 22  # + own minion
STRIKE = 25  # + target, for a specter
HEAL = 28  # + shield
LAST_ON_THE_MENU = 62


def choices(rules: Rules, state: State, seat: int) -> int:
    """The menu. Every choice on it is legal; `is_legal` also allows other amounts of shield."""
    if seat != state.to_move:
        return 0
    me = state.red if seat == RED else state.blue
    foe = state.blue if seat == RED else state.red
    targets = (2 << count(foe)) - 1
    if state.phase == Phase.SPECTER:
        return targets << STRIKE
    mask = 1 << MAGIC | targets << PIERCE
    for burn in range(rules.max_burn + 1):
        mask |= targets << (NORMAL + burn * TARGETS)
    if me.magic >= rules.bubble_cost:
        mask |= castable(rules, me, Kind.BUBBLE) << BUBBLE
    if me.magic >= rules.specter_cost:
        mask |= castable(rules, me, Kind.SPECTER) << SPECTER
    return mask | shields(rules) << HEAL


def castable(rules: Rules, me: Mage, kind: int) -> int:
    """A new minion if there is room; otherwise a buff for one of the same kind (M10)."""
    if count(me) < rules.minions:
        return 0b001
    mask = 0
    if me.minions[0].kind == kind:
        mask |= 0b010
    if me.minions[1].kind == kind:
        mask |= 0b100
    return mask


def shields(rules: Rules) -> int:
    """Shield amounts on the menu: up to the limit; without a limit (M6), 0 and the hp healed."""
    if rules.shield_limit < 0:
        return 1 | 1 << min(rules.heal, LAST_ON_THE_MENU - HEAL)
    return (2 << min(rules.shield_limit, LAST_ON_THE_MENU - HEAL)) - 1


def is_legal(rules: Rules, state: State, seat: int, choice: int) -> bool:
    """Whether the seat may choose this: anything on the menu, and a heal with any shield (M6)."""
    if choice >= HEAL:
        amount_allowed = rules.shield_limit < 0 or choice - HEAL <= rules.shield_limit
        return seat == state.to_move and state.phase == Phase.MOVE and amount_allowed
    return choice >= 0 and choices(rules, state, seat) >> choice & 1 == 1


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    return 1


# Minions


def count(player: Mage) -> int:
    first = 1 if player.minions[0].kind != Kind.NONE else 0
    return first + (1 if player.minions[1].kind != Kind.NONE else 0)


def with_minion(player: Mage, place: int, minion: Minion) -> Mage:
    first = minion if place == 0 else player.minions[0]
    second = minion if place == 1 else player.minions[1]
    if first.kind == Kind.NONE:  # the remaining minion moves up
        first, second = second, first
    return Mage(player.hp, player.magic, player.burn, player.shield, (first, second))


def struck_minion(player: Mage, place: int, damage: int) -> Mage:
    """Damage to the minion's hp; excess damage is lost (M8)."""
    minion = player.minions[place]
    hp = minion.hp - damage
    if hp <= 0:
        return with_minion(player, place, NOTHING)
    return with_minion(player, place, Minion(minion.kind, hp, minion.attack, minion.age))


# Attack


def struck(foe: Mage, target: int, damage: int, burn: int) -> Mage:
    """A normal attack: the shield is used up first (M5); burn only if hp was lost (M7, M11)."""
    if target > 0:
        return struck_minion(foe, target - 1, damage)
    absorbed = min(foe.shield, damage)
    lost = damage - absorbed
    added = burn if lost > 0 else 0
    return Mage(foe.hp - lost, foe.magic, foe.burn + added, foe.shield - absorbed, foe.minions)


def pierced(foe: Mage, target: int, damage: int) -> Mage:
    """A piercing attack leaves the shield untouched and never burns (M9)."""
    if target > 0:
        return struck_minion(foe, target - 1, damage)
    return Mage(foe.hp - damage, foe.magic, foe.burn, foe.shield, foe.minions)


# Heal and shield; magic


def healed(rules: Rules, me: Mage, shield: int) -> Mage:
    hp = min(me.hp + rules.heal, rules.max_hp)
    return Mage(hp, me.magic, 0, me.shield + shield, me.minions)  # M13


def with_magic(me: Mage, magic: int) -> Mage:
    return Mage(me.hp, magic, me.burn, me.shield, me.minions)


# Summon


def summoned(rules: Rules, me: Mage, kind: int, buffed: int) -> Mage:
    """A new minion, or a buff that keeps the age (M3, M10)."""
    is_bubble = kind == Kind.BUBBLE
    cost = rules.bubble_cost if is_bubble else rules.specter_cost
    payer = with_magic(me, me.magic - cost)
    if buffed > 0:
        old = me.minions[buffed - 1]
        hp = old.hp + (rules.bubble_buff_hp if is_bubble else rules.specter_buff_hp)
        attack = old.attack + (0 if is_bubble else rules.specter_buff_attack)
        return with_minion(payer, buffed - 1, Minion(kind, hp, attack, old.age))
    hp = rules.bubble_hp if is_bubble else rules.specter_hp
    attack = 0 if is_bubble else rules.specter_attack
    return with_minion(payer, count(me), Minion(kind, hp, attack, 0))


# Start of a turn: shield decays, burn hurts (M1), bubbles give and explode


def aged(minion: Minion) -> Minion:
    if minion.kind == Kind.NONE:
        return minion
    return Minion(minion.kind, minion.hp, minion.attack, minion.age + 1)


def with_bubble_checked(rules: Rules, player: Mage, place: int) -> Mage:
    """A bubble gives its magic; on its 4th turn it then explodes for the hp it has (M2, M3)."""
    minion = player.minions[place]
    if minion.kind != Kind.BUBBLE:
        return player
    giver = with_magic(player, player.magic + rules.bubble_magic)
    if minion.age < rules.bubble_fuse:
        return giver
    return with_minion(with_magic(giver, giver.magic + minion.hp), place, NOTHING)


def turn_started(rules: Rules, player: Mage) -> Mage:
    shield = max(0, player.shield - rules.shield_decay)
    hp = player.hp - player.burn
    if hp <= 0:  # dead at once, before anything else (M1)
        return Mage(hp, player.magic, player.burn, shield, player.minions)
    minions = (aged(player.minions[0]), aged(player.minions[1]))
    awake = Mage(hp, player.magic, player.burn, shield, minions)
    # The second place first, because an explosion in the first moves the other minion up.
    return with_bubble_checked(rules, with_bubble_checked(rules, awake, 1), 0)


# Turn structure: two moves, then every specter attacks, then the turn passes


def moved(rules: Rules, me: Mage, choice: int) -> Mage:
    """The player after making a choice."""
    if choice >= HEAL:
        return healed(rules, me, choice - HEAL)
    if choice == MAGIC:
        return with_magic(me, me.magic + rules.magic_gain)
    if choice < PIERCE:
        return with_magic(me, 0)  # a normal attack spends all magic, on minions too (M8)
    if choice >= BUBBLE and choice < SPECTER:
        return summoned(rules, me, Kind.BUBBLE, choice - BUBBLE)
    if choice >= SPECTER and choice < STRIKE:
        return summoned(rules, me, Kind.SPECTER, choice - SPECTER)
    return me


def attacked(rules: Rules, me: Mage, foe: Mage, choice: int, specter: int) -> Mage:
    """The other player after a choice."""
    if choice >= NORMAL and choice < PIERCE:
        burn, target = (choice - NORMAL) // TARGETS, (choice - NORMAL) % TARGETS
        return struck(foe, target, rules.normal_damage + me.magic, burn)
    if choice >= PIERCE and choice < BUBBLE:
        return pierced(foe, choice - PIERCE, rules.pierce_damage)
    if choice >= STRIKE and choice < HEAL:
        return struck(foe, choice - STRIKE, me.minions[specter].attack, rules.specter_burn)
    return foe


def next_specter(player: Mage, place: int) -> int:
    """The place of the first specter from this place on; 2 if there is none (M4, M11)."""
    if place <= 0 and player.minions[0].kind == Kind.SPECTER:
        return 0
    if place <= 1 and player.minions[1].kind == Kind.SPECTER:
        return 1
    return 2


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    seat = state.to_move
    choice = red if seat == RED else blue
    before = state.red if seat == RED else state.blue
    enemy = state.blue if seat == RED else state.red
    me = moved(rules, before, choice)
    foe = attacked(rules, before, enemy, choice, state.specter)

    is_move = state.phase == Phase.MOVE
    moves_left = state.moves_left - 1 if is_move else state.moves_left
    if foe.hp <= 0:  # at once (M12)
        return seated(seat, state.phase, moves_left, state.specter, me, foe)
    if is_move and moves_left > 0:
        return seated(seat, Phase.MOVE, moves_left, 0, me, foe)
    specter = next_specter(me, 0 if is_move else state.specter + 1)
    if specter < 2:
        return seated(seat, Phase.SPECTER, 0, specter, me, foe)
    return seated(1 - seat, Phase.MOVE, rules.moves, 0, turn_started(rules, foe), me)


def seated(seat: int, phase: int, moves_left: int, specter: int, mover: Mage, other: Mage) -> State:
    red = mover if seat == RED else other
    blue = other if seat == RED else mover
    return State(seat, phase, moves_left, specter, red, blue)


# Win condition


def outcome(rules: Rules, state: State) -> Outcome:
    if state.red.hp > 0 and state.blue.hp > 0:
        return Outcome(Reason.ON, NOBODY)
    if state.red.hp > 0:
        return Outcome(Reason.HP, RED)
    if state.blue.hp > 0:
        return Outcome(Reason.HP, BLUE)
    return Outcome(Reason.HP, NOBODY)  # M12
