"""The endless schedule of a league: the games that are expected to give the most information.

A game between two bots gives information about the difference of their strengths. Its expected
information about all ratings, in the approximation that also gives the intervals, is
½ log(1 + information × variance). The information is large if the outcome is open, the variance if
the difference is uncertain. The best couple is chosen, the covariance is updated as if the games
had been played, and so on. So new bots play first, and bots mostly meet others of similar strength.

For ratings alone, the best bot would never meet the worst, but the pay-off matrix needs that too:
every fourth encounter is between the two bots that have met least often.
"""

from collections.abc import Callable, Sequence
from itertools import combinations, islice
from math import log1p

from holmgang.arena.counting.ratings import Ratings, chances, rate
from holmgang.arena.counting.results import Results
from holmgang.arena.counting.tally import ResultTally
from holmgang.arena.events.schedule import Encounter, Ids
from holmgang.arena.fixture import Fixture, parse_fixture

BROAD = 4  # one encounter in four is between the bots that have met least often
FEWEST, MOST = 8, 64  # encounters chosen at a time

Couple = tuple[str, str]


class MostInformative:
    """An endless schedule of the most informative encounters."""

    games = None

    def __init__(self, couples: Callable[[], list[Couple]]) -> None:
        self._couples = couples
        self._tally = ResultTally()
        self._counted = 0
        self._next: dict[Couple, int] = {}

    def due(self, results: Results, under_way: Ids = (), wanted: int = 0) -> list[Fixture]:
        fixtures = [] if self._counted else half_played(results)
        new = list(islice(results.values(), self._counted, None))
        self._counted += len(new)
        self._tally.add(new)
        for fixture in (*(entry.fixture for entry in new), *map(parse_fixture, under_way)):
            couple = ordered(fixture.red, fixture.blue)
            self._next[couple] = max(self._next.get(couple, 0), fixture.number + 1)
        encounters = max(FEWEST, min(wanted // 2, MOST))
        pairs = max(1, -(-wanted // (2 * encounters)))
        for bots in informative(self._couples(), self._tally, encounters, pairs=pairs):
            first = self._next.get(ordered(*bots), 0)
            self._next[ordered(*bots)] = first + pairs
            fixtures += Encounter(*bots, pairs, first).fixtures()
        return fixtures


def ordered(bot: str, other: str) -> Couple:
    return (bot, other) if bot < other else (other, bot)


def half_played(results: Results) -> list[Fixture]:
    """The missing twins of games that were played before a run was stopped."""
    fixtures = (entry.fixture for entry in results.values())
    return [fixture.twin for fixture in fixtures if fixture.twin.id not in results]


def informative(
    couples: Sequence[Couple], tally: ResultTally, count: int, *, pairs: int = 1
) -> list[Couple]:
    """The best `count` encounters of couples that may meet, each of `pairs` pairs of games."""
    if not couples:
        return []
    bots = sorted({bot for couple in couples for bot in couple})
    known = set(bots)
    games = {seats: counts for seats, counts in tally.games.items() if known.issuperset(seats)}
    outlook = Outlook(rate(bots, games), couples, 2 * pairs)
    met = {couple: tally.met(*couple) for couple in couples}
    total = sum(met.values()) // (2 * pairs)
    chosen = []
    for number in range(count):
        if (total + number) % BROAD == BROAD - 1:
            couple = min(couples, key=met.__getitem__)
        else:
            couple = outlook.best()
        chosen.append(couple)
        outlook.suppose_played(couple)
        met[couple] += 2 * pairs
    return chosen


class Outlook:
    """The uncertainty of the strengths, and the expected information of further games."""

    def __init__(self, ratings: Ratings, couples: Sequence[Couple], games: int) -> None:
        self._covariance = [list(row) for row in ratings.covariance]
        self._places = {bot: place for place, bot in enumerate(ratings.bots)}
        self._information: dict[Couple, float] = {}
        for bot, other in couples:
            i, j = self._places[bot], self._places[other]
            gap = ratings.strengths[i] - ratings.strengths[j]
            self._information[bot, other] = (
                games / 2 * chances(gap + ratings.edge, ratings.drawishness).variance
                + games / 2 * chances(gap - ratings.edge, ratings.drawishness).variance
            )

    def gain(self, couple: Couple) -> float:
        """The expected information of an encounter, in nats."""
        i, j = (self._places[bot] for bot in couple)
        covariance = self._covariance
        variance = covariance[i][i] + covariance[j][j] - 2 * covariance[i][j]
        return log1p(self._information[couple] * variance) / 2

    def best(self) -> Couple:
        return max(self._information, key=self.gain)

    def suppose_played(self, couple: Couple) -> None:
        """Updates the covariance as if the encounter had been played (Sherman–Morrison)."""
        i, j = (self._places[bot] for bot in couple)
        rows = self._covariance
        told = self._information[couple]
        along = [row[i] - row[j] for row in rows]
        factor = told / (1 + told * (along[i] - along[j]))
        for row, step in zip(rows, along, strict=True):
            scaled = factor * step
            for place, other in enumerate(along):
                row[place] -= scaled * other


def all_couples(bots: Sequence[str]) -> list[Couple]:
    return list(combinations(bots, 2))
