"""The games that a sequential test asks for: pairs, until it is decided or there are enough."""

from collections.abc import Collection

from holmgang.arena.counting.results import Results
from holmgang.arena.counting.sprt import Hypotheses, Sprt, SprtVerdict
from holmgang.arena.fixture import Fixture, pair

FEWEST_AHEAD = 32
"""Pairs that are played ahead of those that count, or half as many as there are already: it keeps
workers busy, and games that come after the decision few."""


class PairedTest:
    """A schedule of two bots.

    Pairs count in the order of their numbers, not in that in which they come in: short games are
    ready first, and if these favoured one side, the test would see a favour that is not there.
    """

    def __init__(self, new: str, old: str, hypotheses: Hypotheses, most_pairs: int) -> None:
        self.new, self.old = new, old
        self.most_pairs = most_pairs
        self._sprt = Sprt(hypotheses)

    games = None

    def due(
        self, results: Results, under_way: Collection[str] = (), wanted: int = 0
    ) -> list[Fixture]:
        test = self.sprt(results)
        if test.verdict is not SprtVerdict.UNDECIDED:
            return []
        fixtures: list[Fixture] = []
        ahead = test.pairs + max(FEWEST_AHEAD, test.pairs // 2)
        for number in range(test.pairs, min(ahead, self.most_pairs)):
            both = pair(self.new, self.old, number)
            fixtures += (
                each for each in both if each.id not in results and each.id not in under_way
            )
        return fixtures

    def sprt(self, results: Results) -> Sprt:
        """The test as far as all earlier pairs are there. Results may only be added to."""
        test = self._sprt
        while test.verdict is SprtVerdict.UNDECIDED:
            as_red, as_blue = pair(self.new, self.old, test.pairs)
            if as_red.id not in results or as_blue.id not in results:
                break
            test.add(results[as_red.id].red_points + 1 - results[as_blue.id].red_points)
        return test

    def answer(self, results: Results) -> str:
        """What the test says, in a sentence."""
        test = self.sprt(results)
        more = " Ask for more with --games." if test.pairs >= self.most_pairs else ""
        match test.verdict:
            case SprtVerdict.BETTER:
                return f"{self.new} is better than {self.old}."
            case SprtVerdict.NOT_BETTER:
                return f"{self.new} is not better than {self.old}."
            case SprtVerdict.UNDECIDED:
                return f"Undecided after {2 * test.pairs} games.{more}"
