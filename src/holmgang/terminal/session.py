"""A match as the front ends at a terminal play it, wherever the match is.

The full screen and the line mode play through `MatchSession` and through nothing else. `local.py`
has a match in this process, `online/session.py` one on a server.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol, TypeVar

from holmgang.engine.duel import Round
from holmgang.engine.frames import Replay
from holmgang.engine.menu import Option, listed
from holmgang.errors import DuelError, HolmgangError
from holmgang.games.contract import State
from holmgang.games.ruleset import Ruleset
from holmgang.terminal.commands import CommandVerb
from holmgang.wire.match import ForecastRow

Found = TypeVar("Found")


class Stage(Enum):
    """The next step of a match."""

    WAIT = auto()  # for someone who is not at this keyboard
    CHOOSE = auto()  # the person in the seat `asked`
    PASS = auto()  # the keyboard goes to `asked`
    REVEAL = auto()
    GAME_OVER = auto()
    MATCH_OVER = auto()


# What has happened


@dataclass(frozen=True)
class GameBegan:
    number: int
    rounds: tuple[Round, ...] = ()
    """Earlier rounds, if the game is continued."""


@dataclass(frozen=True)
class RoundRevealed:
    round: Round


@dataclass(frozen=True)
class GameEnded:
    state: State
    ending: str
    """A sentence."""
    score: str
    """Of the match, as a line; empty for a match of one game."""


@dataclass(frozen=True)
class Notice:
    """A message for people."""

    text: str
    is_lasting: bool = False
    """Whether it belongs in the story."""
    is_warning: bool = False
    is_aside: bool = False
    """Whether `notes` says the same for as long as it is true."""


@dataclass(frozen=True)
class RematchBegins:
    """Both want to play again, and the front end may leave this match for the next."""


News = GameBegan | RoundRevealed | GameEnded | Notice | RematchBegins
Forecasted = Callable[[list[ForecastRow] | HolmgangError], None]
Replayed = Callable[[Replay | HolmgangError], None]


class MatchSession(Protocol):
    """One match. Call `advance` and show what it returns, then do what `stage` says.

    Nothing here shows a choice before the reveal. Only `wait` waits.
    """

    ruleset: Ruleset
    is_online: bool
    has_left: bool
    """Whether `leave` was called."""
    verbs: Sequence[CommandVerb]
    """The commands that can be given."""
    forfeits: str
    """What is lost by giving up: this game, or the match."""
    _posted: deque[Callable[[], None]]
    _has_arrived: threading.Event
    _on_change: Callable[[], object] | None

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.has_left = ruleset, False
        self._posted, self._has_arrived, self._on_change = deque(), threading.Event(), None

    # State of the match

    @property
    def people(self) -> list[str]:
        """The seats of the people at this keyboard; none for a spectator."""

    @property
    def stage(self) -> Stage: ...

    @property
    def asked(self) -> str | None:
        """The seat of the person who has to choose next."""

    @property
    def commanding(self) -> str:
        """The seat for which a command is given. Raises `DuelError` for a spectator."""
        if not self.people:
            raise DuelError("You are watching; only the players can do that.")
        return self.asked or self.people[0]

    @property
    def chosen(self) -> str | None:
        """The choice of the person at this keyboard, if it can still be changed."""
        return None

    @property
    def is_hidden(self) -> bool:
        """Whether two people at this keyboard choose in this round, unseen by each other."""
        return False

    @property
    def is_busy(self) -> bool:
        """Whether the effect of the last command is not known yet."""
        return False

    @property
    def state(self) -> State: ...

    @property
    def game(self) -> int:
        """The number of the game in the match."""

    @property
    def round(self) -> int: ...

    @property
    def score(self) -> dict[str, int]: ...

    @property
    def wins_needed(self) -> int: ...

    @property
    def clock(self) -> str:
        """The remaining time for the choice; empty if there is no limit."""
        return ""

    @property
    def leave_note(self) -> str:
        """What happens to the match if the person leaves."""
        return "the match can be continued from there"

    @property
    def rematch_note(self) -> str:
        """What asking for a rematch would do; empty if there cannot be one."""
        return "the same again"

    @property
    def can_replay(self) -> bool:
        """Whether the last game can be watched again."""

    def menu(self, seat: str) -> list[Option]: ...

    # In words

    def title(self, seat: str) -> str:
        """Who sits there, such as `Blue (random)`."""
        name = "you" if self.people == [seat] else self._name(seat)
        return f"{seat.capitalize()} ({name})" if name else seat.capitalize()

    def _name(self, seat: str) -> str:
        """The name of the player; empty for two people at this keyboard."""

    def _titles(self, seats: Sequence[str]) -> str:
        return " and ".join(map(self.title, seats))

    def waiting_line(self) -> str:
        """What the match is waiting for."""

    def notes(self) -> list[str]:
        """Current notes for the status line; they may change at any time."""

    def end_line(self) -> str:
        """The result of the last game, and the score of the match."""

    def score_line(self) -> str:
        return score_line(self.score, self.wins_needed)

    def result_line(self) -> str:
        """The result of the match."""

    def farewell(self, *, is_told: bool = False) -> list[str]:
        """The result, unless it is told already, and how to continue or review the match."""
        return [*([] if is_told else [self.result_line()]), *self.record_lines()]

    def record_lines(self) -> list[str]:
        """How to continue or review the match."""

    # Work without input from the person

    def follow(self, on_change: Callable[[], object]) -> None:
        """Calls `on_change`, from another thread, whenever `advance` has something to do."""
        self._on_change = on_change

    def _post(self, work: Callable[[], None]) -> None:
        """Makes the next `advance` do something. Any thread may call this."""
        self._posted.append(work)
        self._has_arrived.set()
        if self._on_change is not None:
            self._on_change()

    def advance(self) -> list[News]:
        """Does the work that needs no input. Returns what has happened since the last call."""
        while self._posted and not self.has_left:
            self._posted.popleft()()
        return [] if self.has_left else self._go_on()

    def _go_on(self) -> list[News]: ...

    def wait(self, seconds: float | None = None) -> None:
        """Waits until `advance` has something to do, or until the timeout."""

    # Actions of the person. Their errors do not reveal what was typed.

    def next_game(self) -> None: ...

    def choose(self, typed: str) -> None: ...

    def undo(self) -> str:
        """Takes the last choice of a person in this round back, and returns that seat."""

    def take_keyboard(self) -> None:
        """Notes that the person asked has the keyboard now."""
        return

    def reveal(self) -> object:
        """Reveals the choices, in the stage REVEAL."""
        return None

    def forfeit(self, seat: str) -> object: ...

    def offer_draw(self, seat: str) -> str | None:
        """Offers a draw, or accepts one. Returns the seat of the person at this keyboard who has to
        answer, if there is one.
        """

    def answer_draw(self, seat: str, *, accepts: bool) -> None: ...

    def forecast(self, seat: str, word: str, then: Forecasted, most: int | None = None) -> None:
        """Calls `then` with what a choice would do: at once, or in a later `advance`. With `most`,
        only if there are no more possibilities than that.
        """

    def rematch(self) -> bool:
        """Asks for a rematch. True if it can begin at once; otherwise there will
        be news of it.
        """
        return True

    def replay(self, then: Replayed) -> None:
        """Calls `then` with the last game, for a replay: at once, or in a later `advance`."""

    def leave(self) -> None:
        """Leaves the match as it is; it can be continued."""


def answer(ask: Callable[[], Found], then: Callable[[Found | HolmgangError], object]) -> None:
    """Calls `then` with the result of `ask`, or with its error."""
    try:
        found: Found | HolmgangError = ask()
    except HolmgangError as error:
        found = error
    then(found)


def illegal_choice(offered: list[Option]) -> str:
    words = listed([option.word for option in offered])
    return f"That may not be chosen here. Choose one of {words}."


def ended_line(ending: str, winner: str | None, score: str) -> str:
    """The result of a game, and the score of the match."""
    return f"{ending}   {'A draw does not count' if winner is None else score}"


def score_line(score: dict[str, int], wins_needed: int) -> str:
    line = f"Red {score['red']} – {score['blue']} Blue"
    return f"{line}, first to {wins_needed}" if wins_needed > 1 else line
