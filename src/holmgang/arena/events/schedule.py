"""Schedules: functions from the results so far to the games due next.

A schedule has no state of its own, so an interrupted tournament resumes from its log alone. Formats
whose rounds depend on earlier rounds are in `swiss.py` and `knockout.py`.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import NamedTuple, Protocol

from holmgang.arena.counting.results import Results
from holmgang.arena.fixture import Fixture, pair

Ids = Collection[str]
"""Ids of games."""


class Schedule(Protocol):
    def due(self, results: Results, under_way: Ids = (), wanted: int = 0) -> list[Fixture]:
        """The games that can be played now and are not in the results, most urgent first; empty
        when the contest is complete.

        The list may include games that are under way. An endless schedule lists about as many
        games as are wanted.
        """
        ...

    @property
    def games(self) -> int | None:
        """The total number of games, if known in advance."""
        ...


class Encounter(NamedTuple):
    """Two bots and their pairs of games, with the numbers `first` to `first + pairs - 1`."""

    bot: str
    other: str
    pairs: int
    first: int = 0

    def fixtures(self) -> list[Fixture]:
        numbers = range(self.first, self.first + self.pairs)
        return [fixture for number in numbers for fixture in pair(self.bot, self.other, number)]

    def missing(self, results: Results) -> list[Fixture]:
        return [fixture for fixture in self.fixtures() if fixture.id not in results]

    def points(self, results: Results) -> float:
        """The points of `bot` in the games that have been played."""
        total = 0.0
        for fixture in self.fixtures():
            if fixture.id in results:
                red_points = results[fixture.id].red_points
                total += red_points if fixture.red == self.bot else 1 - red_points
        return total


def side_by_side(encounters: Sequence[Encounter], results: Results) -> list[Fixture]:
    """The missing games of all encounters, one pair of each in turn, so that the table is fair even
    if only half of the games have been played.
    """
    most = max((encounter.pairs for encounter in encounters), default=0)
    return [
        fixture
        for place in range(most)
        for encounter in encounters
        if place < encounter.pairs
        for fixture in pair(encounter.bot, encounter.other, encounter.first + place)
        if fixture.id not in results
    ]


class RoundRobin:
    """Every bot meets every other."""

    def __init__(self, bots: Sequence[str], pairs: int) -> None:
        self.encounters = [Encounter(*bots, pairs) for bots in combinations(bots, 2)]

    def due(self, results: Results, under_way: Ids = (), wanted: int = 0) -> list[Fixture]:
        return side_by_side(self.encounters, results)

    @property
    def games(self) -> int:
        return sum(2 * encounter.pairs for encounter in self.encounters)


class Gauntlet(RoundRobin):
    """The first bot meets each of the others."""

    def __init__(self, bots: Sequence[str], pairs: int) -> None:
        self.encounters = [Encounter(bots[0], other, pairs) for other in bots[1:]]


class Series:
    """A number of games between two bots: in pairs with the seats swapped, or without `swap` with
    the first bot always red.
    """

    def __init__(self, bot: str, other: str, games: int, *, swap: bool = True) -> None:
        self.bot, self.other, self.games = bot, other, games
        self.swap = swap

    def fixtures(self) -> list[Fixture]:
        """The games in order.

        >>> [each.id for each in Series("ann", "bob", 3).fixtures()]
        ['ann--bob--0', 'bob--ann--0', 'ann--bob--1']
        >>> [each.id for each in Series("ann", "bob", 2, swap=False).fixtures()]
        ['ann--bob--0', 'ann--bob--1']
        """
        if self.swap:
            return Encounter(self.bot, self.other, -(-self.games // 2)).fixtures()[: self.games]
        return [Fixture(self.bot, self.other, number) for number in range(self.games)]

    def due(self, results: Results, under_way: Ids = (), wanted: int = 0) -> list[Fixture]:
        return [fixture for fixture in self.fixtures() if fixture.id not in results]
