"""Connections: read piece by piece, whatever a client sends, and none can hold up the others."""

import json
import os
import re
import socket as sockets
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocketDisconnect
from tests.patience import PATIENCE
from tests.web.running import receive, running_server, send

from holmgang.web import connections, limits

UPGRADE = (
    "GET /api/matches/{match}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {secret}\r\n\r\n"
)
PING = b"\x89\x80\0\0\0\0"  # masked with zeros, as all frames here


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """A server with the usual limits."""
    with running_server(tmp_path_factory.mktemp("web"), clock=time.monotonic) as running:
        yield running


def connected(server):
    host, port = server.address.removeprefix("http://").split(":")
    return sockets.create_connection((host, int(port)), timeout=PATIENCE)


def read_all(connection):
    """What the server says until it closes the connection."""
    said = b""
    try:
        while part := connection.recv(65536):
            said += part
    except ConnectionResetError:
        pass
    return said


def text_frame(content):
    data = json.dumps(content).encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data)]) + bytes(4) + data


@contextmanager
def socket_by_hand(server, grant, *, in_bytes=False):
    """A WebSocket whose frames the test writes itself, past the answer to its request."""
    with connected(server) as connection:
        request = UPGRADE.format(**grant).encode()
        for part in [bytes([byte]) for byte in request] if in_bytes else [request]:
            connection.sendall(part)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += connection.recv(65536)
        assert answer.startswith(b"HTTP/1.1 101")
        yield connection


def waited():
    """Seconds that the threads of this process, server and client, have waited for a core."""
    total = 0
    for path in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # the thread has ended
            total += int(path.read_text().split()[1])
    return total / 1e9


def longest_answer(server):
    """The longest time that another client waits for the answer to one of ten commands meanwhile,
    apart from what other programs on this machine are to blame for.
    """
    grant = server.open_match(opponent="link")
    longest = 0.0
    with server.socket(f"/api/matches/{grant['match']}/socket", grant["secret"]) as socket:
        receive(socket, "view")
        for number in range(10):
            started, before = time.perf_counter(), waited()
            send(socket, type="rematch", id=str(number))  # refused, by the match itself
            assert receive(socket, "refused")["error"]["code"] == "closed"
            elapsed = time.perf_counter() - started
            longest = max(longest, elapsed - max(0.0, waited() - before))
            threading.Event().wait(0.1)  # at the pace of a client, not of a flood
    return longest


@contextmanager
def flood(connection, content):
    """Sends the content again and again, and reads whatever comes back."""
    stopping = threading.Event()

    def write():
        try:
            while not stopping.is_set():
                connection.sendall(content)
        except OSError:
            pass

    def read():
        try:
            while connection.recv(65536):
                pass
        except OSError:
            pass

    threads = [threading.Thread(target=work) for work in (write, read)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        with suppress(OSError):  # the server may have closed it
            connection.shutdown(sockets.SHUT_RDWR)
        for thread in threads:
            thread.join(PATIENCE)


def resident_mb():
    status = Path(f"/proc/{os.getpid()}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


@pytest.mark.parametrize("ours", [connections.HttpConnection, connections.Socket])
def test_uvicorn_has_every_method_that_is_overridden(ours):
    """They are not part of its documented interface, so a new version may rename them."""
    own = {"taken_over"}
    names = {name for name, value in vars(ours).items() if callable(value)}
    overridden = {name for name in names if not name.startswith("_")} - own
    assert overridden
    assert [name for name in sorted(overridden) if not hasattr(ours.__base__, name)] == []


# What an honest client may do


def test_requests_that_arrive_byte_by_byte(server):
    request = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with connected(server) as connection:
        for byte in request:
            connection.sendall(bytes([byte]))
        assert read_all(connection).startswith(b"HTTP/1.1 200")


def test_many_requests_at_once_are_answered_in_order(server):
    names = [f"/api/nothing-{number}" for number in range(500)]
    requests = [f"GET {name} HTTP/1.1\r\nHost: localhost\r\n\r\n" for name in names]
    last = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with connected(server) as connection:
        connection.sendall("".join([*requests, last]).encode())
        said = read_all(connection).decode()
    assert re.findall(r"there is nothing at (\S+?)\"", said) == names
    assert '"status":"ok"' in said


def test_a_body_of_many_pieces(server):
    with server.program() as program:
        answer = program.post("/api/records", content=b"x" * 900_000)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad")


def test_frames_that_arrive_byte_by_byte(server):
    grant = server.open_match(opponent="link")
    with socket_by_hand(server, grant, in_bytes=True) as connection:
        for byte in text_frame({"id": "a", "type": "cancel"}):
            connection.sendall(bytes([byte]))
        said = b""
        while b'"done"' not in said:
            said += connection.recv(65536)
    with server.program() as program:
        seen = program.get(f"/api/matches/{grant['match']}").json()
    assert seen["status"] == "cancelled"


def test_many_frames_at_once_are_answered_in_order(server):
    grant = server.open_match(opponent="link")
    ids = [f"c{number}" for number in range(300)]
    frames = b"".join(text_frame({"id": each, "type": "rematch"}) + PING for each in ids)
    with socket_by_hand(server, grant) as connection:
        connection.sendall(frames)
        said = b""
        while said.count(b'"refused"') < len(ids):
            part = connection.recv(65536)
            assert part
            said += part
    assert re.findall(rb'"refused","id":"(c\d+)"', said) == [each.encode() for each in ids]


def test_a_burst_of_commands_is_not_held_up(usual, monkeypatch):
    """Also with limits: as many frames as anyone could need at once."""
    monkeypatch.setattr(connections, "FRAMES_PER_SECOND", 1e-6)
    grant = usual.open_match(opponent="link")
    with usual.socket(f"/api/matches/{grant['match']}/socket", grant["secret"]) as socket:
        receive(socket, "view")
        for number in range(50):
            send(socket, type="rematch", id=str(number))
        for _ in range(50):
            receive(socket, "refused")


def test_a_client_that_reads_late_is_answered_in_order_and_takes_little_memory(server):
    """Its answers have more than 25 MB."""
    grant = server.open_match(opponent="link")
    ids = [f"c{number}" for number in range(30_000)]
    frames = b"".join(text_frame({"id": each, "type": "sync"}) for each in ids)
    with socket_by_hand(server, grant) as connection:
        before, most = resident_mb(), 0.0
        sending = threading.Thread(target=connection.sendall, args=(frames,))
        sending.start()
        until = time.monotonic() + 3
        while time.monotonic() < until:
            most = max(most, resident_mb() - before)
            threading.Event().wait(0.1)
        done, unread, size = [], b"", 0
        while len(done) < len(ids):
            part = connection.recv(1_000_000)
            assert part
            size, unread = size + len(part), unread + part
            end = max(0, len(unread) - 64)  # an answer may be cut in two
            for found in re.finditer(rb'"done","id":"(c\d+)"', unread):
                done.append(found[1].decode())
                end = max(end, found.end())
            unread = unread[end:]
        sending.join()
    assert size > 25_000_000
    assert most < 10
    assert done == ids


# What no client may do


HTTP_FLOODS = pytest.mark.parametrize(
    ("begin", "content"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"x: y\r\n" * 10_000),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"x" * 60_000),
        (b"GET /", b"x" * 60_000),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /health HTTP/1.1\r\n\r\n" * 2_000),
    ],
    ids=["headers", "a header", "an address", "requests"],
)
FRAME_FLOODS = pytest.mark.parametrize(
    "frame",
    [PING, b"\x8a\x80\0\0\0\0", b"\x81\x80\0\0\0\0", b"\x82\x80\0\0\0\0", b"\x00\x80\0\0\0\0"],
    ids=["pings", "pongs", "empty texts", "empty data", "endless message"],
)


@contextmanager
def flood_of_http(server, begin, content):
    before = resident_mb()
    with connected(server) as connection:
        connection.sendall(begin)
        with flood(connection, content):
            yield
    assert resident_mb() - before < 60


@contextmanager
def flood_of_frames(server, frame):
    grant = server.open_match(opponent="link")
    before = resident_mb()
    with socket_by_hand(server, grant) as connection:
        if frame[0] == 0:
            connection.sendall(b"\x01\x80\0\0\0\0")
        with flood(connection, frame * 20_000):
            yield
    assert resident_mb() - before < 60


@HTTP_FLOODS
def test_others_are_served_during_a_flood_of_http(usual, begin, content):
    with flood_of_http(usual, begin, content):
        longest_answer(usual)


@FRAME_FLOODS
def test_others_are_served_during_a_flood_of_frames(usual, frame):
    with flood_of_frames(usual, frame):
        longest_answer(usual)


@pytest.mark.timed
@HTTP_FLOODS
def test_a_flood_of_http_holds_up_nobody(usual, begin, content):
    with flood_of_http(usual, begin, content):
        assert longest_answer(usual) < 1.5


@pytest.mark.timed
@FRAME_FLOODS
def test_a_flood_of_frames_holds_up_nobody(usual, frame):
    with flood_of_frames(usual, frame):
        assert longest_answer(usual) < 1.5


def test_a_head_that_is_too_large(server):
    with connected(server) as connection:
        large = b"x" * connections.MOST_HEAD
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + large)
        assert read_all(connection).startswith(b"HTTP/1.1 431")
    with server.program() as program:
        assert program.get("/health", headers={"X": "x" * 16_000}).status_code == 200


@pytest.mark.parametrize(
    "begin",
    [b"", b"GET / HT", b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /"],
    ids=["nothing", "half a line", "half of the second request"],
)
def test_a_head_that_never_ends(server, monkeypatch, begin):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with connected(server) as connection:
        connection.sendall(begin)
        read_all(connection)  # which would time out if the server waited for ever


def test_a_request_that_waits_is_not_cut_off(server, monkeypatch):
    grant = server.open_match(opponent="link")
    monkeypatch.setattr(connections, "HEAD_SECONDS", 3.0)
    with server.program(grant["secret"]) as program:
        seen = program.get(f"/api/matches/{grant['match']}", params={"wait": 3.5})
    assert seen.json()["status"] == "open"


def test_connections_of_an_address_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MOST_CONNECTIONS", 3)
    with running_server(tmp_path) as server:
        first = [connected(server) for _ in range(3)]
        with connected(server) as another:
            assert read_all(another) == b""
        for connection in first:
            connection.close()
        while True:  # until the server has noticed
            with connected(server) as connection:
                connection.sendall(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
                if read_all(connection).startswith(b"HTTP/1.1 200"):
                    break
        grants = [server.open_match(opponent="link") for _ in range(4)]  # closed one by one
        for grant in grants:
            with server.socket(f"/api/matches/{grant['match']}/socket") as socket:
                receive(socket, "view")


def test_a_frame_for_a_socket_that_the_server_has_closed(tmp_path):
    """After bytes that are no frame, what is sent meets a client that has gone, and no error."""
    ended = []
    is_over = threading.Event()

    async def send_late(socket):
        await socket.accept()
        assert (await socket.receive())["type"] == "websocket.disconnect"
        try:
            await socket.send_text("late")
        except (WebSocketDisconnect, RuntimeError) as error:
            ended.append(type(error))
        is_over.set()

    with running_server(tmp_path) as server:
        late = WebSocketRoute("/api/matches/late/socket", send_late)
        server.app.router.routes.insert(0, late)
        with socket_by_hand(server, {"match": "late", "secret": "none"}) as connection:
            connection.sendall(b"\xc1\x80\0\0\0\0")  # a reserved bit
            assert is_over.wait(PATIENCE)
    assert ended == [WebSocketDisconnect]
