"""`holmgang play`: starts a match on the full screen or in line mode."""

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from rich.console import Console

from holmgang.engine.archive import SavedMatch, read_match, recent_games, unfinished_match
from holmgang.engine.keeping import records_folder
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.machine import program
from holmgang.players.naming import HUMAN, parse_player
from holmgang.terminal.dialogue import Dialogue, is_terminal
from holmgang.terminal.glyphs import is_unicode
from holmgang.terminal.local import LocalSession, can_resume
from holmgang.terminal.plain import PlainPlay
from holmgang.terminal.progress import announcer
from holmgang.terminal.session import MatchSession
from holmgang.terminal.setup import Setup

if TYPE_CHECKING:
    from holmgang.terminal.screen.online import OnlineApp
    from holmgang.terminal.screen.play import PlayApp


def has_screen(*, plain: bool) -> bool:
    """Whether the full screen can be used. Textual reads stdin and draws on stderr."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return (
        not plain
        and os.environ.get("TERM", "") not in ("", "dumb")
        and all(map(is_terminal, streams))
        and is_unicode(sys.stderr)
    )


def play_match(
    game: str | None,
    *,
    red: str,
    blue: str | None,
    wins: int | None,
    seed: int | None,
    records: Path | None,
    plain: bool,
    trust: bool = False,
) -> None:
    """Plays a match until it is over or the person leaves; its records are complete either way."""
    ruleset = None if game is None else load(game)
    setup = Setup(ruleset, red, blue, wins, seed, records, trust)
    for text in (red, blue):
        if text is not None:  # refused before anything is asked
            parse_player(text, ruleset or load(next(iter(CATALOGUE))))
    if has_screen(plain=plain) and not setup.is_watched:
        play_on_screen(setup)
    else:
        begin_in_lines(setup.session())


def resume_match(record: Path | None, *, records: Path | None, plain: bool) -> None:
    """Continues the match of that record, or the newest that can be resumed."""
    if record is not None:
        saved: SavedMatch | None = read_match(record)
    else:
        saved = unfinished_match(recent_games(records), can_resume)
    if saved is None:
        raise UsageError(f"there is no match to resume in {records_folder(records)}")
    if saved.match.is_over:
        raise UsageError(f"the match of {record} is over; {program()} replay shows its games")
    if has_screen(plain=plain) and HUMAN in saved.names.values():
        play_on_screen(Setup(None, records=records), saved)
    else:
        begin_in_lines(LocalSession.resume(saved))


def make_ready(session: LocalSession) -> None:
    """Starts bots and prepares levels: in the background while a person plays, otherwise before
    the first game.
    """
    session.get_ready(None if session.people else announcer(Console(stderr=True)))


def play_on_screen(setup: Setup, saved: SavedMatch | None = None) -> None:
    from holmgang.terminal.screen.play import PlayApp

    run_app(PlayApp(setup, saved))


def run_app(app: "PlayApp | OnlineApp") -> NoReturn:
    """Runs the full screen, and ends the program as the person has ended it."""
    try:
        app.run()
    finally:
        for session in app.sessions:
            session.leave()
        for session in app.sessions[app.first_told :]:
            say_farewell(session, Dialogue())
    if app.return_code == 128 + signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(app.return_code)


def begin_in_lines(session: LocalSession) -> None:
    make_ready(session)
    session.next_game()
    play_in_lines(session, Dialogue())


def play_in_lines(session: MatchSession, dialogue: Dialogue) -> None:
    front = PlainPlay(session, dialogue)
    with ending_on_signals():
        try:
            front.play()
        except EOFError:
            dialogue.tell("The input has ended.")
        except KeyboardInterrupt:
            dialogue.say()
            raise
        finally:
            session.leave()
            say_farewell(session, dialogue, is_told=front.has_told_result)


def say_farewell(session: MatchSession, dialogue: Dialogue, *, is_told: bool = False) -> None:
    try:
        for line in ("", *session.farewell(is_told=is_told)):
            dialogue.say(line)
    except OSError as error:
        if error.errno != errno.EIO:  # the terminal itself is gone
            raise


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Turns signals to terminate into an exception, so that records are finished."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        sys.exit(128 + number)

    signals = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, end) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
