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
    if isinstance(player, Level):
        name, full, folder, hashed = player.name, body, None, Digest(body.encode()).text
    elif is_folder(path):
        folder = Path(path).resolve()
        name, full, hashed = folder.name, protocol + str(folder), fingerprint(folder)
    else:
        folder, words = None, shlex.split(path)
        files = [word for word in words if is_file(word)]
        name = Path(files[-1]).stem if files else words[0]
        full = protocol + shlex.join(str(Path(w).absolute()) if w in files else w for w in words)
        digest = Digest(*(part.encode() for part in (protocol, *words) if part not in files))
        for file in files:
            digest.add_file(Path(file))
        hashed = digest.text
    return Entrant(given or tidied(name, text), full, hashed, folder, given or body)


def parse_entrants(
    texts: Sequence[str], ruleset: Ruleset, *, rename: bool = False
) -> list[Entrant]:
    """All entrants, with distinct names. If two have the same name, `rename` adds a number to the
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
        raise UsageError(f"give {brief(text)} a name: NAME={text}")
    return tidy


def fingerprint(folder: Path) -> str:
    """A hash of the files of a folder, with their paths, contents and executable bits. Links count
    by their target; pipes, sockets and devices do not count.

    Raises UsageError if a file cannot be read, or if the files are too large.
    """
    total, left = Digest(), LARGEST
    try:
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
    except OSError as error:
        refuse(error)
    return total.text


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

    def __init__(self, *parts: bytes) -> None:
        self._total = hashlib.sha256()
        for part in parts:
            self.add(part)

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
        """16 hex digits."""
        return self._total.hexdigest()[:16]
