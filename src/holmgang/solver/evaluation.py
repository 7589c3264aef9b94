"""Evaluations of states: value, proven bounds and both mixes, by choice numbers.

Tables, layers and searches all return an `Evaluation`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from holmgang.engine.mix import Mix
from holmgang.games.contract import State
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject

EXACT = 1e-6  # a value is exact if its proven bounds are closer together than this

ByChoice = dict[int, float]
"""A probability or a worth for each choice."""
Worths = tuple[ByChoice, ByChoice]
"""The worth to red of each choice of red, and of blue, against the other's mix."""


class Source(Enum):
    """Where an evaluation comes from."""

    TABLE = "table"
    LAYERS = "layers"
    PROOF = "proof"
    """A search that proved the value."""
    SEARCH = "search"
    """A search that estimated the value."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A value to red (win minus loss) with proven bounds, and a mix for each seat.

    The mixes are keyed by choice number; a seat with nothing to choose has an empty mix. Bounds of
    -1 and 1 mean that nothing is proven. `decided` is the probability that someone wins if both
    seats play their mixes to the end; None if unknown. `depth` is the number of rounds searched, 0
    without a search.
    """

    value: float
    low: float
    high: float
    red: ByChoice
    blue: ByChoice
    decided: float | None
    source: Source
    depth: int = 0

    @property
    def is_exact(self) -> bool:
        return self.high - self.low < EXACT

    @property
    def has_exact_worths(self) -> bool:
        """Whether the worth of each choice is exact too. Only tables provide that: a search that
        proves the value only estimates the worth of all but the best choices.
        """
        return self.is_exact and self.source in (Source.TABLE, Source.LAYERS)

    @property
    def win(self) -> float | None:
        """Red's chance to win if both play their mixes to the end; None if unknown."""
        return None if self.decided is None else within_1((self.decided + self.value) / 2)

    @property
    def loss(self) -> float | None:
        return None if self.decided is None else within_1((self.decided - self.value) / 2)

    @property
    def draw(self) -> float | None:
        if self.win is None or self.loss is None:
            return None
        return max(0.0, 1 - self.win - self.loss)

    def mirrored(self) -> "Evaluation":
        """The evaluation with the seats swapped."""
        return replace(
            self, value=-self.value, low=-self.high, high=-self.low, red=self.blue, blue=self.red
        )

    def as_json(self, ruleset: Ruleset) -> JsonObject:
        """The evaluation with choices in words."""
        return {
            "value": self.value,
            "win": self.win,
            "draw": self.draw,
            "loss": self.loss,
            "exact": self.is_exact,
            "low": self.low,
            "high": self.high,
            "depth": self.depth,
            "red": in_words(ruleset, self.red),
            "blue": in_words(ruleset, self.blue),
        }


def within_1(chance: float) -> float:
    return min(1.0, max(0.0, chance))


def in_words(ruleset: Ruleset, shares: ByChoice) -> Mix:
    """The shares, keyed by the words of the choices."""
    return {ruleset.word(choice): share for choice, share in shares.items()}


def mean_worth(
    ruleset: Ruleset, state: State, red: int, blue: int, value_of: Callable[[State], float]
) -> float:
    """The expected value of two choices in a state; `value_of` evaluates undecided successors."""
    total, faces = 0.0, 0
    for face, weight in ruleset.throws(state, red, blue):
        after = ruleset.resolve_unchecked(state, red, blue, face)
        utility = ruleset.utility(after)
        total += weight * (value_of(after) if utility is None else utility)
        faces += weight
    return total / faces
