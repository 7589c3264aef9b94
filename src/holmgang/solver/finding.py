"""What is known of a state by choice numbers: from a table, a layer, or a search."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from holmgang.games.ruleset import Ruleset

EXACT = 1e-6  # a value is exact if its proven bounds are closer together than this


def is_exact(low: float, high: float) -> bool:
    """Whether a value with these proven bounds counts as exact."""
    return high - low < EXACT


@dataclass(frozen=True, slots=True)
class Finding:
    """A value to red (win minus loss) and how each seat should choose, by the numbers of choices.

    A seat with nothing to choose has an empty mix. `low` and `high` are proven bounds of the value;
    -1 and 1 mean that nothing is proven. `depth` is the number of rounds that the search looked
    ahead, 0 where nothing was searched. `decided` is the probability that someone wins if both
    seats play their mixes, here and in every later state; None where it is not known.
    """

    value: float
    red: dict[int, float]
    blue: dict[int, float]
    depth: int = 0
    low: float = -1.0
    high: float = 1.0
    decided: float | None = None

    @property
    def is_exact(self) -> bool:
        return is_exact(self.low, self.high)

    def mirrored(self) -> "Finding":
        """The same with the seats exchanged."""
        return replace(
            self, value=-self.value, red=self.blue, blue=self.red, low=-self.high, high=-self.low
        )


def mean_worth(
    ruleset: Ruleset, state: Any, red: int, blue: int, value_of: Callable[[Any], float]
) -> float:
    """What two choices in a state are worth to red, over all that chance can do, if an undecided
    state is worth what `value_of` says.
    """
    faces = ruleset.chance(state, red, blue)
    total = 0.0
    for face in range(faces):
        after = ruleset.resolve_unchecked(state, red, blue, face)
        utility = ruleset.utility(after)
        total += value_of(after) if utility is None else utility
    return total / faces
