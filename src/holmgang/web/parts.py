"""What every request needs: the service, the store, sessions, limits and figures."""

from dataclasses import dataclass

from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from holmgang.games.ruleset import Ruleset
from holmgang.live.exploring import needs_compiling
from holmgang.live.refusal import Refused
from holmgang.live.round_log import encode
from holmgang.live.service import Service
from holmgang.store import Person, Store
from holmgang.web.limits import Limits, address_key, address_of
from holmgang.web.metrics import Metrics
from holmgang.web.pages import Pages
from holmgang.web.passwords import Passwords
from holmgang.web.sessions import Sessions, bearer, set_cookie
from holmgang.web.settings import ServerSettings
from holmgang.wire.reading import Message, decode


@dataclass(frozen=True, slots=True)
class ServerParts:
    service: Service
    store: Store
    settings: ServerSettings
    sessions: Sessions
    passwords: Passwords
    limits: Limits
    metrics: Metrics
    pages: Pages

    def address(self, request: HTTPConnection) -> str:
        """The key for the limits of a request's address."""
        return address_key(address_of(request.scope))

    def check(self, action: str, request: HTTPConnection, person: object = None) -> None:
        """Counts an action. Raises `TooMany`."""
        self.limits.check(action, self.address(request), person)

    async def check_rules(self, request: HTTPConnection, ruleset: Ruleset) -> None:
        """Counts a ruleset whose search would have to be compiled. Raises `TooMany`."""
        if await self.service.slow_work.run("rules", needs_compiling, ruleset):
            self.check("new rules", request)

    async def seat(self, request: HTTPConnection, match: str) -> tuple[str | None, int | None]:
        """The seat of the match that the request comes from, by the seat's secret or by the
        session, and the person of the session. Raises `Refused` if there is no such match, or for a
        wrong secret.
        """
        secret = bearer(request.headers)
        if secret is not None:
            seat = await self.service.seat_of(match, secret=secret)
            if seat is None:
                raise Refused("not yours", "that secret does not belong to a seat of this match")
            return seat, None
        person = await self.sessions.person(request)
        if person is None:
            await self.service.seat_of(match)
            return None, None
        return await self.service.seat_of(match, person=person.id), person.id

    async def counted_seat(self, action: str, request: Request, match: str) -> str | None:
        """The seat that the request comes from, after counting an action of its person."""
        seat, person = await self.seat(request, match)
        self.check(action, request, person if person is not None else (match, seat))
        return seat

    async def person_or_guest(self, request: Request) -> tuple[Person, str | None]:
        """The person of a request. A client without a session becomes a guest; then also the token
        of the new session, for the answer's cookie.
        """
        person = await self.sessions.person(request)
        if person is not None:
            return person, None
        self.check("guest", request)
        return await self.sessions.new_guest()


async def read_json(request: Request, kind: type[Message]) -> Message:
    """The message in the body of a request. Raises `MessageError`."""
    return decode(await request.body(), kind)


def answer_json(
    value: Struct, request: Request | None = None, token: str | None = None, status: int = 200
) -> Response:
    """The answer as JSON; with the cookie of a new session if there is a token."""
    answer = Response(encode(value), status, media_type="application/json")
    if request is not None and token is not None:
        set_cookie(answer, request.scope, token)
    return answer
