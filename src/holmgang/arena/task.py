"""A game to be played and what came of it: all that the judge and whoever orders games share.

Everything here is plain and picklable, so that a task can be sent to another process or machine. A
task holds all it needs, and playing it twice gives the same game if its bots play the same.
"""

from dataclasses import dataclass

from holmgang.errors import UsageError
from holmgang.games.shape import brief

STATUSES = ("ok", "timeout", "invalid", "crash", "forfeit")
"""How a seat came out of a game, apart from who won; never merged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The limits that bots play under, and what is kept of their games. Raises UsageError."""

    first_ms: float = 1000.0
    """For the first answer of a game (F17)."""
    turn_ms: float = 50.0
    """For every other answer (F17)."""
    start_ms: float = 5000.0
    """For starting and shaking hands, where the protocol has that."""
    hard_ms: float = 10_000.0
    """For any answer, by the clock on the wall, however busy the machine is."""
    game_ms: float | None = None
    """For all answers of a game together, if there is such a limit."""
    strikes: int = 0
    """Late answers tolerated in a game, if they come before `hard_ms` and within `game_ms`."""
    trust: bool = False
    """Bots run as ordinary programs, in no sandbox."""
    records: str | None = None
    """The folder for records, if they are wanted."""
    log: str | None = None
    """The folder for logs of what bots were sent and answered, if they are wanted."""
    ponder: bool = False
    """Bots may run while they are not asked. If not, they are stopped."""
    memory_mb: int = 1024
    """For each process of a bot."""
    processes: int = 64
    """Processes and threads of a bot."""
    disk_mb: int = 64
    """For what a bot writes to its private folder for temporary files."""

    def __post_init__(self) -> None:
        if self.hard_ms < max(self.first_ms, self.turn_ms):
            raise UsageError("--hard-ms cannot be less than --first-ms and --turn-ms")


@dataclass(frozen=True, slots=True)
class GameTask:
    """One game. `red` and `blue` are players as people type them: a level, a folder with a
    `bot.toml`, or a command line.
    """

    id: str
    ruleset: str
    red: str
    blue: str
    seed: int
    settings: Settings = Settings()
    names: tuple[str, str] | None = None
    """What whoever ordered the game calls red and blue. Without it, they say that themselves."""
    start: str | None = None
    """The state to start from, as the game's notation has it; None for the start of the rules."""
    folder: str | None = None
    """Where the run is kept. Its seed can be read there, so bots in a sandbox do not see it."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Folders from which the draws of this game could be predicted."""
        found = (self.folder, self.settings.records, self.settings.log)
        return tuple(each for each in found if each is not None)


@dataclass(frozen=True, slots=True)
class SeatReport:
    """How one seat did, whoever won."""

    status: str = "ok"
    detail: str = ""
    """One sentence for people; empty if all went well."""
    latencies_ms: tuple[float, ...] = ()
    """The time charged, one for each answer."""
    wall_ms: tuple[float, ...] = ()
    """The same by the clock on the wall; where it is much more, the machine was busy."""
    strikes: int = 0
    """Late answers that were let pass."""
    dropped: int = 0
    """Answers to a request that was over already."""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise UsageError(f"a status is one of {', '.join(STATUSES)}; not {brief(self.status)}")


@dataclass(frozen=True, slots=True)
class GameResult:
    """What came of a task. `winner` is "red", "blue" or None for a draw."""

    id: str
    ruleset: str
    seed: int
    winner: str | None
    reason: str
    rounds: int
    red: SeatReport
    blue: SeatReport
    record: str | None = None
    """The file of the record, if it was wanted."""
