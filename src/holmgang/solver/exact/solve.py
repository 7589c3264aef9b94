"""Exact solution of a ruleset: values and mixes of every state, with proven bounds.

A win is 1, a loss -1, a draw 0, all to red, and endless play what the game says: a draw for most. A
limit of rounds belongs to the match and is ignored here. The matrix game of every state is solved
again and again with the newest values, in an order in which most successors come first, and the
sweeps are extrapolated, until nothing changes. A later round counts slightly less, compared with
endless play (`IMPATIENCE`), or a side that is winning might put it off for ever. The bounds are
proven by `certificate.py`, which knows nothing of that.
"""

import time
from array import array
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from holmgang.engine.compiled.native import Announce, NumberKernels, silent, zeros
from holmgang.engine.progress import Notify
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.solver import matrix as matrix_games
from holmgang.solver.exact import sharpen_kernels, sharpening, sweep_kernels
from holmgang.solver.exact.certificate import Certificate, certify, evaluate, fixed_options
from holmgang.solver.exact.extrapolation import Extrapolation, Swept
from holmgang.solver.exact.table import (
    MOST_MIB,
    MOST_STATES,
    StateTable,
    floats,
    make_ready,
    tabulate,
)

IMPATIENCE = (1e-11, 1e-12, 1e-13)  # by how much less a later round counts
HARDLY = (1e-9, 1e-7, 1e-5)  # chances below which may be there only for lack of patience
MOST_SWEEPS = 3_000  # with one patience
SETTLED = 4e-12  # a sweep that changes no value by more changes nothing
MOST_IDLE = 60  # sweeps that may bring nothing new
KEPT = 8  # sweeps that are looked back at
GOOD = 5e-9  # an exploitability that will do
MOST_IMPROVEMENTS = 100
BOLDNESS = (0.9, 0.5, 0.0)  # how far from their own bounds mixes are improved, if it helps
LESS = 0.99999  # of the sum of all gaps; a small step often comes before a large one
WORTHWHILE = 1e-13  # an improvement of a state's bound that is more than rounding
AS_GOOD = 1e-9  # a loss of a bound for which sharper mixes are taken all the same


@dataclass
class Solution:
    """Values, bounds and mixes of every state of a table. Arrays by state start with the states
    that are listed; what follows are their mirror images.
    """

    ruleset: Ruleset
    table: StateTable
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
    modules = (matrix_games, sweep_kernels, sharpen_kernels)
    return NumberKernels("solver", modules, interpret=interpret)


def solve_whole(
    ruleset: str | Ruleset,
    *,
    most_states: int = MOST_STATES,
    most_mib: int = MOST_MIB,
    mirror: bool = True,
    progress: Notify = lambda said: None,
    announce: Announce = silent,
    interpret: bool = False,
) -> Solution:
    """Solves the ruleset. Raises `UsageError` if it has too many states or needs too much memory.
    Without `mirror` all states are listed, also those that mirror another.
    """
    ruleset = as_ruleset(ruleset)
    kernels = sweeping(interpret=interpret)
    for name in (*sweep_kernels.SPECS, *sharpen_kernels.SPECS):
        kernels(name, announce)
    make_ready(ruleset, announce, interpret=interpret)
    started = time.perf_counter()
    table = tabulate(
        ruleset, most_states=most_states, most_mib=most_mib, mirror=mirror, interpret=interpret
    )
    progress(f"{table.states:,} states")
    return solve_table(table, kernels, progress, started)


def solve_table(
    table: StateTable,
    kernels: NumberKernels,
    progress: Notify = lambda said: None,
    started: float | None = None,
) -> Solution:
    """Solves a ruleset that is written down already, at the time `started`."""
    begun = time.perf_counter() if started is None else started
    sweeper = Sweeper(table, kernels, progress)
    attempt, proof = sweeper.sharpened(*sweeper.solve())
    values, decided = evaluate(kernels, table, *attempt)
    for state in range(table.count):  # but for the last digits, values are within their bounds
        value = min(proof.highs[state], max(proof.lows[state], values[state]))
        if table.numbers.levels[state]:
            value = 0.0
        values[state] = value
        if table.mirrored:
            values[table.mirrored + state] = -value
    return Solution(
        table.ruleset,
        table,
        values,
        proof.lows,
        proof.highs,
        attempt.red_mixes,
        attempt.blue_mixes,
        decided,
        sweeper.sweeps,
        time.perf_counter() - begun,
        attempt.values,
    )


class Sweeper:
    """Sweeps over one table, with the room that takes."""

    def __init__(self, table: StateTable, kernels: NumberKernels, progress: Notify) -> None:
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
        """The solution with slightly less patience; where its proof is not good, the best parts of
        several such solutions, improved.
        """
        attempt = self.settle(self.start(), IMPATIENCE[0])
        proof = self.prove(attempt)
        if proof.worst <= GOOD:
            return attempt, proof
        tried = [(attempt, proof)]
        for impatience in IMPATIENCE:
            if impatience != IMPATIENCE[0]:
                attempt = self.settle(attempt.copy(), impatience)
                tried.append((attempt, self.prove(attempt)))
            for hardly in HARDLY:
                tidy = self.tidied(attempt, hardly)
                tried.append((tidy, self.prove(tidy)))
        attempt = self.combined(tried)
        tried.append((attempt, self.prove(attempt)))
        attempt, proof = min(tried, key=lambda pair: pair[1].total)
        boldest = 0
        for _ in range(MOST_IMPROVEMENTS):
            if proof.worst <= GOOD or boldest == len(BOLDNESS):
                break
            better = self.improved(attempt, proof, BOLDNESS[boldest])
            latest = self.prove(better)
            self.tell(f"exploitability {latest.worst:.1e}")
            if latest.total < LESS * proof.total:
                attempt, proof = better, latest
                boldest = max(0, boldest - 1)
            else:
                boldest += 1
        return attempt, proof

    def tidied(self, attempt: Attempt, hardly: float) -> Attempt:
        """Without what is hardly ever chosen. It may be a threat that is needed; or it is there
        only because patience is not endless, and an opponent with more of it can wait for it.
        """
        numbers, tidy = self.table.numbers, attempt.copy()
        for mixes, starts in (
            (tidy.red_mixes, numbers.red_starts),
            (tidy.blue_mixes, numbers.blue_starts),
        ):
            tidy_mixes(mixes, starts, hardly)
        return tidy

    def combined(self, tried: list[tuple[Attempt, Certificate]]) -> Attempt:
        """For each side, and for all states that can reach each other, the mixes with the best
        bounds. A bound depends on the mixes of one side alone, unless the states can reach their
        mirror images; and on what was taken for the states that come later in a duel, so those are
        settled first, and where bounds are not close each attempt is proven again after that.
        """
        table, best = self.table, tried[0][0].copy()
        for first, end in table.components:
            part, proofs = slice(first, end), [proof for _, proof in tried]
            if min(max(proof.gains(part)) for proof in proofs) > GOOD:
                proofs = [self.prove(self.with_part(best, part, attempt)) for attempt, _ in tried]
            lows = [sum(proof.lows[part]) for proof in proofs]
            highs = [sum(proof.highs[part]) for proof in proofs]
            gains = [high - low for high, low in zip(highs, lows, strict=True)]
            closest = gains.index(min(gains))
            red, blue = lows.index(max(lows)), highs.index(min(highs))
            if table.leads_to_images(first, end):
                red = blue = closest
            self.take(best, part, tried[red][0], tried[blue][0])
            for place in (part, slice(table.mirrored + first, table.mirrored + end)):
                best.values[place] = tried[closest][0].values[place]
        return best

    def with_part(self, attempt: Attempt, part: slice, source: Attempt) -> Attempt:
        """An attempt with the mixes and values of another one in these states."""
        mixed = attempt.copy()
        self.take(mixed, part, source, source)
        shift = self.table.mirrored
        for place in (part, slice(shift + part.start, shift + part.stop)):
            mixed.values[place] = source.values[place]
        return mixed

    def sharpened(self, attempt: Attempt, proof: Certificate) -> tuple[Attempt, Certificate]:
        """The same with sharp mixes (see `sharpening.py`) wherever their bounds are as good. Mixes
        that are sharp half the time keep every threat of the solution, so they may do where those
        that are always sharp do not.
        """
        picked = fixed_options(self.kernels, self.table, attempt.values)
        sharp = sharpening.sharp_mixes(
            self.kernels, self.table, *attempt, picked, IMPATIENCE[0], self._room
        )
        half = (halfway(*pair) for pair in zip(attempt[1:], sharp, strict=True))
        chosen, tried = attempt.copy(), []
        for mixes in (sharp, half):
            sharper = Attempt(attempt.values, *mixes)
            tried.append((sharper, self.prove(sharper)))
            if is_as_good(proof, tried[-1][1]):
                return tried[-1]
        for first, end in self.table.components:
            part = slice(first, end)
            for sharper, found in reversed(tried):
                red, blue = (lost <= AS_GOOD for lost in lost_bounds(proof, found, part))
                if self.table.leads_to_images(first, end):
                    red = blue = red and blue
                self.take(chosen, part, sharper if red else chosen, sharper if blue else chosen)
        found = self.prove(chosen)
        return (chosen, found) if is_as_good(proof, found) else (attempt, proof)

    def take(self, to: Attempt, part: slice, red: Attempt, blue: Attempt) -> None:
        """Copies the mixes of these states: red's from one attempt, blue's from another."""
        numbers = self.table.numbers
        for mixes, starts, source in (
            (to.red_mixes, numbers.red_starts, red.red_mixes),
            (to.blue_mixes, numbers.blue_starts, blue.blue_mixes),
        ):
            places = slice(starts[part.start], starts[part.stop])
            mixes[places] = source[places]

    def prove(self, attempt: Attempt) -> Certificate:
        return certify(self.kernels, self.table, *attempt)

    def improved(self, attempt: Attempt, proof: Certificate, boldness: float) -> Attempt:
        """Each side's mix made optimal by its own bounds wherever that raises its bound (strategy
        improvement, after Hoffman and Karp). Other mixes are kept: what is hardly ever chosen may
        be a threat that is needed in one state, and in another a mistake that a patient opponent
        waits for. With boldness, by values that much nearer to the other side's bounds: where the
        improvements get ever smaller, that takes many of them at once, if the proof bears it out.
        """
        table, better = self.table, attempt.copy()
        numbers = table.numbers._replace(loops=zeros(table.count))
        improve, patience = self.kernels("improve"), array("d", [1.0])
        wide = [s for s in range(table.count) if proof.highs[s] - proof.lows[s] > GOOD]
        for side, bounds, others in ((1, proof.lows, proof.highs), (-1, proof.highs, proof.lows)):
            aims = array(
                "d",
                (own + boldness * (other - own) for own, other in zip(bounds, others, strict=True)),
            )
            values, scratch = aims[:], attempt.copy()
            own = (1 if side > 0 else 2, numbers.red_starts if side > 0 else numbers.blue_starts)
            for state in wide:
                improve(state, state + 1, 0, numbers, patience, values, *scratch[1:], *self._room)
                gain = side * (values[state] - bounds[state])
                values[state] = aims[state]
                if gain > WORTHWHILE:
                    part = slice(own[1][state], own[1][state + 1])
                    better[own[0]][part] = scratch[own[0]][part]
        self.kernels("level_mixes")(table.count, numbers, *better[1:])
        return better

    def start(self) -> Attempt:
        numbers = self.table.numbers
        return Attempt(
            floats(self.table.places, numbers.endless[0]),
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
            self.tell(f"sweep {self.sweeps}, largest change {change:.1e}")
            idle = 0 if change < 0.9 * least else idle + 1
            least = min(least, change)
            if change <= SETTLED or idle > MOST_IDLE:
                break
            guess.move(change)

    def tell(self, said: str) -> None:
        if time.monotonic() - self._told > 2:
            self._told = time.monotonic()
            self.progress(said)

    @property
    def sweeps(self) -> int:
        """How many times all states were gone through, in sum."""
        return -(-self.states_done // self.table.count)


def halfway(one: "array[float]", other: "array[float]") -> "array[float]":
    return array("d", ((first + second) / 2 for first, second in zip(one, other, strict=True)))


def lost_bounds(before: Certificate, after: Certificate, part: slice) -> tuple[float, float]:
    """By how much red's bound, and blue's, is worse than before, in the state where it is most."""
    lows = zip(before.lows[part], after.lows[part], strict=True)
    highs = zip(before.highs[part], after.highs[part], strict=True)
    return max(old - new for old, new in lows), max(new - old for old, new in highs)


def is_as_good(before: Certificate, after: Certificate) -> bool:
    return max(lost_bounds(before, after, slice(None))) <= AS_GOOD


def tidy_mixes(mixes: "array[float]", starts: "array[int]", hardly: float) -> None:
    """Leaves out what is hardly ever chosen."""
    for first, end in pairwise(starts):
        mix = [chance if chance >= hardly else 0.0 for chance in mixes[first:end]]
        total = sum(mix)
        mixes[first:end] = array("d", (chance / total for chance in mix))
