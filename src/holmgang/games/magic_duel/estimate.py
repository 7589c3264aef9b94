"""A heuristic value of an undecided state of MagicDuel, for searches.

It is plain arithmetic over the numbers of the state, so that it can be compiled like the rules.
More hp, more shield and less burn never reduce it (see `dominance.py`). The weights were tuned by
games between variants.
"""

from holmgang.games.magic_duel.rules import Kind, Mage, Minion, Rules, State

HP = 1.0
SHIELD = 0.8
BURN = 4.0
MAGIC = 1.2
BUBBLE = 0.8  # for each point of magic that it will give
SPECTER_HP = 0.1
SPECTER_ATTACK = 3.0
TURN = 2.0  # for each move left
SPAN = 12.0  # a lead of this many points is worth 0.5
MOST = 1000.0  # points beyond this add nothing


def estimate(rules: Rules, state: State) -> float:
    """The value to red, strictly between -1 and 1; 0 if nobody is ahead."""
    points = standing(rules, state.red, state.blue) - standing(rules, state.blue, state.red)
    turn = TURN * state.moves_left
    points += turn if state.to_move == 0 else -turn
    points = min(MOST, max(-MOST, points))
    return points / (SPAN + abs(points))


def standing(rules: Rules, me: Mage, foe: Mage) -> float:
    """Points for all that a player has; a shield counts up to what the foe can soon strike."""
    shield = min(me.shield, strength(rules, foe))
    return (
        HP * min(me.hp, MOST)
        + SHIELD * shield
        - BURN * min(me.burn, MOST)
        + MAGIC * min(me.magic, MOST)
        + promise(rules, me.minions[0])
        + promise(rules, me.minions[1])
    )


def strength(rules: Rules, player: Mage) -> float:
    """The damage of a normal attack and all specters now."""
    attack = rules.normal_damage + player.magic
    return min(MOST, attack + player.minions[0].attack + player.minions[1].attack + 0.0)


def promise(rules: Rules, minion: Minion) -> float:
    if minion.kind == Kind.BUBBLE:
        turns = max(0, rules.bubble_fuse - minion.age)
        return BUBBLE * min(MOST, minion.hp + rules.bubble_magic * turns)
    if minion.kind == Kind.SPECTER:
        return min(MOST, SPECTER_ATTACK * minion.attack + SPECTER_HP * minion.hp)
    return 0.0
