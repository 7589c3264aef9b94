"""Extrapolates repeated sweeps from the last few of them (Anderson's method)."""

from array import array
from typing import NamedTuple

from holmgang.engine.compiled.native import NumberKernels
from holmgang.solver.exact.table import floats

ASTRAY = 2.0  # restarts if a change is more than this many times the smallest one


class Swept(NamedTuple):
    """An array that sweeps write, and the array for the values of mirror images, times `sign`."""

    values: "array[float]"
    images: "array[float]"
    sign: int = -1


class Extrapolation:
    """Turns the results of sweeps over a block into starting points for the next sweep."""

    def __init__(
        self,
        kernels: NumberKernels,
        block: tuple[int, int],
        kept: int,
        mirrored: int,
        *swept: Swept,
    ) -> None:
        """Uses the last `kept` sweeps. Mirror images start at number `mirrored`; 0 if there are
        none. Arrays that depend on each other are extrapolated together.
        """
        self._add, self._weigh, self._move = map(kernels, ("add_sweep", "weigh_sweeps", "move_on"))
        self._first, self._count = block[0], block[1] - block[0]
        self._kept, self._mirrored = kept, mirrored
        self._swept = swept
        self._points = [each.values[slice(*block)] for each in swept]
        self._histories = [[floats(kept * self._count) for _ in range(2)] for _ in swept]
        self._seen, self._least = 0, float("inf")

    def move(self, change: float) -> None:
        """Extrapolates after a sweep whose largest change was `change`."""
        if change > ASTRAY * self._least:
            self._seen, self._least = 0, change
        self._least = min(self._least, change)
        newest = self._seen % self._kept
        self._seen += 1
        kept = min(self._seen, self._kept)
        sizes = (self._first, self._count, kept, newest)
        gram = floats(kept * (kept + 2))
        arrays = list(zip(self._swept, self._points, self._histories, strict=True))
        for swept, point, (steps, results) in arrays:
            self._add(*sizes, point, steps, results, gram, swept.values)
        self._weigh(kept, newest, gram)
        for swept, point, (_, results) in arrays:
            ends = (gram, swept.values, swept.images)
            self._move(*sizes, self._mirrored, swept.sign, point, results, *ends)
