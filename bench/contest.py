"""A contest of two levels: duels from both seats, with luck taken out of their results.

The result of a duel is its outcome less its luck. Luck is what the state that came up in a round
looks worth, less the mean over all that might have come up by the mixes of both sides and the die.
It is 0 in the mean whatever tells what states are worth, so the mean result is that of the levels;
the better it is told, the narrower the interval (Zinkevich, Bowling, Bard, Kan, Billings 2006).
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import inf
from statistics import mean, stdev
from typing import Any

from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.search.dispatch import search
from holmgang.solver.tables import SolvedTable, find_table
from holmgang.stats import Z

ROUND_LIMIT = 300  # a duel that takes longer is a draw

Mixes = tuple[dict[int, float], dict[int, float]]
"""How red and blue choose, by the numbers of choices; nothing for a seat that has no choice."""

Level = Callable[[Any], Mixes]
"""How a level would choose in a state, in either seat."""

Worth = Callable[[Any], float]
"""What an undecided state looks worth to red. Without it luck is left in: against a level that
chooses at random it takes longer to tell than to play more duels.
"""


# The levels, as holmgang.players.levels has them, but with mixes in place of choices


def at_random(ruleset: Ruleset) -> Level:
    def mixes(state: Any) -> Mixes:
        menus = (ruleset.choices(state, seat) for seat in (RED, BLUE))
        red, blue = ({choice: 1 / len(menu) for choice in menu} for menu in menus)
        return red, blue

    return cache(mixes)


def looking(ruleset: Ruleset, depth: int) -> Level:
    """Searches so many rounds deep; 1 is the level `greedy`."""
    return cache(lambda state: both(search(ruleset, state, depth=depth)))


def thinking(ruleset: Ruleset, budget_ms: float) -> Level:
    """The level `search`: no two searches need find the same, so each choice has its own."""
    return lambda state: both(search(ruleset, state, budget_ms=budget_ms))


def perfect(table: SolvedTable) -> Level:
    return cache(lambda state: both(table.evaluate(state)))


def both(evaluation: Evaluation) -> Mixes:
    return evaluation.red, evaluation.blue


# What states are worth


def worth_of(ruleset: Ruleset) -> Worth:
    """Exact if there is a table, otherwise as the game estimates it."""
    table = find_table(ruleset)
    if table is not None:
        exact = table
        return cache(lambda state: exact.evaluate(state).value)
    estimates = import_module(f"holmgang.games.{ruleset.game.folder}.estimate")
    return cache(lambda state: float(estimates.estimate(ruleset.rules, state)))


# Duels


@dataclass(frozen=True)
class Interval:
    """A mean with the half width of its interval of 95 % confidence."""

    mean: float
    margin: float
    count: int

    @property
    def low(self) -> float:
        return self.mean - self.margin

    @property
    def high(self) -> float:
        return self.mean + self.margin

    def __str__(self) -> str:
        digits = 4 if self.margin < 0.005 else 3
        return f"{self.mean:+.{digits}f} ± {self.margin:.{digits}f}"


def interval(results: list[float]) -> Interval:
    """Of results that are independent of each other; endless if there are fewer than three."""
    count = len(results)
    if count < 3:
        return Interval(mean(results), inf, count)
    return Interval(mean(results), students_factor(count - 1) * stdev(results) / count**0.5, count)


def students_factor(freedom: int) -> float:
    """Standard errors of an interval of 95 %: the first terms of Student's t in 1 / freedom."""
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    return Z + first / freedom + second / freedom**2


def contest(
    ruleset: Ruleset, first: Level, second: Level, worth: Worth | None = None, *, opening: int = 0
) -> Iterator[tuple[float, float]]:
    """Duel after duel: what the first level gets as red, and what as blue, with luck taken out.

    With an `opening`, each pair of duels starts with so many rounds by chance, which matters where
    nothing else is left to it.
    """
    seed = 0
    while True:
        start = opened(ruleset, opening, seed)
        yield (
            result(ruleset, start, first, second, worth, seed),
            -result(ruleset, start, second, first, worth, seed),
        )
        seed += 1


def seat_gains(
    ruleset: Ruleset, first: Level, second: Level, worth: Worth | None = None
) -> Iterator[tuple[float, float]]:
    """Duel after duel: what the first level gets as red, and what as blue, beyond what the second
    gets in the same seat against itself. It is the same where the seats are equal.
    """
    ours = contest(ruleset, first, second, worth)
    for (red, blue), (usual_red, usual_blue) in zip(
        ours, contest(ruleset, second, second, worth), strict=False
    ):
        yield red - usual_red, blue - usual_blue


def opened(ruleset: Ruleset, opening: int, seed: int) -> Any:
    """An undecided state after so many rounds by chance."""
    game, rules = ruleset.game.rules, ruleset.rules
    by_chance, dice = at_random(ruleset), random.Random(seed)
    while True:
        state = game.initial(rules)
        for _ in range(opening):
            state = drawn(ruleset, state, *by_chance(state), dice)
            if game.outcome(rules, state).reason:
                break
        else:
            return state


def result(
    ruleset: Ruleset, state: Any, red: Level, blue: Level, worth: Worth | None, seed: int
) -> float:
    """To red."""
    dice = random.Random(seed)
    luck = 0.0
    for _ in range(ROUND_LIMIT):
        mixes = red(state)[RED], blue(state)[BLUE]
        after = drawn(ruleset, state, *mixes, dice)
        if worth is not None:
            luck += worth_after(ruleset, after, worth)
            luck -= mean_worth(ruleset, state, *mixes, worth)
        state = after
        ended = ruleset.ending(state)
        if ended.reason:
            return (1.0, -1.0, 0.0)[ended.winner] - luck
    return -luck


def drawn(
    ruleset: Ruleset,
    state: Any,
    red: dict[int, float],
    blue: dict[int, float],
    dice: random.Random,
) -> Any:
    """What comes up."""
    game, rules = ruleset.game.rules, ruleset.rules
    mine, other = (
        dice.choices(list(mix), list(mix.values()))[0] if mix else NO_CHOICE for mix in (red, blue)
    )
    face = dice.randrange(game.chance(rules, state, mine, other))
    return game.resolve(rules, state, mine, other, face)


def mean_worth(
    ruleset: Ruleset, state: Any, red: dict[int, float], blue: dict[int, float], worth: Worth
) -> float:
    """Over all that might come up."""
    game, rules = ruleset.game.rules, ruleset.rules
    total = 0.0
    for mine, my_chance in (red or {NO_CHOICE: 1.0}).items():
        for other, chance in (blue or {NO_CHOICE: 1.0}).items():
            if my_chance * chance > 0:
                faces = game.chance(rules, state, mine, other)
                afters = (game.resolve(rules, state, mine, other, face) for face in range(faces))
                sums = sum(worth_after(ruleset, after, worth) for after in afters)
                total += my_chance * chance * sums / faces
    return total


def worth_after(ruleset: Ruleset, state: Any, worth: Worth) -> float:
    ended = ruleset.ending(state)
    if ended.reason:
        return (1.0, -1.0, 0.0)[ended.winner]
    return worth(state)
