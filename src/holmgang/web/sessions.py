"""Sessions of browsers: a random token in a cookie, of which the store has the SHA-256 only.

Visitors who only look have no session. Opening or joining the first match makes a guest.
"""

import asyncio
import hashlib
import secrets
import time

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, cookie_parser
from starlette.responses import Response
from starlette.types import Scope

from holmgang.store import Person, Store

COOKIE = "holmgang"
SECURE_COOKIE = "__Host-holmgang"  # browsers take it from https only, and for the whole host
LIFETIME = 365 * 24 * 3600  # seconds
TOKEN_BYTES = 32
LONGEST_TOKEN = 100


def is_secure(scope: Scope) -> bool:
    return scope["scheme"] in ("https", "wss")


def cookie_name(scope: Scope) -> str:
    return SECURE_COOKIE if is_secure(scope) else COOKIE


def token_of(scope: Scope, headers: Headers) -> str | None:
    """The token in the cookie of a request, if it could be one of ours."""
    for header in headers.getlist("cookie"):
        token = cookie_parser(header).get(cookie_name(scope))
        if token and len(token) <= LONGEST_TOKEN:
            return token
    return None


def has_cookie(scope: Scope, headers: Headers) -> bool:
    return token_of(scope, headers) is not None


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class Sessions:
    """Sessions of the store, as cookies of requests and answers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def person(self, request: HTTPConnection) -> Person | None:
        """The person of the request's session."""
        token = token_of(request.scope, request.headers)
        if token is None:
            return None
        return await asyncio.to_thread(self._store.session, digest(token))

    async def begin(self, person: Person) -> str:
        """Starts a session, and returns its token."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        expires = time.time() + LIFETIME
        await asyncio.to_thread(self._store.new_session, person.id, digest(token), expires)
        return token

    async def end(self, request: HTTPConnection) -> None:
        """Ends the session of the request, if it has one."""
        token = token_of(request.scope, request.headers)
        if token is not None:
            await asyncio.to_thread(self._store.end_session, digest(token))

    async def new_guest(self) -> tuple[Person, str]:
        """A new guest, and the token of their session."""
        person = await asyncio.to_thread(self._store.new_guest)
        return person, await self.begin(person)


def set_cookie(answer: Response, scope: Scope, token: str) -> None:
    answer.set_cookie(
        cookie_name(scope),
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
