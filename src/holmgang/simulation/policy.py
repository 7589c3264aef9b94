"""Policies for simulations: weights of choices, which may differ in some states.

>>> policy = Policy(load("bagh"), {"attack": 2, "guard": 1}, {"3.0.0.0/1.0.0.0": {"attack": 1}})
>>> policy.rows
1
"""

from array import array
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from fractions import Fraction
from math import gcd, lcm

from holmgang.engine.compiled.kernels import EMPTY, WIDTH
from holmgang.engine.compiled.native import kernels_of, zeros
from holmgang.errors import ChoiceError, StateError, UsageError
from holmgang.games.ruleset import Ruleset, as_ruleset, load
from holmgang.games.shape import brief

__all__ = ["Policy", "load"]

MOST_WEIGHT = 2**32 - 1

Weights = Mapping[str, int | float | Fraction]
"""The relative probability of each choice: numbers from 0 up, which may be fractions."""


class Policy:
    """Chooses at random among the legal choices, in proportion to their weights. If none of them
    has a weight, all are equally likely.
    """

    def __init__(
        self, ruleset: str | Ruleset, weights: Weights, table: Mapping[str, Weights] | None = None
    ) -> None:
        """`weights` by choice apply everywhere except in the states of `table`, given as text."""
        table = table or {}
        if not isinstance(table, Mapping):
            raise UsageError(f"a table is weights by state; not {brief(table)}")
        self.ruleset = as_ruleset(ruleset)
        ruleset = self.ruleset
        kernels = kernels_of(ruleset)
        fields = len(kernels.layout.names)
        self.rows = len(table)
        self.states = zeros(max(1, self.rows * fields))
        self.width = min(ruleset.choice_count, WIDTH)
        self.stride, self.first = self.width, 0
        self.weights = zeros((self.rows + 1) * self.width)
        for index, (text, row) in enumerate(table.items()):
            state = ruleset.parse_state(text)
            kernels.bound.kernels["pack"](state, self.states, index * fields)
            write_weights(ruleset, row, self.weights, index, self.width)
        write_weights(ruleset, weights, self.weights, self.rows, self.width)
        if self._fill_slots(kernels.bound.kernels["fill_slots"]):
            raise StateError("a state is in the table twice")

    @classmethod
    def from_rows(
        cls, ruleset: Ruleset, states: "array[int]", mixes: Iterable[Mapping[int, float]]
    ) -> "Policy":
        """A policy with a mix, by choice number, for each of the packed states."""
        made = cls(ruleset, {})
        kernels = kernels_of(ruleset)
        made.rows = len(states) // len(kernels.layout.names)
        made.states = states
        made.weights = zeros((made.rows + 1) * made.width)
        for index, mix in enumerate(mixes):
            whole = whole_weights([Fraction(weight) for weight in mix.values()])
            for choice, weight in zip(mix, whole, strict=True):
                made.weights[index * made.width + choice] = weight
        made._fill_slots(kernels("fill_slots"))
        return made

    @classmethod
    def of_both(
        cls, ruleset: Ruleset, states: "array[int]", weights: "array[int]"
    ) -> tuple["Policy", "Policy"]:
        """The policies of red and of blue, with whole weights for the same packed states. `weights`
        has a row for each state and a last row for all others; a row has a weight for each choice
        of red, then for each choice of blue.
        """
        red = cls(ruleset, {})
        kernels = kernels_of(ruleset)
        red.rows = len(states) // len(kernels.layout.names)
        red.states, red.weights, red.stride = states, weights, 2 * red.width
        red._fill_slots(kernels("fill_slots"))
        blue = copy(red)
        blue.first = blue.width
        return red, blue

    def _fill_slots(self, fill: Callable[..., int]) -> int:
        """Builds the hash table of the states. Returns the number of duplicates."""
        self.size = 1 << (2 * self.rows + 1).bit_length()
        self.slots = array("q", [EMPTY]) * self.size
        return fill(self.states, self.rows, self.slots, self.size)

    def weight(self, row: int, choice: int) -> int:
        return self.weights[row * self.stride + self.first + choice]

    @property
    def arguments(self) -> tuple["array[int] | int", ...]:
        """The kernel arguments that describe this policy."""
        return (
            *(self.states, self.rows, self.slots, self.size),
            *(self.weights, self.stride, self.first),
        )


def write_weights(
    ruleset: Ruleset, weights: Weights, out: "array[int]", row: int, width: int
) -> None:
    if not isinstance(weights, Mapping):
        raise UsageError(f"weights are numbers by choice; not {brief(weights)}")
    choices, exact = [], []
    for word, weight in weights.items():
        choice = ruleset.parse_word(word)
        if choice >= width:
            raise ChoiceError(f"{brief(word)} is never on offer, so it cannot have a weight")
        choices.append(choice)
        exact.append(parse_weight(word, weight))
    for choice, whole in zip(choices, whole_weights(exact), strict=True):
        out[row * width + choice] = whole


def parse_weight(word: str, weight: object) -> Fraction:
    if isinstance(weight, int | float | Fraction) and not isinstance(weight, bool):
        with suppress(OverflowError, ValueError):  # infinity and NaN
            exact = Fraction(weight)
            if 0 <= exact <= MOST_WEIGHT:
                return exact
    raise ChoiceError(f"the weight of {brief(word)} must be a number from 0 to {MOST_WEIGHT}")


def whole_weights(weights: list[Fraction]) -> list[int]:
    """Whole numbers in the same proportions, with a sum of at most MOST_WEIGHT. They are rounded if
    no exact ones exist.

    >>> whole_weights([Fraction(1, 3), Fraction(1, 6)]), whole_weights([Fraction(2), Fraction(1)])
    ([2, 1], [2, 1])
    """
    scale = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * scale) for weight in weights]
    if sum(whole) > MOST_WEIGHT:
        divisor = gcd(*whole)
        whole = [weight // divisor for weight in whole]
    if sum(whole) <= MOST_WEIGHT:
        return whole
    room = MOST_WEIGHT - len(whole)  # each may be rounded up
    return [round(Fraction(weight * room, sum(whole))) for weight in whole]
