"""Restricted play: what a seat loses if it plays in a simpler way, and the other one knows."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from holmgang.engine.progress import Notify
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.lab.chain import Chain
from holmgang.lab.replies import Replier
from holmgang.lab.restricted import not_twice_running
from holmgang.lab.skill import LevelScores
from holmgang.lab.solved import Floats, Ints, SolvedGame, added, loss
from holmgang.solver.exact.scores import Enclosure
from holmgang.solver.search.dispatch import search_here
from holmgang.solver.search.preparing import is_native

SAME_MIX = "one mix whatever the position"
MOST_STATES = 100_000  # for best replies
FEW_PAIRS = 1 << 14
FEWEST_TRIALS, MOST_TRIALS = 12, 80  # mixes that are tried
WORK = 500_000  # states of all trials together, more or less
FIRST_STEP, LAST_STEP = 3.0, 1.05  # factors by which a share changes
CLOSE = 1e-6  # tolerance of a best reply


@dataclass(frozen=True)
class Restriction:
    """A simpler way to play."""

    name: str
    cost: Enclosure
    """What the seat loses by it, as a value. One from 0 up is what a search found, so that there
    may be something better."""


def restrictions(
    game: SolvedGame, seat: int, levels: LevelScores | None, progress: Notify
) -> Iterator[Restriction]:
    """The simpler ways to play a plain game that can be measured."""
    cost = partial(loss, seat, game.found.at(game.start))
    progress("solving again without the same choice twice running")
    found = not_twice_running(game, seat)
    if found is not None:
        yield Restriction("never the same choice twice running", cost(found))
    if game.arrays.count <= MOST_STATES:
        progress("looking for the best mix that is the same in every position")
        value = best_single_mix(game, seat)
        yield Restriction(SAME_MIX, Enclosure(0.0, cost(near(value)).high))
        progress("the best replies to greedy choices")
        reply = Replier(game).reply(1 - seat, greedy(game, seat))
        yield Restriction("greedy: looks one round ahead", cost(near(reply.value)))
    if levels is not None:
        for name, answers in zip(levels.players[:-1], levels.answers, strict=False):
            yield Restriction(f"plays as {name}", cost(answers[seat]))


def near(value: float) -> Enclosure:
    return Enclosure(value - CLOSE, value + CLOSE)


def best_single_mix(game: SolvedGame, seat: int) -> float:
    """The value to red that the best of the mixes tried secures, if the seat plays it in every
    state, as far as its choices are legal there.
    """
    replier, side = Replier(game), 1 if seat == RED else -1
    menu, states = game.menus[seat], game.arrays.choice_states[seat]
    choices = np.unique(menu[menu != NO_CHOICE])
    column = np.searchsorted(choices, np.where(menu == NO_CHOICE, choices[0], menu))
    left = max(FEWEST_TRIALS, min(MOST_TRIALS, WORK // game.arrays.count))

    def secured(shares: Floats) -> float:
        mix = shares[column] + 1e-300  # where none of the choices used is legal, any is as good
        return side * replier.reply(1 - seat, game.arrays.normalised(seat, mix)).value

    visits = Chain(game.arrays, game.arrays.option_starts[:-1], game.mixes).sums.visits
    used = added(column, game.mixes[seat] * visits[states] * (menu != NO_CHOICE), len(choices))
    best = used / used.sum() if used.sum() > 0 else np.full(len(choices), 1 / len(choices))
    most, step = secured(best), FIRST_STEP
    equal = np.full(len(choices), 1 / len(choices))
    if (value := secured(equal)) > most:
        best, most = equal, value
    left -= 2
    while step > LAST_STEP and left > 0 and len(choices) > 1:
        is_better = False
        for factor, place in changes(step, len(choices)):
            if left == 0:
                break
            shares = best.copy()
            shares[place] = max(shares[place], 0.01) * factor
            shares /= shares.sum()
            left -= 1
            if (value := secured(shares)) > most + CLOSE:
                best, most, is_better = shares, value, True
        if not is_better:
            step = step**0.5
    return side * most


def changes(step: float, choices: int) -> Iterator[tuple[float, int]]:
    for factor in (step, 1 / step):
        for place in range(choices):
            yield factor, place


def greedy(game: SolvedGame, seat: int) -> Floats:
    """The mix of the level `greedy` in every state, by place."""
    found: list[float] = []
    ruleset = game.ruleset
    # Looking at a few pairs takes less time than compiling.
    interpret = len(game.arrays.pair_states) <= FEW_PAIRS and not is_native(ruleset)
    for _, state in game.arrays.table:
        seen = search_here(ruleset, state, budget_ms=None, depth=1, interpret=interpret)
        mix = seen.red if seat == RED else seen.blue
        found.extend(mix.values() if mix else (1.0,))
    return game.arrays.normalised(seat, np.array(found))


def mirrored_places(game: SolvedGame) -> Ints:
    """For each place of blue in a symmetric game, the place of red in the mirror image."""
    table = game.arrays.table
    known = {table.row(number).tobytes(): number for number in range(table.count)}
    pack, row = table.kernels.bound.kernels["pack"], table.row(0)
    images = []
    for _, state in table:
        pack(table.ruleset.mirror(state), row, 0)
        images.append(known[row.tobytes()])
    starts, states = game.arrays.starts, game.arrays.choice_states[BLUE]
    inside = np.arange(len(states)) - starts[BLUE][states]
    found: Ints = starts[RED][np.array(images)[states]] + inside
    return found
