"""Dominated choices of MagicDuel, which a search can skip: for each, another choice is never worse.
docs/magic-duel-value.md has the proof.

In short: no choice depends on hp, burn or shield, and every rule preserves their order. A player
with more hp, less burn or more shield, all else equal, is therefore never worse off. So the best
heal is the one with the most shield, and the best normal attack the one with the most burn. If the
shield has no limit (M6), an ample shield is enough.
"""

from holmgang.games.magic_duel.rules import (
    HEAL,
    NORMAL,
    PIERCE,
    RED,
    TARGETS,
    Kind,
    Mage,
    Minion,
    Rules,
    State,
)

TURNS = 64  # turns of the foe that an ample shield lasts
MODEST_TURNS = (1, 2, 4)  # turns that smaller shields last, which may be as good
MOST_POWER = 10**13  # far beyond any real duel
MOST_SHIELD = 10**15 - 1  # the largest N of `heal N`

BELOW_NORMAL = (1 << NORMAL) - 1
BELOW_PIERCE = (1 << PIERCE) - 1
BELOW_HEAL = (1 << HEAL) - 1
PLAYER_ONLY = 1
TARGET_MASK = (1 << TARGETS) - 1


def worthwhile(rules: Rules, state: State, menu: int) -> int:
    """The choices of a menu that are not dominated. One heal represents all: see `strongest`."""
    normals = menu & BELOW_PIERCE & ~BELOW_NORMAL
    others = menu & BELOW_HEAL & ~normals
    targets = normals >> NORMAL & TARGET_MASK
    at_player = (targets & PLAYER_ONLY) << NORMAL + rules.max_burn * TARGETS
    at_minions = (targets & ~PLAYER_ONLY) << NORMAL  # M8: no burn
    heal = 1 << HEAL if menu > BELOW_HEAL else 0
    return others | at_player | at_minions | heal


def strongest(rules: Rules, state: State, choice: int) -> int:
    """The choice that a worthwhile one represents: for a heal, one that makes the shield ample."""
    if choice < HEAL:
        return choice
    me = state.red if state.to_move == RED else state.blue
    foe = state.blue if state.to_move == RED else state.red
    shield = max(0, ample(rules, foe) - me.shield)
    if rules.shield_limit >= 0:
        shield = min(shield, rules.shield_limit)
    return HEAL + shield


def stood_for(rules: Rules, state: State, choice: int) -> list[int]:
    """The choices that a worthwhile one may represent, strongest last: heals with a shield for a
    few turns may be as good as one that makes it ample.
    """
    best = strongest(rules, state, choice)
    if choice < HEAL:
        return [best]
    me = state.red if state.to_move == RED else state.blue
    foe = state.blue if state.to_move == RED else state.red
    modest = [HEAL + max(0, lasting(rules, foe, turns) - me.shield) for turns in MODEST_TURNS]
    return [*(heal for heal in modest if heal < best), best]


def ample(rules: Rules, foe: Mage) -> int:
    """A shield that lasts 64 turns of the foe, rounded up so that few different values occur."""
    needed = lasting(rules, foe, TURNS)
    shield = 1
    while shield < needed:
        shield *= 2
    return min(shield, MOST_SHIELD)


def lasting(rules: Rules, foe: Mage, turns: int) -> int:
    """A shield that the foe cannot use up in this many turns, whatever he does.

    His power is the sum of magic, hp of bubbles and attack of specters. Each turn it grows by what
    his bubbles give and his moves add. His normal attacks and specters deal at most this power plus
    the base damage of his normal attacks.
    """
    move = max(
        rules.magic_gain,
        rules.bubble_hp,
        rules.bubble_buff_hp,
        rules.specter_attack,
        rules.specter_buff_attack,
    )
    growth = rules.minions * rules.bubble_magic + rules.moves * move
    each_turn = power(foe) + rules.moves * rules.normal_damage + rules.shield_decay
    return turns * each_turn + growth * (turns * (turns + 1) // 2)


def power(player: Mage) -> int:
    total = player.magic
    for minion in player.minions:
        total += minion.hp if minion.kind == Kind.BUBBLE else minion.attack
    return min(total, MOST_POWER)


# Equivalent states


def likened(rules: Rules, state: State) -> State:
    """The canonical representative of the state for a search: the age of specters does not matter,
    nor the size of a shield that cannot be used up before the search ends.
    """
    red = likened_player(rules, state.red, state.blue)
    blue = likened_player(rules, state.blue, state.red)
    return State(state.to_move, state.phase, state.moves_left, state.specter, red, blue)


def likened_player(rules: Rules, me: Mage, foe: Mage) -> Mage:
    shield = MOST_SHIELD if me.shield >= lasting(rules, foe, TURNS) else me.shield
    minions = (ageless(me.minions[0]), ageless(me.minions[1]))
    return Mage(me.hp, me.magic, me.burn, shield, minions)


def ageless(minion: Minion) -> Minion:
    age = minion.age if minion.kind == Kind.BUBBLE else 0
    return Minion(minion.kind, minion.hp, minion.attack, age)
