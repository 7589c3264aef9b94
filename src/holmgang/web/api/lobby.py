"""The lobby: matches waiting for an opponent, live matches, and your own."""

from fastapi import APIRouter, Request, WebSocket
from starlette.responses import Response

from holmgang.web import socket
from holmgang.web.api import openapi
from holmgang.web.parts import ServerParts, answer_json
from holmgang.wire.lists import WaitingList


def router(parts: ServerParts) -> APIRouter:
    """The requests about the lobby."""
    routes = APIRouter(prefix="/api/lobby", tags=["lobby"])

    @routes.get("", **openapi.lobby)
    async def see_lobby(request: Request) -> Response:
        """Matches waiting for an opponent, live matches, and your own."""
        person = await parts.sessions.person(request)
        return answer_json(await parts.service.lobby(None if person is None else person.id))

    @routes.get("/waiting", **openapi.waiting)
    async def see_waiting(request: Request) -> Response:
        """Your matches in which it is your turn. It does not depend on what others choose."""
        person = await parts.sessions.person(request)
        if person is None:
            return answer_json(WaitingList(matches=[]))
        return answer_json(await parts.service.waiting(person.id))

    @routes.websocket("/socket")
    async def follow(websocket: WebSocket) -> None:
        await socket.serve_lobby(parts, websocket)

    return routes
