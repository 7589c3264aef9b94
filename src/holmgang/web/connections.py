"""Connections that keep one client from blocking the server for the others.

uvicorn reads as much as a client sends and parses all of it at once: some hundred kilobytes of tiny
frames or headers would delay everyone for seconds. Here a connection is read in small pieces, and
other connections get their turn in between. A client that sends faster than any of ours is read
more slowly; one that never finishes the head of its request is disconnected.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from holmgang.web.limits import Limits, address_key
from holmgang.web.refusals import TooMany

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent

PIECE = 8 * 1024
"""Bytes of a request that are parsed at once."""
MOST_HEAD = 32 * 1024
"""Bytes of the head of a request: its first line and its headers."""
HEAD_SECONDS = 20.0
"""Time limit from the start of a connection or request to the end of its head."""
LINGER_SECONDS = 1.0
SOCKET_PIECE = 512
"""Bytes of a WebSocket that are parsed at once. The smallest frame has 6."""
FRAME_BURST = 300
FRAMES_PER_SECOND = 30.0
"""Frames per second of one WebSocket, including control frames. Our clients send a few."""
HEAD_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class HttpConnection(HttpToolsProtocol):
    """A connection for HTTP."""

    limits: Limits

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._unread = b""
        self._head = 0
        """Bytes of the head that is being read."""
        self._head_timer: asyncio.TimerHandle | None = None
        self._is_counted = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        try:
            self.limits.connect(self._key)
        except TooMany:
            transport.abort()
            return
        self._is_counted = True
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._uncount()
        super().connection_lost(exc)

    @property
    def _key(self) -> str:
        return address_key(self.client[0] if self.client else None)

    def _uncount(self) -> None:
        if self._is_counted:
            self._is_counted = False
            self.limits.disconnect(self._key)

    # The head

    def _wait_for_head(self) -> None:
        self._head = 0
        self._stop_waiting()
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait_for_head()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    # Piece by piece

    def data_received(self, data: bytes) -> None:
        self._unread += data
        self._read_on()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._unread and not self.transport.is_closing():
            self.transport.pause_reading()
            self.loop.call_soon(self._read_on)

    def _read_on(self) -> None:
        """Parses what has arrived, unless a request is waiting for the answer to an earlier one."""
        while self._unread and not self.transport.is_closing():
            if self.pipeline:
                self.transport.pause_reading()
                return
            piece, self._unread = self._unread[:PIECE], self._unread[PIECE:]
            super().data_received(piece)
            if self._head_timer is not None:
                self._head += len(piece)
                if self._head > MOST_HEAD:
                    self._refuse_head()
                    return
        if not self.transport.is_closing() and not self.flow.read_paused:
            self.transport.resume_reading()

    def _refuse_head(self) -> None:
        """Answers, and closes the connection a little later: after an immediate close, a client
        that has sent more than was read would not get the answer.
        """
        self._stop_waiting()
        self._unread = b""
        self.transport.pause_reading()
        self.transport.write(HEAD_TOO_LARGE)
        self.transport.write_eof()
        self._head_timer = self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def handle_websocket_upgrade(self) -> None:
        self._stop_waiting()
        self._unread = b""
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, Socket):
            protocol.taken_over(self._is_counted, self._key)
            self._is_counted = False


class Socket(WebSocketsSansIOProtocol):
    """A connection for a WebSocket."""

    limits: Limits

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._unread = b""
        self._counted_as: str | None = None
        self._frames_left = float(FRAME_BURST)
        self._counted_at = self.loop.time()
        self._going_on: asyncio.Handle | None = None
        self._unsent: list[bytes] = []

    def taken_over(self, is_counted: bool, key: str) -> None:
        """Takes over an HTTP connection, which was already counted for that address."""
        self._counted_as = key if is_counted else None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._going_on is not None:
            self._going_on.cancel()
        if self._counted_as is not None:
            self.limits.disconnect(self._counted_as)
            self._counted_as = None
        super().connection_lost(exc)

    def handle_events(self) -> None:
        if self.limits.is_on:
            self._frames_left -= len(self.conn.events)
        super().handle_events()

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:  # the request, which was read as one for HTTP already
            super().data_received(data)
            return
        self._unread += data
        if self._going_on is None:
            self._read_on()
        elif not self.transport.is_closing():
            self.transport.pause_reading()

    async def receive(self) -> "ASGIReceiveEvent":
        message = await super().receive()
        if not self.read_paused and not self.transport.is_closing():
            if self._going_on is not None:
                self.transport.pause_reading()
            elif self._unread:
                self._pause(0.0)
        return message

    async def send(self, message: "ASGISendEvent") -> None:
        """Joins frames that are sent in the same turn of the event loop into one write: a player is
        sent the change and the acknowledgement of a command together.

        A socket that uvicorn has closed, after a frame that breaks the protocol, is treated like
        one that the client has closed.
        """
        if self.close_sent:
            raise ClientDisconnected
        if message["type"] != "websocket.send":
            self._write()
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected or self.close_sent:
            raise ClientDisconnected
        try:
            self.conn.send_text((message.get("text") or "").encode())
        except InvalidState:
            raise ClientDisconnected from None
        if not self._unsent:
            self.loop.call_soon(self._write)
        self._unsent += self.conn.data_to_send()

    def _write(self) -> None:
        if self._unsent and not self.transport.is_closing():
            self.transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def _read_on(self) -> None:
        """Parses a piece of what has arrived, unless an earlier frame has not been handled yet."""
        self._going_on = None
        if self.transport.is_closing() or (self.read_paused and not self.close_sent):
            return
        if self._unread:
            piece, self._unread = self._unread[:SOCKET_PIECE], self._unread[SOCKET_PIECE:]
            super().data_received(piece)
        if self.transport.is_closing():
            self._unread = b""
            return
        wait = self._seconds_to_wait()
        if wait or (self._unread and not self.read_paused):
            self._pause(wait)
        elif not self.read_paused:
            self.transport.resume_reading()

    def _seconds_to_wait(self) -> float:
        """Seconds until another frame is allowed."""
        now = self.loop.time()
        earned = (now - self._counted_at) * FRAMES_PER_SECOND
        self._frames_left = min(self._frames_left + earned, FRAME_BURST)
        self._counted_at = now
        return max(0.0, -self._frames_left / FRAMES_PER_SECOND)

    def _pause(self, seconds: float) -> None:
        """Lets other connections have their turn before reading continues."""
        if self._going_on is None and not self.transport.is_closing():
            self.transport.pause_reading()
            self._going_on = self.loop.call_later(seconds, self._read_on)


def guarded(limits: Limits) -> tuple[type[HttpConnection], type[Socket]]:
    """The connection classes for a server with these limits."""
    return (
        type("LimitedConnection", (HttpConnection,), {"limits": limits}),
        type("LimitedSocket", (Socket,), {"limits": limits}),
    )
