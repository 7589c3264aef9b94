"""Matches: opening, joining, viewing, playing, and reviewing."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, WebSocket
from starlette.responses import Response

from holmgang.engine.replay_page import replay_page
from holmgang.live.analysing import AnalysisJob
from holmgang.live.listing import match_line
from holmgang.live.records import parse_record
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.live.terms import parse_opening
from holmgang.store import Person
from holmgang.web import socket
from holmgang.web.api import openapi
from holmgang.web.parts import ServerParts, answer_json, read_json
from holmgang.web.security import STANDALONE_POLICY
from holmgang.web.sessions import SIGNED_OUT
from holmgang.wire.lists import MatchLine, MatchList
from holmgang.wire.match import (
    ChoiceRequest,
    Command,
    DoneFrame,
    Joining,
    MatchView,
    Opening,
    RatedIfJoined,
)
from holmgang.wire.study import AnalysisProgress

LONGEST_WAIT = 25
MOST_LISTED = 50
STATUSES = {"open": ("open",), "live": ("playing",), "over": ("over",)}
LISTED = ("lobby", "uploaded")
"""Visibilities of listed matches. Matches by link are for people who have the link."""

Id = Annotated[str, Path(description="The id of a match.", max_length=40)]
GameNumber = Annotated[int, Path(description="The number of a game, from 1.", ge=1, le=10**6)]


def router(parts: ServerParts) -> APIRouter:
    """The requests about matches."""
    routes = APIRouter(prefix="/api/matches", tags=["matches"])
    service = parts.service

    @routes.post("", **openapi.opening)
    async def open_match(request: Request) -> Response:
        """Opens a match and takes a seat in it."""
        asked = parse_opening(await read_json(request, Opening))
        person, token = await parts.person_or_guest(request)
        parts.check("open", request, person.id)
        if asked.opponent == "level":
            await parts.check_rules(request, asked.ruleset)
        return answer_json(await service.open(person, asked), request, token, 201)

    @routes.get("", **openapi.listing)
    async def list_matches(
        status: Annotated[Literal["open", "live", "over"], Query()] = "live",
        player: Annotated[str | None, Query(max_length=40)] = None,
        game: Annotated[str | None, Query(max_length=40)] = None,
        before: Annotated[int | None, Query(ge=0, le=10**15)] = None,
        limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = MOST_LISTED,
    ) -> Response:
        """Matches, the newest first; open and live ones only if a player is there. `before` is a
        time in milliseconds since 1970: the `created_at` of the last match on the page before.
        """
        await service.presence.note_if_possible()

        def read() -> list[MatchLine]:
            person: Person | None = None
            if player is not None:
                person = parts.store.people.by_name(player)
                if person is None:
                    raise Refused("not found", "there is no such player")
            rows = parts.store.matches.find(
                status=STATUSES[status],
                visibility=LISTED,
                person=person.id if person else None,
                game=game,
                before=None if before is None else before / 1000,
                is_free=True if status == "open" else None,
                is_attended=None if status == "over" else True,
                now=service.now(),
                limit=limit,
            )
            return [match_line(row) for row in rows]

        return answer_json(MatchList(matches=await asyncio.to_thread(read)))

    @routes.get("/{id}", **openapi.view)
    async def see_match(
        request: Request,
        id: Id,  # noqa: A002 - the protocol's word
        since: Annotated[int | None, Query(ge=0, le=10**9)] = None,
        wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 0,
        picture: Annotated[int, Query(ge=0, le=1)] = 0,
    ) -> Response:
        """The match as the sender of the request may see it. With `since` and `wait`, as soon as
        there is a newer version, or after `wait` seconds. With `wait` alone, as soon as there is
        something to choose.
        """
        with parts.sessions.watch(request) as session:
            seat, person = await parts.seat(request, id)
            viewer = Viewer(seat, picture == 1)
            if not wait:
                return answer_json(await service.view(id, viewer))
            request.scope["holmgang.waited"] = True
            with parts.limits.socket(parts.address(request)):
                view = await wait_for_view(parts, id, viewer, since, wait)
            if session.has_ended and person is not None:
                raise Refused("sign in", SIGNED_OUT)
            return answer_json(view)

    @routes.get("/{id}/join", **openapi.rated_if_joined)
    async def see_invitation(request: Request, id: Id) -> Response:  # noqa: A002
        """Whether the match is rated if the sender of the request joins it now."""
        person = await parts.sessions.person(request)
        is_rated, reason = await service.rated_if_joined(id, person)
        return answer_json(RatedIfJoined(rated=is_rated, reason=reason or None))

    @routes.post("/{id}/join", **openapi.joining)
    async def join_match(request: Request, id: Id) -> Response:  # noqa: A002
        """Takes the free seat of a match."""
        asked = await read_json(request, Joining) if await request.body() else Joining()
        await service.seat_of(id)
        person, token = await parts.person_or_guest(request)
        parts.check("open", request, person.id)
        return answer_json(await service.join(id, person, asked.seat), request, token)

    @routes.post("/{id}/commands", **openapi.commanding)
    async def command(request: Request, id: Id) -> Response:  # noqa: A002
        """Carries out a command of a seat. The answer is sent when it is stored."""
        command = await read_json(request, Command)
        seat = await parts.counted_seat("command", request, id)
        await service.command(id, seat, command)
        return answer_json(DoneFrame(id=command.id))

    @routes.post("/{id}/forecast", **openapi.forecasting)
    async def forecast(request: Request, id: Id) -> Response:  # noqa: A002
        """What a choice would do in the open round, against every choice of the other seat."""
        asked = await read_json(request, ChoiceRequest)
        seat = await parts.counted_seat("forecast", request, id)
        return answer_json(await service.study.forecast(id, seat, asked.choice))

    @routes.post("/{id}/coach", **openapi.advising)
    async def advise(request: Request, id: Id) -> Response:  # noqa: A002
        """The coach's advice on a choice in the open round, before it is made. The coach is
        available against levels only.
        """
        asked = await read_json(request, ChoiceRequest)
        seat = await parts.counted_seat("coach", request, id)
        return answer_json(await service.study.advise(id, seat, asked.choice))

    @routes.get("/{id}/coach", **openapi.explaining)
    async def explain(
        request: Request,
        id: Id,  # noqa: A002
        game: Annotated[int, Query(ge=1, le=10**6)],
        round: Annotated[int, Query(ge=1, le=10**6)],
    ) -> Response:
        """The coach's comment on a round after its reveal, while the match goes on."""
        seat = await parts.counted_seat("coach", request, id)
        return answer_json(await service.study.explain(id, seat, game, round))

    @routes.get("/{id}/games/{number}/analysis", **openapi.analysis)
    async def analyse(request: Request, id: Id, number: GameNumber) -> Response:  # noqa: A002
        """The analysis of a finished game, round by round. If it takes long, the answer has the
        status 202 and the progress; repeat the request for the result.
        """
        if not await service.study.is_analysed(id, number):
            parts.check("analysis", request)
            await parts.check_rules(request, await service.study.ruleset_of(id))
        return progress_or_result(await service.study.analysis(id, number))

    @routes.get("/{id}/tendencies", **openapi.tendencies)
    async def compare(request: Request, id: Id) -> Response:  # noqa: A002
        """How both players chose over the games of a finished match, compared with the best mixes,
        and what an opponent who knew that could gain. If that takes long, the answer is the
        progress, with the status 202; the same request later has the result.
        """
        if not await service.study.is_analysed(id):
            parts.check("analysis", request)
        return progress_or_result(await service.study.tendencies(id))

    @routes.get("/{id}/games/{number}", **openapi.game)
    async def see_game(id: Id, number: GameNumber) -> Response:  # noqa: A002
        """A game of the match, with all its rounds."""
        return answer_json(await service.game(id, number))

    @routes.get("/{id}/games/{number}/frames/{round}", **openapi.frame)
    async def see_frame(
        id: Id,  # noqa: A002
        number: GameNumber,
        round: Annotated[int, Path(description="0: the start.", ge=0, le=10**6)],
        prefix: Annotated[
            str,
            Query(description="Prefix of every id in the picture.", pattern="^[a-z]{0,20}$"),
        ] = "",
        last: Annotated[
            int, Query(description="1: the picture shows the choices of the round.", ge=0, le=1)
        ] = 1,
    ) -> Response:
        """A game after one of its rounds, with its picture."""
        return answer_json(
            await service.frame(id, number, round, prefix=prefix, has_last=last == 1)
        )

    @routes.get("/{id}/games/{number}/record", **openapi.record)
    async def download_record(id: Id, number: GameNumber) -> Response:  # noqa: A002
        """The record of a finished game, as `holmgang replay` reads it."""
        content = await service.record(id, number)
        return Response(
            content,
            headers=attachment(f"{id}-{number}.jsonl"),
            media_type="application/x-ndjson",
        )

    @routes.get("/{id}/games/{number}/replay.html", **openapi.replay)
    async def replay(
        request: Request,
        id: Id,  # noqa: A002
        number: GameNumber,
    ) -> Response:
        """A page of one file that replays a finished game, without this server."""
        parts.check("replay page", request)
        content = await service.record(id, number)
        page = await service.slow_work.run("page", lambda: replay_page(parse_record(content)))
        return Response(
            page,
            headers={"Content-Security-Policy": STANDALONE_POLICY},
            media_type="text/html",
        )

    @routes.websocket("/{id}/socket")
    async def follow(websocket: WebSocket, id: str) -> None:  # noqa: A002
        await socket.serve_match(parts, websocket, id)

    return routes


async def wait_for_view(
    parts: ServerParts, match: str, viewer: Viewer, since: int | None, seconds: float
) -> MatchView:
    """The view once it is newer than `since`; without that, once the viewer may choose."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    seen = await parts.service.view(match, viewer)
    if since is not None:
        if seen.version > since:
            return seen
        return await parts.service.wait(match, viewer, since, seconds)
    while seen.status in ("open", "playing") and not is_asked(seen):
        left = until - loop.time()
        if left <= 0:
            break
        before = seen.version
        seen = await parts.service.wait(match, viewer, before, left)
        if seen.version == before:
            break
    return seen


def is_asked(view: MatchView) -> bool:
    return view.you is None or view.you in view.waiting_for


def progress_or_result(found: bytes | AnalysisJob) -> Response:
    if isinstance(found, AnalysisJob):
        return answer_json(AnalysisProgress(done=found.done, rounds=found.rounds), status=202)
    return Response(found, media_type="application/json")


def attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
