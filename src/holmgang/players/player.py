"""The interface of players, and the loop in which two of them play a game."""

from collections.abc import Sequence
from typing import Literal, Protocol, get_args

from holmgang.engine.course import Course
from holmgang.errors import HolmgangError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS
from holmgang.games.outcome import Outcome

Failure = Literal["crash", "timeout", "invalid", "forfeit"]
WORST_FIRST: tuple[Failure, ...] = get_args(Failure)
"""If both players fail in the same round, the first of these is the reason of the outcome."""


class Failed(HolmgangError):  # noqa: N818 - an outcome of a game rather than an error
    """A player has lost its game because it gave no legal choice in time. `status` is the kind of
    failure; the message is for people.
    """

    def __init__(
        self, status: Failure, detail: str, took_ms: tuple[float, float] | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.took_ms = took_ms
        """The time charged and the wall-clock time, if no answer came."""


class Player(Protocol):
    """Makes one seat's choices in one game: a level or a bot. People choose through their shell.

    A player sees the course of the game, which contains only the choices of finished rounds.
    """

    @property
    def name(self) -> str: ...

    def choose(self, course: Course) -> int:
        """The choice in the open round. Raises `Failed`."""
        ...

    def accepts_draw(self, course: Course) -> bool:
        """Whether it accepts a draw that its opponent offers."""
        ...


def play_game(course: Course, players: Sequence[Player]) -> dict[int, Failed]:
    """Plays the game to its end. Returns the failures by seat; a player that fails loses."""
    red, blue = players
    while course.outcome is None:
        failures: dict[int, Failed] = {}
        choices = (
            ask(red, RED, course, failures),
            ask(blue, BLUE, course, failures),  # both are asked before either is judged (F16)
        )
        if failures:
            course.end(judged(course, failures))
            return failures
        course.play(*choices)
    return {}


def ask(player: Player, seat: int, course: Course, failures: dict[int, Failed]) -> int:
    if not course.position.choices[seat]:
        return NO_CHOICE
    try:
        return player.choose(course)
    except Failed as failed:
        failures[seat] = failed
        return NO_CHOICE


def judged(course: Course, failures: dict[int, Failed]) -> Outcome:
    """The outcome of a game in which these seats failed."""
    failed = [SEATS[seat] for seat in sorted(failures)]
    reason = min((failures[seat].status for seat in failures), key=WORST_FIRST.index)
    if reason != "forfeit":
        return course.ruleset.disqualification(failed, reason)
    if len(failed) == 2:
        return Outcome(None, "agreement")
    return Outcome("blue" if failed == ["red"] else "red", "forfeit")
