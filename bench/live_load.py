"""The load of `bench.live`: sockets in pairs that choose round after round, and requests by HTTP.

Clients are written by hand on asyncio's protocols, so that most of a core is left for the server.
A frame is masked with zeros, which changes nothing in it.
"""

import asyncio
import base64
import os
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import orjson

SETTLE_SECONDS = 30.0
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Measure(NamedTuple):
    """The result of some seconds of choosing."""

    rate: float
    """Acknowledged choices a second."""
    p50_ms: float
    p99_ms: float
    choices: int


class Http(asyncio.Protocol):
    """A connection for one request after another."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._data = b""
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def ask(
        self, method: str, path: str, body: bytes = b"", secret: str = ""
    ) -> "asyncio.Future[tuple[int, bytes]]":
        """The status and the body of the answer."""
        bearer = f"Authorization: Bearer {secret}\r\n" if secret else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\n{bearer}"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self._answer = asyncio.get_running_loop().create_future()
        return self._answer

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, found, rest = self._data.partition(b"\r\n\r\n")
        if not found:
            return
        lines = head.lower().split(b"\r\n")
        size = next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))
        if len(rest) >= size and self._answer is not None:
            self._data = rest[size:]
            answer, self._answer = self._answer, None
            answer.set_result((int(lines[0].split()[1]), rest[:size]))

    def connection_lost(self, error: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError("the server has closed the connection"))


class Socket(asyncio.Protocol):
    """A WebSocket that hands on the text frames it gets."""

    def __init__(self, host: str, path: str, secret: str, hear: Callable[[bytes], None]) -> None:
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            f"Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {secret}\r\n\r\n"
        )
        self._hear = hear
        self._data = b""
        self._is_open = False
        self.received = 0
        """Bytes."""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._request.encode())

    def send(self, text: bytes, kind: int = TEXT) -> None:
        size = len(text)
        if size < 126:
            head = bytes((0x80 | kind, 0x80 | size))
        else:
            head = bytes((0x80 | kind, 0x80 | 126)) + size.to_bytes(2)
        self.transport.write(head + b"\0\0\0\0" + text)

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        data = self._data + data if self._data else data
        if not self._is_open:
            head, found, rest = data.partition(b"\r\n\r\n")
            if not found:
                self._data = data
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(head.decode())
            self._is_open, data = True, rest
        at = 0
        while len(data) - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[start : start + 2]), start + 2
            elif size == 127:
                size, start = int.from_bytes(data[start : start + 8]), start + 8
            if len(data) < start + size:
                break
            kind = data[at] & 0x0F
            if kind == TEXT:
                self._hear(data[start : start + size])
            elif kind == PING:
                self.send(data[start : start + size], PONG)
            at = start + size
        self._data = data[at:]


class Seat:
    """Somebody who chooses at once, or at set times, and notes how long it takes."""

    def __init__(self, match: str, secret: str, seed: int) -> None:
        self.match, self.secret = match, secret
        self.socket: Socket | None = None
        self.http: Http | None = None
        """Where commands go, if not to the socket."""
        self.latencies: list[float] = []
        self.waits: Callable[[], None] | None = None
        """Called by the first frame."""
        self.is_keen = False
        """Whether to choose as soon as that is possible."""
        self._chance = Random(seed)
        self._game = self._round = self._number = 0
        self._words: Sequence[str] = ()
        self._may_choose = self._is_waiting = False
        self._due: float | None = None
        self._wanted_at = 0.0

    @property
    def is_waiting(self) -> bool:
        """Whether a choice is not acknowledged yet."""
        return self._is_waiting

    def choose_at(self, due: float) -> None:
        """Chooses, or as soon as that is possible. The time counts from when it was due."""
        if self._due is None:
            self._due = due
        if self._may_choose and not self._is_waiting:
            self._choose()

    def go(self) -> None:
        """Chooses if that is possible, and from now on as soon as it is."""
        self.is_keen = True
        if self._may_choose and not self._is_waiting:
            self._choose()

    def _choose(self) -> None:
        self._may_choose, self._is_waiting = False, True
        self._wanted_at = time.perf_counter() if self._due is None else self._due
        self._due = None
        self._number += 1
        text = b'{"type":"choose","id":"c%d","game":%d,"round":%d,"choice":"%s"}' % (
            self._number,
            self._game,
            self._round,
            self._chance.choice(self._words).encode(),
        )
        if self.http is not None:
            answer = self.http.ask("POST", f"/api/matches/{self.match}/commands", text, self.secret)
            answer.add_done_callback(self._answered)
        elif self.socket is not None:
            self.socket.send(text)

    def _answered(self, answer: "asyncio.Future[tuple[int, bytes]]") -> None:
        status, body = answer.result()
        if status != 200:
            raise RuntimeError(body.decode())
        self._acknowledged()

    def _acknowledged(self) -> None:
        self.latencies.append(time.perf_counter() - self._wanted_at)
        self._is_waiting = False
        self._go_on()

    def _go_on(self) -> None:
        if self._may_choose and not self._is_waiting and (self.is_keen or self._due is not None):
            self._choose()

    def hear(self, text: bytes) -> None:
        if text.startswith(b'{"type":"done"'):
            self._acknowledged()
            return
        frame = orjson.loads(text)
        if frame["type"] == "view":
            self._see(frame["view"])
            self._may_choose = frame["view"]["chosen"] is None
        elif frame["type"] == "change":
            patch = frame["patch"]
            if "round" in patch or "game" in patch:
                self._see(patch)
                self._may_choose = True
        else:
            raise RuntimeError(text.decode())
        if self.waits is not None:
            self.waits()
            self.waits = None
        self._go_on()

    def _see(self, view: dict[str, Any]) -> None:
        self._game, self._round = view.get("game", self._game), view.get("round", self._round)
        if view.get("menu"):
            self._words = [option["word"] for option in view["menu"]["options"]]


class EchoSeat(Seat):
    """The same against a server that only answers."""

    def __init__(self, secret: str, seed: int) -> None:
        super().__init__("0123456789", secret, seed)
        self._words = ("attack", "boost", "guard", "heal")
        self._game = self._round = 1

    def hear(self, text: bytes) -> None:
        if text.startswith(b'{"type":"done"'):
            self._round += 1
            self._may_choose = True
            self._acknowledged()
        elif self.waits is not None:
            self._may_choose = True
            self.waits()
            self.waits = None

    def _answered(self, answer: "asyncio.Future[tuple[int, bytes]]") -> None:
        self._round += 1
        self._may_choose = True
        super()._answered(answer)


async def connect(seats: Sequence[Seat], port: int, query: str = "") -> None:
    """Opens the sockets of the seats and waits for the first frame of each."""
    loop = asyncio.get_running_loop()
    host = f"127.0.0.1:{port}"
    for seat in seats:
        seen = loop.create_future()
        seat.waits = lambda seen=seen: seen.set_result(None)
        path = f"/api/matches/{seat.match}/socket{query}"
        _, seat.socket = await loop.create_connection(
            lambda path=path, seat=seat: Socket(host, path, seat.secret, seat.hear),
            "127.0.0.1",
            port,
        )
        await seen


async def connect_http(seats: Sequence[Seat], port: int) -> None:
    """Has the seats send their commands by HTTP."""
    loop = asyncio.get_running_loop()
    for seat in seats:
        _, seat.http = await loop.create_connection(
            lambda: Http(f"127.0.0.1:{port}"), "127.0.0.1", port
        )


async def disconnect(seats: Sequence[Seat]) -> None:
    for seat in seats:
        for each in (seat.socket, seat.http):
            if each is not None:
                each.transport.close()
        seat.socket = seat.http = None


async def open_matches(port: int, count: int, ruleset: str, wins_needed: int) -> list[Seat]:
    """The seats of so many new matches, red and blue by turns."""
    loop = asyncio.get_running_loop()
    _, http = await loop.create_connection(lambda: Http(f"127.0.0.1:{port}"), "127.0.0.1", port)
    asked = orjson.dumps(
        {"ruleset": ruleset, "opponent": "link", "seat": "red", "wins_needed": wins_needed}
    )
    seats = []
    for number in range(count):
        status, body = await http.ask("POST", "/api/matches", asked)
        if status != 201:
            raise RuntimeError(body.decode())
        red = orjson.loads(body)
        status, body = await http.ask("POST", f"/api/matches/{red['match']}/join", b"{}")
        if status != 200:
            raise RuntimeError(body.decode())
        blue = orjson.loads(body)
        seats += [
            Seat(red["match"], each["secret"], 2 * number + place)
            for place, each in enumerate((red, blue))
        ]
    http.transport.close()
    return seats


async def at_rate(seats: Sequence[Seat], rate: float, seconds: float) -> Measure:
    """Chooses so many times a second in all, each seat at even times, blue half a period after red:
    what is measured counts from the set time, even if the seat has to wait for the round to open.
    """
    period = len(seats) / rate
    matches = len(seats) // 2
    began = time.perf_counter()
    places = sorted(
        (period * (number // 2 / matches + number % 2 / 2) % period, number)
        for number in range(len(seats))
    )
    clear(seats)
    for turn in range(round(seconds / period)):
        for place, number in places:
            due = began + turn * period + place
            wait = due - time.perf_counter()
            if wait > 0.0005:
                await asyncio.sleep(wait)
            seats[number].choose_at(due)
    await settle(seats)
    return measured(seats, time.perf_counter() - began)


async def saturated(seats: Sequence[Seat], seconds: float) -> Measure:
    """Chooses as soon as that is possible, in every seat."""
    clear(seats)
    began = time.perf_counter()
    for seat in seats:
        seat.go()
    await asyncio.sleep(seconds)
    for seat in seats:
        seat.is_keen = False
    taken = time.perf_counter() - began
    count = sum(len(seat.latencies) for seat in seats)
    await settle(seats)
    return measured(seats, taken)._replace(rate=count / taken)


def clear(seats: Sequence[Seat]) -> None:
    for seat in seats:
        seat.latencies.clear()


async def settle(seats: Sequence[Seat]) -> None:
    """Waits until every choice is acknowledged."""
    async with asyncio.timeout(SETTLE_SECONDS):
        while any(seat.is_waiting for seat in seats):  # noqa: ASYNC110 - no need to be quick
            await asyncio.sleep(0.01)


def measured(seats: Sequence[Seat], seconds: float) -> Measure:
    taken = sorted(latency for seat in seats for latency in seat.latencies)
    return Measure(
        len(taken) / seconds,
        1000 * taken[len(taken) // 2],
        1000 * taken[len(taken) * 99 // 100],
        len(taken),
    )
