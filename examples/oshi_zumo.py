"""Oshi-Zumo: bid coins in secret to push a wrestler off the far end of the ring.

Both players have the same number of coins. The wrestler starts in the middle of a ring with as many
squares to the left as to the right. Each round both bid; whoever bids more pushes the wrestler one
square away from them, and both lose the coins they have bid.

A player who pushes the wrestler out of the ring wins. If nobody has coins left, the player wins
whose opponent's half the wrestler stands in; in the middle it is a draw.

A bid is at least `min_bid` coins, or all that are left if these are fewer. With a minimum of 0 and
no limit of turns, players can wait for ever, which is a draw.
"""

from enum import IntEnum
from typing import Annotated, NamedTuple

from holmgang.game import BLUE, NOBODY, RED, Outcome


class Rules(NamedTuple):
    coins: Annotated[int, range(1, 63), "coins of each player"] = 50
    size: Annotated[int, range(1, 20), "squares on either side of the middle"] = 3
    min_bid: Annotated[int, range(63), "least bid"] = 1
    turns: Annotated[int, range(1000), "turns after which the game ends; 0 for no limit"] = 0


class State(NamedTuple):
    red_coins: int
    blue_coins: int
    wrestler: int  # squares from the middle; above 0 in blue's half
    turn: int  # 0 if turns are not limited


class Reason(IntEnum):
    ON = 0
    PUSHED_OUT = 1
    NO_COINS = 2
    TURNS = 3


def initial(rules: Rules) -> State:
    return State(rules.coins, rules.coins, 0, 0)


def choices(rules: Rules, state: State, seat: int) -> int:
    """A choice is the number of coins that are bid."""
    coins = state.red_coins if seat == RED else state.blue_coins
    least = min(rules.min_bid, coins)
    return (1 << coins + 1) - (1 << least)


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    push = 1 if red > blue else -1 if red < blue else 0
    turn = state.turn + 1 if rules.turns > 0 else 0
    return State(state.red_coins - red, state.blue_coins - blue, state.wrestler + push, turn)


def outcome(rules: Rules, state: State) -> Outcome:
    ahead = RED if state.wrestler > 0 else BLUE if state.wrestler < 0 else NOBODY
    if abs(state.wrestler) > rules.size:
        return Outcome(Reason.PUSHED_OUT, ahead)
    if state.red_coins == 0 and state.blue_coins == 0:
        return Outcome(Reason.NO_COINS, ahead)
    if rules.turns > 0 and state.turn >= rules.turns:
        return Outcome(Reason.TURNS, ahead)
    return Outcome(Reason.ON, NOBODY)


# Everything below is optional.


def mirror(rules: Rules, state: State) -> State:
    """The default would swap the coins, but leave the wrestler where it is."""
    return State(state.blue_coins, state.red_coins, -state.wrestler, state.turn)


def field_bounds(rules: Rules) -> dict[str, tuple[int, int]]:
    """Found by looking at all states otherwise, which takes longer."""
    out = rules.size + 1
    coins = (0, rules.coins)
    return {
        "red_coins": coins,
        "blue_coins": coins,
        "wrestler": (-out, out),
        "turn": (0, rules.turns),
    }
