"""Requests from other sites, bodies of the wrong kind or size, and the headers of every answer."""

import http.client
import json

import pytest
from tests.patience import PATIENCE
from tests.web.running import receive, running_server, send
from websockets.exceptions import ConnectionClosed, InvalidStatus

from holmgang.web.security import MOST_BODY, MOST_FRAME, MOST_UPLOAD
from holmgang.web.sessions import digest

OPENING = {"ruleset": "bagh", "opponent": "link"}


@pytest.fixture
def guest(server):
    """A browser with a session."""
    with server.client() as client:
        assert client.post("/api/matches", json=OPENING).status_code == 201
        yield client


def code_of(answer):
    return answer.status_code, answer.json()["error"]["code"]


# Origin


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://[broken"},
        {"Origin": "http://127.0.0.1:1"},  # another port of this machine
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_another_site_can_change_nothing(server, guest, headers):
    for answer in (
        guest.post("/api/matches", json=OPENING, headers=headers),
        guest.delete("/api/session", headers=headers),
    ):
        assert code_of(answer) == (403, "origin")
    with server.program() as stranger:  # without a cookie, which may be set by the answer
        answer = stranger.post("/api/session", json={}, headers=headers)
        assert code_of(answer) == (403, "origin")
    assert guest.get("/api/me").json()["name"] is not None


def test_a_cookie_without_an_origin_is_not_enough(server, guest):
    del guest.headers["Origin"]
    assert code_of(guest.post("/api/matches", json=OPENING)) == (403, "origin")
    same = {"Sec-Fetch-Site": "same-origin"}
    assert guest.post("/api/matches", json=OPENING, headers=same).status_code == 201


def test_a_secret_needs_no_origin(server):
    grant = server.open_match(opponent="link")
    with server.program(grant["secret"]) as program:
        answer = program.post(
            f"/api/matches/{grant['match']}/commands",
            content='{"id":"1","type":"cancel"}',
            headers={"Origin": "http://elsewhere.example", "Cookie": "holmgang=abc"},
        )
    assert answer.status_code == 200


@pytest.mark.parametrize("site", ["http://evil.example", None])
def test_with_a_secret_the_cookie_does_not_count(server, guest, site):
    """Whatever the secret is: it must not switch off the check of a session's origin."""
    match = guest.post("/api/matches", json=OPENING).json()["match"]
    token = guest.cookies["holmgang"]
    headers = {"Authorization": "Bearer x", "Cookie": f"holmgang={token}"}
    if site is not None:
        headers["Origin"] = site
    with server.program() as program:
        command = {"id": "1", "type": "cancel"}
        answer = program.post(f"/api/matches/{match}/commands", json=command, headers=headers)
        assert code_of(answer) == (403, "not yours")
        program.delete("/api/session", headers=headers)
        opened = program.post("/api/matches", json=OPENING, headers=headers)
    assert guest.get("/api/me").json()["name"] is not None
    assert guest.get(f"/api/matches/{match}").json()["status"] == "open"
    if site is None:  # any program can do that: it has become another guest
        assert opened.status_code == 201
        assert (
            server.store.people.by_session(digest(opened.cookies["holmgang"])).name
            != (guest.get("/api/me").json()["name"])
        )
    else:
        assert code_of(opened) == (403, "origin")
        assert "set-cookie" not in opened.headers


def test_sockets_of_other_sites_are_refused(server, guest):
    match = guest.post("/api/matches", json=OPENING).json()["match"]
    cookie = f"holmgang={guest.cookies['holmgang']}"
    for headers in ({"Origin": "http://evil.example"}, {}):
        with pytest.raises(InvalidStatus) as refused:
            server.socket(f"/api/matches/{match}/socket", Cookie=cookie, **headers)
        assert refused.value.response.status_code == 403
        assert json.loads(refused.value.response.body)["error"]["code"] == "origin"
    own = {"Cookie": cookie, "Origin": server.address}
    with server.socket(f"/api/matches/{match}/socket", **own) as socket:
        assert receive(socket, "view")["view"]["you"] is not None


def test_a_server_for_this_machine_answers_to_its_names_only(server):
    with server.program() as program:
        for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", ""):
            assert code_of(program.get("/api/me", headers={"Host": host})) == (421, "origin")
        for host in ("localhost:8000", "[::1]:8000", "127.0.0.1"):
            assert program.get("/api/me", headers={"Host": host}).status_code == 200


def test_other_sites_are_not_given_leave_to_read(server):
    with server.program() as program:
        preflight = program.options(
            "/api/matches",
            headers={
                "Origin": "http://evil.example",
                "Access-Control-Request-Method": "POST",
            },
        )
        seen = program.get("/api/games", headers={"Origin": "http://evil.example"})
    assert preflight.status_code == 405
    for answer in (preflight, seen):
        assert not [name for name in answer.headers if name.startswith("access-control")]


# Bodies


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_what_a_form_could_send_is_not_taken_with_a_cookie(guest, kind):
    answer = guest.post("/api/matches", content=json.dumps(OPENING), headers={"Content-Type": kind})
    assert code_of(answer) == (415, "bad")


def test_large_bodies_are_refused(server, guest):
    large = json.dumps({**OPENING, "ruleset": "x" * MOST_BODY})
    answer = guest.post("/api/matches", content=large, headers={"Content-Type": "application/json"})
    assert code_of(answer) == (413, "too large")
    with server.program() as program:
        answer = program.post("/api/records", content=b"x" * (MOST_UPLOAD + 1))
        assert code_of(answer) == (413, "too large")
        answer = program.post("/api/records", content=b"x" * MOST_UPLOAD)
        assert code_of(answer) == (422, "bad")

        def endless():
            while True:
                yield b"x" * 65536

        answer = program.post("/api/matches", content=endless())  # without a length
        assert code_of(answer) == (413, "too large")


def test_a_length_that_is_not_a_number_is_harmless(server):
    connection = http.client.HTTPConnection(
        server.address.removeprefix("http://"), timeout=PATIENCE
    )
    connection.putrequest("POST", "/api/matches")
    connection.putheader("Content-Length", "9" * 400)
    connection.endheaders()
    assert connection.getresponse().status in (400, 413)
    connection.close()


def test_large_frames_end_the_socket(server):
    grant = server.open_match(opponent="link")
    path = f"/api/matches/{grant['match']}"
    with server.socket(f"{path}/socket", grant["secret"]) as socket:
        receive(socket, "view")
        socket.send("x" * (MOST_FRAME + 1))
        with pytest.raises(ConnectionClosed) as closed:
            receive(socket)
        assert closed.value.rcvd.code == 1009
    with server.program() as program:  # the match goes on
        assert program.get(path).json()["status"] == "open"


# Headers


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/match/abc"),
        ("GET", "/static/icon.svg"),
        ("GET", "/static/nothing"),
        ("GET", "/api/games"),
        ("GET", "/api/matches/nothing"),
        ("GET", "/nothing"),
        ("PUT", "/api/games"),
        ("POST", "/api/matches"),
        ("GET", "/health"),
        ("GET", "/metrics"),
    ],
)
def test_every_answer_has_the_headers(server, method, path):
    with server.program() as program:
        answer = program.request(method, path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] in ("no-cache", "no-store")
    assert "server" not in answer.headers


def test_scripts_and_style_sheets_have_the_headers_that_concern_them(server):
    with server.program() as program:
        for path in ("/static/app.js", "/static/board.css"):
            headers = program.get(path).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert headers["cache-control"] == "no-cache"
            assert "content-security-policy" not in headers  # documents have one


def test_a_standalone_page_is_of_no_origin(server):
    grant = server.open_match(opponent="link", wins_needed=1)
    path = f"/api/matches/{grant['match']}"
    with server.program() as friend, server.program(grant["secret"]) as program:
        friend.post(f"{path}/join")
        program.post(f"{path}/commands", json={"id": "1", "type": "forfeit"})
        page = friend.get(f"{path}/games/1/replay.html")
    assert page.status_code == 200
    assert page.text.lstrip().lower().startswith("<!doctype html>")
    policy = page.headers["content-security-policy"]
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not found"),
        ("GET", "/static/../app.py", 404, "not found"),
        ("DELETE", "/api/games", 405, "bad"),
        ("GET", "/api/matches?status=nonsense", 422, "bad"),
        ("GET", "/api/matches?limit=0", 422, "bad"),
        ("GET", "/api/matches/nothing?wait=99", 422, "bad"),
        ("GET", "/api/matches?player=nobody", 404, "not found"),
        ("GET", "/api/matches/123456789A", 404, "not found"),
        ("GET", "/api/games/chess/rules", 404, "not found"),
        ("GET", "/api/leaderboards/chess", 404, "not found"),
        ("GET", "/api/players/%00", 404, "not found"),
    ],
)
def test_one_shape_of_errors(server, method, path, status, code):
    with server.program() as program:
        answer = program.request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/json"
    assert set(answer.json()) == {"error"}
    assert set(answer.json()["error"]) == {"code", "message"}
    assert answer.json()["error"]["code"] == code


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/api/me", "GET, HEAD"),
        ("DELETE", "/api/matches", "GET, HEAD, POST"),
        ("PATCH", "/api/session", "DELETE, POST"),
        ("GET", "/api/matches/123456789A/commands", "POST"),
        ("OPTIONS", "/api/games", "GET, HEAD"),
        ("POST", "/health", "GET, HEAD"),
        ("POST", "/", "GET, HEAD"),
    ],
)
def test_a_method_that_is_not_allowed_is_told_which_are(server, method, path, allowed):
    with server.program() as program:
        answer = program.request(method, path)
    assert code_of(answer) == (405, "bad")
    assert answer.headers["allow"] == allowed
    assert answer.json()["error"]["message"] == f"{method} is not allowed here; use {allowed}"


@pytest.mark.parametrize("path", ["/api/me", "/api/games", "/api/matches?status=open", "/api/no"])
def test_a_head_has_the_answer_of_a_get_without_its_body(server, path):
    with server.program() as program:
        head, get = program.head(path), program.get(path)
    assert (head.status_code, head.content) == (get.status_code, b"")
    differing = {"date"}
    assert {name: head.headers[name] for name in head.headers if name not in differing} == {
        name: get.headers[name] for name in get.headers if name not in differing
    }


def test_a_failure_is_answered_and_logged_without_what_was_sent(server, monkeypatch, caplog):
    async def fail(*_):
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(server.service, "view", fail)
    grant = server.open_match(opponent="link")
    with server.program(grant["secret"]) as program, caplog.at_level("INFO"):
        answer = program.get(f"/api/matches/{grant['match']}", params={"since": 777_777})
    assert code_of(answer) == (500, "failed")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "a mistake of ours" not in answer.text
    own = [
        f"{record.getMessage()} {record.__dict__.get('event')} {record.exc_text}"
        for record in caplog.records
        if record.name.startswith("holmgang")
    ]
    assert "a mistake of ours" in str(own)
    assert grant["secret"] not in str(own)
    assert "777777" not in str(own)


# Behind a proxy


def test_a_proxy_says_who_asks_and_how(tmp_path):
    with running_server(tmp_path, behind_proxy=True) as server, server.program() as program:
        headers = {
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "203.0.113.5, 198.51.100.7",
            "Host": "play.example",
            "Origin": "https://play.example",
        }
        answer = program.post("/api/matches", json=OPENING, headers=headers)
        assert answer.status_code == 201
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-holmgang=")
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
        assert "Domain" not in cookie


def test_without_a_proxy_its_headers_mean_nothing(server):
    with server.program() as program:
        headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.5"}
        cookie = program.post("/api/matches", json=OPENING, headers=headers).headers["set-cookie"]
    assert cookie.startswith("holmgang=")
    assert "Secure" not in cookie


def test_an_empty_body_of_a_socket_is_refused(server):
    grant = server.open_match(opponent="link")
    with server.socket(f"/api/matches/{grant['match']}/socket", grant["secret"]) as socket:
        receive(socket, "view")
        socket.send("")
        assert receive(socket, "refused")["error"]["code"] == "bad"
        send(socket, type="cancel", id="c")
        assert receive(socket, "done")["id"] == "c"
