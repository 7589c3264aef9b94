"""Games between two fixed strategies as a Markov chain of states, followed round by round.

Everything is calculated from the chances of all states, not from games that are played; the chances
that are neglected are below `TAIL`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from holmgang.lab.solved import Floats, Ints, SeatMixes, StateArrays, added, segments

TAIL = 1e-12  # the chance of longer games at which to stop
MOST_ROUNDS = 20_000
WINDOW = 100  # rounds
STUCK = 1e-6  # if fewer of the games that go on end in this many rounds, they never do
NEGLIGIBLE = 1e-9  # a smaller chance of an ending is rounding


@dataclass(frozen=True)
class Endings:
    """Chances of the results of a game."""

    red: float
    blue: float
    draw: float
    endless: float
    """The chance of games that never end, or last longer than `MOST_ROUNDS`."""


class Chain:
    """The chances of what follows each state if both seats play by these mixes."""

    def __init__(self, arrays: StateArrays, picked: Ints, mixes: SeatMixes) -> None:
        self.arrays, self.mixes = arrays, mixes
        red, blue = arrays.pair_choices
        weights = mixes.red[red] * mixes.blue[blue]
        self.pairs: Ints = np.flatnonzero(weights > 0)
        """The pairs that occur."""
        self.weights: Floats = weights[self.pairs]
        self.options: Ints = picked[self.pairs]
        self.states: Ints = arrays.pair_states[self.pairs]
        first, end = arrays.entry_starts[self.options], arrays.entry_starts[self.options + 1]
        sizes = end - first
        self.origin: Ints = np.repeat(np.arange(len(self.pairs)), sizes)
        """For each transition, the place of its pair in `pairs`."""
        entries = segments(first, sizes)
        self.chances: Floats = self.weights[self.origin] * arrays.chances[entries]
        self.sources: Ints = self.states[self.origin]
        self.targets: Ints = arrays.successors[entries]
        self.count = arrays.count

    def by_state(self, numbers: Floats) -> Floats:
        """The mean of a number by pair, for each state."""
        return added(self.states, self.weights * numbers, self.count)

    @cached_property
    def results(self) -> Floats:
        """The chances that red wins, blue wins, or the game is drawn in this round, by state."""
        arrays = self.arrays
        decided = self.by_state(arrays.decided[self.options])
        surplus = self.by_state(arrays.constants[self.options])
        goes_on = added(self.sources, self.chances, self.count)
        red, blue = (decided + surplus) / 2, (decided - surplus) / 2
        return np.clip(np.stack([red, blue, 1 - decided - goes_on]), 0.0, 1.0)

    def moved(self, chances: Floats) -> Floats:
        """The chances of all states one round later."""
        flow = self.chances * chances[self.sources]
        return added(self.targets, flow, self.count)

    def from_start(self) -> Iterator[Floats]:
        """The chances of all states in each round, until hardly any game goes on, or none of those
        that do seems to end.
        """
        chances = np.zeros(self.count)
        chances[self.arrays.start] = 1.0
        left = 1.0
        for played in range(1, MOST_ROUNDS + 1):
            yield chances
            chances = self.moved(chances)
            if played % WINDOW == 0:
                before, left = left, float(chances.sum())
                if before - left < STUCK * before:
                    break
            if chances.sum() < TAIL:
                break

    @cached_property
    def sums(self) -> "ChainSums":
        visits, results = np.zeros(self.count), []
        for chances in self.from_start():
            visits = visits + chances
            results.append(self.results @ chances)
        ended = np.array(results)
        red, blue, draw = map(float, ended.sum(axis=0))
        shares = red, blue, draw, 1.0 - red - blue - draw
        ends = Endings(*(share if share > NEGLIGIBLE else 0.0 for share in shares))
        return ChainSums(ends, ended.sum(axis=1), visits)

    @property
    def value(self) -> float:
        """The value to red, with endless play as the game counts it."""
        ends = self.sums.endings
        return ends.red - ends.blue + self.arrays.endless * ends.endless

    def labelled(self, relabel: Ints, label: int) -> Iterator[tuple[Floats, Floats]]:
        """Follows games with a label that remembers something about their past, starting with
        `label`: for each round, the chances of labels × states on arrival and after relabelling.
        `relabel` has the new label by old label and state.
        """
        arrived = np.zeros(relabel.shape)
        arrived[label, self.arrays.start] = 1.0
        states, rounds = np.arange(self.count), len(self.sums.lengths)
        for _ in range(rounds):
            chances = np.zeros(relabel.shape)
            for old, row in enumerate(arrived):
                np.add.at(chances, (relabel[old], states), row)
            yield arrived, chances
            arrived = np.stack([self.moved(row) for row in chances])


@dataclass(frozen=True)
class ChainSums:
    """What becomes of the games of a chain."""

    endings: Endings
    lengths: Floats
    """The chance that a game ends in each round, from the first on."""
    visits: Floats
    """The expected number of rounds in each state."""

    @property
    def rounds(self) -> float:
        """The expected number of rounds."""
        return float(self.visits.sum())

    def quantile(self, share: float) -> int:
        """The number of rounds after which this share of the games that end is over."""
        over = np.cumsum(self.lengths)
        return int(np.searchsorted(over, share * over[-1])) + 1
