"""A game to play and its result: what the judge shares with its callers.

All types here are plain and picklable, so that a task can be sent to another process or machine. A
task has everything that its game needs: played twice, it gives the same game if the bots play the
same.
"""

from typing import Annotated, Literal, get_args

import msgspec

from holmgang.arena.fixture import Fixture, parse_fixture
from holmgang.errors import UsageError
from holmgang.stats import percentile

Status = Literal["ok", "timeout", "invalid", "crash", "forfeit"]
"""Whether a seat failed in a game, and how, whoever won."""
STATUSES: tuple[Status, ...] = get_args(Status)
Winner = Annotated[str, msgspec.Meta(pattern="^(red|blue)$")]


class JudgeSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits under which bots play, and what is stored of their games. Raises UsageError."""

    first_ms: float = 1000.0
    """Time for the first answer of a game (F17)."""
    turn_ms: float = 50.0
    """Time for every other answer (F17)."""
    start_ms: float = 5000.0
    """Time for starting, and for the handshake if the protocol has one."""
    hard_ms: float = 10_000.0
    """Wall-clock limit for any answer."""
    game_ms: float | None = None
    """Time for all answers of a game together (None: no limit)."""
    strikes: int = 0
    """Late answers tolerated per game, if they come before `hard_ms` and within `game_ms`."""
    trust: bool = False
    """Whether bots run without a sandbox."""
    records: str | None = None
    """Folder for records (None: none are written)."""
    log: str | None = None
    """Folder for transcripts of all input and output of bots (None: none are written)."""
    ponder: bool = False
    """Whether bots may run while it is not their turn. Otherwise they are stopped."""
    memory_mb: int = 1024
    """Memory for each process of a bot."""
    processes: int = 64
    """The maximum number of processes and threads of a bot."""
    disk_mb: int = 64
    """Space for the files in a bot's private temporary folder."""

    def __post_init__(self) -> None:
        if self.hard_ms < max(self.first_ms, self.turn_ms):
            raise UsageError("--hard-ms cannot be less than --first-ms and --turn-ms")


class GameTask(msgspec.Struct, frozen=True):
    """One game. `red` and `blue` are players as people type them: a level, a folder with a
    `bot.toml`, or a command line.
    """

    id: str
    ruleset: str
    red: str
    blue: str
    seed: int
    settings: JudgeSettings = JudgeSettings()
    names: tuple[str, str] | None = None
    """The names of red and blue in the record (default: those that they give themselves)."""
    start: str | None = None
    """The starting position in the game's notation (default: that of the rules)."""
    folder: str | None = None
    """The folder of the contest. The seed can be read there, so the sandbox hides it from bots."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Folders from which the dice of this game could be predicted."""
        found = (self.folder, self.settings.records, self.settings.log)
        return tuple(each for each in found if each is not None)


class SeatReport(msgspec.Struct):
    """How one seat did in a game, whoever won. The judge fills it in; the log stores it."""

    status: Status = "ok"
    detail: str = ""
    """One sentence for people; empty if nothing went wrong."""
    answers: int = 0
    median_ms: float = 0.0
    slowest_ms: float = 0.0
    strikes: int = 0
    """Late answers that were tolerated."""
    dropped: int = 0
    """Answers to requests that were no longer open."""
    latencies_ms: list[float] = []
    """The time charged for each answer; empty in a log without times."""
    wall_ms: list[float] = []
    """The wall-clock time of each answer. If it is much longer, the machine was busy."""

    def close(self) -> None:
        """Sums up the times and rounds them, after the game."""
        times = sorted(self.latencies_ms)
        self.answers = len(times)
        if times:
            self.median_ms, self.slowest_ms = round(percentile(times, 0.5), 3), round(times[-1], 3)
        self.latencies_ms = [round(ms, 3) for ms in self.latencies_ms]
        self.wall_ms = [round(ms, 3) for ms in self.wall_ms]


class GameResult(msgspec.Struct, frozen=True):
    """The result of a task, and its line in the log. `winner` is "red", "blue" or None (a draw)."""

    id: str
    ruleset: str
    seed: int
    winner: Winner | None
    reason: str
    rounds: int
    red: SeatReport
    blue: SeatReport
    record: str | None = None
    """The file of the record, if there is one. In a log, its path is relative to the log."""

    @property
    def fixture(self) -> Fixture:
        """The fixture of this game, which must be part of a contest. Raises UsageError."""
        return parse_fixture(self.id)

    @property
    def red_points(self) -> float:
        return 0.5 if self.winner is None else float(self.winner == "red")
