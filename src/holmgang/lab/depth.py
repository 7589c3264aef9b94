"""Depth: how many times a player can improve on what is known, by double oracle.

The first strategy is the best reply to random choices. Then the game is solved with only those
choices that some strategy so far makes in each state, and the next strategy is the best reply to
that solution, until nothing is gained. A mixture of whole strategies, drawn once a game, would have
no best reply that depends on the state alone; one that is drawn in every state does.
"""

from array import array
from dataclasses import dataclass

import numpy as np

from holmgang.engine.progress import Notify, quiet
from holmgang.games.contract import BLUE, RED
from holmgang.lab.replies import Replier
from holmgang.lab.restricted import FEWEST_SWEEPS, WORK, cut
from holmgang.lab.restrictions import MOST_STATES, mirrored_places
from holmgang.lab.solved import Bits, SeatMixes, SolvedGame
from holmgang.solver.exact.solve import Candidate, TableSolver, sweeping

MOST_STRATEGIES = 30
NOTHING = 2e-4  # 0.01 points of 100
IMPATIENT = 1e-7  # discount of later rounds


@dataclass(frozen=True)
class Depth:
    """The exploitability of random choices, and then after each strategy that was added."""

    gains: tuple[float, ...]
    """What the best replies of both seats gain together, as a value."""

    @property
    def strategies(self) -> int:
        """The number of strategies until nothing more is gained."""
        return len(self.gains) - 1

    @property
    def is_complete(self) -> bool:
        return self.gains[-1] <= NOTHING


def double_oracle(game: SolvedGame, progress: Notify) -> Depth | None:
    """The depth of a plain game; None if it has too many states."""
    arrays = game.arrays
    if arrays.count > MOST_STATES:
        return None
    replier = Replier(game)
    image = mirrored_places(game) if game.is_symmetric else None
    kept = np.zeros(len(game.mixes.red), bool), np.zeros(len(game.mixes.blue), bool)
    mixes = SeatMixes(
        *(1 / arrays.counts[seat][arrays.choice_states[seat]] for seat in (RED, BLUE))
    )
    gains: list[float] = []
    while True:
        progress(f"the best replies to {len(gains)} strategies")
        red = replier.reply(RED, mixes.blue)
        if image is None:
            blue = replier.reply(BLUE, mixes.red)
            gain, more = red.value - blue.value, (red.mix > 0, blue.mix > 0)
        else:
            gain, more = 2 * red.value, (red.mix > 0, red.mix[image] > 0)
        gains.append(max(0.0, gain))
        is_known = all(np.all(kept[seat][more[seat]]) for seat in (RED, BLUE))
        if gain <= NOTHING or is_known or len(gains) > MOST_STRATEGIES:
            return Depth(tuple(gains))
        kept = kept[RED] | more[RED], kept[BLUE] | more[BLUE]
        mixes = solved_with(game, kept)
        if image is not None:
            mixes = SeatMixes(mixes.red, mixes.red[image])


def solved_with(game: SolvedGame, kept: tuple[Bits, Bits]) -> SeatMixes:
    """The mixes that solve the game with only these places."""
    table, start = cut(game, kept)
    sweeps = max(FEWEST_SWEEPS, WORK // table.count)
    solver = TableSolver(table, sweeping(), quiet, sweeps)
    values = array("d", game.found.values.tobytes())
    begin = Candidate(values, *(array("d", part.tobytes()) for part in start))
    found = solver.settle(begin, IMPATIENT)
    mixes = []
    for seat, mix in ((RED, found.red_mixes), (BLUE, found.blue_mixes)):
        full = np.zeros(len(game.mixes[seat]))
        full[kept[seat]] = np.array(mix)
        mixes.append(game.arrays.normalised(seat, full))
    return SeatMixes(*mixes)
