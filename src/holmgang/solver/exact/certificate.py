"""Proof of how good a pair of strategies is, from the strategies and the rules alone.

Each side's mixes are fixed in turn, and the other side plays a best response, which may stall. The
value of the response is bounded from above: values that no round can raise, and that are at least
the value of endless play wherever the responder can make the duel endless, are a supermartingale
under every response. So all values that pass this test are bounds, however they were found. Here
they are found by sweeps that start from the solution's own values (modified policy iteration):
responders choose, then keep their choices for some sweeps, and receive a `COST` for every round
that brings the end nearer. With the cost, the sweeps can stop early: values that still rise by less
than the cost pass the test, which has no cost.

The test neglects nothing, not even rounding: a duel can be so long that an error in the last digit
of every round adds up to any amount. What a round may add to a value and what it may take away are
summed separately, and these sums are compared with allowance for their largest rounding error.
Where a responder can stall there is no cost, and values that should be equal differ in their last
digits; these values are raised until they pass.

The true value of a state lies between its two bounds. Their difference is the exploitability: the
most that both players together can gain by leaving these strategies.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from math import nextafter

from holmgang.engine.compiled.native import NumberKernels, zeros
from holmgang.solver.exact.extrapolation import Extrapolation, Swept
from holmgang.solver.exact.sweep_kernels import BEST, FIXED, Bounds, Strategies
from holmgang.solver.exact.table import StateTable, floats

PATIENCE = 1.0 - 1e-11  # discount factor of later rounds where a seat answers a reveal
COST = 2e-12  # for each round, in the responder's favour
TIGHT = 1e-10  # proven bounds are tightened until none falls by more than this
FEW_TURNS = 20  # number of times that the responders choose again
MOST_TURNS = 500  # the same if there are too many states for equations
MOST_GUESSES = 60  # extrapolated sweeps with the same choices;
NEARLY = 0.1  # they end when their change is this share of the rise from choosing again
MOST_SWEEPS = 1000  # to evaluate mixes
WIDE = 5e-9  # wider bounds are computed again, more precisely:
FINE_COST = 1e-14  # with this cost,
MOST_SOLVED = 600  # by equations for up to this many states,
MOST_STEPS = 40  # in up to this many steps of policy iteration
MOST_LIFTS = 50  # number of times that bounds are raised to pass the test
REFINEMENTS = 2  # of the solution of the equations
LEAST_TOLERANCE = 5e-16  # the smallest tolerance of a sweep
LAST_RESORT = 100  # sweeps from the trivial bounds if everything else has failed
KEPT = 5  # sweeps used to extrapolate
SETTLED = 1e-10  # tolerance for a value or a probability


@dataclass(frozen=True)
class Certificate:
    """Bounds of the value to red by state; the bounds of mirror images follow."""

    lows: "array[float]"
    """The values that red's mixes secure."""
    highs: "array[float]"
    """The values to which blue's mixes limit red."""
    start: int

    @property
    def exploitability(self) -> float:
        """The exploitability from the start of the game."""
        return max(0.0, self.highs[self.start] - self.lows[self.start])

    @property
    def worst(self) -> float:
        """The largest exploitability of any state."""
        return max(0.0, *self.gains())

    @property
    def total(self) -> float:
        """The sum of the exploitability over all states."""
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
    """Proves bounds for every state. `values` are estimates of the mixes' values, mirror images
    included; they decide which option a seat takes when it answers.
    """
    picked = fixed_options(kernels, table, values)
    endless = (array("q", [1]) * table.places for _ in range(2))
    fixed = Strategies(red_mixes, blue_mixes, picked, *endless)
    while kernels("shrink_endless")(table.count, table.mirrored, table.numbers, fixed):
        pass
    proof = Certifier(kernels, table, fixed, values)
    for block in table.blocks:
        is_proven = proof.sweep(block)
        if is_proven and proof.widest(block) <= WIDE:
            continue
        highs, lows = proof.highs[:], proof.lows[:]
        for part in table.components:
            if block[0] <= part[0] < block[1]:
                proof.solve(part)
                if is_proven:  # both bounds hold: keep the closer one
                    for place in range(*part):
                        highs[place] = min(highs[place], proof.highs[place])
                        lows[place] = max(lows[place], proof.lows[place])
                    proof.set_bounds(part, highs, lows)
    return Certificate(proof.lows, proof.highs, table.start)


class Certifier:
    """Finds bounds of the values that responders can get against fixed strategies."""

    most_solved = MOST_SOLVED
    """The largest component for which equations are solved."""

    def __init__(
        self,
        kernels: NumberKernels,
        table: StateTable,
        fixed: Strategies,
        values: "array[float]",
    ) -> None:
        self.kernels, self.table, self.fixed, self.values = kernels, table, fixed, values
        self.highs, self.lows = values[:], values[:]
        self.bounds = Bounds(self.highs, self.lows, *(floats(table.places) for _ in range(2)))
        self.choices = zeros(2 * table.count)

    def respond(self, part: tuple[int, int], mode: int, settings: "array[float]") -> float:
        """One sweep over the part; see the kernel."""
        table = self.table
        bounds = self.highs, self.lows
        return float(
            self.kernels("respond")(
                *part,
                table.mirrored,
                mode,
                table.numbers,
                settings,
                self.fixed,
                *bounds,
                self.choices,
            )
        )

    def sweep(self, block: tuple[int, int]) -> bool:
        """Sweeps over a block until its bounds are proven; False if they never are."""
        table, settings, settled = self.table, array("d", [COST, 0.0]), COST / 4
        sizes = (end - first for first, end in table.components if block[0] <= first < block[1])
        for _ in range(FEW_TURNS if max(sizes) <= self.most_solved else MOST_TURNS):
            rise = self.respond(block, BEST, settings)
            if rise <= COST / 2 and settings[1] <= TIGHT:
                if self.are_proven(block):
                    return True
                settled = max(settled / 100, LEAST_TOLERANCE)  # stalling is free
            both = Swept(self.highs, self.lows), Swept(self.lows, self.highs)
            extrapolation = Extrapolation(self.kernels, block, KEPT, table.mirrored, *both)
            for _ in range(MOST_GUESSES):
                change = max(self.respond(block, FIXED, settings), settings[1])
                if change <= max(settled, NEARLY * rise):
                    break
                extrapolation.move(change)
        return False

    def are_proven(self, part: tuple[int, int]) -> bool:
        """Tests whether no round raises a bound for its responder, after raising bounds that fail
        the test a little.
        """
        table, lift = self.table, self.kernels("lift")
        given = table.mirrored, table.numbers, self.fixed, self.bounds
        lifts = (lift(*part, *given) for _ in range(MOST_LIFTS))
        is_proven = next((raised for raised in lifts if raised <= 0), 1) == 0
        self.round_outwards(part)
        return is_proven

    def round_outwards(self, part: tuple[int, int]) -> None:
        """Adds the remainders (`rests`) to the bounds, and rounds outwards."""
        for bounds, rests, outside in (
            (self.highs, self.bounds.high_rests, 1.0),
            (self.lows, self.bounds.low_rests, -1.0),
        ):
            for shift in (0, self.table.mirrored) if self.table.mirrored else (0,):
                for place in range(shift + part[0], shift + part[1]):
                    if rests[place]:
                        bound = nextafter(bounds[place] + rests[place], 2 * outside)
                        bounds[place] = max(-1.0, min(1.0, bound))
                        rests[place] = 0.0

    def solve(self, part: tuple[int, int]) -> None:
        """Sets the bounds of a component: by policy iteration unless it is too large; if that does
        not prove them, by sweeps from the trivial bounds; if that fails too, to the trivial bounds.
        """
        table, settings, size = self.table, array("d", [FINE_COST, 0.0]), part[1] - part[0]
        self.set_bounds(part, self.values, self.values)
        if size <= self.most_solved:
            step, choices = self.kernels("respond_exactly"), zeros(2 * size)
            system = floats(2 * size * (2 * size + 2))
            given = table.numbers, settings, self.fixed, self.highs, self.lows, choices, system
            for number in range(MOST_STEPS):
                if not step(*part, table.mirrored, number == 0, *given):
                    break
            refine, known = self.kernels("refine"), (table.numbers, settings, self.fixed)
            for _ in range(REFINEMENTS):
                refine(*part, table.mirrored, *known, self.bounds, choices, system)
            if self.are_proven(part):
                return
        trivial = floats(table.places, 1.0), floats(table.places, -1.0)
        self.set_bounds(part, *trivial)
        for _ in range(LAST_RESORT):
            self.respond(part, BEST, settings)
        if not self.are_proven(part):
            self.set_bounds(part, *trivial)

    def set_bounds(
        self, part: tuple[int, int], highs: "array[float]", lows: "array[float]"
    ) -> None:
        for place in range(*part):
            self.highs[place], self.lows[place] = highs[place], lows[place]
            if self.table.mirrored:
                self.highs[self.table.mirrored + place] = -lows[place]
                self.lows[self.table.mirrored + place] = -highs[place]

    def widest(self, block: tuple[int, int]) -> float:
        return max(self.highs[place] - self.lows[place] for place in range(*block))


def fixed_options(
    kernels: NumberKernels, table: StateTable, values: "array[float]"
) -> "array[int]":
    """The best option of each pair, by these values, for the seat that answers."""
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
    """The values of the mixes against each other and the probabilities that someone wins, by state,
    mirror images included. `values` are used as in `certify`.
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
