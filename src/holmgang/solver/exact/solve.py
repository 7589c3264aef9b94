"""Exact solution of a ruleset: values and mixes of every state, with proven bounds.

A win is 1, a loss -1, a draw and endless play 0, all to red. A limit of rounds belongs to the match
and is ignored here. The matrix game of every state is solved again and again with the newest
values, in an order in which most successors come first, and the sweeps are extrapolated, until
nothing changes. A later round counts slightly less (`IMPATIENCE`), or a side that is winning might
put it off for ever. The bounds are proven by `certificate.py`, which knows nothing of that.
"""

import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from holmgang.engine.compiled.native import Announce, NumberKernels, silent
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.solver import matrix as matrix_games
from holmgang.solver.exact import sweep_kernels
from holmgang.solver.exact.certificate import Certificate, certify, evaluate
from holmgang.solver.exact.extrapolation import Extrapolation, Swept
from holmgang.solver.exact.table import MOST_MIB, MOST_STATES, Table, floats, make_ready, tabulate

IMPATIENCE = (1e-11, 1e-12, 1e-13)  # by how much less a later round counts: the first that will do
MOST_SWEEPS = 3_000  # with one patience
SETTLED = 1e-12  # a sweep that changes no value by more changes nothing
MOST_IDLE = 60  # sweeps that may bring nothing new
KEPT = 6  # sweeps that are looked back at
GOOD = 5e-9  # an exploitability that will do
HARDLY = 1e-9  # a chance that may be there for the wrong reason

Progress = Callable[[str], None]
"""Told from time to time what is being done."""


@dataclass
class Solution:
    """Values, bounds and mixes of every state of a table. Arrays by state start with the states
    that are listed; what follows are their mirror images.
    """

    ruleset: Ruleset
    table: Table
    values: "array[float]"
    """What the mixes are worth to red against each other."""
    lows: "array[float]"
    """What red's mixes are proven to secure."""
    highs: "array[float]"
    """What blue's mixes are proven to limit red to."""
    red_mixes: "array[float]"
    blue_mixes: "array[float]"
    decided: "array[float]"
    """The chance that someone wins under the mixes."""
    sweeps: int
    compute_seconds: float
    guides: "array[float]"
    """The values that decide which option a seat takes that answers a reveal."""

    @property
    def exploitability(self) -> float:
        """What both sides together can gain by leaving the solution, from the start of the game."""
        start = self.table.start
        return max(0.0, self.highs[start] - self.lows[start])

    @property
    def worst_exploitability(self) -> float:
        """The same from the state where it is largest."""
        return max(0.0, *(high - low for high, low in zip(self.highs, self.lows, strict=True)))


class Attempt(NamedTuple):
    """Values and mixes, settled with one patience."""

    values: "array[float]"
    red_mixes: "array[float]"
    blue_mixes: "array[float]"

    def copy(self) -> "Attempt":
        return Attempt(*(numbers[:] for numbers in self))


@lru_cache(maxsize=2)
def sweeping(*, interpret: bool = False) -> NumberKernels:
    return NumberKernels("solver", (matrix_games, sweep_kernels), interpret=interpret)


def solve(
    ruleset: str | Ruleset,
    *,
    most_states: int = MOST_STATES,
    most_mib: int = MOST_MIB,
    mirror: bool = True,
    progress: Progress = lambda said: None,
    announce: Announce = silent,
    interpret: bool = False,
) -> Solution:
    """Solves the ruleset. Raises `UsageError` if it has too many states or needs too much memory.
    Without `mirror` all states are listed, also those that mirror another.
    """
    ruleset = as_ruleset(ruleset)
    kernels = sweeping(interpret=interpret)
    for name in sweep_kernels.ENTRIES:
        kernels(name, announce)
    make_ready(ruleset, announce, interpret=interpret)
    started = time.perf_counter()
    table = tabulate(
        ruleset, most_states=most_states, most_mib=most_mib, mirror=mirror, interpret=interpret
    )
    progress(f"{table.states:,} states")
    sweeper = Sweeper(table, kernels, progress)
    attempt, proof = sweeper.solve()
    values, decided = evaluate(kernels, table, *attempt)
    for state, (low, high) in enumerate(zip(proof.lows, proof.highs, strict=True)):
        values[state] = min(high, max(low, values[state]))  # but for the last digits, it is there
    return Solution(
        ruleset,
        table,
        values,
        proof.lows,
        proof.highs,
        attempt.red_mixes,
        attempt.blue_mixes,
        decided,
        sweeper.sweeps,
        time.perf_counter() - started,
        attempt.values,
    )


class Sweeper:
    """Sweeps over one table, with the room that takes."""

    def __init__(self, table: Table, kernels: NumberKernels, progress: Progress) -> None:
        self.table = table
        self.kernels = kernels
        self.progress = progress
        self.states_done = 0
        numbers = table.numbers
        reds, blues = max(numbers.reds), max(numbers.blues)
        self._room = (
            floats(reds * blues),
            floats(reds),
            floats(blues),
            floats(matrix_games.work_size(reds, blues)),
        )
        self._told = time.monotonic()

    def solve(self) -> tuple[Attempt, Certificate]:
        """The best that is found with one patience or another."""
        found, proof = self.prove(self.settle(self.start(), IMPATIENCE[0]))
        for impatience in IMPATIENCE[1:]:
            if proof.worst <= GOOD:
                break
            latest = self.prove(self.settle(found.copy(), impatience))
            found, proof = min((found, proof), latest, key=lambda tried: tried[1].worst)
        return found, proof

    def prove(self, attempt: Attempt) -> tuple[Attempt, Certificate]:
        """The attempt as it is or tidied up, on one side or both, whichever is best. What is hardly
        ever chosen may be a threat that is needed; or it is there only because patience is not
        endless, and an opponent with more of it can wait for it.
        """
        proof = certify(self.kernels, self.table, *attempt)
        if proof.worst <= GOOD:
            return attempt, proof
        numbers, tidy = self.table.numbers, attempt.copy()
        for mixes, starts in (
            (tidy.red_mixes, numbers.red_starts),
            (tidy.blue_mixes, numbers.blue_starts),
        ):
            tidy_mixes(mixes, starts)
        others = [tidy]
        if not self.table.mirrored:  # otherwise one side's mixes mirror the other's
            others.append(attempt._replace(red_mixes=tidy.red_mixes))
            others.append(attempt._replace(blue_mixes=tidy.blue_mixes))
        tried = [(attempt, proof)]
        tried += [(other, certify(self.kernels, self.table, *other)) for other in others]
        return min(tried, key=lambda pair: pair[1].worst)

    def start(self) -> Attempt:
        numbers = self.table.numbers
        return Attempt(
            floats(self.table.places),
            floats(numbers.red_starts[-1]),
            floats(numbers.blue_starts[-1]),
        )

    def settle(self, attempt: Attempt, impatience: float) -> Attempt:
        """Sweeps over block after block until nothing changes any more, or nothing gets better."""
        settings = array("d", [1.0 - impatience])
        for block in self.table.blocks:
            self.settle_block(block, attempt, settings)
        self.kernels("level_mixes")(self.table.count, self.table.numbers, *attempt[1:])
        return attempt

    def settle_block(
        self, block: tuple[int, int], attempt: Attempt, settings: "array[float]"
    ) -> None:
        table, values = self.table, attempt.values
        improve = self.kernels("improve")
        guess = Extrapolation(self.kernels, block, KEPT, table.mirrored, Swept(values, values))
        least, idle = 2.0, 0
        for _ in range(MOST_SWEEPS):
            change = improve(*block, table.mirrored, table.numbers, settings, *attempt, *self._room)
            self.states_done += block[1] - block[0]
            self.tell(change)
            idle = 0 if change < 0.9 * least else idle + 1
            least = min(least, change)
            if change <= SETTLED or idle > MOST_IDLE:
                break
            guess.move(change)

    def tell(self, change: float) -> None:
        if time.monotonic() - self._told > 2:
            self._told = time.monotonic()
            self.progress(f"sweep {self.sweeps}, largest change {change:.1e}")

    @property
    def sweeps(self) -> int:
        """How many times all states were gone through, in sum."""
        return -(-self.states_done // self.table.count)


def tidy_mixes(mixes: "array[float]", starts: "array[int]") -> None:
    """Leaves out what is hardly ever chosen."""
    for first, end in pairwise(starts):
        mix = [chance if chance >= HARDLY else 0.0 for chance in mixes[first:end]]
        total = sum(mix)
        mixes[first:end] = array("d", (chance / total for chance in mix))
