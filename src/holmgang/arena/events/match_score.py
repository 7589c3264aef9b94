"""What came of a match of two: wins, times, and what went wrong. Its games are a `Contest`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holmgang.arena.counting.results import Results
from holmgang.arena.counting.standings import damage_notes
from holmgang.arena.events.schedule import Series
from holmgang.arena.events.tournament import Contest, Tournament
from holmgang.arena.task import GameResult, SeatReport
from holmgang.stats import percentiles


@dataclass
class PlayerScore:
    """How one player did in the games so far."""

    name: str
    wins: int = 0
    losses: int = 0
    draws: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    strikes: int = 0
    dropped: int = 0
    details: dict[str, int] = field(default_factory=dict)
    """What went wrong, in words, and how often."""
    latencies_ms: list[float] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)

    def add(self, seat: str, winner: str | None, report: SeatReport) -> None:
        if winner is None:
            self.draws += 1
        elif winner == seat:
            self.wins += 1
        else:
            self.losses += 1
        self.statuses[report.status] = self.statuses.get(report.status, 0) + 1
        if report.detail:
            detail = f"{report.status}: {report.detail}"
            self.details[detail] = self.details.get(detail, 0) + 1
        self.strikes += report.strikes
        self.dropped += report.dropped
        self.latencies_ms += report.latencies_ms
        self.wall_ms += report.wall_ms

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "timeouts": self.statuses.get("timeout", 0),
            "invalid": self.statuses.get("invalid", 0),
            "crashes": self.statuses.get("crash", 0),
            "forfeits": self.statuses.get("forfeit", 0),
            "strikes": self.strikes,
            "dropped": self.dropped,
            "answers": len(self.latencies_ms),
            "latency_ms": percentiles(self.latencies_ms),
            "wall_ms": percentiles(self.wall_ms),
        }


MANY_ALIKE = 6
ALIKE = (
    "All games with the same seats ended alike, after the same number of rounds: if the bots repeat"
    " one game, it counts only once."
)


@dataclass
class MatchScore:
    """A match as far as it has been played."""

    ruleset: str
    seed: int
    swap: bool
    bots: tuple[PlayerScore, PlayerScore]
    planned: int
    folder: Path = Path()
    """Where the log is, from which it names records."""
    games: int = 0
    rounds: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    records: list[str] = field(default_factory=list)
    lost: str | None = None
    """The record of the first game that A lost."""
    endings: set[tuple[bool, str | None, str, int]] = field(default_factory=set)
    """In how many ways games ended: with seats exchanged or not, winner, reason, and rounds."""
    damage: Sequence[str] = ()
    """Lines of the log that cannot be read."""

    @classmethod
    def of(cls, contest: Contest) -> "MatchScore":
        """The score of a match so far."""
        plan, series = contest.plan, contest.schedule
        assert isinstance(series, Series)  # noqa: S101 - the contest is a match
        first, second = (PlayerScore(entrant.label) for entrant in plan.entrants)
        folder = contest.folder if isinstance(contest, Tournament) else Path()
        score = cls(plan.ruleset, contest.seed, plan.swap, (first, second), plan.games, folder)
        score.count(series, contest.results())
        return score

    def count(self, series: Series, results: Results) -> None:
        """Counts the games of a series that have been played, in its order: the result does not
        depend on which worker was first.
        """
        self.damage = results.damage
        for fixture in series.fixtures():
            if fixture.id in results:
                self.add(results[fixture.id], is_swapped=fixture.red != series.bot)

    def add(self, result: GameResult, *, is_swapped: bool) -> None:
        reports = {"red": result.red, "blue": result.blue}
        seats = ("blue", "red") if is_swapped else ("red", "blue")
        for tally, seat in zip(self.bots, seats, strict=True):
            tally.add(seat, result.winner, reports[seat])
        self.games += 1
        self.rounds += result.rounds
        self.reasons[result.reason] = self.reasons.get(result.reason, 0) + 1
        self.endings.add((is_swapped, result.winner, result.reason, result.rounds))
        if result.record is not None:
            record = str(self.folder / result.record)
            self.records.append(record)
            if self.lost is None and result.winner == seats[1]:
                self.lost = record

    @property
    def notes(self) -> list[str]:
        """What to know before believing the score."""
        is_alike = len(self.endings) == len({swapped for swapped, *_ in self.endings})
        is_fair_play = not any(tally.details for tally in self.bots)
        alike = [ALIKE] if is_alike and is_fair_play and self.games >= MANY_ALIKE else []
        return [*damage_notes(self.damage), *alike]

    def as_json(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset,
            "seed": self.seed,
            "swap": self.swap,
            "games": self.games,
            "missing": self.planned - self.games,
            "rounds": self.rounds,
            "reasons": self.reasons,
            "bots": [tally.as_json() for tally in self.bots],
            "notes": self.notes,
            "records": self.records,
        }
