"""Best responses to given mixes, and the value of two seats' mixes against each other, with bounds
that enclose the exact numbers.

Finding a best response to fixed mixes is a problem for one player. Its value is bounded from above
as in `certificate.py`, by values that no round can raise, even with rounding errors. A response
that is certainly good is found by sweeps that charge the responder a small fee for every round, so
that it does not put off its win forever. This response and the mixes are a pair of fixed
strategies, whose value bounds the value of the best response from below.

The value of two fixed strategies is bounded in the same way. Both seats' mixes together become the
mix of one seat, with every pair of choices as one choice, and the other seat "responds" with a
single choice, first as red (an upper bound), then as blue (a lower one).

The tables here list every undecided state: mirror images too, because a policy may treat them
differently, and states in which one seat answers, because it may answer with a mix. Mixes are
weights: only their proportions count.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from math import inf, nextafter
from operator import sub
from typing import NamedTuple

from holmgang.engine.compiled.native import NumberKernels, zeros
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import EXACT
from holmgang.solver.exact import sweep_kernels
from holmgang.solver.exact.certificate import (
    KEPT,
    MOST_GUESSES,
    MOST_STEPS,
    MOST_TURNS,
    NEARLY,
    Certifier,
    evaluate,
    fixed_options,
)
from holmgang.solver.exact.extrapolation import Extrapolation, Swept
from holmgang.solver.exact.solve import sweeping
from holmgang.solver.exact.sweep_kernels import BEST, FIXED, Strategies
from holmgang.solver.exact.table import (
    MOST_MIB,
    MOST_STATES,
    StateTable,
    TableWriter,
    floats,
    is_tiny,
    writing,
)
from holmgang.solver.numbers import Numbers

FEE = 1e-9  # cost of a round to a responder, so that it does not wait without a gain
MOST_STATES_SOLVED = 2000  # in a component, by equations that take up to 128 MB
LEAK = 4e-12  # exceeds the distance from 1 that the kernels treat as a rounding error


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A number between `low` and `high`. The bounds are proven unless `confidence` is below 1."""

    low: float
    high: float
    confidence: float = field(default=1.0, kw_only=True, repr=False)
    """1 for a proof. Below 1 the bounds come from games played, and hold with this probability."""

    @property
    def value(self) -> float:
        """The midpoint, which is off by at most `error`."""
        return (self.low + self.high) / 2

    @property
    def error(self) -> float:
        return (self.high - self.low) / 2

    @property
    def is_exact(self) -> bool:
        """Whether the bounds are less than 1e-6 apart."""
        return self.high - self.low < EXACT

    def __float__(self) -> float:
        return self.value

    def __contains__(self, number: float) -> bool:
        return self.low <= number <= self.high

    def minus(self, other: "Enclosure") -> "Enclosure":
        """The difference, rounded outwards."""
        return Enclosure(
            nextafter(self.low - other.high, -inf),
            nextafter(self.high - other.low, inf),
            confidence=min(self.confidence, other.confidence),
        )


class Mixes(NamedTuple):
    """A weight for each choice of red and of blue in every state, by the numbers of the table."""

    red: "array[float]"
    blue: "array[float]"


class Responses(NamedTuple):
    """The best response of each seat to the mixes of the other seat. Values are to red."""

    replies: Mixes
    """The best responses as mixes: one choice in every state."""
    red: Enclosure
    """The value of red's best response, from the start."""
    blue: Enclosure
    """The value of blue's best response, from the start."""


@lru_cache(maxsize=2)
def tabulate_all(
    ruleset: Ruleset,
    *,
    most_states: int = MOST_STATES,
    most_mib: int = MOST_MIB,
    interpret: bool = False,
) -> StateTable:
    """Tabulates every undecided state of a ruleset. Raises `UsageError` if there are too many."""
    interpret = interpret or is_tiny(ruleset)
    kernels = writing(ruleset, interpret=interpret)
    writer = TableWriter(ruleset, kernels, False, most_states, most_mib, folds=False)
    writer.write([ruleset.initial()])
    return writer.table(interpret=interpret)


def best_responses(
    table: StateTable, mixes: Mixes, guesses: "array[float] | None" = None
) -> Responses:
    """The best responses to these mixes. `guesses` are values of the game by state, if known."""
    kernels = sweeping()
    fixed = strategies(kernels, table, mixes)
    found = Responder(kernels, impatient(table), fixed)
    found.start(guesses or floats(table.count, -1.0), guesses or floats(table.count, 1.0))
    found.hurry()
    highs, lows = found.highs[:], found.lows[:]
    replies = found.replies(table)
    red = blue = Enclosure(-1.0, 1.0)
    for by_equations in (False, True):
        if red.is_exact and blue.is_exact:
            break
        proof = Responder(kernels, table, fixed)
        proof.start(highs, lows)
        proof.prove(by_equations=by_equations)
        if by_equations:  # the sweeps may have ended before they found the best choices
            found.decide()
        tried = found.replies(table)
        least, most = (
            chain_bound(kernels, table, mixed, values, upper=upper, by_equations=by_equations)
            for mixed, values, upper in (
                (Mixes(tried.red, mixes.blue), found.highs, False),
                (Mixes(mixes.red, tried.blue), found.lows, True),
            )
        )
        if least > red.low:
            replies = replies._replace(red=tried.red)
        if most < blue.high:
            replies = replies._replace(blue=tried.blue)
        high = min(red.high, float(proof.highs[table.start]))
        low = max(blue.low, float(proof.lows[table.start]))
        red = Enclosure(min(max(red.low, least), high), high)
        blue = Enclosure(low, max(min(blue.high, most), low))
    return Responses(replies, red, blue)


def value_of(table: StateTable, mixes: Mixes) -> Enclosure:
    """The value of these mixes against each other, from the start."""
    kernels = sweeping()
    worths, _ = evaluate(kernels, table, floats(table.count, table.numbers.endless[0]), *mixes)
    found = Enclosure(-1.0, 1.0)
    for by_equations in (False, True):
        if not found.is_exact:
            low, high = (
                chain_bound(kernels, table, mixes, worths, upper=upper, by_equations=by_equations)
                for upper in (False, True)
            )
            found = Enclosure(low, max(low, high))
    return found


def strategies(kernels: NumberKernels, table: StateTable, mixes: Mixes) -> Strategies:
    """The mixes as the strategies to which responders respond."""
    picked = fixed_options(kernels, table, floats(table.places))
    endless = (array("q", [1]) * table.places for _ in range(2))
    fixed = Strategies(*mixes, picked, *endless)
    while kernels("shrink_endless")(table.count, table.mirrored, table.numbers, fixed):
        pass
    return fixed


def impatient(table: StateTable) -> StateTable:
    """The table with a tiny chance in every round that play becomes endless. No choice is then sure
    to continue the duel, so every round has a fee; the kernels charge no fee for stalling.
    """
    numbers = table.numbers
    chances = array("d", (chance * (1.0 - LEAK) for chance in numbers.chances))
    constants, endless = numbers.constants, numbers.endless[0]
    if endless:
        goes_on = (sum(numbers.chances[first:end]) for first, end in pairwise(numbers.entry_starts))
        constants = array(
            "d", (c + LEAK * share * endless for c, share in zip(constants, goes_on, strict=True))
        )
    return replace(table, numbers=numbers._replace(chances=chances, constants=constants))


class Responder(Certifier):
    """Finds best responses to fixed strategies, and bounds of their values."""

    most_solved = MOST_STATES_SOLVED

    def __init__(self, kernels: NumberKernels, table: StateTable, fixed: Strategies) -> None:
        super().__init__(kernels, table, fixed, floats(table.places, table.numbers.endless[0]))

    def start(self, highs: "array[float]", lows: "array[float]") -> None:
        """Sets the values from which the sweeps start."""
        self.highs[:], self.lows[:] = highs, lows

    def hurry(self) -> None:
        """Finds responses that are good even with a fee for each round."""
        settings = array("d", [-FEE, 0.0])
        for block in self.table.blocks:
            for _ in range(MOST_TURNS):
                change = max(self.respond(block, BEST, settings), settings[1])
                if change <= FEE / 4:
                    break
                both = Swept(self.highs, self.lows), Swept(self.lows, self.highs)
                guess = Extrapolation(self.kernels, block, KEPT, 0, *both)
                for _ in range(MOST_GUESSES):
                    step = max(self.respond(block, FIXED, settings), settings[1])
                    if step <= max(FEE / 8, NEARLY * change):
                        break
                    guess.move(step)

    def decide(self) -> None:
        """Finds the best responses by policy iteration, in components that are not too large."""
        settings, step = array("d", [0.0, 0.0]), self.kernels("respond_exactly")
        for part in self.table.components:
            size = part[1] - part[0]
            if size > self.most_solved:
                continue
            choices, system = zeros(2 * size), floats(2 * size * (2 * size + 2))
            given = self.table.numbers, settings, self.fixed, self.highs, self.lows, choices, system
            for number in range(MOST_STEPS):
                if not step(*part, 0, number == 0, *given):
                    break
            for place in range(size):
                self.choices[2 * (part[0] + place)] = choices[place]
                self.choices[2 * (part[0] + place) + 1] = choices[size + place]

    def replies(self, table: StateTable) -> Mixes:
        """The choices of both responders as mixes. Where a responder stalls, this is a choice that
        keeps the duel endless according to the table.
        """
        numbers = table.numbers
        red, blue = floats(numbers.red_starts[-1]), floats(numbers.blue_starts[-1])
        for state in range(self.table.count):
            for side, mix, starts in (
                (1, red, numbers.red_starts),
                (-1, blue, numbers.blue_starts),
            ):
                choice = self.choices[2 * state + (0 if side > 0 else 1)]
                if choice < 0:
                    choice = self.staying(state, side, numbers)
                mix[starts[state] + choice] = 1.0
        return Mixes(red, blue)

    def staying(self, state: int, side: int, numbers: Numbers) -> int:
        """A choice with which the responder stays in states where it can make the duel endless."""
        fixed = self.fixed
        mixes, starts, mine, theirs, endless = (
            (fixed.blue_mixes, numbers.blue_starts, numbers.reds, numbers.blues, fixed.red_endless)
            if side > 0
            else (
                fixed.red_mixes,
                numbers.red_starts,
                numbers.blues,
                numbers.reds,
                fixed.blue_endless,
            )
        )
        for choice in range(mine[state]):
            answers = (a for a in range(theirs[state]) if mixes[starts[state] + a] > 0)
            pairs = (sweep_kernels.pair_of(state, side, choice, a, numbers) for a in answers)
            if all(sweep_kernels.can_stay(fixed.picked[p], numbers, endless) for p in pairs):
                return choice
        raise AssertionError("a responder that can stall has a choice that stays")

    def prove(self, *, by_equations: bool = False) -> None:
        """Proves bounds of all states, block by block. With `by_equations`, equations are solved
        too, which takes longer; both results are bounds, and the closer ones are kept.
        """
        for block in self.table.blocks:
            is_proven = self.sweep(block)
            if is_proven and not by_equations:
                continue
            highs, lows = self.highs[:], self.lows[:]
            for part in self.table.components:
                if block[0] <= part[0] < block[1]:
                    self.solve(part)
                    if is_proven:
                        for place in range(*part):
                            highs[place] = min(highs[place], self.highs[place])
                            lows[place] = max(lows[place], self.lows[place])
                        self.set_bounds(part, highs, lows)


class OneSided(Responder):
    """Bounds of the value that one side gets. The bounds of the other side do not matter: they stay
    trivial, and so need no proof.
    """

    def __init__(
        self, kernels: NumberKernels, table: StateTable, fixed: Strategies, *, upper: bool
    ) -> None:
        super().__init__(kernels, table, fixed)
        self.side = 1 if upper else -1
        self.wanted = self.highs if upper else self.lows
        self.other, self.other_rests = (
            (self.lows, self.bounds.low_rests) if upper else (self.highs, self.bounds.high_rests)
        )

    def respond(self, part: tuple[int, int], mode: int, settings: "array[float]") -> float:
        before = self.wanted[slice(*part)]
        super().respond(part, mode, settings)
        self.neglect(part)
        steps = list(map(sub, self.wanted[slice(*part)], before))
        rise, fall = float(max(steps)), -float(min(steps))
        if self.side < 0:
            rise, fall = fall, rise
        settings[1] = max(0.0, fall)
        return rise

    def are_proven(self, part: tuple[int, int]) -> bool:
        self.neglect(part)
        return super().are_proven(part)

    def neglect(self, part: tuple[int, int]) -> None:
        size = part[1] - part[0]
        self.other[slice(*part)] = floats(size, -self.side)
        self.other_rests[slice(*part)] = floats(size)


def chain_bound(
    kernels: NumberKernels,
    table: StateTable,
    mixes: Mixes,
    guesses: "array[float]",
    *,
    upper: bool,
    by_equations: bool,
) -> float:
    """A proven bound of the value of these mixes against each other, from the start. `guesses` are
    estimates of that value by state.
    """
    numbers, count = table.numbers, table.count
    pairs = array("q", (red * blue for red, blue in zip(numbers.reds, numbers.blues, strict=True)))
    joint = pairs, array("q", accumulate(pairs, initial=0)), array("d", joint_weights(table, mixes))
    single = array("q", [1]) * count, array("q", range(count + 1)), floats(count, 1.0)
    red, blue = (single, joint) if upper else (joint, single)
    chain = replace(
        table,
        numbers=numbers._replace(
            reds=red[0], red_starts=red[1], blues=blue[0], blue_starts=blue[1]
        ),
    )
    fixed = strategies(kernels, chain, Mixes(red[2], blue[2]))
    proof = OneSided(kernels, chain, fixed, upper=upper)
    proof.start(guesses, guesses)
    proof.prove(by_equations=by_equations)
    return float(proof.wanted[table.start])


def joint_weights(table: StateTable, mixes: Mixes) -> Iterator[float]:
    """The weight of each pair of choices, state by state."""
    numbers = table.numbers
    for state in range(table.count):
        blues = mixes.blue[numbers.blue_starts[state] : numbers.blue_starts[state + 1]]
        for red in mixes.red[numbers.red_starts[state] : numbers.red_starts[state + 1]]:
            for blue in blues:
                yield red * blue
