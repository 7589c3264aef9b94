"""Best replies to a fixed mix in every state, by sweeps over all states at once.

The states must be those of a plain game (`solved.plain_game`), in which every answer to a reveal is
a round of its own.
"""

from dataclasses import dataclass

import numpy as np

from holmgang.games.contract import RED
from holmgang.lab.solved import Bits, Floats, Ints, SolvedGame, added, segments

SETTLED = 1e-10  # the largest change of a value in the last sweep
MOST_SWEEPS = 2_000
TIED = 1e-7  # choices whose worths differ less are as good
NEGLIGIBLE = 1e-12  # a smaller chance is rounding
STEPS = 8  # sweeps with the same reply, between two in which it is chosen again


@dataclass(frozen=True)
class Reply:
    """A best reply of a seat."""

    mix: Floats
    """1 at the choice that is made in each state, by place."""
    value: float
    """The value to red of the best reply, from the start."""


class Replier:
    """Finds best replies in a solved game.

    The sweeps start from the values of the game. A best reply is worth at least as much in every
    state, so the sweeps approach it from one side, and cannot mistake endless play for a gain.
    """

    def __init__(self, game: SolvedGame) -> None:
        self.arrays, self._values = game.arrays, game.found.values
        self._only = game.arrays.option_starts[:-1]

    def reply(self, seat: int, mix: Floats) -> Reply:
        """The best reply of a seat to a mix of the other one, given by place."""
        arrays, side = self.arrays, 1.0 if seat == RED else -1.0
        weights = mix[arrays.pair_choices[1 - seat]]
        pairs = np.flatnonzero(weights > 0)
        weights, mine = weights[pairs], arrays.pair_choices[seat][pairs]
        options = self._only[pairs]
        first = arrays.entry_starts[options]
        sizes = arrays.entry_starts[options + 1] - first
        entries = segments(first, sizes)
        origin = np.repeat(mine, sizes)
        flow = np.repeat(weights, sizes) * arrays.chances[entries]
        targets = arrays.successors[entries]
        places = int(arrays.starts[seat][-1])
        constants = added(mine, weights * arrays.constants[options], places)
        starts, states = arrays.starts[seat][:-1], arrays.choice_states[seat]

        values, sweeps = self._values, 0
        while True:
            sweeps += 1
            worths = side * (constants + added(origin, flow * values[targets], places))
            best = np.maximum.reduceat(worths, starts)
            change = float(np.max(np.abs(side * best - values)))
            values = side * best
            chosen = first_of_each(worths >= best[states], starts)
            if change <= SETTLED or sweeps == MOST_SWEEPS:
                break
            is_kept = chosen[origin]
            sources, after = states[origin[is_kept]], targets[is_kept]
            kept_flow, kept_constants = flow[is_kept], constants[chosen]
            for _ in range(STEPS):
                values = kept_constants + added(sources, kept_flow * values[after], arrays.count)
        # Of choices that are as good, one that leads on: the others may put off a win for ever.
        is_good = worths >= best[states] - TIED
        ends = added(mine, weights, places) - added(origin, flow, places) > NEGLIGIBLE
        leads_on, is_reached = np.zeros(places, bool), np.zeros(arrays.count, bool)
        leads = ends
        while True:
            new = first_of_each(is_good & leads & ~is_reached[states], starts)
            if not new.any():
                break
            leads_on |= new
            is_reached[states[new]] = True
            leads = added(origin, is_reached[targets], places) > 0
        found = np.where(is_reached[states], leads_on, chosen)
        return Reply(found.astype(np.float64), float(values[arrays.start]))


def first_of_each(is_best: Bits, starts: Ints) -> Bits:
    """The first place of each state that is True."""
    before: Ints = np.cumsum(is_best) - is_best
    sizes = np.diff(np.append(starts, len(is_best)))
    found: Bits = is_best & (before == np.repeat(before[starts], sizes))
    return found
