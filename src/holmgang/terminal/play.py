"""`holmgang play`: seats the players, and hands the table to the full screen or to plain lines."""

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from rich.console import Console

from holmgang.games.ruleset import load
from holmgang.terminal.dialogue import Dialogue, is_terminal
from holmgang.terminal.glyphs import is_unicode
from holmgang.terminal.plain import PlainPlay
from holmgang.terminal.progress import announcer
from holmgang.terminal.setup import Setup
from holmgang.terminal.sitters import parse_sitter
from holmgang.terminal.table import Table


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
) -> None:
    """Plays a match to its end, or until the person leaves; its records are whole either way."""
    setup = Setup(
        None if game is None else load(game),
        parse_sitter(red),
        None if blue is None else parse_sitter(blue),
        wins,
        seed,
        records,
    )
    is_watched = setup.is_settled and not any(
        sitter.is_human for sitter in (setup.red, setup.blue) if sitter is not None
    )
    if is_watched:
        make_ready(setup)
    if has_screen(plain=plain) and not is_watched:
        play_on_screen(setup)
    else:
        table = setup.table()
        if not is_watched:
            table.get_ready()
        play_in_lines(table)


def make_ready(setup: Setup) -> None:
    """Compiles and solves what two levels need, and says so: nobody else has anything to do."""
    announce = announcer(Console(stderr=True))
    for sitter in (setup.red, setup.blue):
        if setup.ruleset is not None and sitter is not None and sitter.level is not None:
            sitter.level.ready(setup.ruleset, announce, wait=True)


def play_on_screen(setup: Setup) -> None:
    from holmgang.terminal.screen.play import PlayApp

    app = PlayApp(setup)
    try:
        app.run()
    finally:
        for table in app.tables:
            table.leave()
        for table in app.tables:
            say_farewell(table, Dialogue())
    if app.return_code == 128 + signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(app.return_code)


def play_in_lines(table: Table) -> None:
    dialogue = Dialogue()
    with ending_on_signals():
        try:
            PlainPlay(table, dialogue).play()
        except EOFError:
            dialogue.tell("The input has ended.")
        except KeyboardInterrupt:
            dialogue.say()
            raise
        finally:
            table.leave()
            say_farewell(table, dialogue)


def say_farewell(table: Table, dialogue: Dialogue) -> None:
    try:
        for line in ("", *table.farewell()):
            dialogue.say(line)
    except OSError as error:
        if error.errno != errno.EIO:  # the terminal itself is gone
            raise


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Turns a request to end into an exception, so that records are finished."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        sys.exit(128 + number)

    signals = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, end) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
