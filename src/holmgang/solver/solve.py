"""Exact solution of a ruleset: values and mixes of every state, with a certificate.

Win is 1, loss -1, a draw and endless play 0, all to red. The limit of rounds is the match's affair
and is not seen here. States are enumerated from the rules and tabulated once; then the matrix game
of every state is solved again and again, with cheap evaluations in between, until nothing changes.
A delay counts a trifle against whoever is winning, or a won duel might be put off for ever. What
was found is proven by best responses, in which nothing of that kind is left: each side's mixes are
held fixed, and the best that the other can do against them is computed, stalling included. The true
value lies between the two.
"""

import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from holmgang.engine.compiled.kernels import EMPTY, WIDTH
from holmgang.engine.compiled.native import Announce, Kernels, silent, zeros
from holmgang.errors import UsageError
from holmgang.games.ruleset import Ruleset, load
from holmgang.solver import kernels as solver_kernels
from holmgang.solver import matrix as matrix_games

MOST_STATES = 2_000_000
MOST_SWEEPS = 100_000
SETTLED = 1e-13  # a sweep that changes no value by more changes nothing
EVALUATIONS = 12  # sweeps with fixed mixes after each that solves matrices

Progress = Callable[[str], None]
"""Told from time to time what is being done."""


def floats(size: int, value: float = 0.0) -> "array[float]":
    return array("d", [value]) * size


@dataclass
class Table:
    """A ruleset in numbers: see `kernels.py`."""

    kernels: Kernels
    count: int
    rows: "array[int]"
    reds: "array[int]"
    blues: "array[int]"
    pair_starts: "array[int]"
    option_starts: "array[int]"
    choosers: "array[int]"
    entry_starts: "array[int]"
    constants: "array[float]"
    decided: "array[float]"
    successors: "array[int]"
    chances: "array[float]"

    def __post_init__(self) -> None:
        self.red_starts = starts(self.reds)
        self.blue_starts = starts(self.blues)

    @property
    def shape(self) -> tuple[Any, ...]:
        return (
            self.reds,
            self.blues,
            self.pair_starts,
            self.option_starts,
            self.choosers,
            self.entry_starts,
        )


def starts(sizes: "array[int]") -> "array[int]":
    return array("q", accumulate(sizes, initial=0))


@dataclass
class Solution:
    """Values and mixes of every state of a table, and how far from perfect they are."""

    ruleset: Ruleset
    table: Table
    values: "array[float]"
    red_mixes: "array[float]"
    blue_mixes: "array[float]"
    decided: "array[float]"
    """How likely it is that someone wins, by state."""
    sweeps: int
    exploitability: float
    """What both sides together can gain by leaving the solution, from the start of the game."""
    worst_exploitability: float
    """The same from whichever state it is largest."""
    compute_seconds: float


def solver_of(ruleset: Ruleset, *, interpret: bool = False) -> Kernels:
    return Kernels(ruleset, (matrix_games, solver_kernels), interpret=interpret)


def solve(
    ruleset: str | Ruleset,
    *,
    most_states: int = MOST_STATES,
    progress: Progress = lambda said: None,
    announce: Announce = silent,
    interpret: bool = False,
) -> Solution:
    """Solves the ruleset. Raises `UsageError` if it has too many states."""
    ruleset = load(ruleset) if isinstance(ruleset, str) else ruleset
    kernels = solver_of(ruleset, interpret=interpret)
    for name in solver_kernels.ENTRIES:
        kernels(name, announce)
    started = time.perf_counter()
    table = tabulate(ruleset, kernels, most_states)
    progress(f"{table.count:,} states")
    values = floats(table.count)
    red_mixes, blue_mixes = floats(table.red_starts[-1]), floats(table.blue_starts[-1])
    sweeps = iterate(table, values, red_mixes, blue_mixes, progress)
    picked = fixed_options(table, values)
    decided = chance_decided(table, red_mixes, blue_mixes, picked)
    red_best = best_response(table, 1, picked, blue_mixes, table.blue_starts)
    blue_best = best_response(table, -1, picked, red_mixes, table.red_starts)
    gains = [mine - theirs for mine, theirs in zip(red_best, blue_best, strict=True)]
    values = array("d", ((a + b) / 2 for a, b in zip(red_best, blue_best, strict=True)))
    return Solution(
        ruleset,
        table,
        values,
        red_mixes,
        blue_mixes,
        decided,
        sweeps,
        max(0.0, gains[0]),
        max(0.0, *gains),
        time.perf_counter() - started,
    )


def tabulate(ruleset: Ruleset, kernels: Kernels, most_states: int) -> Table:
    rows, slots, count = enumerate_table(ruleset, kernels, most_states)
    reds, blues, pair_starts = zeros(count), zeros(count), zeros(count + 1)
    pairs = kernels("count_choices")(count, rows, reds, blues)
    option_starts, choosers = zeros(pairs + 1), zeros(pairs)
    most_options = pairs * solver_kernels.MOST_FOLDED
    entry_starts = zeros(most_options + 1)
    constants, decided = floats(most_options), floats(most_options)
    most_entries = 2 * pairs
    while True:
        successors, chances, totals = zeros(most_entries), floats(most_entries), zeros(2)
        short = kernels("tabulate")(
            count,
            rows,
            slots,
            len(slots),
            zeros(len(kernels.layout.names)),
            pair_starts,
            option_starts,
            choosers,
            entry_starts,
            constants,
            decided,
            successors,
            chances,
            most_entries,
            totals,
        )
        if short == 0:
            break
        if short == -2:
            raise UsageError(f"{ruleset.text} answers after a throw, which cannot be solved yet")
        most_entries *= 2
    options, entries = totals
    return Table(
        kernels,
        count,
        rows,
        reds,
        blues,
        pair_starts,
        option_starts,
        choosers,
        entry_starts[: options + 1],
        constants[:options],
        decided[:options],
        successors[:entries],
        chances[:entries],
    )


def enumerate_table(
    ruleset: Ruleset, kernels: Kernels, most: int
) -> tuple["array[int]", "array[int]", int]:
    fields = len(kernels.layout.names)
    capacity = 1 << 12
    while True:
        capacity = min(capacity, most)
        size = 1 << (2 * capacity).bit_length()
        rows, slots = zeros(capacity * fields), array("q", [EMPTY]) * size
        found = kernels("enumerate_table")(rows, capacity, slots, size, zeros(fields))
        if found >= 0:
            return rows[: found * fields], slots, found
        if found == -2:
            raise UsageError(f"{ruleset.text} has answers to answers, which cannot be solved yet")
        if capacity == most:
            raise UsageError(f"{ruleset.text} has more than {most:,} states: too many to solve")
        capacity *= 4


def iterate(
    table: Table,
    values: "array[float]",
    red_mixes: "array[float]",
    blue_mixes: "array[float]",
    progress: Progress,
) -> int:
    """Sweeps until a solved matrix changes no value any more; how many sweeps."""
    largest = max(map(max, (table.reds, table.blues)))
    spaces = floats(WIDTH * WIDTH), floats(WIDTH), floats(WIDTH)
    work = floats(matrix_games.work_size(largest, largest))
    numbers = (table.constants, table.successors, table.chances)
    where = (table.red_starts, table.blue_starts, values, red_mixes, blue_mixes)
    improve, evaluate = table.kernels("improve"), table.kernels("evaluate")
    sweeps, told, before = 0, time.monotonic(), 2.0
    while sweeps < MOST_SWEEPS:
        change = improve(table.count, *table.shape, *numbers, *where, *spaces, work)
        sweeps += 1
        if change <= SETTLED:
            break
        if change < before / 2:  # otherwise the mixes may go round in circles, and values must lead
            for _ in range(EVALUATIONS):
                sweeps += 1
                if evaluate(table.count, *table.shape, *numbers, *where) <= change / 100:
                    break
        before = change
        if time.monotonic() - told > 2:
            told = time.monotonic()
            progress(f"sweep {sweeps}, largest change {change:.1e}")
    return sweeps


def fixed_options(table: Table, values: "array[float]") -> "array[int]":
    """The option that is taken in each pair, by these values."""
    picked = zeros(len(table.choosers))
    table.kernels("fixed_options")(
        len(table.choosers),
        table.option_starts,
        table.choosers,
        table.entry_starts,
        table.constants,
        table.successors,
        table.chances,
        values,
        picked,
    )
    return picked


def chance_decided(
    table: Table,
    red_mixes: "array[float]",
    blue_mixes: "array[float]",
    picked: "array[int]",
) -> "array[float]":
    values = floats(table.count)
    numbers = (table.decided, table.successors, table.chances)
    where = (table.red_starts, table.blue_starts, red_mixes, blue_mixes, picked, values)
    for _ in range(MOST_SWEEPS):
        if table.kernels("chance_decided")(table.count, *table.shape, *numbers, *where) <= SETTLED:
            break
    return values


def best_response(
    table: Table,
    side: int,
    picked: "array[int]",
    mixes: "array[float]",
    mix_starts: "array[int]",
) -> "array[float]":
    """What red (side 1) or blue (-1) gets at best, to red, against the other's mixes, by state."""
    numbers = (table.constants, table.successors, table.chances)
    endless = array("q", [1]) * table.count
    against = (mix_starts, mixes, picked, endless)
    shrink, respond = table.kernels("shrink_endless"), table.kernels("respond")
    graph = (table.successors, table.chances)
    while shrink(table.count, side, *table.shape, *graph, *against):
        pass
    values = floats(table.count, -float(side))
    for _ in range(MOST_SWEEPS):
        if respond(table.count, side, *table.shape, *numbers, *against, values) <= SETTLED:
            break
    return values
