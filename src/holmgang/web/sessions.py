"""Sessions of browsers: a random token in a cookie, of which the store has the SHA-256 only.

Visitors who only look have no session. Opening or joining the first match makes a guest.
"""

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, cookie_parser
from starlette.responses import Response
from starlette.types import Scope

from holmgang.store import Person, Store, StoreError

COOKIE = "holmgang"
SECURE = "__Host-"
"""The prefix of cookies over https: browsers take them from https only, and for the whole host."""
LIFETIME = 365 * 24 * 3600  # seconds
TOKEN_BYTES = 32
LONGEST_TOKEN = 100
CHECK_SECONDS = 2.0
"""Interval at which a process looks for sessions that another process has ended."""
SIGNED_OUT = "you have signed out"

log = logging.getLogger(__name__)


def is_secure(scope: Scope) -> bool:
    return scope["scheme"] in ("https", "wss")


def cookie_name(scope: Scope, name: str = COOKIE) -> str:
    return f"{SECURE}{name}" if is_secure(scope) else name


def bearer(headers: Headers) -> str | None:
    """The secret of a seat that a request carries."""
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" and secret.strip() else None


def token_of(scope: Scope, headers: Headers) -> str | None:
    """The token in the cookie of a request, if it could be one of ours. A request with the secret
    of a seat has none: such requests are not asked where they come from.
    """
    if bearer(headers) is not None:
        return None
    for header in headers.getlist("cookie"):
        token = cookie_parser(header).get(cookie_name(scope))
        if token and len(token) <= LONGEST_TOKEN:
            return token
    return None


def has_cookie(scope: Scope, headers: Headers) -> bool:
    return token_of(scope, headers) is not None


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class WatchedSession:
    """The session of a request that goes on, such as a socket."""

    def __init__(self) -> None:
        self.has_ended = False
        self.on_end: Callable[[], None] = lambda: None

    def end(self) -> None:
        self.has_ended = True
        self.on_end()


class Sessions:
    """Sessions of the store, as cookies of requests and answers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._watched: dict[bytes, set[WatchedSession]] = {}
        """By the digest of their token."""

    async def person(self, request: HTTPConnection) -> Person | None:
        """The person of the request's session."""
        token = token_of(request.scope, request.headers)
        if token is None:
            return None
        return await asyncio.to_thread(self._store.people.by_session, digest(token))

    async def begin(self, person: Person) -> str:
        """Starts a session, and returns its token."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        expires = time.time() + LIFETIME
        await asyncio.to_thread(self._store.people.new_session, person.id, digest(token), expires)
        return token

    async def end(self, request: HTTPConnection) -> None:
        """Ends the session of the request, if it has one."""
        token = token_of(request.scope, request.headers)
        if token is not None:
            await asyncio.to_thread(self._store.people.end_session, digest(token))
            self._end_watched(digest(token))

    @contextmanager
    def watch(self, request: HTTPConnection) -> Iterator[WatchedSession]:
        """The session of a request, which says when it ends: at once if it ends in this process,
        within `CHECK_SECONDS` if it expires or another process ends it. Begin to watch before you
        ask for the person.
        """
        watched = WatchedSession()
        token = token_of(request.scope, request.headers)
        if token is None:
            yield watched
            return
        key = digest(token)
        self._watched.setdefault(key, set()).add(watched)
        try:
            yield watched
        finally:
            others = self._watched.get(key, set())
            others.discard(watched)
            if not others:
                self._watched.pop(key, None)

    def _end_watched(self, key: bytes) -> None:
        for watched in self._watched.pop(key, set()):
            watched.end()

    async def check_watched(self) -> None:
        """Ends what is watched when its session is no longer in the store, until cancelled. One
        query for all of them: a command costs none.
        """
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            asked = list(self._watched)
            if not asked:
                continue
            try:
                current = await asyncio.to_thread(self._store.people.current_sessions, asked)
            except StoreError as error:
                log.warning("sessions could not be checked: %s", error)
                continue
            for key in set(asked) - current:
                self._end_watched(key)

    async def new_guest(self) -> tuple[Person, str]:
        """A new guest, and the token of their session."""
        person = await asyncio.to_thread(self._store.people.new_guest)
        return person, await self.begin(person)


def set_cookie(answer: Response, scope: Scope, token: str, name: str = COOKIE) -> None:
    answer.set_cookie(
        cookie_name(scope, name),
        token,
        max_age=LIFETIME,
        path="/",
        secure=is_secure(scope),
        httponly=True,
        samesite="lax",
    )


def delete_cookie(answer: Response, scope: Scope) -> None:
    answer.delete_cookie(
        cookie_name(scope), path="/", secure=is_secure(scope), httponly=True, samesite="lax"
    )
