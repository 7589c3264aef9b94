"""States of MagicDuel in which a seat provably cannot lose: it survives by healing every move.

docs/magic-duel-value.md has the proof. A heal may add any shield (M6), so after a turn of heals
only piercing attacks hurt until the next turn. If a heal restores what a piercing attack takes, the
next turn of heals makes up for it.
"""

from holmgang.games.magic_duel.rules import RED, Kind, Mage, Phase, Rules, State


def holds(rules: Rules, state: State, seat: int) -> bool:
    """Whether the seat provably can survive for ever. False proves nothing.

    The state must be undecided.
    """
    if rules.shield_limit >= 0 or rules.heal < rules.pierce_damage:
        return False
    me = state.red if seat == RED else state.blue
    foe = state.blue if seat == RED else state.red
    is_move = state.phase == Phase.MOVE
    if seat == state.to_move:
        if is_move:
            return survives(rules, me.hp, state.moves_left)
        hp = me.hp - most_lost(rules, me, foe, magic_at_start(rules, foe), rules.moves)
    else:
        hp = me.hp - most_lost(rules, me, foe, foe.magic, state.moves_left if is_move else 0)
    return hp > 0 and survives(rules, hp, rules.moves)


def survives(rules: Rules, hp: int, heals: int) -> bool:
    """Whether this many heals raise the hp above what a turn of piercing attacks takes."""
    return min(rules.max_hp, hp + heals * rules.heal) > rules.moves * rules.pierce_damage


def most_lost(rules: Rules, me: Mage, foe: Mage, magic: int, moves: int) -> int:
    """The most hp that the foe's turn with this magic and these moves can cost, including the burn
    at its end.
    """
    damage = magic + foe.minions[0].attack + foe.minions[1].attack
    move = max(
        rules.normal_damage, rules.magic_gain, rules.specter_attack, rules.specter_buff_attack
    )
    if damage + moves * move <= me.shield:
        return me.burn + moves * rules.pierce_damage
    specters = sum([minion.kind == Kind.SPECTER for minion in foe.minions])
    burning_move = max(
        rules.pierce_damage,
        rules.normal_damage + rules.max_burn,
        rules.magic_gain,
        rules.specter_attack + rules.specter_burn,
        rules.specter_buff_attack,
    )
    return me.burn + damage + specters * rules.specter_burn + moves * burning_move


def magic_at_start(rules: Rules, player: Mage) -> int:
    """The most magic that the player can have at the start of the next turn."""
    magic = player.magic
    for minion in player.minions:
        if minion.kind == Kind.BUBBLE:
            magic += rules.bubble_magic + minion.hp
    return magic
