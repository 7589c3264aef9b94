"""Proof of how good a pair of strategies is, from the strategies and the rules and nothing else.

Each side's mixes are held fixed, and the other side does whatever is best against them, stalling
included. What it can get is bounded from above: values that no round can raise, and that are not
below a draw wherever the responder can make the duel endless, are never less than what can be had
(they are a supermartingale under every way to respond). Any values that pass that test will do, so
it does not matter how they were found; here by sweeps from the solution's own values. All that is
left out is the rounding of the test itself, 1e-15 a round.

The true value lies between the two bounds. Their difference is the exploitability: no two players
who leave these strategies can gain more, together.
"""

from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from holmgang.engine.compiled.native import NumberKernels, zeros
from holmgang.solver.exact.extrapolation import Extrapolation
from holmgang.solver.exact.table import Table, floats
from holmgang.solver.numbers import Array

PATIENCE = 1.0 - 1e-11  # what a later round counts where a seat answers a reveal
MOST_SWEEPS = 20_000
MOST_GUESSES = 200  # of them extrapolated
KEPT = 8  # that are looked back at
NEARLY = 1e-13  # a rise from which on a guess only brings in rounding
ROUNDING = 2e-15  # a rise that is none
SETTLED = 1e-12  # a change of a chance that is none


@dataclass(frozen=True)
class Certificate:
    values: "array[float]"
    """To red, halfway between the bounds."""
    exploitability: float
    """From the start of the game."""
    worst: float
    """From the state where it is largest."""


def certify(
    kernels: NumberKernels,
    table: Table,
    values: "array[float]",
    red_mixes: "array[float]",
    blue_mixes: "array[float]",
) -> Certificate:
    """`values` are those of the mixes, as far as is known."""
    picked = fixed_options(kernels, table, values)
    numbers = table.numbers
    sides = ((1, blue_mixes, numbers.blue_starts), (-1, red_mixes, numbers.red_starts))
    if numbers.twins[0] < 0:
        with ThreadPoolExecutor(2) as threads:
            high, low = threads.map(lambda s: bound(kernels, table, picked, values, *s), sides)
    else:
        high = bound(kernels, table, picked, values, *sides[0])
        low = array("d", (-high[twin] for twin in numbers.twins))
    gains = [above - below for above, below in zip(high, low, strict=True)]
    means = array("d", ((above + below) / 2 for above, below in zip(high, low, strict=True)))
    return Certificate(means, max(0.0, gains[table.start]), max(0.0, *gains))


def fixed_options(kernels: NumberKernels, table: Table, values: "array[float]") -> "array[int]":
    """The option that is taken in each pair by whoever answers, by these values."""
    pairs = len(table.numbers.choosers)
    picked = zeros(pairs)
    kernels("fixed_options")(pairs, table.numbers, array("d", [PATIENCE]), values, picked)
    return picked


def bound(
    kernels: NumberKernels,
    table: Table,
    picked: "array[int]",
    values: "array[float]",
    side: int,
    mixes: "array[float]",
    mix_starts: Array,
) -> "array[float]":
    """What red (side 1) or blue (-1) cannot exceed against the other's mixes, by state, to red."""
    shrink, respond = kernels("shrink_endless"), kernels("respond")
    endless = array("q", [1]) * table.count
    against = (table.numbers, mix_starts, mixes, picked, endless)
    while shrink(table.count, side, *against):
        pass
    values, point = values[:], values[:]
    for first, end in table.blocks:
        extrapolation = Extrapolation(kernels, (first, end), KEPT)
        for sweep in range(MOST_SWEEPS):
            values[first:end] = point[first:end]
            rise = respond(first, end, side, *against, values)
            if rise <= ROUNDING:
                break
            if sweep < MOST_GUESSES and rise > NEARLY:
                extrapolation.move(point, values, rise)
            else:
                point[first:end] = values[first:end]
        else:
            values[first:end] = floats(end - first, float(side))
    return values


def chance_decided(
    kernels: NumberKernels,
    table: Table,
    red_mixes: "array[float]",
    blue_mixes: "array[float]",
    values: "array[float]",
) -> "array[float]":
    """How likely it is, by state, that someone wins under the mixes."""
    picked, chances = fixed_options(kernels, table, values), floats(table.count)
    sweep = kernels("chance_decided")
    given = (table.numbers, red_mixes, blue_mixes, picked, chances)
    for first, end in table.blocks:
        extrapolation, point = Extrapolation(kernels, (first, end), KEPT), chances[:]
        for _ in range(MOST_SWEEPS):
            chances[first:end] = point[first:end]
            change = sweep(first, end, *given)
            if change <= SETTLED:
                break
            extrapolation.move(point, chances, change)
    return chances
