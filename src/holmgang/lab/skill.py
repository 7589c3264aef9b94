"""How much skill pays: exact scores between the levels, and how far each is from perfect.

The levels are measured as they play at the start of a duel, before they notice habits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holmgang.analysis.scores import responses
from holmgang.analysis.strategies import is_solved, mixes_of
from holmgang.engine.progress import Notify
from holmgang.errors import TooLarge
from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import Ruleset
from holmgang.lab.chain import Chain
from holmgang.lab.solved import Floats, SeatMixes, StateArrays, loss
from holmgang.players.ladder import LADDER
from holmgang.solver.exact.scores import Enclosure, Mixes, tabulate_all
from holmgang.solver.exact.table import StateTable
from holmgang.solver.matrix import solve_matrix

PLAYERS = ("random", *LADDER)
USED = 1e-6  # a smaller share of a mix is rounding
MOST_ANSWERED = 20_000  # states for which best answers take seconds


@dataclass(frozen=True)
class LevelScores:
    """What the levels score against each other, and against the best answer."""

    players: tuple[str, ...]
    """Weakest first."""
    values: tuple[tuple[float, ...], ...]
    """The value to red, by red's level and blue's. Games of which fewer than one in a million ends
    in 100 rounds count as endless."""
    exploitable: tuple[Enclosure, ...]
    """By level: what the best answers in both seats gain together; 0 is perfect. Empty for a game
    with too many states."""
    answers: tuple[tuple[Enclosure, Enclosure], ...]
    """By level: the value to red if red, or blue, is that level, and the other seat answers best.
    Empty for a game with too many states."""
    cyclic: float
    """The share of the scores that no order of strength explains: 0 if a better player is better
    against everyone, 1 if it is all rock, paper, scissors."""
    clusters: tuple[tuple[str, ...], ...]
    """The levels by strength: those in the equilibrium among all levels, then in that among the
    others, and so on. Levels of one cluster beat each other in a circle."""

    @property
    def points(self) -> list[list[float]]:
        """By level and opponent: the score of 100, as the mean of both seats."""
        return mean_points(self.values)


def mean_points(values: Sequence[Sequence[float]]) -> list[list[float]]:
    """Scores of 100 as the mean of both seats, from the values to red by red's and blue's player.

    >>> mean_points([[0.0, 0.5], [1.0, 0.0]])
    [[50.0, 37.5], [62.5, 50.0]]
    """
    return [
        [50 + 25 * (row[other] - values[other][mine]) for other in range(len(row))]
        for mine, row in enumerate(values)
    ]


def level_scores(
    ruleset: Ruleset, progress: Notify, table: StateTable | None = None
) -> LevelScores | None:
    """The scores of a solved ruleset; None if it is too large once each answer to a reveal is a
    round of its own. `table` lists its states in this way, if it is known.
    """
    try:
        table = tabulate_all(ruleset) if table is None else table
    except TooLarge:
        return None
    arrays = StateArrays(table)
    mixes = {}
    for name in PLAYERS:
        progress(f"reading the mixes of {name}")
        for seat in (RED, BLUE):
            mixes[name, seat] = mixes_of(table, name, seat)
    only = arrays.option_starts[:-1]  # an answer is a round of its own here
    values = np.zeros((len(PLAYERS), len(PLAYERS)))
    is_symmetric = ruleset.is_symmetric and ruleset.endless_utility == 0
    for row, red in enumerate(PLAYERS):
        progress(f"scores of {red}")
        for column, blue in enumerate(PLAYERS):
            if is_symmetric and column <= row:
                values[row, column] = -values[column, row]
                continue
            played = SeatMixes(
                arrays.normalised(RED, np.array(mixes[red, RED])),
                arrays.normalised(BLUE, np.array(mixes[blue, BLUE])),
            )
            values[row, column] = Chain(arrays, only, played).value
    found, answered = [], []
    for name in PLAYERS if table.count <= MOST_ANSWERED else ():
        progress(f"the best answers to {name}")
        both = Mixes(mixes[name, RED], mixes[name, BLUE])
        answers = responses(table, both, is_near=is_solved(name))
        answered.append((answers.blue, answers.red))
        found.append(loss(RED, answers.red, answers.blue))
    return LevelScores(
        PLAYERS,
        tuple(tuple(map(float, row)) for row in values),
        tuple(found),
        tuple(answered),
        cyclic_share(values),
        clusters(values, PLAYERS),
    )


def clusters(values: Floats, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Players as Nash clusters, strongest first. What the seats are worth is left out."""
    advantage, left, found = (values - values.T) / 2, list(range(len(values))), []
    while left:
        mix = solve_matrix(advantage[np.ix_(left, left)].tolist()).row_mix
        together = [row for row, share in zip(left, mix, strict=True) if share > USED]
        found.append(tuple(names[row] for row in together))
        left = [row for row in left if row not in together]
    return tuple(found)


def cyclic_share(values: Floats) -> float:
    """How much of the scores remains if each player has one strength, and a score is the difference
    of two strengths. What the seats are worth is left out.
    """
    advantage = (values - values.T) / 2  # of a player over another one, in both seats
    strengths = advantage.mean(axis=1)
    rest = advantage - (strengths[:, None] - strengths[None, :])
    total = float((advantage**2).sum())
    return float((rest**2).sum()) / total if total > 0 else 0.0
