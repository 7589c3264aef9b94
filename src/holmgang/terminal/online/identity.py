"""The user's identity on a server: a session, and the secrets of the user's seats.

They are stored in the user's data folder, in files that nobody else can read, so that an
interrupted match can be continued. A second window plays as another guest: the file of a guest
belongs to one process at a time.
"""

import fcntl
import os
import re
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Annotated
from urllib.parse import quote

import msgspec

from holmgang.errors import MessageError, UsageError
from holmgang.machine import data_folder, write_whole
from holmgang.terminal.online.address import Address
from holmgang.wire.reading import decode

TOKEN = re.compile(r"[A-Za-z0-9_-]{1,200}")
"""Of a session or a seat: all that is ever sent back."""
COOKIE = rf"^(__Host-)?holmgang={TOKEN.pattern}\Z"
MOST_GUESTS = 50
MOST_SECRETS = 100
LARGEST_FILE = 1_000_000


class StoredIdentity(msgspec.Struct):
    """The file of an identity."""

    cookie: Annotated[str, msgspec.Meta(pattern=COOKIE)] | None = None
    secrets: dict[str, Annotated[str, msgspec.Meta(pattern=rf"^{TOKEN.pattern}\Z")]] = {}


class Identity:
    """A guest or an account on one server. It can be used by several threads."""

    def __init__(self, path: Path | None = None, lock: IO[bytes] | None = None) -> None:
        """`path` is the file to store it in; None not to store it."""
        self.cookie: str | None = None
        """The cookie of the session, as it is sent."""
        self.secrets: dict[str, str] = {}
        """Secrets of seats, by match."""
        self.trouble: str | None = None
        """Why it cannot be stored; empty if it can."""
        self._path = path
        self._lock = lock
        self._writing = threading.Lock()
        if path is not None:
            self._read(path)

    def headers(self, match: str = "") -> dict[str, str]:
        """The headers of a request by this user, as the player in the given match."""
        headers = {} if self.cookie is None else {"Cookie": self.cookie}
        if match in self.secrets:
            headers["Authorization"] = f"Bearer {self.secrets[match]}"
        return headers

    def take_cookies(self, cookies: dict[str, str]) -> None:
        """Stores the session that the server has set; an empty one ends it."""
        for name, value in cookies.items():
            cookie = f"{name}={value}" if value else None
            if cookie != self.cookie:
                self.cookie = cookie
                self._write()

    def remember(self, match: str, secret: str) -> None:
        """Stores the secret of a seat."""
        if secret and self.secrets.get(match) != secret:
            self.secrets = dict([*self.secrets.items(), (match, secret)][-MOST_SECRETS:])
            self._write()

    def forget(self, match: str) -> None:
        """Removes the secret of a finished match."""
        if match in self.secrets:
            self.secrets = {key: value for key, value in self.secrets.items() if key != match}
            self._write()

    def close(self) -> None:
        """Releases the guest for another process."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _read(self, path: Path) -> None:
        with suppress(OSError, MessageError):
            if path.stat().st_size <= LARGEST_FILE:
                stored = decode(path.read_bytes(), StoredIdentity)
                self.cookie, self.secrets = stored.cookie, stored.secrets

    def _write(self) -> None:
        if self._path is None:
            return
        with self._writing:
            stored = StoredIdentity(cookie=self.cookie, secrets=self.secrets)
            text = msgspec.json.format(msgspec.json.encode(stored), indent=1).decode()
            try:
                write_whole(self._path, text + "\n", private=True)
            except UsageError as error:
                self.trouble = str(error)


def guest_identity(address: Address, match: str = "") -> Identity:
    """A guest that no other process is using: the one who sits in the match if there is one,
    otherwise the first free one, otherwise a new one.
    """
    try:
        folder = server_folder(address)
    except UsageError as error:
        return unkept_identity(error)
    first = None
    for number in range(1, MOST_GUESTS + 1):
        lock = take_lock(folder / f"guest-{number}.lock")
        if lock is None:
            continue
        path = folder / f"guest-{number}.json"
        identity = Identity(path, lock)
        if match and match in identity.secrets:
            if first is not None:
                first.close()
            return identity
        if first is not None:
            identity.close()
        else:
            first = identity
        if not match or not path.exists():
            break
    return first or Identity()


def account_identity(address: Address, name: str) -> Identity:
    """The account of that name, which several processes may use."""
    try:
        folder = server_folder(address)
    except UsageError as error:
        return unkept_identity(error)
    return Identity(folder / f"account-{quote(name.lower(), safe='')}.json")


def unkept_identity(error: UsageError) -> Identity:
    identity = Identity()
    identity.trouble = str(error)
    return identity


def server_folder(address: Address) -> Path:
    """The folder for identities on a server. Raises `UsageError`."""
    name = f"{address.scheme}-{quote(address.host, safe='')}-{address.port}"
    folder = data_folder() / "online" / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    return folder


def take_lock(path: Path) -> IO[bytes] | None:
    """The open file, locked for this process; None if another has it."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    file = os.fdopen(descriptor, "r+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    except OSError:
        pass  # a file system without locks
    return file
