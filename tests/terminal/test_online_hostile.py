"""Servers that mean no good, or are none: whatever they send does no harm and is no traceback."""

import copy
import json
import socket
import threading
from contextlib import contextmanager, suppress
from http.client import HTTPConnection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.asked import as_request, plain
from tests.live.matches import stored_views
from tests.patience import PATIENCE
from tests.terminal.serving import play_until
from tests.terminal.shell import run
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

from holmgang.engine.duel import Duel
from holmgang.engine.seal import commitment
from holmgang.errors import ServerError, ServerRefusal, Unreachable
from holmgang.games.catalogue import CATALOGUE
from holmgang.live.clock import PlayClock
from holmgang.live.match import LiveMatch
from holmgang.live.terms import SeatedPlayer, Terms
from holmgang.terminal.online.address import parse_address
from holmgang.terminal.online.client import Client
from holmgang.terminal.online.connection import ServerConnection, read
from holmgang.terminal.online.identity import Identity
from holmgang.terminal.online.session import OnlineSession, duration, seal_line
from holmgang.terminal.online.view import OnlineView, player_text
from holmgang.terminal.session import Notice
from holmgang.wire.lists import Catalogue, LobbyLists
from holmgang.wire.match import ForecastTable, GameFrame, GameLog, Seal


class FakeServer:
    """Answers every request on a connection of its own with the same bytes."""

    def __init__(self, answer, *, endless=b""):
        self.answer, self.endless = answer, endless
        self.requests = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(PATIENCE)

    def _serve(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with near:
                self.requests.append(near.recv(65536))
                try:
                    near.sendall(self.answer)
                    while self.endless:
                        near.sendall(self.endless)
                except OSError:
                    pass  # it has had enough


def http(body, status="200 OK", *headers):
    head = "".join(f"{line}\r\n" for line in (f"HTTP/1.1 {status}", *headers))
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


NOT_ONE = "is not a Holmgang server"
GAMES = b'{"games": [{"name": "bagh"}], "levels": [], "bots": []}'


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (http(b"<h1>It works!</h1>"), NOT_ONE),
        (http(b'{"hello": "world"}'), NOT_ONE),
        (http(b"[1, 2]"), NOT_ONE),
        (http(b'{"games": [1], "levels": {}, "bots": null}'), NOT_ONE),
        (http(b"[" * 100_000), NOT_ONE),
        (http(b"\xff\xfe"), NOT_ONE),
        (http(b"<html>", "404 Not Found"), NOT_ONE),
        (http(b'{"error": 3}', "400 Bad Request"), NOT_ONE),
        (b"SSH-2.0-OpenSSH_9.2\r\n", NOT_ONE),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000, NOT_ONE),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", NOT_ONE),
        (b"", "was lost"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", "sent an incomplete answer"),
        (http(b"", "302 Found", "Location: http://elsewhere/\x1b[2J"), "redirects to http://else"),
        (http(b"", "502 Bad Gateway"), "says: status 502"),
    ],
)
def test_what_is_no_server_of_ours_is_told_in_one_line(answer, told):
    with FakeServer(answer) as fake:
        client = Client(parse_address(fake.url), Identity())
        with pytest.raises(ServerError) as refused:
            client.greet()
        client.close()
    assert told in str(refused.value)
    assert str(refused.value).isprintable()


def test_no_server_of_ours_is_exit_code_2_without_a_traceback(tmp_path):
    with FakeServer(http(b"<h1>It works!</h1>")) as fake:
        done = run(tmp_path, "play", "--server", fake.url)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"holmgang: {fake.url} is not a Holmgang server\n"


@pytest.mark.parametrize("head", [b"", b"Transfer-Encoding: chunked\r\n"])
def test_an_answer_without_end_is_cut_off(head):
    part = b"10000\r\n" + b"x" * 0x10000 + b"\r\n" if head else b"x" * 0x10000
    with FakeServer(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n", endless=part) as fake:
        connection = ServerConnection(parse_address(fake.url), Identity())
        with pytest.raises(ServerError, match="sends more than 4,000,000 bytes"):
            connection.fetch("/api/games")


def test_a_connection_is_for_one_request():
    with FakeServer(http(b"{}")) as fake:
        ServerConnection(parse_address(fake.url), Identity()).fetch("/api/games")
        assert b"\r\nConnection: close\r\n" in fake.requests[0]


def test_a_redirect_is_not_followed():
    with FakeServer(http(GAMES)) as other:
        location = f"Location: {other.url}/api/games"
        with FakeServer(http(b"", "307 Temporary Redirect", location)) as fake:
            connection = ServerConnection(parse_address(fake.url), Identity())
            with pytest.raises(ServerError, match="redirects to"):
                connection.fetch("/api/games")
    assert other.requests == []


def test_secrets_are_sent_to_their_match_only_and_cookies_are_checked():
    answer = http(
        b"{}",
        "200 OK",
        "Set-Cookie: other=1; Path=/",
        "Set-Cookie: holmgang=a b\tc; Path=/",
        "Set-Cookie: holmgang=tok-en_1; Path=/; HttpOnly",
    )
    with FakeServer(answer) as fake:
        identity = Identity()
        identity.remember("abc", "secret")
        connection = ServerConnection(parse_address(fake.url), identity)
        connection.fetch("/api/matches/abc", "abc")
        connection.fetch("/api/matches/xyz", "xyz")
        connection.fetch("/api/lobby")
    assert identity.cookie == "holmgang=tok-en_1"
    first, *others = fake.requests
    assert b"Authorization: Bearer secret" in first
    assert b"Cookie" not in first
    for request in others:
        assert b"secret" not in request
        assert b"Cookie: holmgang=tok-en_1\r\n" in request


@pytest.mark.parametrize(
    ("status", "body", "error", "told"),
    [
        (409, {"code": "late", "message": "that is\x1b over"}, ServerRefusal, "that is\\x1b over"),
        (429, {"code": "too many", "message": "slow down"}, Unreachable, "slow down"),
        (503, {"code": "stopping", "message": "bye"}, Unreachable, "bye"),
        (500, {"code": "failed", "message": "oops"}, Unreachable, "oops"),
    ],
)
def test_refusals(status, body, error, told):
    answer = http(json.dumps({"error": body}).encode(), f"{status} X", "Retry-After: 7")
    with FakeServer(answer) as fake, pytest.raises(error) as refused:
        ServerConnection(parse_address(fake.url), Identity()).fetch("/api/lobby")
    assert told in str(refused.value)
    if error is Unreachable:
        assert refused.value.retry_after == 7


def test_nothing_is_asked_after_closing():
    """A thread that is still at work, as the lobby's may be, opens no connection again."""
    with FakeServer(http(GAMES)) as fake:
        client = Client(parse_address(fake.url), Identity())
        client.close()
        with pytest.raises(Unreachable, match="the connection was closed"):
            client.lobby()
    assert fake.requests == []


def test_closing_while_connecting_sends_nothing(monkeypatch):
    with FakeServer(http(GAMES)) as fake:
        connection = ServerConnection(parse_address(fake.url), Identity())
        connect = HTTPConnection.connect

        def connect_late(http):
            connection.close()  # as another thread may, when there is no socket to shut down yet
            connect(http)

        monkeypatch.setattr(HTTPConnection, "connect", connect_late)
        with pytest.raises(Unreachable, match="the connection was closed"):
            connection.fetch("/api/games")
    assert fake.requests in ([], [b""])


# What is in the answers


def genuine_view(game="bagh", seat="red"):
    """A view as our server makes it, in the middle of a game."""
    match = LiveMatch("7Fq2mZk9Rw", PlayClock())
    request = {"ruleset": game, "opponent": "link", "seconds": 60}
    match.open(Terms.agreed(as_request(request)))
    for each in ("red", "blue"):
        match.join(each, SeatedPlayer(each, "guest"))
    for _ in range(2):
        duel: Duel = match.duel
        for each in duel.waiting_for:
            match.choose_for(each, 1, duel.round, duel.choices(each)[0])
    view = stored_views(match).view(seat, picture=False)
    return plain(view)


def read_view(value):
    content = json.dumps(value).encode(errors="surrogatepass")
    return read(content, OnlineView, NoServer.address)


@pytest.mark.parametrize("game", CATALOGUE)
def test_genuine_views_are_read(game):
    view = read_view(genuine_view(game))
    assert view.rules.entry.name == game
    assert len(view.rounds) == 2
    assert 0 < view.left_ms <= 60_000


def paths(value, path=()):
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for key, inner in enumerate(value):
            yield from paths(inner, (*path, key))


VIEWS = {game: genuine_view(game) for game in ("bagh", "defend-the-city", "magic-duel")}
PLACES = [(game, path) for game, view in VIEWS.items() for path in paths(view) if path]
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from(["red", "over", "open", "\x1b]0;x\x07", "\u202e", "heal 9", "../../x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


class NoServer:
    """A client of a server that does not answer."""

    address = parse_address("http://127.0.0.1:1")
    identity = Identity()
    connection = ServerConnection(address, identity)

    def cancel(self, match):
        pass


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(PLACES), JUNK, st.booleans())
def test_whatever_a_view_has_in_it_is_refused_or_shown_safely(place, junk, is_missing):
    game, path = place
    value = copy.deepcopy(VIEWS[game])
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    if is_missing:
        del holder[path[-1]]
    else:
        holder[path[-1]] = junk
    try:
        view = read_view(value)
    except ServerError:
        return
    shown = [
        *(option.word + option.key + option.note for option in view.options),
        *(sentence for each in view.revealed for sentence in each.story),
        *(player_text(player) for player in view.players.values() if player is not None),
        *([] if view.outcome is None else [view.outcome.sentence]),
        view.match,
        *view.notes.values(),
    ]
    assert all(text.isprintable() for text in shown)
    view.rules.board(view.parsed_state, 80)


@settings(deadline=None, max_examples=200)
@given(JUNK)
def test_other_answers_are_refused_or_read(junk):
    for kind in (LobbyLists, Catalogue, GameLog, GameFrame, ForecastTable):
        for value in (junk, {"open": junk, "live": [], "yours": []}, {"lines": junk}):
            content = json.dumps(value).encode(errors="surrogatepass")
            with suppress(ServerError):
                read(content, kind, NoServer.address)


def session_of(value):
    return OnlineSession(NoServer(), read_view(value))


def test_names_cannot_give_orders_to_the_terminal():
    value = genuine_view(seat=None)
    value["players"]["red"]["name"] = "\x1b[2Jegil\u202e" + "x" * 5000
    value["rounds"][0]["story"] = ["\x1b]0;owned\x07"]
    session = session_of(value)
    told = session.title("red")
    assert told.startswith("Red (\\x1b[2Jegil\\u202e")
    assert len(told) < 60
    [began] = [news for news in session.advance() if hasattr(news, "rounds")]
    assert began.rounds[0].story == ["\\x1b]0;owned\\x07"]
    session.leave()


def test_a_broken_seal_is_told():
    salt = "00" * 32
    good = Seal(commitment="a5" * 32, seed="1", salt=salt)
    assert "is broken" in seal_line(good, good.commitment)[0]
    sound = replace(good, commitment=commitment(1, bytes(32)))
    assert seal_line(sound, sound.commitment)[1]
    assert "replaced" in seal_line(good, "other")[0]
    assert "has not opened" in seal_line(replace(good, seed=None), good.commitment)[0]
    for seal in (replace(good, salt="xyz"), *(replace(good, seed=x) for x in (str(2**200), "x"))):
        assert "is broken" in seal_line(seal, seal.commitment)[0]


def test_durations():
    assert [duration(seconds) for seconds in (0, 9, 75, 7200, 200_000)] == [
        "0:00",
        "0:09",
        "1:15",
        "2 h",
        "2 days",
    ]


# What is sent over the socket


class FakeSocket:
    """A server that has the match of a view, and sends each follower the given frames."""

    def __init__(self, *frames, view=None, status=None):
        self.view = genuine_view() if view is None else view
        self.frames = [{"type": "view", "view": self.view}, *frames]
        self.status = status
        self.asked = []
        self.taken = []

    def __enter__(self):
        self._server = serve(self._talk, "127.0.0.1", 0, process_request=self._refuse)
        self.port = self._server.socket.getsockname()[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join(10)

    def _refuse(self, connection, request):
        self.asked.append(request)
        if self.status is None:
            return None
        answer = connection.respond(self.status, "")
        answer.headers["Location"] = "http://127.0.0.1:1/elsewhere"
        return answer

    def _talk(self, connection):
        for frame in self.frames:
            connection.send(frame if isinstance(frame, str | bytes) else json.dumps(frame))
        with suppress(ConnectionClosed):
            for text in connection:
                self.taken.append(json.loads(text))

    @contextmanager
    def session(self):
        identity = Identity()
        identity.remember(self.view["match"], "secret")
        client = Client(parse_address(f"http://127.0.0.1:{self.port}"), identity)
        session = OnlineSession(client, read_view(self.view))
        try:
            yield session
        finally:
            session.leave()
            client.close()


def texts(news):
    return [happened.text for happened in news if isinstance(happened, Notice)]


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        ("[", "is not a Holmgang server)."),
        ("[1]", "is not a Holmgang server of this version: expected object"),
        ({"type": "view", "view": {}}, "of this version: view: match is missing"),
        (
            {"type": "change", "since": 0, "version": 9, "patch": [], "rounds": []},
            "patch: expected object, got array",
        ),
        ({"type": "stopping"}, "is stopping)."),
        ("x" * 5_000_000, "sends more than 4,000,000 bytes"),
        (
            {"type": "refused", "id": None, "error": {"code": "unavailable", "message": "wait"}},
            "says: wait).",
        ),
    ],
)
def test_a_bad_frame_is_told_in_one_line_and_the_client_tries_again(frame, told):
    with FakeSocket(frame) as fake, fake.session() as session:
        news = play_until(session, lambda: "no connection, trying again" in session.notes())
        [text] = [text for text in texts(news) if "Connection lost" in text]
        assert told in text
        assert text.isprintable()
        play_until(session, lambda: len(fake.asked) > 1)


def test_a_patch_that_makes_no_view_is_a_bad_frame():
    view = genuine_view()
    patch = {"state": {"hello": "world"}}
    frame = {
        "type": "change",
        "since": view["version"],
        "version": 99,
        "patch": patch,
        "rounds": [],
    }
    with FakeSocket(frame) as fake, fake.session() as session:
        news = play_until(session, lambda: "no connection, trying again" in session.notes())
        assert any("the server plays by other rules" in text for text in texts(news))


def test_frames_and_fields_of_a_newer_server_are_passed_over():
    view = genuine_view()
    view["weather"] = {"rain": True}
    patch = {"draw_offered_by": ["blue"], "wind": 3}
    changed = {
        "type": "change",
        "since": view["version"],
        "version": view["version"] + 1,
        "patch": patch,
        "rounds": [],
        "tide": "low",
    }
    with FakeSocket({"type": "fanfare"}, changed, view=view) as fake, fake.session() as session:
        news = play_until(session, lambda: session.view.draw_offered_by == ["blue"])
        assert not any("Connection lost" in text for text in texts(news))
        assert session.view.version == view["version"] + 1


def test_the_clock_goes_on_when_a_change_says_nothing_of_it():
    view = genuine_view()
    assert view["deadline"] - view["now"] > 59_000
    changed = {
        "type": "change",
        "since": view["version"],
        "version": view["version"] + 1,
        "patch": {"waiting_for": ["red"]},
        "rounds": [],
    }
    with FakeSocket(changed, view=view) as fake, fake.session() as session:
        session._seen_at -= 30
        play_until(session, lambda: session.view.waiting_for == ["red"])
        assert session.clock <= "0:30"


def test_a_change_of_another_version_makes_the_client_ask_for_the_view():
    changed = {"type": "change", "since": 1, "version": 2, "patch": {}, "rounds": []}
    with FakeSocket(changed) as fake, fake.session() as session:
        play_until(session, lambda: bool(fake.taken))
        assert fake.taken[0]["type"] == "sync"


@pytest.mark.parametrize(
    ("status", "told"), [(302, "redirects to http://127"), (502, "status 502")]
)
def test_a_socket_that_is_not_opened_is_told_and_redirects_are_not_followed(status, told):
    with FakeSocket(status=status) as fake, fake.session() as session:
        news = play_until(session, lambda: "no connection, trying again" in session.notes())
        assert any(told in text for text in texts(news))
        assert fake.asked[0].headers["Authorization"] == "Bearer secret"


def test_a_seat_that_is_no_longer_ours_ends_the_match_here():
    other = {"type": "view", "view": genuine_view(seat=None)}
    with FakeSocket(other) as fake, fake.session() as session:
        news = play_until(session, lambda: "no longer be followed" in session.waiting_line())
        assert any("the seat is no longer yours" in text for text in texts(news))
        session.forfeit("red")
        news = play_until(session, lambda: not session.is_busy)
        assert "The seat is no longer yours." in texts([*news, *session.advance()])
