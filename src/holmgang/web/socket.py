"""The WebSockets of a match and of the lobby.

Frames come from the service as bytes and are passed on as they are. Commands are carried out one
after the other; while one is being stored, no further frame is read, so that a client cannot send
faster than it is served.

A socket that is refused is accepted first, told why, and then closed with 4000 + the HTTP status:
browsers do not tell their pages why a connection was not accepted.
"""

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any, Protocol

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from holmgang.errors import HolmgangError, MessageError
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.live.subscription import Subscription
from holmgang.web.parts import ServerParts
from holmgang.web.refusals import FAILED, HTTP_STATUSES, code_and_message, error_text
from holmgang.web.security import PAUSE_SECONDS
from holmgang.web.sessions import SIGNED_OUT, WatchedSession
from holmgang.wire.match import Command, DoneFrame, RefusedFrame, StoppingFrame
from holmgang.wire.reading import decode
from holmgang.wire.words import LONGEST_ID

SERVICE_RESTART = 1012
TRY_AGAIN_LATER = 1013
NOT_OF_THE_PROTOCOL = ("bad", "too many")
MOST_REFUSED_IN_A_ROW = 100
"""Frames of those kinds before the socket is closed."""
STOPPING = msgspec.json.encode(StoppingFrame())

log = logging.getLogger(__name__)


async def serve_match(parts: ServerParts, socket: WebSocket, match: str) -> None:
    """Shows a match to a player or a spectator, and carries out a player's commands."""
    await socket.accept()
    try:
        address = parts.address(socket)
        parts.limits.check("request", address)
        parts.limits.check_data(address)
        with (
            parts.limits.socket(address),
            parts.metrics.socket("match"),
            parts.sessions.watch(socket) as watched,
        ):
            seat, person = await parts.seat(socket, match)
            session = None if person is None else watched
            viewer = Viewer(seat, socket.query_params.get("picture") == "1")
            async with parts.service.follow(match, viewer) as frames:
                who = person if person is not None else (match, seat)
                talk = MatchTalk(parts, frames, match, seat, address, who)
                await asyncio.create_task(Exchange(socket, frames, talk, session).run())
    except HolmgangError as error:
        await refuse_socket(socket, error)
    except WebSocketDisconnect:
        pass


async def serve_lobby(parts: ServerParts, socket: WebSocket) -> None:
    """Shows the lobby as it changes."""
    await socket.accept()
    try:
        address = parts.address(socket)
        parts.limits.check("request", address)
        with parts.limits.socket(address), parts.metrics.socket("lobby"):
            async with parts.service.follow_lobby() as frames:
                await asyncio.create_task(Exchange(socket, frames, LobbyTalk()).run())
    except HolmgangError as error:
        await refuse_socket(socket, error)
    except WebSocketDisconnect:
        pass


async def refuse_socket(socket: WebSocket, error: HolmgangError) -> None:
    code, message = code_and_message(error)
    status = HTTP_STATUSES[code]
    closing = TRY_AGAIN_LATER if status in (429, 503) else 4000 + status
    if status == 429:
        await asyncio.sleep(PAUSE_SECONDS)
    # If the client or uvicorn has closed it, the framework raises one of these.
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(refused(None, code, message).decode())
        await socket.close(closing)


def refused(id: str | None, code: str, message: str) -> bytes:  # noqa: A002 - the protocol's word
    return msgspec.json.encode(RefusedFrame(id=id, error=error_text(code, message)))


SIGNED_OUT_FRAME = refused(None, "sign in", SIGNED_OUT)


class Talk(Protocol):
    """Handles the frames of a client."""

    async def answer(self, message: Any) -> bytes:
        """The answer to a frame. Raises `Refused` for a client that has to be disconnected."""

    def sent(self, size: int) -> None:
        """Notes that the client was sent a frame of that size."""


class Exchange:
    """Sends the frames of a subscription to a client, and answers the client."""

    def __init__(
        self,
        socket: WebSocket,
        frames: Subscription,
        talk: Talk,
        session: WatchedSession | None = None,
    ) -> None:
        self._socket, self._frames, self._talk, self._session = socket, frames, talk, session
        self._changed = asyncio.Event()
        self._sending, self._answering = asyncio.Lock(), asyncio.Lock()

    async def run(self) -> None:
        """Returns when either side or the client's session has ended."""
        self._frames.on_change = self._changed.set
        if self._session is not None:
            self._session.on_end = self._changed.set
        sending = asyncio.create_task(self._send_frames())
        try:
            while (message := await self._socket.receive())["type"] != "websocket.disconnect":
                if self._has_signed_out:
                    await sending
                    return
                async with self._answering:
                    answer = await self._talk.answer(message)
                    await self._send_waiting()  # a change comes before its acknowledgement
                    await self._send(answer)
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending

    @property
    def _has_signed_out(self) -> bool:
        return self._session is not None and self._session.has_ended

    async def _send_frames(self) -> None:
        """Sends frames until the server stops or the client has signed out, then closes the socket
        after the client's last command is answered.
        """
        with suppress(WebSocketDisconnect):  # `receive` returns then
            while not self._has_signed_out and not self._frames.is_closed:
                self._changed.clear()
                await self._send_waiting()
                await self._changed.wait()
            async with self._answering:
                if self._has_signed_out:
                    await self._send(SIGNED_OUT_FRAME)
                    await self._socket.close(4000 + HTTP_STATUSES["sign in"])
                else:
                    await self._send_waiting()
                    await self._send(STOPPING)
                    await self._socket.close(SERVICE_RESTART)

    async def _send_waiting(self) -> None:
        async with self._sending:
            while not self._has_signed_out and (frame := self._frames.take()) is not None:
                await self._send(frame)
                self._talk.sent(len(frame))

    async def _send(self, frame: bytes) -> None:
        """Sends a frame unless the socket is closed. Waits for a client that does not read."""
        if self._socket.application_state is WebSocketState.CONNECTED:
            await self._socket.send({"type": "websocket.send", "text": frame.decode()})


class LobbyTalk:
    """The lobby takes no commands."""

    def __init__(self) -> None:
        self._heard = 0

    def sent(self, size: int) -> None:
        """Everyone is sent the same, at most once a second."""

    async def answer(self, message: Any) -> bytes:
        self._heard += 1
        if self._heard > MOST_REFUSED_IN_A_ROW:
            raise Refused("bad", "the lobby takes no commands")
        return refused(None, "bad", "the lobby takes no commands")


class MatchTalk:
    """Commands of one socket."""

    def __init__(
        self,
        parts: ServerParts,
        frames: Subscription,
        match: str,
        seat: str | None,
        address: str,
        who: object,
    ) -> None:
        """`who` is the key for the limit of commands, besides the address."""
        self._parts, self._frames = parts, frames
        self._match, self._seat = match, seat
        self._address, self._who = address, who
        self._refused_in_a_row = 0

    async def answer(self, message: Any) -> bytes:
        text = message.get("text")
        started = time.perf_counter()
        try:
            if text is None:
                raise Refused("bad", "a frame is JSON text, not binary")
            self._parts.limits.check("command", self._address, self._who)
            command = decode(text, Command)
            if command.type == "sync":
                self._parts.limits.check_data(self._address)
                self._frames.refresh()
            else:
                await self._parts.service.command(self._match, self._seat, command)
        except HolmgangError as error:
            return self._refuse(text, *code_and_message(error))
        except Exception:
            log.exception("a command failed", extra={"event": {"match": self._match}})
            return self._refuse(text, "failed", FAILED)
        self._refused_in_a_row = 0
        self._parts.metrics.count_command(time.perf_counter() - started)
        return msgspec.json.encode(DoneFrame(id=command.id))

    def sent(self, size: int) -> None:
        self._parts.limits.charge_data(self._address, size)

    def _refuse(self, text: str | None, code: str, message: str) -> bytes:
        self._parts.metrics.count_refused(code)
        self._refused_in_a_row += code in NOT_OF_THE_PROTOCOL
        if self._refused_in_a_row > MOST_REFUSED_IN_A_ROW:
            raise Refused("bad", "too many frames that break the protocol")
        return refused(id_in(text), code, message)


class Identified(msgspec.Struct):
    """The id in a frame that may be no command."""

    id: str


def id_in(text: str | None) -> str | None:
    """The id of a frame; None if it has none."""
    try:
        found = decode(text or "", Identified).id
    except MessageError:
        return None
    return found if len(found) <= LONGEST_ID else None
