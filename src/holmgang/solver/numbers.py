"""A ruleset in numbers: everything that the exact solver needs to know about a game.

- A state has a matrix of pairs, one for each choice of red and each choice of blue.
- A pair has options: one, or two where a single seat answers before the next state (step 2 of
  Defend The City), so that such states need no place of their own.
- An option has a constant (the expected result of the duels that end here), the chance that someone
  wins here, and entries: the states that may come next, each with its chance.

Where the rules treat the seats alike, only one of two states that mirror each other is listed. The
mirror image of state n of `count` then has the number `count + n`, which only occurs among the
successors; arrays of values by state are twice as long.
"""

from typing import Any, NamedTuple

from holmgang.engine.compiled.kernels import Bundle

Array = Any  # a flat array of 64-bit numbers


class Numbers(NamedTuple):
    """Arrays by state, by pair, by option and by entry. `red_starts`, `blue_starts`,
    `option_starts` and `entry_starts` have one place more, so that each ends where the next starts.
    """

    reds: Array  # number of choices of red in a state; 1 if there is nothing to choose
    blues: Array
    red_starts: Array  # where a state's choices start in an array of red's mixes
    blue_starts: Array
    loops: Array  # 1 if a state may follow itself, 2 if an answer may decide that it does
    levels: Array  # 1 if a state is its own mirror image, so that its value is 0
    pair_starts: Array  # a state's pairs are contiguous, but the states are in no order there
    option_starts: Array
    deciders: Array  # who chooses between a pair's options: 1 red, -1 blue, 0 nobody
    entry_starts: Array
    constants: Array
    decided: Array
    successors: Array
    chances: Array
    endless: Array  # one number: what endless play is worth to red


NUMBERS = Bundle(Numbers, floats=("constants", "decided", "chances", "endless"))
