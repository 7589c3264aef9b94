"""Passwords: stored as argon2id hashes, computed in few threads, since each needs 64 MB."""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, TypeVarTuple

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from holmgang.errors import UsageError
from holmgang.store.folding import fold
from holmgang.web.refusals import TooMany

SHORTEST, LONGEST = 8, 200
AT_ONCE = 2
MOST_WAITING = 20
DECOY = (
    "$argon2id$v=19$m=65536,t=3,p=4$RzDtFnLotps4SM/Zq6qg4Q"
    "$rcFo/ArDYDDCM2WXvNoa7hmS6Xd6W1kO6tCJuvvbgjA"
)
"""The hash of a random password that nobody knows, made with the current parameters."""

Given = TypeVarTuple("Given")
Result = TypeVar("Result")


def one_form(given: str) -> str:
    """The password in one Unicode form, so that every keyboard gives the same."""
    return unicodedata.normalize("NFC", given)


def clean_password(given: str, name: str) -> str:
    """The password for a new account. Raises `UsageError` if it is too short, too long, or the
    name itself.
    """
    password = one_form(given)
    if not SHORTEST <= len(password) <= LONGEST:
        raise UsageError(f"a password must have {SHORTEST} to {LONGEST} characters")
    if fold(password) == fold(name):
        raise UsageError("the password must not be the name")
    return password


class Passwords:
    """Hashes and checks passwords without blocking the server."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()  # argon2id, with the values of RFC 9106
        self._threads = ThreadPoolExecutor(AT_ONCE, "password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        return await self._in_thread(self._hasher.hash, password)

    async def is_right(self, known: str | None, password: str) -> bool:
        """Whether the password has this hash. Without a hash, as for an unknown name, it is
        compared with a dummy hash, which takes the same time.
        """
        is_right = await self._in_thread(self._verify, known or DECOY, password)
        return known is not None and is_right

    def is_outdated(self, known: str) -> bool:
        """Whether a hash was made with weaker parameters than the current ones."""
        return self._hasher.check_needs_rehash(known)

    def _verify(self, known: str, password: str) -> bool:
        try:
            return self._hasher.verify(known, password)
        except (Argon2Error, InvalidHashError):
            return False

    async def _in_thread(self, work: Callable[[*Given], Result], *given: *Given) -> Result:
        if self._waiting >= MOST_WAITING:
            raise TooMany("too many people are signing in; try again in a moment", 2)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
