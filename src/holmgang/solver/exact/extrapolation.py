"""Where repeated sweeps lead, guessed from the last few of them."""

from array import array

from holmgang.engine.compiled.native import NumberKernels
from holmgang.solver.exact.table import floats

ASTRAY = 2.0  # a change so many times the least one shows that the guesses mislead


class Extrapolation:
    """Turns the results of sweeps into points to start the next from."""

    def __init__(self, kernels: NumberKernels, block: tuple[int, int], kept: int) -> None:
        """For sweeps over one block; looks back at `kept` of them."""
        self._extrapolate = kernels("extrapolate")
        self._first, self._count = block[0], block[1] - block[0]
        self._kept = kept
        self._room = tuple(floats(kept * size) for size in (self._count, self._count, kept + 2))
        self._seen, self._least = 0, float("inf")

    def move(self, point: "array[float]", values: "array[float]", change: float) -> None:
        """Moves the point from which a sweep gave these values, with this largest change."""
        if change > ASTRAY * self._least:
            self._seen, self._least = 0, change
        self._least = min(self._least, change)
        newest = self._seen % self._kept
        self._seen += 1
        seen = min(self._seen, self._kept)
        self._extrapolate(self._first, self._count, seen, newest, values, *self._room, point)
