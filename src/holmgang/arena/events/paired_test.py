"""The schedule of a sequential test: pairs of games until it is decided or reaches its limit."""

from holmgang.arena.counting.results import Results
from holmgang.arena.counting.sprt import Hypotheses, Sprt, SprtVerdict
from holmgang.arena.events.schedule import Ids
from holmgang.arena.fixture import Fixture, pair

FEWEST_AHEAD = 32
"""The number of pairs played ahead of those that count, or half of those that count if that is
more. This keeps workers busy without many games after the decision."""


class PairedTest:
    """A schedule of two bots.

    Pairs count in the order of their numbers, not in the order in which they end. Short games end
    first, and if these favoured one bot, the test would be biased.
    """

    def __init__(self, new: str, old: str, hypotheses: Hypotheses, most_pairs: int) -> None:
        self.new, self.old = new, old
        self.most_pairs = most_pairs
        self._sprt = Sprt(hypotheses)

    games = None

    def due(self, results: Results, under_way: Ids = (), wanted: int = 0) -> list[Fixture]:
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
        """The test of all pairs up to the first missing one. Results must only ever be added."""
        test = self._sprt
        while test.verdict is SprtVerdict.UNDECIDED:
            as_red, as_blue = pair(self.new, self.old, test.pairs)
            if as_red.id not in results or as_blue.id not in results:
                break
            test.add(results[as_red.id].red_points + 1 - results[as_blue.id].red_points)
        return test

    def answer(self, results: Results) -> str:
        """The verdict as a sentence."""
        test = self.sprt(results)
        more = " Ask for more with --games." if test.pairs >= self.most_pairs else ""
        match test.verdict:
            case SprtVerdict.BETTER:
                return f"{self.new} is better than {self.old}."
            case SprtVerdict.NOT_BETTER:
                return f"{self.new} is not better than {self.old}."
            case SprtVerdict.UNDECIDED:
                return f"Undecided after {2 * test.pairs} games.{more}"
