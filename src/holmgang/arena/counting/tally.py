"""Sums of results: wins of each bot against each other, and the bots' misconduct."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from holmgang.arena.counting.ratings import Counts
from holmgang.arena.task import GameResult, SeatReport

RED_RESULT = {"red": Counts(wins=1), None: Counts(draws=1), "blue": Counts(losses=1)}
MANY_ALIKE = 6
TROUBLES = {"timeout": "late", "invalid": "invalid", "crash": "crashed", "forfeit": "gave up"}
FAILURES = {
    "timeout": "timeouts",
    "invalid": "invalid",
    "crash": "crashes",
    "forfeit": "forfeits",
}


@dataclass
class Behaviour:
    """Failures and times of a bot over all its games."""

    statuses: Counter[str] = field(default_factory=Counter)
    slowest_ms: float = 0.0
    last_trouble: str = ""

    def add(self, report: SeatReport) -> None:
        self.statuses[report.status] += 1
        self.slowest_ms = max(self.slowest_ms, report.slowest_ms)
        if report.status != "ok":
            self.last_trouble = report.detail or report.status

    @property
    def troubles(self) -> str:
        """The number of failures of each kind; empty if there are none.

        >>> Behaviour(Counter(timeout=3, crash=1)).troubles
        '3 late, 1 crashed'
        """
        counts = ((self.statuses[status], word) for status, word in TROUBLES.items())
        return ", ".join(f"{count} {word}" for count, word in counts if count)


def failures_json(statuses: Counter[str]) -> dict[str, int]:
    """The number of failures of each kind, by its name in JSON."""
    return {name: statuses[status] for status, name in FAILURES.items()}


@dataclass
class ResultTally:
    """Counts of results, which do not depend on the order of the games."""

    games: dict[tuple[str, str], Counts] = field(default_factory=dict)
    """By (red, blue), from red's point of view."""
    behaviour: dict[str, Behaviour] = field(default_factory=dict)
    endings: dict[tuple[str, str], set[tuple[str | None, str, int]]] = field(default_factory=dict)
    """By (red, blue): the winner, reason and length of their games, each combination once."""

    def add(self, results: Iterable[GameResult]) -> "ResultTally":
        for result in results:
            red, blue, _ = result.fixture
            counts = self.games.get((red, blue), Counts())
            self.games[red, blue] = counts + RED_RESULT[result.winner]
            self.behaviour.setdefault(red, Behaviour()).add(result.red)
            self.behaviour.setdefault(blue, Behaviour()).add(result.blue)
            ending = result.winner, result.reason, result.rounds
            self.endings.setdefault((red, blue), set()).add(ending)
        return self

    def counts(self, bot: str) -> Counts:
        """All games of a bot."""
        total = Counts()
        for (red, blue), counts in self.games.items():
            if bot == red:
                total += counts
            elif bot == blue:
                total += counts.reversed()
        return total

    def met(self, bot: str, other: str) -> int:
        """The number of games between two bots."""
        return sum(
            self.games[seats].games for seats in ((bot, other), (other, bot)) if seats in self.games
        )

    def idle(self, bots: Iterable[str]) -> list[str]:
        """The bots that have not played."""
        playing = {bot for seats in self.games for bot in seats}
        return [bot for bot in bots if bot not in playing]

    def alike(self) -> list[tuple[str, str]]:
        """The pairs (red, blue) whose games, at least `MANY_ALIKE`, have all ended identically.

        If neither dice nor bots vary, these are repetitions of one game, but they count separately.
        """
        return sorted(
            seats
            for seats, endings in self.endings.items()
            if len(endings) == 1 and self.games[seats].games >= MANY_ALIKE
        )

    def groups(self, bots: Iterable[str]) -> list[list[str]]:
        """The bots in groups: two bots are in one group if games connect them."""
        group = {bot: [bot] for bot in bots}
        for red, blue in self.games:
            if red in group and blue in group and group[red] is not group[blue]:
                joined = group[red] + group[blue]
                for bot in joined:
                    group[bot] = joined
        return sorted({id(each): sorted(each) for each in group.values()}.values())
