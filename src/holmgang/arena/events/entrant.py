"""Entrants of contests: a player, its name in tables, and a fingerprint of its files."""

import hashlib
import os
import re
import shlex
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from holmgang.errors import UsageError
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.players import Level
from holmgang.players.naming import (
    LONGEST_NAME,
    find_player,
    is_file,
    is_folder,
    split_name,
    split_protocol,
)

LARGEST = 2 * 10**9  # bytes of all files of a bot; they are read before every tournament
PIECE = 1 << 20
PYCACHE = "__pycache__"


class Entrant(NamedTuple):
    name: str
    text: str
    """The player for the judge, with absolute paths."""
    fingerprint: str
    """A hash of the bot's files and command: if it changes, it is another bot."""
    folder: Path | None
    """The bot's folder, if the player is a folder."""
    label: str
    """The given name, or the player as typed."""


def parse_entrant(text: str, ruleset: Ruleset) -> Entrant:
    """The entrant that a text names, as `PLAYER` or `NAME=PLAYER`.

    >>> from holmgang.games.ruleset import load
    >>> parse_entrant("dice=random", load("bagh"))[:2]
    ('dice', 'random')
    >>> parse_entrant("search:5", load("bagh"))[:2]
    ('search-5', 'search:5')

    Raises UsageError.
    """
    given, body = split_name(text)
    player = find_player(body, ruleset)
    protocol, path = split_protocol(body)
    label = given or body
    if isinstance(player, Level):
        name = given or tidied(player.name, text)
        total = Digest()
        total.add(body.encode())
        return Entrant(name, body, total.text, None, label)
    if is_folder(path):
        folder = Path(path).resolve()
        return Entrant(
            given or tidied(folder.name, text),
            protocol + str(folder),
            fingerprint(folder),
            folder,
            label,
        )
    return from_command(given, text, protocol, shlex.split(path))


def from_command(given: str | None, text: str, protocol: str, words: list[str]) -> Entrant:
    """The entrant of a command line. Files in it become absolute and part of the fingerprint."""
    files = [Path(word) for word in words if is_file(word)]
    whole = [str(Path(word).absolute()) if is_file(word) else word for word in words]
    total = Digest()
    for part in (protocol, *(word for word in words if not is_file(word))):
        total.add(part.encode())
    for file in files:
        total.add_file(file)
    return Entrant(
        given or tidied(files[-1].stem if files else words[0], text),
        protocol + shlex.join(whole),
        total.text,
        None,
        given or split_name(text)[1],
    )


def parse_entrants(
    texts: Sequence[str], ruleset: Ruleset, *, rename: bool = False
) -> list[Entrant]:
    """All entrants, with different names. If two have the same name, `rename` adds a number to the
    second; otherwise raises UsageError.
    """
    entrants: list[Entrant] = []
    for text in texts:
        entrant = parse_entrant(text, ruleset)
        name = entrant.name
        if any(name == each.name for each in entrants):
            if not rename:
                raise UsageError(
                    f"two bots have the name {name}: give one another name, such as"
                    f" {name}2={shlex.quote(text)}"
                )
            entrant = entrant._replace(name=f"{name}-2")
        entrants.append(entrant)
    return entrants


def tidied(name: str, text: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", name)
    tidy = "-".join(words)[:LONGEST_NAME].rstrip("-")
    if not tidy:
        raise UsageError(f"say what to call {brief(text)}: NAME={text}")
    return tidy


def fingerprint(folder: Path) -> str:
    """16 hex digits: a hash of the files of a folder, with their paths, contents and executable
    bits. Links count by their target; pipes, sockets and devices do not count.

    Raises UsageError if a file cannot be read, or if the files are too large.
    """
    try:
        return digest_of(folder).text
    except OSError as error:
        refuse(error)


def digest_of(folder: Path) -> "Digest":
    total, left = Digest(), LARGEST
    for path in files_within(folder):
        name = os.fsencode(path.relative_to(folder))
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            total.add(name + b"\0link")
            total.add(os.fsencode(path.readlink()))
        else:
            left -= found.st_size
            if left < 0:
                raise too_large(f"the bot's folder {folder}", path)
            total.add(name + b"\0%d" % bool(found.st_mode & stat.S_IXUSR))
            total.add_file(path)
    return total


def files_within(folder: Path) -> list[Path]:
    """All regular files and links below a folder, except in __pycache__."""
    found = []
    for place, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if name != PYCACHE]
        links = [name for name in folders if Path(place, name).is_symlink()]
        found += [Path(place, name) for name in (*links, *files) if name != PYCACHE]
    return sorted(path for path in found if is_part(path))


def is_part(path: Path) -> bool:
    """Whether a path is part of a bot: a regular file or a link, not a pipe, socket or device."""
    mode = path.lstat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def refuse(error: OSError) -> NoReturn:
    raise UsageError(f"cannot read {error.filename}: {error.strerror}") from None


def too_large(what: str, path: Path) -> UsageError:
    return UsageError(
        f"{what} has more than {LARGEST // 10**9} GB, the most that a bot may have; {path} has"
        f" {path.stat().st_size / 10**9:.1f} GB"
    )


class Digest:
    """A hash over parts, each preceded by its length."""

    def __init__(self) -> None:
        self._total = hashlib.sha256()

    def add(self, part: bytes) -> None:
        self._total.update(len(part).to_bytes(8, "big"))
        self._total.update(part)

    def add_file(self, path: Path) -> None:
        """Adds the content of a file in pieces. Raises UsageError."""
        try:
            with path.open("rb") as file:
                size = left = os.fstat(file.fileno()).st_size
                if size > LARGEST:
                    raise too_large("the bot", path)
                self._total.update(size.to_bytes(8, "big"))
                while left > 0 and (piece := file.read(min(left, PIECE))):
                    self._total.update(piece)
                    left -= len(piece)
                if left or file.read(1):
                    raise UsageError(f"{path} changed while it was read; try again")
        except OSError as error:
            refuse(error)

    @property
    def text(self) -> str:
        return self._total.hexdigest()[:16]
