"""Input that no client of ours would send: it is refused in the one shape, and nothing breaks."""

import json
import socket as sockets
import struct
from contextlib import suppress

import pytest
from tests.patience import PATIENCE
from tests.web.running import receive, send
from websockets.exceptions import ConnectionClosed

BODIES = {
    "nothing": b"",
    "not JSON": b"{",
    "binary": bytes(range(256)),
    "not UTF-8": b'{"ruleset":"\xff"}',
    "half a character": b'{"ruleset":"\\ud800"}',
    "NaN": b'{"wins_needed":NaN}',
    "deep": b"[" * 8000,
    "deep and closed": b"[" * 4000 + b"]" * 4000,
    "a deep object": b'{"a":' * 1300 + b"1" + b"}" * 1300,
    "a huge number": b'{"wins_needed":' + b"9" * 5000 + b"}",
    "a long number": b'{"wins_needed":1e999}',
    "a list": b"[]",
    "a text": b'"bagh"',
    "null": b"null",
    "a number": b"7",
    "a NUL": b'{"ruleset":"bagh\\u0000"}',
}
OPENINGS = [
    {"ruleset": {}},
    {"ruleset": []},
    {"ruleset": 7},
    {"ruleset": None},
    {"ruleset": "x" * 5000},
    {"ruleset": "bagh:max_boost=" + "9" * 1000},
    {"ruleset": "bagh:__class__=1"},
    {"opponent": None},
    {"opponent": {"level": {}}},
    {"opponent": {"level": "search:3600000"}},
    {"opponent": {"bot": "../../etc/passwd"}},
    {"opponent": {"bot": []}},
    {"opponent": {"level": "random", "bot": "x"}},
    {"opponent": ["lobby"]},
    {"seat": "green"},
    {"seat": []},
    {"seconds": True},
    {"seconds": 15.5},
    {"seconds": -1},
    {"seconds": "15"},
    {"wins_needed": 0},
    {"wins_needed": True},
    {"wins_needed": 1.0},
    {"wins_needed": 10**30},
    {"unknown": 1},
    {"on_timeout": {}},
]
COMMANDS = [
    {},
    {"id": "a"},
    {"id": "a", "type": []},
    {"id": "a", "type": {"a": 1}},
    {"id": "a", "type": "nonsense"},
    {"id": 7, "type": "forfeit"},
    {"id": "", "type": "forfeit"},
    {"id": "x" * 65, "type": "forfeit"},
    {"id": None, "type": "sync"},
    {"id": "a", "type": "choose"},
    {"id": "a", "type": "choose", "game": 1, "round": 1},
    {"id": "a", "type": "choose", "game": "1", "round": 1, "choice": "boost"},
    {"id": "a", "type": "choose", "game": True, "round": 1, "choice": "boost"},
    {"id": "a", "type": "choose", "game": 1.0, "round": 1, "choice": "boost"},
    {"id": "a", "type": "choose", "game": -1, "round": 1, "choice": "boost"},
    {"id": "a", "type": "choose", "game": 10**30, "round": 1, "choice": "boost"},
    {"id": "a", "type": "choose", "game": 1, "round": 10**6, "choice": "boost"},
    {"id": "a", "type": "choose", "game": 1, "round": 1, "choice": ["boost"]},
    {"id": "a", "type": "choose", "game": 1, "round": 1, "choice": "x" * 3000},
    {"id": "a", "type": "choose", "game": 1, "round": 1, "choice": "boost\u0000"},
    {"id": "a", "type": "choose", "game": 1, "round": 1, "choice": "boost", "seat": "blue"},
    {"id": "a", "type": "withdraw", "game": 1},
]


@pytest.fixture
def match(server):
    return server.open_match(opponent="link", seat="red")


def is_refused(answer):
    error = answer.json()["error"]
    return 400 <= answer.status_code < 500 and set(error) == {"code", "message"}


@pytest.mark.parametrize("path", ["matches", "account", "session", "records"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_bodies(server, path, body):
    with server.program() as program:
        assert is_refused(program.post(f"/api/{path}", content=body))


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_bodies_to_a_match(server, match, body):
    with server.program(match["secret"]) as program:
        for path in ("commands", "forecast"):
            assert is_refused(program.post(f"/api/matches/{match['match']}/{path}", content=body))


@pytest.mark.parametrize("asked", OPENINGS, ids=lambda asked: json.dumps(asked)[:50])
def test_openings(server, asked):
    with server.program() as program:
        assert is_refused(program.post("/api/matches", json=asked))


def test_the_last_of_several_fields_of_the_same_name_counts(server):
    with server.program() as program:
        body = '{"opponent":"link","seat":"blue","seat":"red"}'
        assert program.post("/api/matches", content=body).json()["seat"] == "red"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: json.dumps(command)[:60])
def test_commands(server, match, command):
    path = f"/api/matches/{match['match']}"
    with server.program(match["secret"]) as program:
        assert is_refused(program.post(f"{path}/commands", json=command))
    with server.socket(f"{path}/socket", match["secret"]) as socket:
        receive(socket, "view")
        send(socket, **command)
        refused = receive(socket, "refused")
        assert refused["id"] in (command.get("id"), None)
        send(socket, type="sync", id="still here")
        assert receive(socket, "done")["id"] == "still here"


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_frames(server, match, body):
    path = f"/api/matches/{match['match']}"
    with server.socket(f"{path}/socket", match["secret"]) as socket:
        receive(socket, "view")
        socket.send(body)  # as a binary frame
        assert receive(socket, "refused")["error"]["code"] == "bad"
        socket.send(body.decode("latin-1"))
        assert receive(socket)["type"] == "refused"
        send(socket, type="sync", id="still here")
        assert receive(socket, "done")["id"] == "still here"
    with server.program() as program:
        assert program.get(path).json()["status"] == "open"


def test_text_that_is_not_utf_8_ends_the_socket_only(server, match):
    path = f"/api/matches/{match['match']}"
    with server.socket(f"{path}/socket", match["secret"]) as socket:
        receive(socket, "view")
        frame = b"\x81\x82" + struct.pack("!I", 0) + b"\xff\xfe"  # text, masked with zeros
        socket.socket.sendall(frame)
        with pytest.raises(ConnectionClosed) as closed:
            receive(socket)
        assert closed.value.rcvd.code == 1007
    with server.program() as program:
        assert program.get(path).json()["status"] == "open"


def send_nonsense(socket):
    for _ in range(1000):
        socket.send("nonsense")
        receive(socket, "refused")


def test_a_client_that_sends_only_nonsense_is_cut_off(server, match):
    with server.socket(f"/api/matches/{match['match']}/socket", match["secret"]) as socket:
        receive(socket, "view")
        with pytest.raises(ConnectionClosed) as closed:
            send_nonsense(socket)
        assert closed.value.rcvd.code == 4422


def test_a_client_that_talks_to_the_lobby_is_cut_off(server):
    with server.socket("/api/lobby/socket") as socket, pytest.raises(ConnectionClosed):
        send_nonsense(socket)


def exchange_raw(server, text, *, is_all=False):
    """What is answered until the server closes the connection; `is_all` says that nothing follows.

    A server that closes while there is more to read may take its answer with it.
    """
    host, port = server.address.removeprefix("http://").split(":")
    answer = b""
    with (
        sockets.create_connection((host, int(port)), timeout=PATIENCE) as connection,
        suppress(ConnectionError, BrokenPipeError),
    ):
        connection.sendall(text)
        if is_all:
            connection.shutdown(sockets.SHUT_WR)
        while part := connection.recv(65536):
            answer += part
    return answer


START = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\n"
NOT_HTTP = {
    "blank": b"\r\n\r\n",
    "garbage": b"GARBAGE\r\n\r\n",
    "a long header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
    "a NUL": b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a negative length": START + b"Content-Length: -5\r\n\r\n",
    "a bad chunk": START + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "half an upgrade": START + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
}


@pytest.mark.parametrize("text", NOT_HTTP.values(), ids=NOT_HTTP.keys())
def test_what_is_not_http(server, text):
    answer = exchange_raw(server, text, is_all=True)
    assert answer == b"" or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 200"))
    with server.program() as program:
        assert program.get("/health").status_code == 200


def test_a_head_without_an_end_is_cut_off(server):
    endless = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-Filler: filler\r\n" * 4000
    answer = exchange_raw(server, endless)
    assert answer.startswith(b"HTTP/1.1 431")


def test_a_body_that_breaks_off_has_no_effect(server):
    """The first part of a record is one too, of a game that was not finished."""
    grant = server.open_match(opponent="link", wins_needed=1)
    path = f"/api/matches/{grant['match']}"
    with server.program() as friend, server.program(grant["secret"]) as program:
        friend.post(f"{path}/join")
        program.post(f"{path}/commands", json={"id": "f", "type": "forfeit"})
        record = friend.get(f"{path}/games/1/record").content
    rows = len(server.store.matches.find(visibility="uploaded", limit=1000))
    head = b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
    assert exchange_raw(server, head + record, is_all=True) == b""
    with server.program() as program:
        assert program.get("/health").status_code == 200
    assert len(server.store.matches.find(visibility="uploaded", limit=1000)) == rows


def test_a_large_body_is_not_taken_for_a_head(server):
    with server.program() as program:
        for _ in range(3):  # on one connection
            answer = program.post("/api/records", content=b"x" * 500_000)
            assert answer.json()["error"]["code"] == "bad"


@pytest.mark.parametrize(
    "header", ["Bearer", "Basic abc", "Bearer " + "x" * 5000, "Bearer \xff", "x"]
)
def test_strange_secrets(server, match, header):
    with server.program() as program:
        answer = program.get(
            f"/api/matches/{match['match']}", headers={"Authorization": header.encode("latin-1")}
        )
    assert answer.status_code in (200, 403)
    if answer.status_code == 200:
        assert answer.json()["you"] is None


@pytest.mark.parametrize("cookie", ["holmgang=", "holmgang=\xff", "holmgang=" + "x" * 5000, "=;;="])
def test_strange_cookies(server, cookie):
    with server.program() as program:
        answer = program.get("/api/me", headers={"Cookie": cookie.encode("latin-1")})
    assert answer.json()["name"] is None
