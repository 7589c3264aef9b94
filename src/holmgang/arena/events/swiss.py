"""The Swiss system: in every round, bots with similar points meet, and no two bots meet twice."""

from collections.abc import Sequence
from typing import NamedTuple

from holmgang.arena.counting.results import Results
from holmgang.arena.events.schedule import Encounter, Ids, side_by_side
from holmgang.arena.fixture import Fixture

MOST_TRIES = 20_000
"""The search for a pairing gives up after this many steps; then bots may meet again."""


class SwissRound(NamedTuple):
    encounters: list[Encounter]
    resting: str | None
    """The bot without an opponent if the number of bots is odd; it gets half of the points."""


class Swiss:
    def __init__(self, bots: Sequence[str], pairs: int, rounds: int | None = None) -> None:
        """By default there are just enough rounds that only one bot can win all of them."""
        self.bots = list(bots)
        self.pairs = pairs
        self.rounds = max(1, (len(bots) - 1).bit_length()) if rounds is None else rounds

    @property
    def games(self) -> int:
        return self.rounds * (len(self.bots) // 2) * 2 * self.pairs

    def due(self, results: Results, under_way: Ids = (), wanted: int = 0) -> list[Fixture]:
        for played in self.played(results):
            missing = side_by_side(played.encounters, results)
            if missing:
                return missing
        return []

    def played(self, results: Results) -> list[SwissRound]:
        """The rounds that can be paired so far; all but the last are complete."""
        rounds: list[SwissRound] = []
        while len(rounds) < self.rounds:
            if rounds and any(each.missing(results) for each in rounds[-1].encounters):
                break
            rounds.append(self.paired(rounds, self.points(rounds, results)))
        return rounds

    def points(self, rounds: Sequence[SwissRound], results: Results) -> dict[str, float]:
        points = dict.fromkeys(self.bots, 0.0)
        for played in rounds:
            for encounter in played.encounters:
                games = 2 * encounter.pairs - len(encounter.missing(results))
                scored = encounter.points(results)
                points[encounter.bot] += scored
                points[encounter.other] += games - scored
            if played.resting is not None:
                points[played.resting] += self.pairs
        return points

    def standings(self, results: Results) -> list[tuple[str, float, float]]:
        """Every bot with its points and its opponents' points (the tie-break), best first."""
        rounds = self.played(results)
        points = self.points(rounds, results)
        against = dict.fromkeys(self.bots, 0.0)
        for played in rounds:
            for encounter in played.encounters:
                against[encounter.bot] += points[encounter.other]
                against[encounter.other] += points[encounter.bot]
        order = sorted(self.bots, key=lambda bot: (-points[bot], -against[bot]))
        return [(bot, points[bot], against[bot]) for bot in order]

    def paired(self, rounds: Sequence[SwissRound], points: dict[str, float]) -> SwissRound:
        """The next round. If the number of bots is odd, one rests: of those that have rested least
        often, the weakest.
        """
        order = sorted(self.bots, key=lambda bot: -points[bot])  # ties stay in the given order
        resting = None
        if len(order) % 2:
            rested = [played.resting for played in rounds]
            resting = min(reversed(order), key=rested.count)
            order.remove(resting)
        met = {frozenset((each.bot, each.other)) for played in rounds for each in played.encounters}
        couples = Matching(order, met).found()
        first = len(rounds) * self.pairs
        return SwissRound([Encounter(*couple, self.pairs, first) for couple in couples], resting)


class Matching:
    """Pairs bots that are close in an order and have not met, by backtracking."""

    def __init__(self, order: Sequence[str], met: set[frozenset[str]]) -> None:
        self.order = list(order)
        self.met = met
        self.tries = 0

    def found(self) -> list[tuple[str, str]]:
        couples = self.rest(self.order)
        if couples is None:  # no pairing without a repeated encounter: allow them
            return list(zip(self.order[::2], self.order[1::2], strict=True))
        return couples

    def rest(self, waiting: list[str]) -> list[tuple[str, str]] | None:
        """The best pairing of the waiting bots, or None. The first meets the next bot it can."""
        if not waiting:
            return []
        bot, *others = waiting
        for place, other in enumerate(others):
            self.tries += 1
            if self.tries > MOST_TRIES:
                return None
            if frozenset((bot, other)) not in self.met:
                couples = self.rest(others[:place] + others[place + 1 :])
                if couples is not None:
                    return [(bot, other), *couples]
        return None
