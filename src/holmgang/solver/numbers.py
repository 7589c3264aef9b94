"""A ruleset in numbers: everything that the exact solver needs to know about a game.

- A state has a matrix of pairs, one for each choice of red and each choice of blue.
- A pair has options: one, or two where a single seat answers before the next state (step 2 of
  Defend The City). Such states are not listed.
- An option has a constant (the expected result of the duels that end here), the probability that
  someone wins here, and entries: the possible successors, each with its probability.

If the rules treat both seats alike, only one of two states that mirror each other is listed. The
mirror image of state n of `count` then has the number `count + n`, which occurs only among the
successors; arrays of values by state are twice as long.
"""

from collections.abc import MutableSequence
from typing import NamedTuple

from holmgang.engine.compiled.kernels import Bundle

Ints = MutableSequence[int]
Floats = MutableSequence[float]


class Numbers(NamedTuple):
    """Arrays by state, by pair, by option and by entry. `red_starts`, `blue_starts`,
    `option_starts` and `entry_starts` have one more element, the end of the last part.
    """

    reds: Ints  # number of choices of red in a state; 1 if there is nothing to choose
    blues: Ints
    red_starts: Ints  # where a state's choices start in an array of red's mixes
    blue_starts: Ints
    loops: Ints  # 1 if a state may follow itself, 2 if an answer may decide whether it does
    levels: Ints  # 1 if a state is its own mirror image, so that its value is 0
    pair_starts: Ints  # a state's pairs are contiguous; the states may be in any order
    option_starts: Ints
    deciders: Ints  # who chooses between a pair's options: 1 red, -1 blue, 0 nobody
    entry_starts: Ints
    constants: Floats
    decided: Floats
    successors: Ints
    chances: Floats
    endless: Floats  # one number: the value of endless play to red


NUMBERS = Bundle(Numbers, floats=("constants", "decided", "chances", "endless"))
