"""Makes a folder with a small working bot, for its author to improve.

The programs are templates in `starters/`, one folder for each protocol and language, with
placeholders such as @NAME@. They know no rules and pick one of the offered choices.
"""

import getpass
import shlex
import shutil
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import orjson

from holmgang.arena import codingame
from holmgang.arena.protocol import LONGEST_NAME, format_head, format_request
from holmgang.arena.task import JudgeSettings
from holmgang.arena.workshop.build import build_command
from holmgang.errors import UsageError
from holmgang.games.contract import BLUE, RED
from holmgang.games.fencing import notation
from holmgang.games.finding import typed
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import brief
from holmgang.players.naming import MANIFEST, PROTOCOLS, spoken

LANGUAGES = {
    "python": "Python",
    "javascript": "JavaScript",
    "c": "C",
    "cpp": "C++",
    "rust": "Rust",
    "java": "Java",
    "go": "Go",
}
README = "README.md"
SIMPLEST = load("fencing:league=1")  # every league has its words


def new_bot(ruleset: Ruleset, language: str, folder: Path, *, protocol: str = "json") -> list[str]:
    """Writes a bot to a new folder, whose name becomes the bot's. Returns the names of its files,
    the program first. Does not build it. Raises UsageError.
    """
    if language not in LANGUAGES:
        raise UsageError(f"no starter in {brief(language)}; there are {', '.join(LANGUAGES)}")
    if protocol not in PROTOCOLS:
        raise UsageError(f"a protocol is {' or '.join(PROTOCOLS)}; not {brief(protocol)}")
    spoken(protocol, ruleset)
    name = checked_name(folder)
    starters = files("holmgang.arena.workshop") / "starters" / protocol
    starter = sorted(
        (file for file in (starters / language).iterdir() if file.is_file()),  # pip compiles bot.py
        key=lambda file: file.name == MANIFEST,
    )
    marks = {
        "@NAME@": name,
        "@AUTHOR@": author(),
        "@RULESET@": ruleset.text,
        "@SOURCE@": starter[0].name,
        **(json_marks(ruleset) if protocol == "json" else codingame_marks(ruleset)),
    }
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(f"{folder} already exists and was not changed") from None
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from None
    try:
        for file in starter:
            write_filled(file, marks, folder)
        marks["@COMMANDS@"] = commands(folder, ruleset)
        write_filled(starters / README, marks, folder)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise UsageError(f"cannot write to {folder}: {error.strerror}") from None
        raise
    return [*(file.name for file in starter), README]


def checked_name(folder: Path) -> str:
    """The name of a folder, if it needs no quoting in any language. Raises UsageError."""
    name = folder.absolute().name
    if len(name) > LONGEST_NAME or not any(map(str.isalnum, name)) or tidy(name) != name:
        raise UsageError(
            f"{brief(name)} cannot be the name of a bot: take letters, digits and any of - _ . and "
            f"blanks, at most {LONGEST_NAME} of them"
        )
    return name


def tidy(text: str) -> str:
    return "".join(each for each in text if each.isalnum() or each in "-_. ")


def author() -> str:
    """The name of the user."""
    try:
        return tidy(getpass.getuser())[:LONGEST_NAME].strip() or "anonymous"
    except (OSError, KeyError):
        return "anonymous"


def json_marks(ruleset: Ruleset) -> dict[str, str]:
    """The first request of a game, as the judge writes it."""
    start = ruleset.initial()
    seat = RED if ruleset.choices(start, RED) else BLUE
    request = format_request(
        format_head(ruleset, seat),
        id=1,
        round=1,
        state=orjson.dumps(ruleset.format_state(start)),
        choices=orjson.dumps(ruleset.words(start, seat)),
        last=b"null",
        time_ms=JudgeSettings().first_ms,
        latency_ms=None,
    )
    shown = orjson.dumps(orjson.loads(request), option=orjson.OPT_INDENT_2)
    return {"@REQUEST@": shown.decode()}


def codingame_marks(ruleset: Ruleset) -> dict[str, str]:
    """The first turn of a game, and its words."""
    menu = [word.upper() for word in notation.words_of_league(ruleset.rules)]
    simple = [word.upper() for word in notation.words_of_league(SIMPLEST.rules)]
    return {
        "@REQUEST@": codingame.format_turn(ruleset, ruleset.initial(), RED).rstrip("\n"),
        "@MENU@": ", ".join(f"`{word}`" for word in menu),
        "@WORDS@": '", "'.join(simple),
    }


def commands(folder: Path, ruleset: Ruleset) -> str:
    """The first commands to type in the bot's folder."""
    text = shlex.quote(typed(ruleset, is_here=False))
    words = build_command(folder)
    lines = [] if words is None else [f"{shlex.join(words)}    # after every change"]
    lines += [
        f"holmgang check . {text}    # is it sound?",
        f"holmgang match {text} . random --games 100",
    ]
    return "\n".join(lines)


def write_filled(file: Traversable, marks: dict[str, str], folder: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for mark, value in marks.items():
        text = text.replace(mark, value)
    (folder / file.name).write_text(text, encoding="utf-8")
