"""Devices on which someone has signed in before: a random token in a cookie, kept by its SHA-256.

The cookie gives no rights. An attempt to sign in that comes with it is not counted together with
the attempts of strangers, so nobody can lock the owner of an account out by guessing passwords.
"""

import asyncio
import secrets

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from holmgang.store import Person, Store
from holmgang.web.sessions import LONGEST_TOKEN, TOKEN_BYTES, cookie_name, digest, set_cookie

DEVICE_COOKIE = "holmgang-device"


def token_of(request: HTTPConnection) -> str | None:
    """The token in the cookie of a request, if it could be one of ours."""
    token = request.cookies.get(cookie_name(request.scope, DEVICE_COOKIE))
    return token if token and len(token) <= LONGEST_TOKEN else None


async def owners(store: Store, request: HTTPConnection) -> set[int]:
    """The ids of the people who have signed in on the device of the request before."""
    token = token_of(request)
    return (
        set()
        if token is None
        else await asyncio.to_thread(store.people.device_owners, digest(token))
    )


async def remember(store: Store, request: Request, answer: Response, person: Person) -> None:
    """Remembers the device of a person who has signed in."""
    known = await owners(store, request)
    if person.id in known:
        return
    token = token_of(request) if known else None
    token = token or secrets.token_urlsafe(TOKEN_BYTES)
    await asyncio.to_thread(store.people.new_device, digest(token), person.id)
    set_cookie(answer, request.scope, token, DEVICE_COOKIE)
