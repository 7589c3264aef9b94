"""A match of two contestants: its games, and who came out how."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from holmgang.arena.task import GameResult, GameTask, SeatReport, Settings
from holmgang.engine.keys import game_seed, parse_seed
from holmgang.games.ruleset import as_ruleset

PERCENTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}


def match_tasks(
    ruleset: str,
    first: str,
    second: str,
    games: int,
    *,
    seed: int | None = None,
    swap: bool = True,
    settings: Settings = Settings(),  # noqa: B008 - it is frozen
    names: tuple[str, str] | None = None,
) -> list[GameTask]:
    """The games of a match. With `swap`, the two exchange seats after every game; without, the
    first contestant is always red. The seed is random by default.

    >>> for task in match_tasks("bagh", "random", "search", 3, seed=0):
    ...     print(task.id, task.red, task.blue, task.seed % 1000)
    bagh-seed0-1 random search 203
    bagh-seed0-2 search random 9
    bagh-seed0-3 random search 488
    """
    rules = as_ruleset(ruleset)
    seed = parse_seed(seed)
    tasks = []
    for index in range(games):
        is_swapped = swap and index % 2 == 1
        red, blue = (second, first) if is_swapped else (first, second)
        tasks.append(
            GameTask(
                id=f"{rules.entry.name}-seed{seed}-{index + 1}",
                ruleset=rules.text,
                red=red,
                blue=blue,
                seed=game_seed(seed, index + 1),
                settings=settings,
                names=(names[1], names[0]) if names and is_swapped else names,
            )
        )
    return tasks


@dataclass
class Tally:
    """How one contestant did in the games so far."""

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
            told = f"{report.status}: {report.detail}"
            self.details[told] = self.details.get(told, 0) + 1
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
    "All games with the same seats ended alike, after as many rounds: if they are one game over and"
    " over, they count for one."
)


@dataclass
class Standing:
    """A match as far as it has come."""

    ruleset: str
    seed: int
    swap: bool
    bots: tuple[Tally, Tally]
    games: int = 0
    rounds: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    records: list[str] = field(default_factory=list)
    lost: str | None = None
    """The record of the first game that A lost."""
    endings: set[tuple[bool, str | None, str, int]] = field(default_factory=set)
    """In how many ways games ended: with seats exchanged or not, winner, reason, and rounds."""

    def add(self, result: GameResult) -> None:
        """Counts the next game."""
        swapped = self.swap and self.games % 2 == 1
        reports = {"red": result.red, "blue": result.blue}
        seats = ("blue", "red") if swapped else ("red", "blue")
        for tally, seat in zip(self.bots, seats, strict=True):
            tally.add(seat, result.winner, reports[seat])
        self.games += 1
        self.rounds += result.rounds
        self.reasons[result.reason] = self.reasons.get(result.reason, 0) + 1
        self.endings.add((swapped, result.winner, result.reason, result.rounds))
        if result.record is not None:
            self.records.append(result.record)
            if self.lost is None and result.winner == seats[1]:
                self.lost = result.record

    @property
    def notes(self) -> list[str]:
        """What to know before believing the score."""
        is_alike = len(self.endings) == len({swapped for swapped, *_ in self.endings})
        is_fair_play = not any(tally.details for tally in self.bots)
        return [ALIKE] if is_alike and is_fair_play and self.games >= MANY_ALIKE else []

    def as_json(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset,
            "seed": self.seed,
            "swap": self.swap,
            "games": self.games,
            "rounds": self.rounds,
            "reasons": self.reasons,
            "bots": [tally.as_json() for tally in self.bots],
            "notes": self.notes,
            "records": self.records,
        }


def percentiles(times: Iterable[float]) -> dict[str, float | None]:
    """The middle, the tail and the worst of some times.

    >>> percentiles([3.0, 1.0, 2.0])
    {'p50': 2.0, 'p90': 3.0, 'p99': 3.0, 'max': 3.0}
    """
    ordered = sorted(times)
    if not ordered:
        return dict.fromkeys(PERCENTILES)
    last = len(ordered) - 1
    return {
        name: ordered[min(last, int(share * len(ordered)))] for name, share in PERCENTILES.items()
    }
