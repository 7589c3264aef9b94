"""A ruleset as NumPy arrays: states, legal choices, transitions, pay-offs and the solution.

>>> found = model("bagh:start_hp=1,max_boost=0,heal_limit=1")
>>> found.masks.shape == (len(found.states), 2, len(found.words))
True
>>> found.matrix(found.start).shape  # choices of red × choices of blue
(4, 4)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holmgang.analysis.scores import tabled
from holmgang.analysis.strategies import solved_table
from holmgang.errors import UsageError
from holmgang.games.contract import NO_CHOICE
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.simulation.batch import choice_sets, unpacked
from holmgang.solver.exact.table import MOST_MIB, MOST_STATES

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True)
class SolutionArrays:
    """The solved game, by state. `mixes` is a policy that `holmgang.exploitability` accepts."""

    values: FloatArray
    """The value to red."""
    lows: FloatArray
    """Proven lower bounds of the values."""
    highs: FloatArray
    """Proven upper bounds of the values."""
    mixes: FloatArray
    """The probability of each choice in optimal play: states × seats × choices."""


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
    constants: FloatArray
    """For each pair, the expected result, to red, of games that end here."""
    entry_starts: IntArray
    successors: IntArray
    """For each entry, the state that follows."""
    chances: FloatArray
    """For each entry, its probability."""
    endless: float
    """The value of endless play to red."""

    def __repr__(self) -> str:
        return f"<Model of {self.ruleset}: {len(self.states):,} states>"

    @cached_property
    def shapes(self) -> IntArray:
        """The size of each state's pay-off matrix: states × seats."""
        return fixed(np.maximum(self.masks.sum(axis=2, dtype=np.int64), 1))

    @cached_property
    def pair_states(self) -> IntArray:
        """The state of each pair."""
        order = np.argsort(self.pair_starts, kind="stable")
        return fixed(np.repeat(order, self.shapes.prod(axis=1)[order]))

    @cached_property
    def pair_choices(self) -> IntArray:
        """The choices of each pair, -1 where a seat has nothing to choose: pairs × seats."""
        states = self.pair_states
        within = np.arange(len(states)) - self.pair_starts[states]
        places = np.stack(np.divmod(within, self.shapes[states, 1]), axis=1)
        legal_first = np.argsort(~self.masks, axis=2, kind="stable")
        choices = np.take_along_axis(legal_first[states], places[:, :, None], axis=2)[:, :, 0]
        has_choice = np.any(self.masks, axis=2)[states]
        return fixed(np.where(has_choice, choices, NO_CHOICE))

    @cached_property
    def solution(self) -> SolutionArrays:
        """Values and mixes of the solved game. It is solved first if there is no table of it, which
        may take minutes; `holmgang.solve` shows the progress.
        """
        solved = solved_table(self.ruleset)
        values, lows, highs = np.zeros((3, len(self.states)))
        mixes = np.zeros(self.masks.shape)
        for number, row in enumerate(self.states):
            found = solved.evaluate(unpacked(self.ruleset, row))
            values[number], lows[number], highs[number] = found.value, found.low, found.high
            for seat, mix in enumerate((found.red, found.blue)):
                mixes[number, seat, list(mix)] = list(mix.values())
        return SolutionArrays(fixed(values), fixed(lows), fixed(highs), fixed(mixes))

    def payoffs(self, values: ArrayLike | None = None) -> FloatArray:
        """The expected value to red of every pair, if the states that may follow have these
        `values` (default: those of the solved game).
        """
        following = self._values(values)
        pairs = np.repeat(np.arange(len(self.constants)), np.diff(self.entry_starts))
        later = np.bincount(pairs, self.chances * following[self.successors], len(self.constants))
        found: FloatArray = self.constants + later
        return found

    def matrix(self, state: int, values: ArrayLike | None = None) -> FloatArray:
        """The pay-off matrix of a state: legal choices of red × legal choices of blue, both in
        ascending order, to red. For all states at once, see `payoffs`.
        """
        if not 0 <= state < len(self.states):
            raise UsageError(f"states are 0 to {len(self.states) - 1}; not {brief(state)}")
        following = self._values(values)
        red, blue = self.shapes[state].tolist()
        first = int(self.pair_starts[state])
        found = self.constants[first : first + red * blue].copy()
        for place in range(red * blue):
            part = slice(*self.entry_starts[first + place : first + place + 2])
            found[place] += self.chances[part] @ following[self.successors[part]]
        return found.reshape(red, blue)

    def _values(self, given: ArrayLike | None) -> FloatArray:
        if given is None:
            return self.solution.values
        values = np.asarray(given, np.float64)
        if values.shape != (len(self.states),):
            raise UsageError(
                f"values must be {len(self.states)} numbers, one for each state; not of shape"
                f" {values.shape}"
            )
        return values


def model(
    ruleset: str | Ruleset, *, most_states: int = MOST_STATES, most_mib: int = MOST_MIB
) -> Model:
    """The ruleset in arrays. They cannot be written to. Raises `UsageError` if there are too many
    states.
    """
    table = tabled(ruleset, most_states, most_mib)
    ruleset, numbers = table.ruleset, table.numbers
    words = tuple(ruleset.word(choice) for choice in range(ruleset.choice_count))
    states = ints(table.rows).reshape(table.count, -1)
    menus = choice_sets(ruleset, states)
    return Model(
        ruleset,
        tuple(table.kernels.layout.names),
        words,
        fixed(states),
        table.start,
        fixed((menus[:, :, None] >> np.arange(len(words))) & 1 == 1),
        fixed(ints(numbers.pair_starts)),
        fixed(floats(numbers.constants)),
        fixed(ints(numbers.entry_starts)),
        fixed(ints(numbers.successors)),
        fixed(floats(numbers.chances)),
        numbers.endless[0],
    )


def ints(numbers: Sequence[int]) -> IntArray:
    """An array of the solver as a NumPy array, which reads it in place."""
    return np.frombuffer(numbers, np.int64)  # type: ignore[call-overload, no-any-return]


def floats(numbers: Sequence[float]) -> FloatArray:
    return np.frombuffer(numbers, np.float64)  # type: ignore[call-overload, no-any-return]


def fixed(numbers: NDArray[Kind]) -> NDArray[Kind]:
    numbers.flags.writeable = False
    return numbers
