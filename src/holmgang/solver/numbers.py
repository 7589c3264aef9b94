"""A ruleset in numbers, which is all that solving needs to see of it.

- A state has a matrix of pairs, one for each choice of red and each of blue;
- a pair has options: one, or two where a single seat answers before the next state (Defend The
  City's step 2), so that such states need no place of their own;
- an option has a constant (what the duel is worth where it ends), the chance that it is decided at
  once, and entries: states that may come next, each with its chance.
"""

from typing import Any, NamedTuple

from holmgang.engine.compiled.kernels import Bundle

Array = Any  # a flat array of 64-bit numbers


class Numbers(NamedTuple):
    """Arrays by state, by pair, by option and by entry; `starts` have one place more than states,
    pairs or options, so that the end of each is the start of the next.
    """

    reds: Array  # how many choices red has in a state, 1 for having none
    blues: Array
    red_starts: Array  # where a state's choices start in an array of red's mixes
    blue_starts: Array
    loops: Array  # 1 if a state may follow itself
    twins: Array  # the state with the seats changed, in a symmetric ruleset; otherwise -1
    pair_starts: Array
    option_starts: Array
    choosers: Array  # who chooses between a pair's options: 1 red, -1 blue, 0 nobody
    entry_starts: Array
    constants: Array
    decided: Array
    successors: Array
    chances: Array


NUMBERS = Bundle(Numbers, floats=("constants", "decided", "chances"))
