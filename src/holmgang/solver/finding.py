"""What is known of a state, wherever it was learnt: from a table, a layer, or a search."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A value to red (win minus loss) and how each seat should choose, by the numbers of choices.

    A seat with nothing to choose has an empty mix. `low` and `high` are proven bounds of the value;
    -1 and 1 say that nothing is proven. `depth` is how many rounds the search looked ahead, 0 where
    nothing was searched.
    """

    value: float
    red: dict[int, float]
    blue: dict[int, float]
    depth: int = 0
    low: float = -1.0
    high: float = 1.0

    @property
    def is_exact(self) -> bool:
        return self.high - self.low < 1e-6
