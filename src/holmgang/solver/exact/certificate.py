"""Proof of how good a pair of strategies is, from the strategies and the rules and nothing else.

Each side's mixes are held fixed, and the other side responds as well as it can, stalling included.
What it can get is bounded from above: values that no round can raise, and that are not below what
endless play is worth wherever the responder can make the duel endless, are never less than what can
be had (they are a supermartingale under every way to respond). Any values that pass that test will
do, so it does not matter how they were found: here by sweeps from the solution's own values, in
which the responder chooses, and then stays with its choices for some sweeps (modified policy
iteration), and gets a `COST` for every round that brings the end of the duel nearer. That is what
lets the sweeps end soon: values that still rise by less than the cost pass the test, in which there
is none. All that the test leaves out is its own rounding, 1e-15 a round.

The true value of a state lies between its two bounds. Their difference is the exploitability: no
two players who leave these strategies can gain more, together.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from holmgang.engine.compiled.native import NumberKernels, zeros
from holmgang.solver.exact.extrapolation import Extrapolation, Swept
from holmgang.solver.exact.sweep_kernels import BEST, FIXED, TEST
from holmgang.solver.exact.table import StateTable, floats

PATIENCE = 1.0 - 1e-11  # what a later round counts where a seat answers a reveal
COST = 2e-12  # for each round, in the responder's favour
TIGHT = 1e-10  # bounds that are proven are made tighter as long as one falls by more
FEW_TURNS = 20  # in which the responders choose again, and then stay with it for some sweeps
MOST_TURNS = 500  # the same where there are too many states for equations
MOST_GUESSES = 60  # sweeps with the same choices, extrapolated,
NEARLY = 0.1  # until a change is this part of what choosing again brought
MOST_SWEEPS = 1000  # to evaluate mixes
WIDE = 5e-9  # bounds that are farther apart are looked at more closely:
FINE_COST = 1e-14  # with this cost,
MOST_SOLVED = 600  # by equations for so many states at most,
MOST_STEPS = 40  # and so many steps of policy iteration
ROUNDING = 2e-15  # a rise that is none
LAST_RESORT = 100  # sweeps from the trivial bounds, where all else failed
KEPT = 5  # sweeps that are looked back at
SETTLED = 1e-10  # a change of a value or a chance that does not matter


@dataclass(frozen=True)
class Certificate:
    """Bounds by state, to red; those of mirror images follow."""

    lows: "array[float]"
    """What red is sure to get."""
    highs: "array[float]"
    """What blue is sure to limit red to."""
    start: int

    @property
    def exploitability(self) -> float:
        """From the start of the game."""
        return max(0.0, self.highs[self.start] - self.lows[self.start])

    @property
    def worst(self) -> float:
        """From the state where it is largest."""
        return max(0.0, *self.gains())

    @property
    def total(self) -> float:
        """The sum over all states."""
        return sum(self.gains())

    def gains(self, part: slice = slice(None)) -> Iterator[float]:
        """The exploitability of each of these states."""
        bounds = zip(self.highs[part], self.lows[part], strict=True)
        return (high - low for high, low in bounds)


def certify(
    kernels: NumberKernels,
    table: StateTable,
    values: "array[float]",
    red_mixes: "array[float]",
    blue_mixes: "array[float]",
) -> Certificate:
    """`values` are those of the mixes, as far as is known, mirror images included; they decide
    which option is taken by a seat that answers.
    """
    mirrored, numbers, places = table.mirrored, table.numbers, table.places
    picked = fixed_options(kernels, table, values)
    red_endless, blue_endless = (array("q", [1]) * places for _ in range(2))
    given = (numbers, red_mixes, blue_mixes, picked, red_endless, blue_endless)
    while kernels("shrink_endless")(table.count, mirrored, *given):
        pass
    highs, lows = values[:], values[:]
    against = (*given[1:], highs, lows)
    for block in table.blocks:
        is_proven = sweep_bounds(kernels, table, block, against)
        if not is_proven or widest(highs, lows, block) > WIDE:
            for part in table.components:
                if block[0] <= part[0] < block[1]:
                    solve_bounds(kernels, table, part, against, values)
    return Certificate(lows, highs, table.start)


def sweep_bounds(
    kernels: NumberKernels, table: StateTable, block: tuple[int, int], against: tuple[Any, ...]
) -> bool:
    """Sweeps over a block until its bounds are proven; False if they never are."""
    *_, highs, lows = against
    respond, settings = kernels("respond"), array("d", [COST, 0.0])
    largest = max(end - first for first, end in table.components if block[0] <= first < block[1])
    choices, settled = zeros(2 * table.count), COST / 4

    def sweep(way: int) -> float:
        return float(
            respond(*block, table.mirrored, way, table.numbers, settings, *against, choices)
        )

    for _ in range(FEW_TURNS if largest <= MOST_SOLVED else MOST_TURNS):
        rise = sweep(BEST)
        if rise <= COST / 2 and settings[1] <= TIGHT:
            if are_proven(kernels, table, block, against):
                return True
            settled = max(settled / 100, ROUNDING / 4)  # where stalling is free, it has to be exact
        both = Swept(highs, lows), Swept(lows, highs)
        extrapolation = Extrapolation(kernels, block, KEPT, table.mirrored, *both)
        for _ in range(MOST_GUESSES):
            change = max(sweep(FIXED), settings[1])
            if change <= max(settled, NEARLY * rise):
                break
            extrapolation.move(change)
    return False


def are_proven(
    kernels: NumberKernels, table: StateTable, part: tuple[int, int], against: tuple[Any, ...]
) -> bool:
    """The test: whether no round raises a bound for its responder."""
    free, choices = array("d", [0.0, 0.0]), zeros(2 * table.count)
    respond = kernels("respond")
    rise = respond(*part, table.mirrored, TEST, table.numbers, free, *against, choices)
    return bool(rise <= ROUNDING)


def solve_bounds(
    kernels: NumberKernels,
    table: StateTable,
    part: tuple[int, int],
    against: tuple[Any, ...],
    values: "array[float]",
) -> None:
    """Bounds for states that can reach each other, by policy iteration unless there are too many;
    by sweeps from the trivial bounds, if that does not prove them; or else the trivial ones.
    """
    (first, end), mirrored = part, table.mirrored
    *_, highs, lows = against
    respond, settings = kernels("respond"), array("d", [FINE_COST, 0.0])
    set_bounds(table, part, highs, lows, values, values)
    if end - first <= MOST_SOLVED:
        step, choices = kernels("respond_exactly"), zeros(2 * (end - first))
        system = floats(2 * (end - first) * (2 * (end - first) + 2))
        for number in range(MOST_STEPS):
            rules = (table.numbers, settings)
            if not step(*part, mirrored, number == 0, *rules, *against, choices, system):
                break
        if are_proven(kernels, table, part, against):
            return
    ones = floats(table.places, 1.0)
    set_bounds(table, part, highs, lows, ones, floats(table.places, -1.0))
    choices = zeros(2 * table.count)
    for _ in range(LAST_RESORT):
        respond(*part, mirrored, BEST, table.numbers, settings, *against, choices)
    if not are_proven(kernels, table, part, against):
        set_bounds(table, part, highs, lows, ones, floats(table.places, -1.0))


def set_bounds(
    table: StateTable,
    part: tuple[int, int],
    highs: "array[float]",
    lows: "array[float]",
    new_highs: "array[float]",
    new_lows: "array[float]",
) -> None:
    for place in range(*part):
        highs[place], lows[place] = new_highs[place], new_lows[place]
        if table.mirrored:
            highs[table.mirrored + place] = -lows[place]
            lows[table.mirrored + place] = -highs[place]


def widest(highs: "array[float]", lows: "array[float]", block: tuple[int, int]) -> float:
    return max(highs[place] - lows[place] for place in range(*block))


def fixed_options(
    kernels: NumberKernels, table: StateTable, values: "array[float]"
) -> "array[int]":
    """The option that is taken in each pair by the seat that answers, by these values."""
    pairs = len(table.numbers.deciders)
    picked = zeros(pairs)
    kernels("fixed_options")(pairs, table.numbers, array("d", [PATIENCE]), values, picked)
    return picked


def evaluate(
    kernels: NumberKernels,
    table: StateTable,
    values: "array[float]",
    red_mixes: "array[float]",
    blue_mixes: "array[float]",
) -> tuple["array[float]", "array[float]"]:
    """What the mixes are worth to red against each other, by state, mirror images included, and how
    likely it is that someone wins. `values` are used as in `certify`.
    """
    picked, mirrored = fixed_options(kernels, table, values), table.mirrored
    sweep = kernels("evaluate")
    worth, decided = values[:], floats(table.places, abs(table.numbers.endless[0]))
    given = (mirrored, table.numbers, red_mixes, blue_mixes, picked, worth, decided)
    for block in table.blocks:
        each = Swept(worth, worth), Swept(decided, decided, 1)
        guesses = [Extrapolation(kernels, block, KEPT, mirrored, swept) for swept in each]
        for _ in range(MOST_SWEEPS):
            change = sweep(*block, *given)
            if change <= SETTLED:
                break
            for guess in guesses:
                guess.move(change)
    return worth, decided
