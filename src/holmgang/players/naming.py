"""Names of players: `human`, a level (`perfect`, `search:50`), a folder with a `bot.toml`
(`./my-bot`), or a command line (`'python3 bot.py'`). `NAME=…` before it sets another name.

`json:` or `codingame:` before a folder or a command line sets the protocol of a bot. Otherwise its
`bot.toml` does; the default is CodinGame's protocol for fencing and JSON for all other games.
"""

import re
import shlex
import shutil
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from holmgang.errors import UsageError
from holmgang.games import fencing
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject, brief, printable
from holmgang.players.levels import KINDS, Level, find_level

PROTOCOLS = ("json", "codingame")
MANIFEST = "bot.toml"
LONGEST_COMMAND = 10_000  # characters
HUMAN = "human"
PLAYER_NAME = r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*"
"""The pattern of a player's name: valid in file names, and without two hyphens in a row."""
LONGEST_NAME = 40
NAMED = re.compile(rf"({PLAYER_NAME})=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Bot:
    """A program that plays."""

    name: str
    text: str
    """The player as typed."""
    command: tuple[str, ...]
    folder: str
    """The working directory."""
    protocol: str
    own: str | None
    """The bot's own folder, if any: a sandbox shows it only this and installed programs."""


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A player as typed, with its name."""

    name: str
    text: str
    """As typed, without `NAME=`."""
    player: Level | Bot | None
    """None for a person, who chooses through a shell."""

    @property
    def is_human(self) -> bool:
        return self.player is None

    @property
    def level(self) -> Level | None:
        return self.player if isinstance(self.player, Level) else None

    @property
    def bot(self) -> Bot | None:
        return self.player if isinstance(self.player, Bot) else None


def parse_player(text: str, ruleset: Ruleset) -> NamedPlayer:
    """The player that the text names, which may be a person. Raises `UsageError`.

    >>> from holmgang.games.ruleset import load
    >>> parse_player("old=search:50", load("bagh")).name
    'old'
    >>> parse_player("human", load("bagh")).is_human
    True
    """
    given, body = split_name(text)
    if body == HUMAN:
        return NamedPlayer(given or HUMAN, body, None)
    player = find_player(body, ruleset)
    return NamedPlayer(given or player.name, body, player)


def is_human(text: str) -> bool:
    """Whether the text names a person."""
    return split_name(text)[1] == HUMAN


def split_name(text: str) -> tuple[str | None, str]:
    """The name before `=`, if there is one, and the rest. Raises `UsageError`.

    >>> split_name("old=python3 bot.py"), split_name("greedy")
    (('old', 'python3 bot.py'), (None, 'greedy'))
    """
    named = NAMED.fullmatch(text)
    if named is None:
        return None, text
    if len(named[1]) > LONGEST_NAME:
        raise UsageError(f"the name {brief(named[1])} is longer than {LONGEST_NAME} characters")
    return named[1], named[2]


def find_player(text: str, ruleset: Ruleset) -> Level | Bot:
    """The level or bot that the text names. Raises `UsageError`, which suggests alternatives.

    >>> from holmgang.games.ruleset import load
    >>> find_player("random", load("bagh")).name
    'random'
    >>> find_player("python3 -c 'print(1)'", load("fencing")).protocol
    'codingame'
    """
    said, body = split_protocol(text)
    protocol = said.removesuffix(":") or None
    if not body:
        raise UsageError(f"{brief(text)} does not name a player")
    if protocol is None and body.partition(":")[0] in KINDS:
        return find_level(body)  # even if there is a folder of this name: that is ./random
    if is_folder(body):
        return from_folder(text, Path(body), protocol, ruleset)
    if protocol is None and is_word(body) and ("/" in body or shutil.which(body) is None):
        raise UsageError(unknown(body))
    return from_command(text, body, protocol, ruleset)


def unknown(word: str) -> str:
    """An error message for a word that names no level or bot.

    >>> unknown("gredy")
    "unknown player 'gredy'; did you mean greedy?"
    """
    if word == HUMAN:
        return "only levels and bots can play here; people play with holmgang play"
    close = get_close_matches(word.partition(":")[0].lower(), KINDS, 1)
    if close:
        return f"unknown player {brief(word)}; did you mean {close[0]}?"
    return (
        f"unknown player {brief(word)}; name a level ({', '.join(KINDS)}), a folder with a "
        f"{MANIFEST}, or a command line such as 'python3 bot.py'"
    )


def split_protocol(text: str) -> tuple[str, str]:
    """The protocol with its colon, or an empty string if none is given, and the rest.

    >>> split_protocol("json:bots/ann")
    ('json:', 'bots/ann')
    """
    prefix, colon, rest = text.partition(":")
    return (prefix + colon, rest.strip()) if colon and prefix in PROTOCOLS else ("", text.strip())


def is_word(text: str) -> bool:
    return not any(character.isspace() for character in text) and not is_there(text)


def is_there(path: str) -> bool:
    """Whether an arbitrary text is the path of an existing file or folder."""
    try:
        return Path(path).exists()
    except OSError:  # too long for a path, or in a folder without permission
        return False


def is_folder(path: str) -> bool:
    return is_there(path) and Path(path).is_dir()


def is_file(path: str) -> bool:
    return is_there(path) and Path(path).is_file()


def from_command(text: str, command: str, protocol: str | None, ruleset: Ruleset) -> Bot:
    words = split_words(command)
    return Bot(
        name=text,
        text=text,
        command=checked(text, words, Path.cwd()),
        folder=str(Path.cwd()),
        protocol=spoken(protocol, ruleset),
        own=own_folder(words),
    )


def split_words(command: str, where: str = "") -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"{where}{brief(command)} is not a command line: {error}") from None


def own_folder(words: tuple[str, ...]) -> str | None:
    """The folder of the first path among a command's arguments, or else of its program: if an
    argument is a file, the program is assumed to be its interpreter.
    """
    named = [Path(word).resolve() for word in words[1:] if is_there(word)]
    if not named and "/" in words[0]:
        named = [Path(words[0]).resolve()]
    if not named:
        return None
    return str(named[0] if named[0].is_dir() else named[0].parent)


def from_folder(text: str, folder: Path, protocol: str | None, ruleset: Ruleset) -> Bot:
    manifest = read_manifest(folder)
    words = command_words(folder, manifest.get("command"), 'command = "python3 bot.py"')
    said = manifest.get("protocol")
    if said not in (None, *PROTOCOLS):
        raise UsageError(
            f"{folder / MANIFEST}: protocol is {' or '.join(PROTOCOLS)}; not {brief(said)}"
        )
    folder = folder.resolve()
    return Bot(
        name=printable(folder.name),
        text=text,
        command=checked(text, words, folder, manifest.get("build")),
        folder=str(folder),
        protocol=spoken(protocol or said, ruleset),
        own=str(folder),
    )


def read_manifest(folder: Path) -> JsonObject:
    if not is_file(str(folder / MANIFEST)):
        raise UsageError(
            f"{folder} is not a bot: it has no {MANIFEST}; write one with a line such as "
            'command = "python3 bot.py"'
        )
    try:
        return tomllib.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {folder / MANIFEST}: {error}") from None


def command_words(folder: Path, command: object, example: str) -> tuple[str, ...]:
    """The words of a command in a manifest, a string or a list of strings. Raises `UsageError`."""
    path = folder / MANIFEST
    words = split_words(command, f"{path}: ") if isinstance(command, str) else command
    if not (isinstance(words, list | tuple) and words and all(type(each) is str for each in words)):
        raise UsageError(f"{path} needs a line such as {example}")
    return tuple(words)


def has_codingame(ruleset: Ruleset) -> bool:
    """Whether CodinGame's protocol exists for the game."""
    return ruleset.game.rules is fencing.rules


def spoken(protocol: str | None, ruleset: Ruleset) -> str:
    if protocol == "codingame" and not has_codingame(ruleset):
        raise UsageError(f"CodinGame's protocol is for fencing; {ruleset.text} is played in JSON")
    if protocol is None:
        return "codingame" if has_codingame(ruleset) else "json"
    return protocol


def checked(
    text: str, words: tuple[str, ...], folder: Path, build: object = None
) -> tuple[str, ...]:
    """The command, if it is valid and its program exists. Raises `UsageError`."""
    if sum(map(len, words)) > LONGEST_COMMAND or any("\0" in word for word in words):
        raise UsageError(
            f"cannot run {brief(text)}: its command is longer than {LONGEST_COMMAND:,} characters, "
            "or has a NUL in it"
        )
    program = folder / words[0] if "/" in words[0] else words[0]
    if shutil.which(program) is None:
        if Path(program).is_file():
            raise UsageError(
                f"cannot run {brief(text)}: {brief(words[0])} is not executable; name its"
                f" interpreter, such as 'python3 {words[0]}'"
            )
        hint = "" if " " in text else f"; the levels are {', '.join(KINDS)}"
        if build is not None:
            hint = f"; it has to be built first, in its folder: {build}"
        raise UsageError(f"cannot run {brief(text)}: there is no program {brief(words[0])}{hint}")
    return words
