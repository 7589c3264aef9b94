"""A ruleset as NumPy arrays: its states, legal choices, transitions and chances.

>>> found = model("bagh:start_hp=1,max_boost=0,heal_limit=1")
>>> found.masks.shape == (len(found.states), 2, len(found.words))
True
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from holmgang.analysis.scores import tabled
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.solver.exact.table import MOST_MIB, MOST_STATES

IntArray = NDArray[np.int64]
Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True)
class Model:
    """Every undecided state that a game can reach, and what may follow it.

    A pair is a choice of red and one of blue. The pairs of state n start at `pair_starts[n]`: for
    each legal choice of red in ascending order all of blue. A seat that has nothing to choose has
    one. The entries of pair p are those from `entry_starts[p]` to `entry_starts[p + 1]`.
    """

    ruleset: Ruleset
    fields: tuple[str, ...]
    """The names of the columns of `states`."""
    words: tuple[str, ...]
    """The word of each choice."""
    states: IntArray
    """A row of numbers for each state; most successors come before their states."""
    start: int
    """The number of the state in which a game starts."""
    masks: NDArray[np.bool_]
    """Which choices are legal: states × seats × choices."""
    pair_starts: IntArray
    constants: NDArray[np.float64]
    """For each pair, the expected result, to red, of games that end here."""
    entry_starts: IntArray
    successors: IntArray
    """For each entry, the state that follows."""
    chances: NDArray[np.float64]
    """For each entry, its probability."""
    endless: float
    """The value of endless play to red."""


def model(
    ruleset: str | Ruleset, *, most_states: int = MOST_STATES, most_mib: int = MOST_MIB
) -> Model:
    """The ruleset in arrays. They cannot be written to. Raises `UsageError` if there are too many
    states.
    """
    table = tabled(ruleset, most_states, most_mib)
    ruleset, numbers = table.ruleset, table.numbers
    words = tuple(ruleset.word(choice) for choice in range(ruleset.choice_count))
    menus = np.array(
        [[ruleset.choice_set(state, seat) for seat in range(len(SEATS))] for _, state in table]
    )
    return Model(
        ruleset,
        tuple(table.kernels.layout.names),
        words,
        fixed(np.frombuffer(table.rows, np.int64).reshape(table.count, -1)),
        table.start,
        fixed((menus[:, :, None] >> np.arange(len(words))) & 1 == 1),
        fixed(np.array(numbers.pair_starts)),
        fixed(np.array(numbers.constants)),
        fixed(np.array(numbers.entry_starts)),
        fixed(np.array(numbers.successors)),
        fixed(np.array(numbers.chances)),
        numbers.endless[0],
    )


def fixed(numbers: NDArray[Kind]) -> NDArray[Kind]:
    numbers.flags.writeable = False
    return numbers
