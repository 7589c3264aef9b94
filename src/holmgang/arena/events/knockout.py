"""Knockout: the loser of an encounter is out. The given order is the seeding, best first."""

from collections.abc import Sequence

from holmgang.arena.counting.results import Results
from holmgang.arena.events.schedule import Encounter, Ids, side_by_side
from holmgang.arena.fixture import Fixture

EXTRA_PAIRS = 5
"""The most extra pairs of games for a tied encounter. After these, the higher seed advances."""


class Knockout:
    """A bracket in which the best seeds meet last. Bots without an opponent have a bye."""

    games = None  # unknown, because ties are extended

    def __init__(self, bots: Sequence[str], pairs: int) -> None:
        self.bots = list(bots)
        self.pairs = pairs

    def due(self, results: Results, under_way: Ids = (), wanted: int = 0) -> list[Fixture]:
        encounters = [each for round_ in self.rounds(results) for each in round_]
        return side_by_side(encounters, results)

    def rounds(self, results: Results) -> list[list[Encounter]]:
        """The encounters of each round whose bots are known, extended as long as they are tied."""
        places: list[str | None] = [
            self.bots[seed] if seed < len(self.bots) else None
            for seed in bracket((len(self.bots) - 1).bit_length())
        ]
        undecided = "?"
        rounds = []
        while len(places) > 1:
            encounters, winners = [], []
            for one, other in zip(places[::2], places[1::2], strict=True):
                if one is None or other is None:
                    winners.append(one or other)
                elif undecided in (one, other):
                    winners.append(undecided)
                else:
                    encounter, winner = self.encounter(one, other, results)
                    encounters.append(encounter)
                    winners.append(winner or undecided)
            rounds.append(encounters)
            places = winners
        return rounds

    def encounter(self, one: str, other: str, results: Results) -> tuple[Encounter, str | None]:
        """The encounter, extended if tied, and its winner if known."""
        better, worse = sorted((one, other), key=self.bots.index)
        encounter = Encounter(better, worse, self.pairs)
        while not encounter.missing(results):
            points = encounter.points(results)
            if points != encounter.pairs:
                return encounter, better if points > encounter.pairs else worse
            if encounter.pairs == self.pairs + EXTRA_PAIRS:
                return encounter, better
            encounter = encounter._replace(pairs=encounter.pairs + 1)
        return encounter, None

    def standings(self, results: Results) -> list[tuple[str, int]]:
        """Every bot with the number of rounds that it has survived, best first."""
        rounds = self.rounds(results)
        survived = dict.fromkeys(self.bots, 0)
        for number, encounters in enumerate(rounds, start=1):
            playing = {bot for each in encounters for bot in each[:2]}
            for encounter in encounters:
                _, winner = self.encounter(encounter.bot, encounter.other, results)
                if winner is not None:
                    survived[winner] = number
            if number == 1:
                for bot in set(self.bots) - playing:  # byes
                    survived[bot] = 1
        return sorted(survived.items(), key=lambda entry: -entry[1])


def bracket(rounds: int) -> list[int]:
    """The seeds in bracket order: 0 and 1 can only meet in the last round.

    >>> bracket(2)
    [0, 3, 1, 2]
    """
    places = [0]
    for _ in range(rounds):
        size = 2 * len(places)
        places = [seed for place in places for seed in (place, size - 1 - place)]
    return places
