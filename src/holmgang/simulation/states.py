"""Lists all states that a duel can reach."""

from array import array

from holmgang.engine.compiled.kernels import EMPTY
from holmgang.engine.compiled.native import Announce, kernels_of, silent, zeros
from holmgang.errors import UsageError
from holmgang.games.ruleset import Ruleset, as_ruleset

SMALLEST = 1 << 12


def reachable_states(
    ruleset: str | Ruleset, *, most: int = 20_000_000, announce: Announce = silent
) -> tuple["array[int]", int]:
    """All undecided states that can be reached, packed one after the other in breadth-first order,
    and their number. Raises `UsageError` if there are more than `most`.
    """
    ruleset = as_ruleset(ruleset)
    kernels = kernels_of(ruleset)
    fields = len(kernels.layout.names)
    enumerate_states = kernels("enumerate_states", announce)
    capacity = SMALLEST
    while True:
        capacity = min(capacity, most)
        size = 1 << (2 * capacity).bit_length()
        rows, slots = zeros(capacity * fields), array("q", [EMPTY]) * size
        found = enumerate_states(rows, capacity, slots, size, zeros(fields))
        if found >= 0:
            return rows[: found * fields], found
        if capacity == most:
            raise UsageError(f"{ruleset.text} has more than {most} states")
        capacity *= 4
