"""The score of a match of two players: wins, times and failures. A `Contest` plays the games."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from holmgang.arena.counting.results import Results
from holmgang.arena.counting.standings import damage_notes
from holmgang.arena.counting.tally import MANY_ALIKE, failures_json
from holmgang.arena.events.schedule import Series
from holmgang.arena.events.tournament import Contest, Tournament
from holmgang.arena.task import GameResult, SeatReport
from holmgang.games.shape import JsonObject
from holmgang.stats import percentiles

ALIKE = (
    "All games with the same seats had the same result and length: if they are identical, they"
    " count as one."
)


@dataclass
class PlayerScore:
    """The score of one player in the games so far."""

    name: str
    wins: int = 0
    losses: int = 0
    draws: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    strikes: int = 0
    dropped: int = 0
    details: Counter[str] = field(default_factory=Counter)
    """The number of failures with each description."""
    latencies_ms: list[float] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)

    def add(self, seat: str, winner: str | None, report: SeatReport) -> None:
        self.draws += winner is None
        self.wins += winner == seat
        self.losses += winner not in (None, seat)
        self.statuses[report.status] += 1
        if report.detail:
            self.details[f"{report.status}: {report.detail}"] += 1
        self.strikes += report.strikes
        self.dropped += report.dropped
        self.latencies_ms += report.latencies_ms
        self.wall_ms += report.wall_ms

    def as_json(self) -> JsonObject:
        return {
            "name": self.name,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            **failures_json(self.statuses),
            "strikes": self.strikes,
            "dropped": self.dropped,
            "answers": len(self.latencies_ms),
            "latency_ms": percentiles(self.latencies_ms),
            "wall_ms": percentiles(self.wall_ms),
        }


@dataclass
class MatchScore:
    """The score of a match so far."""

    ruleset: str
    seed: int
    swap: bool
    bots: tuple[PlayerScore, PlayerScore]
    planned: int
    folder: Path = Path()
    """The folder of the log; paths of records are relative to it."""
    games: int = 0
    rounds: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    records: list[str] = field(default_factory=list)
    lost: str | None = None
    """The record of the first game that A lost."""
    endings: set[tuple[bool, str | None, str, int]] = field(default_factory=set)
    """All endings: whether seats were swapped, winner, reason and rounds."""
    damage: Sequence[str] = ()
    """A sentence for each line of the log that cannot be read."""

    @classmethod
    def of(cls, contest: Contest) -> "MatchScore":
        plan, series = contest.plan, contest.schedule
        assert isinstance(series, Series)  # noqa: S101 - the contest is a match
        first, second = (PlayerScore(entrant.label) for entrant in plan.entrants)
        folder = contest.folder if isinstance(contest, Tournament) else Path()
        score = cls(plan.ruleset, contest.seed, plan.swap, (first, second), plan.games, folder)
        score.count(series, contest.results())
        return score

    def count(self, series: Series, results: Results) -> None:
        """Counts the played games of a series, in its order, so that the score does not depend on
        which worker finished first.
        """
        self.damage = results.damage
        for fixture in series.fixtures():
            if fixture.id in results:
                self.add(results[fixture.id], is_swapped=fixture.red != series.bot)

    def add(self, result: GameResult, *, is_swapped: bool) -> None:
        reports = {"red": result.red, "blue": result.blue}
        seats = ("blue", "red") if is_swapped else ("red", "blue")
        for score, seat in zip(self.bots, seats, strict=True):
            score.add(seat, result.winner, reports[seat])
        self.games += 1
        self.rounds += result.rounds
        self.reasons[result.reason] += 1
        self.endings.add((is_swapped, result.winner, result.reason, result.rounds))
        if result.record is not None:
            record = str(self.folder / result.record)
            self.records.append(record)
            if self.lost is None and result.winner == seats[1]:
                self.lost = record

    @property
    def notes(self) -> list[str]:
        """Caveats about the score."""
        is_alike = len(self.endings) == len({swapped for swapped, *_ in self.endings})
        is_fair_play = not any(score.details for score in self.bots)
        alike = [ALIKE] if is_alike and is_fair_play and self.games >= MANY_ALIKE else []
        return [*damage_notes(self.damage), *alike]

    def as_json(self) -> JsonObject:
        return {
            "ruleset": self.ruleset,
            "seed": self.seed,
            "swap": self.swap,
            "games": self.games,
            "missing": self.planned - self.games,
            "rounds": self.rounds,
            "reasons": self.reasons,
            "bots": [score.as_json() for score in self.bots],
            "notes": self.notes,
            "records": self.records,
        }
