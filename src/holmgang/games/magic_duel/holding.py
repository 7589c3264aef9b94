"""Where MagicDuel is proven to be no loss: a seat that heals with every move may never die.

docs/magic-duel-value.md has the proof. A heal may add any shield (M6), so after a turn of heals
nothing but piercing hurts until the next turn; and if a heal gives back what a piercing takes, the
next turn of heals makes good for that.
"""

from holmgang.games.magic_duel.rules import RED, Kind, Mage, Phase, Rules, State


def holds(rules: Rules, state: State, seat: int) -> bool:
    """Whether the seat can keep alive for ever. False says nothing: it may be able to all the same.

    The state is one in which the duel goes on.
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
    """Whether so many heals lift the hp above what a turn of piercing attacks takes."""
    return min(rules.max_hp, hp + heals * rules.heal) > rules.moves * rules.pierce_damage


def most_lost(rules: Rules, me: Mage, foe: Mage, magic: int, moves: int) -> int:
    """What the foe's turn can cost at most, with the burn that hurts when it is over, if he has so
    much magic and so many moves.
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
    """The most magic with which the player's next turn can begin."""
    magic = player.magic
    for minion in player.minions:
        if minion.kind == Kind.BUBBLE:
            magic += rules.bubble_magic + minion.hp
    return magic
