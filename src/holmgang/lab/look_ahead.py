"""How far a player has to look ahead: exact scores between players who look ever further.

A player who looks `n` rounds ahead knows the rules, and judges the positions after these rounds by
the game's estimate, or as even if there is none. It plays the mix that is best by this judgement.
Each round of look-ahead is a sweep over all states.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holmgang.engine.progress import Notify
from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import Ruleset
from holmgang.lab.chain import Chain
from holmgang.lab.solved import Floats, Ints, SeatMixes, SolvedGame, StateArrays
from holmgang.solver.exact.solve import sweeping
from holmgang.solver.exact.sweep_kernels import MatrixScratch
from holmgang.solver.exact.table import StateTable
from holmgang.solver.matrix import work_size
from holmgang.solver.numbers import Numbers
from holmgang.solver.search.no_estimate import estimate as no_estimate

DEEPEST = 32  # rounds
AS_GOOD = 1e-6  # if no value differs more from the perfect one, looking further is useless
PAYS = 51.0  # points of 100
PERFECT = 49.9  # of 100 against perfect play: no longer worth improving


@dataclass(frozen=True)
class LookAhead:
    """A player who looks this many rounds ahead."""

    rounds: int
    against_half: float
    """Its score of 100 against one who looks half as far; for 1 round, against random choices."""
    against_perfect: float
    """Its score of 100 against perfect play."""


def look_ahead(game: SolvedGame, progress: Notify) -> tuple[LookAhead, ...]:
    """The scores as the look-ahead doubles, each as the mean of both seats."""
    arrays = game.arrays
    perfect = game.mixes, game.picked
    weaker = random_mixes(arrays), game.picked
    found, rounds = [], 1
    sweeper = RoundSweeper(game)
    while rounds <= DEEPEST:
        progress(f"looking {rounds} round{'' if rounds == 1 else 's'} ahead")
        mixes, values = sweeper.to_depth(rounds)
        player = mixes, arrays.picked(values)
        found.append(LookAhead(rounds, score(game, player, weaker), score(game, player, perfect)))
        if np.max(np.abs(values - game.found.values)) <= AS_GOOD:
            break
        weaker, rounds = player, 2 * rounds
    return tuple(found)


def far_enough(found: Sequence[LookAhead]) -> int:
    """The number of rounds from which on no doubling of the look-ahead scores `PAYS` or more."""
    return max((each.rounds for each in found if each.against_half >= PAYS), default=0)


def in_words(found: Sequence[LookAhead]) -> str:
    """How far looking ahead pays, as a sentence.

    >>> in_words([LookAhead(1, 70, 30), LookAhead(2, 55, 40), LookAhead(4, 50.2, 40)])
    'Looking more than 2 rounds ahead gains less than a point with each doubling.'
    """
    rounds = far_enough(found)
    if rounds == 0:
        return "Looking ahead gains less than a point."
    if rounds == found[-1].rounds and found[-1].against_perfect < PERFECT:
        return f"Each doubling pays, up to the {rounds} rounds that were tried."
    return (
        f"Looking more than {rounds} round{'' if rounds == 1 else 's'} ahead gains less than a"
        " point with each doubling."
    )


Player = tuple[SeatMixes, Ints]
"""The mixes of a player in both seats, and the option that it takes in each pair as an answer."""


def score(game: SolvedGame, player: Player, other: Player) -> float:
    """Of 100, as the mean of both seats."""
    value = played(game, player, other)
    if game.is_symmetric:
        return 50 + 50 * value
    return 50 + 25 * (value - played(game, other, player))


def played(game: SolvedGame, red: Player, blue: Player) -> float:
    """The value to red of a player in its seat against another one."""
    deciders = np.frombuffer(game.arrays.table.numbers.deciders, np.int64)  # type: ignore[call-overload]
    picked = np.where(deciders > 0, red[1], blue[1])
    return Chain(game.arrays, picked, SeatMixes(red[0].red, blue[0].blue)).value


def random_mixes(arrays: StateArrays) -> SeatMixes:
    red, blue = (1 / arrays.counts[seat][arrays.choice_states[seat]] for seat in (RED, BLUE))
    return SeatMixes(red, blue)


class RoundSweeper:
    """Looks ahead from all states of a game at once, round by round."""

    def __init__(self, game: SolvedGame) -> None:
        self.arrays, self.rounds = game.arrays, 0
        self.values = estimates(game.ruleset, game.arrays.table)
        self._table, self._room = shifted(game.arrays), scratch(game.arrays)

    def to_depth(self, rounds: int) -> tuple[SeatMixes, Floats]:
        """The mixes of a player who looks this many rounds ahead, and what it thinks the states are
        worth.
        """
        mixes = self.sweep()
        while self.rounds < rounds:
            mixes = self.sweep()
        return mixes, self.values

    def sweep(self) -> SeatMixes:
        """Looks one round further."""
        count = self.arrays.count
        values = array("d", np.concatenate([self.values, self.values]).tobytes())
        red, blue = (zeros(int(self.arrays.starts[seat][-1])) for seat in (RED, BLUE))
        patience = array("d", [1.0])
        kernels = sweeping()
        kernels("improve")(0, count, 0, self._table, patience, values, red, blue, self._room)
        kernels("level_mixes")(count, self._table, red, blue)
        self.values, self.rounds = np.array(values[:count]), self.rounds + 1
        return SeatMixes(
            self.arrays.normalised(RED, np.array(red)), self.arrays.normalised(BLUE, np.array(blue))
        )


def shifted(arrays: StateArrays) -> Numbers:
    """The numbers of the table, with the values of what follows apart from those of the states, so
    that a sweep looks exactly one round ahead.
    """
    numbers, count = arrays.table.numbers, arrays.count
    successors = array("q", (arrays.successors + count).tobytes())
    return numbers._replace(successors=successors, loops=array("q", bytes(8 * count)))


def scratch(arrays: StateArrays) -> MatrixScratch:
    reds, blues = (int(arrays.counts[seat].max()) for seat in (RED, BLUE))
    return MatrixScratch(
        zeros(reds * blues), zeros(reds), zeros(blues), zeros(work_size(reds, blues))
    )


def zeros(size: int) -> "array[float]":
    return array("d", bytes(8 * size))


def estimates(ruleset: Ruleset, table: StateTable) -> Floats:
    """What the game's estimate says of each state; 0 without one."""
    game = ruleset.game
    estimate = no_estimate if game.estimate is None else game.estimate.estimate
    return np.array([float(estimate(ruleset.rules, state)) for _, state in table])
