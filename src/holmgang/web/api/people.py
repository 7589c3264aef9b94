"""People: the current session, accounts, signing in and out, profiles and leaderboards."""

import asyncio
import logging
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from msgspec.structs import asdict
from starlette.responses import Response

from holmgang.errors import NameTaken
from holmgang.games.catalogue import CATALOGUE
from holmgang.live.listing import match_line
from holmgang.live.refusal import Refused
from holmgang.store import MatchRow, Person, Rating
from holmgang.store.folding import fold
from holmgang.web import devices
from holmgang.web.api import openapi
from holmgang.web.api.matches import LISTED
from holmgang.web.names import clean_name
from holmgang.web.parts import ServerParts, answer_json, read_json
from holmgang.web.passwords import clean_password, one_form
from holmgang.web.sessions import delete_cookie
from holmgang.wire.lists import (
    Credentials,
    GuestName,
    HistoryLine,
    Leaderboard,
    MatchHistory,
    Me,
    Profile,
    RankedPlayer,
    RatingHistory,
    RatingLine,
    ResultCounts,
)

RECENT = 20
OWN = ("lobby", "link", "solo")
"""The matches that a person has played."""
OPPONENTS = {"people": ("account", "guest"), "computers": ("level", "bot")}
BEST = 50

log = logging.getLogger(__name__)


def router(parts: ServerParts) -> APIRouter:
    """The requests about people."""
    routes = APIRouter(prefix="/api", tags=["people"])
    store, sessions = parts.store, parts.sessions

    @routes.get("/me", **openapi.me)
    async def who_am_i(request: Request) -> Response:
        """The person of the session; nobody before the first match is opened or joined."""
        return answer_json(await describe_me(parts, await sessions.person(request)))

    @routes.get("/me/matches", **openapi.history)
    async def see_history(
        request: Request,
        game: Annotated[str | None, Query(max_length=100)] = None,
        against: Annotated[Literal["people", "computers"] | None, Query()] = None,
        result: Annotated[Literal["won", "lost", "drawn"] | None, Query()] = None,
        before: Annotated[
            float | None, Query(description="Created before: milliseconds since 1970.")
        ] = None,
    ) -> Response:
        """Your own finished matches, newest first: also those by link and against computers, also
        as a guest.
        """
        person = await sessions.person(request)
        if person is None:
            return answer_json(MatchHistory(matches=[], is_whole=True))

        def read() -> MatchHistory:
            rows = store.matches.find(
                status="over",
                visibility=OWN,
                person=person.id,
                game=game,
                opponents=None if against is None else OPPONENTS[against],
                result=result,
                before=None if before is None else earlier_than(before),
                limit=RECENT + 1,
            )
            return MatchHistory(
                matches=[history_line(row, person.id) for row in rows[:RECENT]],
                is_whole=len(rows) <= RECENT,
            )

        return answer_json(await asyncio.to_thread(read))

    @routes.post("/me/name", **openapi.renaming)
    async def name_guest(request: Request) -> Response:
        """Gives the guest of this session a name to be shown in the matches that follow."""
        body = await read_json(request, GuestName)
        name = clean_name(body.name, parts.service.bots)
        person, token = await parts.person_or_guest(request)
        if not person.is_guest:
            raise Refused("closed", f"you have an account, {person.name}")
        parts.check("guest", request)
        person = await asyncio.to_thread(store.people.name_guest, person.id, name)
        return answer_json(await describe_me(parts, person), request, token)

    @routes.post("/account", **openapi.claiming)
    async def claim_name(request: Request) -> Response:
        """Makes the guest of this session an account, which keeps ratings and a history."""
        body = await read_json(request, Credentials)
        name = clean_name(body.name, parts.service.bots)
        password = clean_password(body.password, name)
        person = await sessions.person(request)
        if person is not None and not person.is_guest:
            raise Refused("closed", f"you already have a name, {person.name}; sign out first")
        parts.check("account", request)
        hashed = await parts.passwords.hash(password)
        if person is None:
            person = await asyncio.to_thread(store.people.new_guest)
        try:
            person = await asyncio.to_thread(store.people.claim, person.id, name, hashed)
        except NameTaken:
            raise Refused("sign in", f"the name {name} is taken") from None
        await sessions.end(request)  # a new one, as it is worth more now
        token = await sessions.begin(person)
        log.info("name claimed", extra={"event": {"person": person.id}})
        answer = answer_json(await describe_me(parts, person), request, token, 201)
        await devices.remember(store, request, answer, person)
        return answer

    @routes.post("/session", **openapi.signing_in)
    async def sign_in(request: Request) -> Response:
        """Starts a session of an account."""
        body = await read_json(request, Credentials)
        found = await asyncio.to_thread(store.people.password_hash, body.name)
        await check_attempt(parts, request, body.name, None if found is None else found[0])
        password = one_form(body.password)
        is_right = await parts.passwords.is_right(None if found is None else found[1], password)
        if found is None or not is_right:
            log.info("sign-in refused")
            raise Refused("sign in", "name or password is wrong")
        person, known = found
        if parts.passwords.is_outdated(known):
            hashed = await parts.passwords.hash(password)
            await asyncio.to_thread(store.people.set_password_hash, person.id, hashed)
        await sessions.end(request)
        token = await sessions.begin(person)
        log.info("signed in", extra={"event": {"person": person.id}})
        answer = answer_json(await describe_me(parts, person), request, token)
        await devices.remember(store, request, answer, person)
        return answer

    @routes.delete("/session", **openapi.signing_out)
    async def sign_out(request: Request) -> Response:
        """Ends the session."""
        await sessions.end(request)
        answer = Response(status_code=204)
        delete_cookie(answer, request.scope)
        return answer

    @routes.get("/players/{name}", **openapi.profile)
    async def see_player(
        request: Request,
        name: Annotated[str, Path(description="The name of an account.", max_length=100)],
    ) -> Response:
        """A profile: ratings with their history, and the last matches. Those by link and against
        the computer are listed for the player only, and counted for others.
        """
        visitor = await sessions.person(request)

        def read() -> Profile:
            person = store.people.by_name(name)
            if person is None:
                raise Refused("not found", "there is no such player")
            is_own = visitor is not None and visitor.id == person.id
            listed = OWN if is_own else LISTED
            recent = store.matches.find(
                status="over", visibility=listed, person=person.id, limit=RECENT
            )
            unlisted = (
                0
                if is_own
                else sum(store.matches.count(person.id, "over", kind) for kind in ("link", "solo"))
            )
            return Profile(
                name=person.name,
                guest=person.is_guest,
                since=round(person.created_at * 1000),
                ratings={
                    game: RatingHistory(**asdict(rating), history=history_of(parts, person, game))
                    for game, rating in ratings_of(parts, person).items()
                },
                results={
                    game: ResultCounts(won=won, drawn=drawn, lost=lost)
                    for game, (won, drawn, lost) in store.matches.results(person.id, listed).items()
                },
                matches=[match_line(row) for row in recent],
                unlisted=unlisted,
            )

        return answer_json(await asyncio.to_thread(read))

    @routes.get("/leaderboards/{game}", **openapi.leaderboard)
    async def see_leaderboard(
        game: Annotated[str, Path(description="A game.", max_length=100)],
    ) -> Response:
        """The best players of a game, by rating."""
        if game not in CATALOGUE:
            raise Refused(
                "not found", f"there is no such game; the games are {', '.join(CATALOGUE)}"
            )
        best = await asyncio.to_thread(store.ratings.leaderboard, game, BEST)
        players = [
            RankedPlayer(**asdict(rating_line(rating)), name=person.name) for person, rating in best
        ]
        return answer_json(Leaderboard(game=game, players=players))

    return routes


def earlier_than(ms: float) -> float:
    """The time before which matches are older than one that was created at this millisecond, which
    is rounded; otherwise it could be listed twice.
    """
    return (ms - 0.5) / 1000


def history_line(row: MatchRow, person: int) -> HistoryLine:
    you = "red" if row.summary.red_person == person else "blue"
    return HistoryLine(**asdict(match_line(row)), you=you)


async def check_attempt(
    parts: ServerParts, request: Request, name: str, person: Person | None
) -> None:
    """Counts an attempt to sign in: for a device on which the person has signed in before on its
    own, otherwise for the address and for the account. Raises `TooMany`.
    """
    address, key = parts.address(request), fold(name)
    if person is not None and person.id in await devices.owners(parts.store, request):
        address = f"device {devices.token_of(request)}"
    else:
        parts.limits.check("sign in anywhere", key)
    parts.limits.check("sign in", address, (key, address))


async def describe_me(parts: ServerParts, person: Person | None) -> Me:
    if person is None:
        return Me(name=None, guest=True, ratings={})
    ratings = {} if person.is_guest else await asyncio.to_thread(ratings_of, parts, person)
    return Me(name=person.name, guest=person.is_guest, ratings=ratings)


def ratings_of(parts: ServerParts, person: Person) -> dict[str, RatingLine]:
    return {
        game: rating_line(rating)
        for game, rating in parts.store.ratings.of_person(person.id).items()
    }


def rating_line(rating: Rating) -> RatingLine:
    return RatingLine(
        rating=round(rating.rating),
        deviation=round(rating.deviation),
        provisional=rating.is_provisional,
        matches=rating.matches,
    )


def history_of(parts: ServerParts, person: Person, game: str) -> list[tuple[int, int]]:
    """Times in milliseconds since 1970, with the rating from then on."""
    history = parts.store.ratings.history(person.id, game)
    return [(round(at * 1000), round(value)) for at, value in history]
