"""Proof of how good a pair of strategies is, from the strategies and the rules and nothing else.

Each side's mixes are held fixed, and the other side responds as well as it can, stalling included.
What it can get is bounded from above: values that no round can raise, and that are not below a draw
wherever the responder can make the duel endless, are never less than what can be had (they are a
supermartingale under every way to respond). Any values that pass that test will do, so it does not
matter how they were found: here by sweeps from the solution's own values, in which every round is
worth `COST` more to the responder than it is. That is what lets the sweeps end: as soon as no value
rises by more than half of it, the test is passed, with room for the rounding of the test itself.

The true value of a state lies between its two bounds. Their difference is the exploitability: no
two players who leave these strategies can gain more, together.
"""

from array import array
from dataclasses import dataclass

from holmgang.engine.compiled.native import NumberKernels, zeros
from holmgang.solver.exact.extrapolation import Extrapolation, Swept
from holmgang.solver.exact.table import Table, floats

PATIENCE = 1.0 - 1e-11  # what a later round counts where a seat answers a reveal
COST = 2e-12  # for each round, in the responder's favour
TIGHT = 1e-10  # bounds that are proven are made tighter as long as one falls by more
MOST_SWEEPS = 1000
LAST_RESORT = 100  # sweeps from the trivial bounds, where the others came to no end
KEPT = 8  # sweeps that are looked back at
SETTLED = 1e-10  # a change of a value or a chance that does not matter


@dataclass(frozen=True)
class Certificate:
    lows: "array[float]"
    """What red is sure to get, by state."""
    highs: "array[float]"
    """What blue is sure not to exceed, to red."""

    @property
    def exploitability(self) -> float:
        """From the start of the game, which is the last state."""
        return max(0.0, self.highs[-1] - self.lows[-1])

    @property
    def worst(self) -> float:
        """From the state where it is largest."""
        gains = (high - low for high, low in zip(self.highs, self.lows, strict=True))
        return max(0.0, *gains)


def certify(
    kernels: NumberKernels,
    table: Table,
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
    respond, settings = kernels("respond"), array("d", [COST, 0.0])
    against = (mirrored, numbers, settings, *given[1:], highs, lows)
    for first, end in table.blocks:
        both = Swept(highs, lows), Swept(lows, highs)
        extrapolation = Extrapolation(kernels, (first, end), KEPT, mirrored, *both)
        for _ in range(MOST_SWEEPS):
            rise = respond(first, end, *against)
            if rise > COST / 2:
                extrapolation.move(max(rise, settings[1]))
            elif settings[1] <= TIGHT:
                break
        else:
            for bounds, worst in ((highs, 1.0), (lows, -1.0)):
                for start in (first, mirrored + first):
                    bounds[start : start + end - first] = floats(end - first, worst)
            for _ in range(LAST_RESORT):
                respond(first, end, *against)
    return Certificate(lows[: table.count], highs[: table.count])


def fixed_options(kernels: NumberKernels, table: Table, values: "array[float]") -> "array[int]":
    """The option that is taken in each pair by the seat that answers, by these values."""
    pairs = len(table.numbers.choosers)
    picked = zeros(pairs)
    kernels("fixed_options")(pairs, table.numbers, array("d", [PATIENCE]), values, picked)
    return picked


def evaluate(
    kernels: NumberKernels,
    table: Table,
    values: "array[float]",
    red_mixes: "array[float]",
    blue_mixes: "array[float]",
) -> tuple["array[float]", "array[float]"]:
    """What the mixes are worth to red against each other, by state, mirror images included, and how
    likely it is that someone wins. `values` are used as in `certify`.
    """
    picked, mirrored = fixed_options(kernels, table, values), table.mirrored
    sweep = kernels("evaluate")
    worth, decided = values[:], floats(table.places)
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
