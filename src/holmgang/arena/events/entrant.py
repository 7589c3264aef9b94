"""Who is entered: a contestant, what tables call it, and a fingerprint of its files."""

import hashlib
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from holmgang.arena.contestant import is_file, is_folder, parse_contestant, split_protocol
from holmgang.arena.fixture import NAME
from holmgang.errors import UsageError
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.players import Level

LONGEST_NAME = 40
NAMED = re.compile(rf"({NAME})=(.+)", re.DOTALL)


class Entrant(NamedTuple):
    name: str
    text: str
    """The contestant as the judge takes it, the same from wherever it is started."""
    fingerprint: str
    """Over all that is known to make the bot what it is: another one, another bot."""
    folder: Path | None
    """The folder that is the bot, if it is one."""


def parse_entrant(text: str, ruleset: Ruleset) -> Entrant:
    """Who enters by that text, which may say what to call it: `NAME=CONTESTANT`.

    >>> from holmgang.games.ruleset import load
    >>> parse_entrant("dice=random", load("bagh"))[:2]
    ('dice', 'random')
    >>> parse_entrant("search:5", load("bagh"))[:2]
    ('search-5', 'search:5')

    Raises UsageError.
    """
    given, body = split_name(text)
    if given is not None and len(given) > LONGEST_NAME:
        raise UsageError(f"the name {brief(given)} is longer than {LONGEST_NAME} characters")
    contestant = parse_contestant(body, ruleset)
    protocol, path = split_protocol(body)
    if isinstance(contestant, Level):
        name = given or tidied(contestant.name, text)
        return Entrant(name, body, digest([body.encode()]), None)
    if is_folder(path):
        folder = Path(path).resolve()
        return Entrant(
            given or tidied(folder.name, text),
            protocol + str(folder),
            fingerprint(folder),
            folder,
        )
    return from_command(given, text, protocol, shlex.split(path))


def from_command(given: str | None, text: str, protocol: str, words: list[str]) -> Entrant:
    """The entrant of a command line; files in it are named in full, and are part of what it is."""
    files = [Path(word) for word in words if is_file(word)]
    whole = [str(Path(word).absolute()) if is_file(word) else word for word in words]
    parts = [word.encode() for word in words if not is_file(word)]
    return Entrant(
        given or tidied(files[-1].stem if files else words[0], text),
        protocol + shlex.join(whole),
        digest([protocol.encode(), *parts, *(file.read_bytes() for file in files)]),
        None,
    )


def parse_entrants(texts: Sequence[str], ruleset: Ruleset) -> list[Entrant]:
    """All who enter, each under a name of its own. Raises UsageError."""
    entrants = [parse_entrant(text, ruleset) for text in texts]
    for place, entrant in enumerate(entrants):
        twin = next((each for each in entrants[:place] if each.name == entrant.name), None)
        if twin is not None:
            raise UsageError(
                f"two bots are called {entrant.name}: name them apart, such as"
                f" {entrant.name}2={shlex.quote(texts[place])}"
            )
    return entrants


def split_name(text: str) -> tuple[str | None, str]:
    """What it is to be called, if that is said, and the rest.

    >>> split_name("old=python3 bot.py"), split_name("greedy")
    (('old', 'python3 bot.py'), (None, 'greedy'))
    """
    named = NAMED.fullmatch(text)
    return (named[1], named[2]) if named else (None, text)


def tidied(name: str, text: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", name)
    tidy = "-".join(words)[:LONGEST_NAME].rstrip("-")
    if not tidy:
        raise UsageError(f"say what to call {brief(text)}: NAME={text}")
    return tidy


def fingerprint(folder: Path) -> str:
    """16 hex digits over the files of a folder: their paths, contents, and which can be run. Of a
    link, it is where it leads that counts.
    """
    return digest(folder_parts(folder))


def folder_parts(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*")):
        if "__pycache__" in path.parts:
            continue
        name = os.fsencode(path.relative_to(folder))
        if path.is_symlink():
            yield name + b"\0link"
            yield os.fsencode(path.readlink())
        elif path.is_file():
            runs = bool(path.stat().st_mode & 0o100)
            yield name + b"\0%d" % runs
            yield path.read_bytes()


def digest(parts: Iterator[bytes] | Sequence[bytes]) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big"))
        total.update(part)
    return total.hexdigest()[:16]
