"""Players with simple plans against each other: whether one is best, or all are beaten."""

from dataclasses import dataclass

import numpy as np

from holmgang.engine.progress import Notify
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.lab.look_ahead import Player, RoundSweeper, played, random_mixes
from holmgang.lab.skill import clusters, cyclic_share, mean_points
from holmgang.lab.solved import Floats, SeatMixes, SolvedGame, added

PERFECT_PLAN, ALWAYS = "perfect", "always "  # names of players; a choice follows the second
MOST_PLANS = 8  # choices that are tried as plans, the most used first


@dataclass(frozen=True)
class PlanScores:
    """What players with simple plans score against each other, and against perfect play."""

    players: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    """The value to red, by red's and blue's player."""
    cyclic: float
    """The share of the scores that no order of strength explains."""
    clusters: tuple[tuple[str, ...], ...]
    """The players by strength: those in the equilibrium among all, then among the others, and so
    on. Players of one cluster beat each other in a circle."""

    @property
    def points(self) -> list[list[float]]:
        """By player and opponent: the score of 100, as the mean of both seats."""
        return mean_points(self.values)

    @property
    def circles(self) -> list[tuple[str, ...]]:
        """The clusters of more than two players, who beat each other in a circle."""
        return [each for each in self.clusters if len(each) > 2]


def plan_scores(game: SolvedGame, visits: Floats, progress: Notify) -> PlanScores | None:
    """The scores of players who always make one choice, of a random and a greedy one, and of
    perfect play. `visits` are those of perfect games. None if the seats share fewer than two
    choices.
    """
    choices = common_choices(game, visits)
    if len(choices) < 2:
        return None
    sweeper = RoundSweeper(game)
    greedy, values = sweeper.to_depth(1)
    players: dict[str, Player] = {PERFECT_PLAN: (game.mixes, game.picked)}
    players["greedy"] = greedy, game.arrays.picked(values)
    for choice in choices:
        plan = SeatMixes(always(game, RED, choice), always(game, BLUE, choice))
        players[f"{ALWAYS}{game.ruleset.word(choice)}"] = plan, game.picked
    players["random"] = random_mixes(game.arrays), game.picked
    names, both = tuple(players), tuple(players.values())
    scores = np.zeros((len(both), len(both)))
    for row, red in enumerate(both):
        progress(f"scores of the plan {names[row]!r}")
        for column, blue in enumerate(both):
            if game.is_symmetric and column <= row:
                scores[row, column] = -scores[column, row]
            else:
                scores[row, column] = played(game, red, blue)
    return PlanScores(
        names,
        tuple(tuple(map(float, row)) for row in scores),
        cyclic_share(scores),
        clusters(scores, names),
    )


def common_choices(game: SolvedGame, visits: Floats) -> list[int]:
    """The choices that both seats have, those first that perfect players use most."""
    used: dict[int, float] = {}
    menus = [set(map(int, np.unique(menu))) - {NO_CHOICE} for menu in game.menus]
    for seat in (RED, BLUE):
        menu, states = game.menus[seat], game.arrays.choice_states[seat]
        uses = added(menu + 1, visits[states] * game.mixes[seat], int(menu.max()) + 2)
        for choice in menus[RED] & menus[BLUE]:
            used[choice] = used.get(choice, 0.0) + float(uses[choice + 1])
    return sorted(sorted(used, key=lambda choice: (-used[choice], choice))[:MOST_PLANS])


def always(game: SolvedGame, seat: int, choice: int) -> Floats:
    """The mix of a player who makes this choice whenever it can, and any other one otherwise."""
    is_it = (game.menus[seat] == choice).astype(np.float64)
    states = game.arrays.choice_states[seat]
    can = added(states, is_it, game.arrays.count)[states] > 0
    return game.arrays.normalised(seat, np.where(can, is_it, 1.0))
