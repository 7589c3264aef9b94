"""`holmgang play`: seats the players, and hands the table to the full screen or to plain lines."""

import os
import sys
from pathlib import Path

from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.terminal.dialogue import Dialogue
from holmgang.terminal.glyphs import is_unicode
from holmgang.terminal.plain import PlainPlay
from holmgang.terminal.sitters import HUMAN, parse_sitter
from holmgang.terminal.table import Table


def has_screen(*, plain: bool) -> bool:
    """Whether the full screen can be used. Textual reads stdin and draws on stderr."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return (
        not plain
        and os.environ.get("TERM", "") not in ("", "dumb")
        and all(stream.isatty() for stream in streams)
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
    ruleset = None if game is None else load(game)
    red_sitter = parse_sitter(red)
    blue_sitter = None if blue is None else parse_sitter(blue)
    screen = has_screen(plain=plain)
    if screen and (ruleset is None or blue_sitter is None):
        raise NotImplementedError
    if ruleset is None:
        raise UsageError(f"which game? There are {', '.join(CATALOGUE)}")
    if blue_sitter is None:
        raise UsageError(f"who plays blue? Say --vs {HUMAN} or --vs and a level")
    table = Table(ruleset, red_sitter, blue_sitter, wins=wins, seed=seed, records=records)
    play_plain(table)


def play_plain(table: Table) -> None:
    dialogue = Dialogue()
    try:
        PlainPlay(table, dialogue).play()
    except EOFError:
        table.leave()
        dialogue.tell("The input has ended.")
    except KeyboardInterrupt:
        table.leave()
        dialogue.say()
        say_farewell(table, dialogue)
        raise
    finally:
        table.leave()
    say_farewell(table, dialogue)


def say_farewell(table: Table, dialogue: Dialogue) -> None:
    dialogue.say()
    for line in table.farewell():
        dialogue.say(line)
