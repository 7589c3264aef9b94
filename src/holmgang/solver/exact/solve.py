"""Exact solution of a ruleset: values and mixes of every state, with proven bounds.

Values are to red: a win is 1, a loss -1, a draw 0, and the game sets the value of endless play
(default: a draw). The round limit is not part of the rules and is ignored. The matrix game of every
state is solved repeatedly with the newest values, in an order in which most successors come first,
and the sweeps are extrapolated until they converge. Later rounds are slightly discounted towards
the value of endless play (`IMPATIENCE`); otherwise a winning side might put off the end forever.
The bounds are proven without a discount, by `certificate.py`.
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
from holmgang.solver.exact.sweep_kernels import MatrixScratch
from holmgang.solver.exact.table import (
    MOST_MIB,
    MOST_STATES,
    StateTable,
    floats,
    make_ready,
    tabulate,
)
from holmgang.solver.numbers import Ints

IMPATIENCE = (1e-11, 1e-12, 1e-13)  # discounts of later rounds
HARDLY = (1e-9, 1e-7, 1e-5)  # smaller chances may be artefacts of discounting
MOST_SWEEPS = 3_000  # over a block, for each discount
SETTLED = 4e-12  # tolerance for a value
MOST_IDLE = 60  # sweeps in a row without progress
KEPT = 8  # sweeps used to extrapolate
GOOD = 5e-9  # a sufficient exploitability
MOST_IMPROVEMENTS = 100
BOLDNESS = (0.9, 0.5, 0.0)  # shares of the gap between the bounds, tried in turn
LESS = 0.99999  # the sum of all gaps must fall below this share; small steps may precede large ones
WORTHWHILE = 1e-13  # a smaller improvement of a bound is rounding
AS_GOOD = 1e-9  # the most by which sharper mixes may worsen a bound


@dataclass
class Solution:
    """Values, bounds and mixes of every state of a table. In arrays by state, the mirror images
    follow the listed states.
    """

    ruleset: Ruleset
    table: StateTable
    values: "array[float]"
    """The values of the mixes against each other."""
    lows: "array[float]"
    """Proven lower bounds, which red's mixes secure."""
    highs: "array[float]"
    """Proven upper bounds, which blue's mixes secure."""
    red_mixes: "array[float]"
    blue_mixes: "array[float]"
    decided: "array[float]"
    """The probability that someone wins under the mixes."""
    sweeps: int
    compute_seconds: float
    guides: "array[float]"
    """The values by which a seat picks its option when it answers a reveal."""

    @property
    def exploitability(self) -> float:
        """The most that both sides together can gain by leaving the solution, from the start."""
        start = self.table.start
        return max(0.0, self.highs[start] - self.lows[start])

    @property
    def worst_exploitability(self) -> float:
        """The largest exploitability of a state."""
        return max(0.0, *(high - low for high, low in zip(self.highs, self.lows, strict=True)))


class Candidate(NamedTuple):
    """Values and mixes."""

    values: "array[float]"
    red_mixes: "array[float]"
    blue_mixes: "array[float]"

    def copy(self) -> "Candidate":
        return Candidate(*(numbers[:] for numbers in self))


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
    Without `mirror`, both of two states that mirror each other are listed.
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
    """Solves a ruleset given as a table. The reported computing time starts at `started`."""
    begun = time.perf_counter() if started is None else started
    solver = TableSolver(table, kernels, progress)
    candidate, proof = solver.sharpened(*solver.solve())
    values, decided = evaluate(kernels, table, *candidate)
    for state in range(table.count):  # rounding may leave values just outside their bounds
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
        candidate.red_mixes,
        candidate.blue_mixes,
        decided,
        solver.sweeps,
        time.perf_counter() - begun,
        candidate.values,
    )


class TableSolver:
    """Solves one table."""

    def __init__(
        self,
        table: StateTable,
        kernels: NumberKernels,
        progress: Notify,
        most_sweeps: int = MOST_SWEEPS,
    ) -> None:
        self.table = table
        self.kernels = kernels
        self.progress = progress
        self.most_sweeps = most_sweeps
        self.states_done = 0
        numbers = table.numbers
        reds, blues = max(numbers.reds), max(numbers.blues)
        self._room = MatrixScratch(
            floats(reds * blues),
            floats(reds),
            floats(blues),
            floats(matrix_games.work_size(reds, blues)),
        )
        self._told = time.monotonic()

    def solve(self) -> tuple[Candidate, Certificate]:
        """Returns the discounted solution. If its bounds are not close enough, combines the best
        parts of several such solutions and improves the result.
        """
        candidate = self.settle(self.start(), IMPATIENCE[0])
        proof = self.prove(candidate)
        if proof.worst <= GOOD:
            return candidate, proof
        tried = [(candidate, proof)]
        for impatience in IMPATIENCE:
            if impatience != IMPATIENCE[0]:
                candidate = self.settle(candidate.copy(), impatience)
                tried.append((candidate, self.prove(candidate)))
            for hardly in HARDLY:
                tidy = self.tidied(candidate, hardly)
                tried.append((tidy, self.prove(tidy)))
        candidate = self.combined(tried)
        tried.append((candidate, self.prove(candidate)))
        candidate, proof = min(tried, key=lambda pair: pair[1].total)
        boldest = 0
        for _ in range(MOST_IMPROVEMENTS):
            if proof.worst <= GOOD or boldest == len(BOLDNESS):
                break
            better = self.improved(candidate, proof, BOLDNESS[boldest])
            latest = self.prove(better)
            self.tell(f"exploitability {latest.worst:.1e}")
            if latest.total < LESS * proof.total:
                candidate, proof = better, latest
                boldest = max(0, boldest - 1)
            else:
                boldest += 1
        return candidate, proof

    def tidied(self, candidate: Candidate, hardly: float) -> Candidate:
        """The candidate without choices of tiny probability. Some of these are necessary threats;
        others are artefacts of discounting, which a patient opponent can wait for.
        """
        numbers, tidy = self.table.numbers, candidate.copy()
        for mixes, starts in (
            (tidy.red_mixes, numbers.red_starts),
            (tidy.blue_mixes, numbers.blue_starts),
        ):
            tidy_mixes(mixes, starts, hardly)
        return tidy

    def combined(self, tried: list[tuple[Candidate, Certificate]]) -> Candidate:
        """The mixes with the best bounds for each side in each component. A bound depends on the
        mixes of one side only, unless the component contains mirror images. It also depends on the
        components that follow, so those are chosen first, and where bounds are not close, each
        candidate is proven again with them.
        """
        table, best = self.table, tried[0][0].copy()
        for first, end in table.components:
            part, proofs = slice(first, end), [proof for _, proof in tried]
            if min(max(proof.gains(part)) for proof in proofs) > GOOD:
                proofs = [
                    self.prove(self.with_part(best, part, candidate)) for candidate, _ in tried
                ]
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

    def with_part(self, candidate: Candidate, part: slice, source: Candidate) -> Candidate:
        """The candidate with the mixes and values of `source` in these states."""
        mixed = candidate.copy()
        self.take(mixed, part, source, source)
        shift = self.table.mirrored
        for place in (part, slice(shift + part.start, shift + part.stop)):
            mixed.values[place] = source.values[place]
        return mixed

    def sharpened(self, candidate: Candidate, proof: Certificate) -> tuple[Candidate, Certificate]:
        """The candidate with sharp mixes (see `sharpening.py`) wherever their bounds are as good.
        Averages of the sharp mixes and the solution keep every threat, so they may pass where sharp
        mixes fail.
        """
        picked = fixed_options(self.kernels, self.table, candidate.values)
        sharp = sharpening.sharp_mixes(
            self.kernels, self.table, *candidate, picked, IMPATIENCE[0], self._room
        )
        half = (halfway(*pair) for pair in zip(candidate[1:], sharp, strict=True))
        chosen, tried = candidate.copy(), []
        for mixes in (sharp, half):
            sharper = Candidate(candidate.values, *mixes)
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
        return (chosen, found) if is_as_good(proof, found) else (candidate, proof)

    def take(self, to: Candidate, part: slice, red: Candidate, blue: Candidate) -> None:
        """Copies the mixes of these states: red's from `red`, blue's from `blue`."""
        numbers = self.table.numbers
        for mixes, starts, source in (
            (to.red_mixes, numbers.red_starts, red.red_mixes),
            (to.blue_mixes, numbers.blue_starts, blue.blue_mixes),
        ):
            places = slice(starts[part.start], starts[part.stop])
            mixes[places] = source[places]

    def prove(self, candidate: Candidate) -> Certificate:
        return certify(self.kernels, self.table, *candidate)

    def improved(self, candidate: Candidate, proof: Certificate, boldness: float) -> Candidate:
        """Strategy improvement, after Hoffman and Karp: makes each side's mix optimal by its own
        bounds wherever that improves its bound. Other mixes are kept: a choice of tiny probability
        may be a necessary threat in one state and a mistake in another. `boldness` moves the values
        towards the other side's bounds, which combines many small steps in one.
        """
        table, better = self.table, candidate.copy()
        numbers = table.numbers._replace(loops=zeros(table.count))
        improve, patience = self.kernels("improve"), array("d", [1.0])
        wide = [s for s in range(table.count) if proof.highs[s] - proof.lows[s] > GOOD]
        for side, bounds, others in ((1, proof.lows, proof.highs), (-1, proof.highs, proof.lows)):
            aims = array(
                "d",
                (own + boldness * (other - own) for own, other in zip(bounds, others, strict=True)),
            )
            values, scratch = aims[:], candidate.copy()
            own = (1 if side > 0 else 2, numbers.red_starts if side > 0 else numbers.blue_starts)
            for state in wide:
                improve(state, state + 1, 0, numbers, patience, values, *scratch[1:], self._room)
                gain = side * (values[state] - bounds[state])
                values[state] = aims[state]
                if gain > WORTHWHILE:
                    part = slice(own[1][state], own[1][state + 1])
                    better[own[0]][part] = scratch[own[0]][part]
        self.kernels("level_mixes")(table.count, numbers, *better[1:])
        return better

    def start(self) -> Candidate:
        numbers = self.table.numbers
        return Candidate(
            floats(self.table.places, numbers.endless[0]),
            floats(numbers.red_starts[-1]),
            floats(numbers.blue_starts[-1]),
        )

    def settle(self, candidate: Candidate, impatience: float) -> Candidate:
        """Sweeps over each block until it converges or stops making progress."""
        settings = array("d", [1.0 - impatience])
        for block in self.table.blocks:
            self.settle_block(block, candidate, settings)
        self.kernels("level_mixes")(self.table.count, self.table.numbers, *candidate[1:])
        return candidate

    def settle_block(
        self, block: tuple[int, int], candidate: Candidate, settings: "array[float]"
    ) -> None:
        table, values = self.table, candidate.values
        improve = self.kernels("improve")
        guess = Extrapolation(self.kernels, block, KEPT, table.mirrored, Swept(values, values))
        least, idle = 2.0, 0
        for _ in range(self.most_sweeps):
            change = improve(
                *block, table.mirrored, table.numbers, settings, *candidate, self._room
            )
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
        """Number of sweeps, counted as passes over the whole table and rounded up."""
        return -(-self.states_done // self.table.count)


def halfway(one: "array[float]", other: "array[float]") -> "array[float]":
    return array("d", ((first + second) / 2 for first, second in zip(one, other, strict=True)))


def lost_bounds(before: Certificate, after: Certificate, part: slice) -> tuple[float, float]:
    """The most by which a lower bound got worse, and the same for an upper bound."""
    lows = zip(before.lows[part], after.lows[part], strict=True)
    highs = zip(before.highs[part], after.highs[part], strict=True)
    return max(old - new for old, new in lows), max(new - old for old, new in highs)


def is_as_good(before: Certificate, after: Certificate) -> bool:
    return max(lost_bounds(before, after, slice(None))) <= AS_GOOD


def tidy_mixes(mixes: "array[float]", starts: Ints, hardly: float) -> None:
    """Removes choices whose chance is below `hardly`."""
    for first, end in pairwise(starts):
        mix = [chance if chance >= hardly else 0.0 for chance in mixes[first:end]]
        total = sum(mix)
        mixes[first:end] = array("d", (chance / total for chance in mix))
