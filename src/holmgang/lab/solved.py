"""A solved ruleset in arrays: every state, the perfect mixes, and the worth of every pair.

Unlike the tables of the solver, both of two mirror images are listed, because measures look at one
seat at a time. States in which a seat answers a reveal are folded into the round before.
"""

from array import array
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holmgang.analysis.model import floats, ints
from holmgang.analysis.strategies import solved_table
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Notify
from holmgang.errors import TooLarge, UsageError
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import Ruleset
from holmgang.solver.exact.certificate import fixed_options
from holmgang.solver.exact.scores import Enclosure, tabulate_all
from holmgang.solver.exact.solve import sweeping
from holmgang.solver.exact.table import StateTable, tabulate
from holmgang.solver.layered.places import has_clock
from holmgang.solver.search.dispatch import takes_turns
from holmgang.solver.tables import build_table

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bits = NDArray[np.bool_]

MOST_STATES = 200_000  # of a game that a report solves


@dataclass(frozen=True)
class ProvenValues:
    """By state: a value to red and its proven bounds."""

    values: Floats
    lows: Floats
    highs: Floats

    def at(self, state: int) -> Enclosure:
        return Enclosure(float(self.lows[state]), float(self.highs[state]))


def loss(seat: int, before: Enclosure, after: Enclosure) -> Enclosure:
    """What a seat loses if the value to red changes like this: never less than 0."""
    lost = before.minus(after) if seat == RED else after.minus(before)
    return Enclosure(max(0.0, lost.low), max(0.0, lost.high))


class SeatMixes(NamedTuple):
    """The chance of each choice of both seats, in the order of the table's mixes."""

    red: Floats
    blue: Floats


def added(places: Ints, numbers: Floats | Bits, size: int) -> Floats:
    """The sum of the numbers at each place, from 0 to `size` - 1."""
    return np.bincount(places, numbers, minlength=size).astype(np.float64, copy=False)


def segments(first: Ints, sizes: Ints) -> Ints:
    """The numbers from each `first` on, one segment after the other."""
    inside = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    found: Ints = np.repeat(first, sizes) + inside
    return found


class StateArrays:
    """A table of states as NumPy arrays, and where each pair of choices belongs."""

    def __init__(self, table: StateTable) -> None:
        numbers = table.numbers
        self.table = table
        self.count, self.start = table.count, table.start
        self.counts = np.stack([ints(numbers.reds), ints(numbers.blues)])
        """The number of choices: seats × states."""
        self.starts = np.stack([ints(numbers.red_starts), ints(numbers.blue_starts)])
        """Where the choices of a state start in the mixes: seats × (states + 1)."""
        self.pair_starts = ints(numbers.pair_starts)
        self.option_starts = ints(numbers.option_starts)
        self.entry_starts = ints(numbers.entry_starts)
        self.constants, self.decided = floats(numbers.constants), floats(numbers.decided)
        self.successors, self.chances = ints(numbers.successors), floats(numbers.chances)
        self.endless = numbers.endless[0]

    @cached_property
    def pair_states(self) -> Ints:
        """The state of each pair."""
        order = np.argsort(self.pair_starts, kind="stable")
        sizes = self.counts[RED] * self.counts[BLUE]
        return np.repeat(order, sizes[order])

    @cached_property
    def pair_choices(self) -> Ints:
        """The place of each pair's choices in the mixes: seats × pairs."""
        states = self.pair_states
        place = np.arange(len(states)) - self.pair_starts[states]
        red, blue = np.divmod(place, self.counts[BLUE][states])
        return np.stack([self.starts[RED][states] + red, self.starts[BLUE][states] + blue])

    @cached_property
    def choice_states(self) -> tuple[Ints, Ints]:
        """By seat, the state of each place in the mixes."""
        states = np.arange(self.count)
        red, blue = (np.repeat(states, self.counts[seat]) for seat in (RED, BLUE))
        return red, blue

    @cached_property
    def option_of_entry(self) -> Ints:
        return np.repeat(np.arange(len(self.constants)), np.diff(self.entry_starts))

    @property
    def has_answers(self) -> bool:
        """Whether a seat answers after some reveal."""
        return len(self.constants) > len(self.pair_states)

    def option_means(self, values: Floats) -> Floats:
        """The expected value after each option."""
        later = self.chances * values[self.successors]
        return self.constants + added(self.option_of_entry, later, len(self.constants))

    def picked(self, values: Floats) -> Ints:
        """The option of each pair that the seat which answers takes."""
        found = fixed_options(sweeping(), self.table, array("d", values.tobytes()))
        return np.array(found, dtype=np.int64)

    def normalised(self, seat: int, weights: Floats) -> Floats:
        """Weights by choice as chances: those of a state sum to 1."""
        states = self.choice_states[seat]
        return weights / added(states, weights, self.count)[states]

    def by_choice(self, seat: int, pair_values: Floats, mixes: SeatMixes) -> Floats:
        """The mean of a number by pair over the other seat's mix, for each choice of a seat."""
        weights = mixes[1 - seat][self.pair_choices[1 - seat]]
        places = self.starts[seat][-1]
        return added(self.pair_choices[seat], weights * pair_values, places)


@dataclass(frozen=True)
class SolvedGame:
    """A ruleset whose states are all solved."""

    ruleset: Ruleset
    arrays: StateArrays
    found: ProvenValues
    mixes: SeatMixes
    menus: tuple[Ints, Ints]
    """By seat, the number of the choice at each place in the mixes; -1 where nothing is chosen."""

    @property
    def start(self) -> int:
        return self.arrays.start

    @property
    def value(self) -> float:
        """The value of the game to red."""
        return float(self.found.values[self.start])

    @property
    def gap(self) -> float:
        """The most that is not proven about a value of any state."""
        return float(np.max(self.found.highs - self.found.lows))

    @cached_property
    def picked(self) -> Ints:
        return self.arrays.picked(self.found.values)

    @cached_property
    def pair_values(self) -> Floats:
        """The expected value of each pair of choices."""
        return self.arrays.option_means(self.found.values)[self.picked]

    def costs(self, seat: int) -> Floats:
        """What each choice loses against the perfect mix of the other seat."""
        worths = self.arrays.by_choice(seat, self.pair_values, self.mixes)
        values = self.found.values[self.arrays.choice_states[seat]]
        return values - worths if seat == RED else worths - values

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether the seats are alike, so that one of them says it all."""
        ruleset = self.ruleset
        start = ruleset.initial()
        return (
            ruleset.is_symmetric and ruleset.endless_utility == 0 and ruleset.mirror(start) == start
        )


def can_be_solved(ruleset: Ruleset) -> bool:
    """Whether a report may solve this ruleset: it has neither a clock nor turns."""
    return not has_clock(ruleset) and not takes_turns(ruleset)


def solved_game(
    ruleset: Ruleset,
    *,
    most_states: int = MOST_STATES,
    progress: Notify = lambda said: None,
    announce: Announce = silent,
) -> SolvedGame:
    """Solves the ruleset, unless there is a table of it. Raises `UsageError` if it has too many
    states.
    """
    if not can_be_solved(ruleset):
        raise UsageError(f"{ruleset.text} has no table of all states")
    build_table(ruleset, most_states=most_states, progress=progress, announce=announce)
    progress("reading the solution")
    return read_solution(ruleset, tabulate(ruleset, most_states=2 * most_states, mirror=False))


def plain_game(game: SolvedGame) -> SolvedGame | None:
    """The same game with each answer to a reveal as a round of its own; None if it has too many
    states then.
    """
    if not game.arrays.has_answers:
        return game
    try:
        return read_solution(game.ruleset, tabulate_all(game.ruleset))
    except TooLarge:
        return None


def read_solution(ruleset: Ruleset, table: StateTable) -> SolvedGame:
    """The solution of all states of a table, which lists both of two mirror images."""
    solved = solved_table(ruleset)
    bounds: list[tuple[float, float, float]] = []
    shares: tuple[list[float], list[float]] = ([], [])
    menus: tuple[list[int], list[int]] = ([], [])
    for _, state in table:
        found = solved.evaluate(state)
        bounds.append((found.value, found.low, found.high))
        for seat, mix in ((RED, found.red), (BLUE, found.blue)):
            menus[seat].extend(mix or (NO_CHOICE,))
            shares[seat].extend(mix.values() if mix else (1.0,))
    arrays = StateArrays(table)
    red, blue = (arrays.normalised(seat, np.array(shares[seat])) for seat in (RED, BLUE))
    return SolvedGame(
        ruleset,
        arrays,
        ProvenValues(*np.array(bounds).T.copy()),
        SeatMixes(red, blue),
        (np.array(menus[RED]), np.array(menus[BLUE])),
    )
