"""Playing over HTTP and sockets: what docs/live-protocol.md promises, through a real server."""

import pytest
from tests.patience import PATIENCE
from tests.web.running import receive, send


def test_four_requests_are_enough_to_play(server):
    grant = server.open_match(opponent={"level": "greedy"}, seat="red")
    assert grant["seat"] == "red"
    with server.program(grant["secret"]) as program:
        path = f"/api/matches/{grant['match']}"
        seen = program.get(path, params={"wait": 20}).json()
        assert (seen["status"], seen["you"], seen["round"]) == ("playing", "red", 1)
        assert "red" in seen["waiting_for"]
        command = '{"id":"a1","type":"choose","game":1,"round":1,"choice":"guard"}'
        done = program.post(f"{path}/commands", content=command)
        assert (done.status_code, done.json()) == (200, {"type": "done", "id": "a1"})
        seen = program.get(path, params={"since": seen["version"], "wait": 20}).json()
        while not seen["rounds"]:
            seen = program.get(path, params={"since": seen["version"], "wait": 20}).json()
        assert seen["rounds"][0]["red"] == "guard"


def test_curl_without_a_content_type_is_understood(server):
    with server.program() as program:
        answer = program.post(
            "/api/matches",
            content='{"ruleset":"bagh","opponent":{"level":"random"}}',
            headers={"Content-Type": "application/x-www-form-urlencoded"},  # as curl -d sends it
        )
    assert answer.status_code == 201


def test_waiting_alone_ends_when_there_is_something_to_choose(server):
    grant = server.open_match(opponent="link", seat="blue")
    path = f"/api/matches/{grant['match']}"
    with server.program(grant["secret"]) as program:
        seen = program.get(path, params={"wait": 0.2}).json()
        assert seen["status"] == "open"
        with server.program() as friend:
            joined = friend.post(f"{path}/join")
        assert joined.json()["seat"] == "red"
        seen = program.get(path, params={"wait": 20}).json()
        assert (seen["status"], seen["waiting_for"]) == ("playing", ["red", "blue"])


def test_two_browsers_and_a_spectator(server):
    with server.client() as red, server.client() as blue, server.client() as spectator:
        opened = red.post("/api/matches", json={"opponent": "link", "seat": "red"}).json()
        path = f"/api/matches/{opened['match']}"
        assert blue.post(f"{path}/join", json={}).json()["seat"] == "blue"
        sockets = [
            server.socket(
                f"{path}/socket",
                Cookie=f"holmgang={each.cookies['holmgang']}",
                Origin=server.address,
            )
            for each in (red, blue)
        ]
        watching = server.socket(f"{path}/socket")
        with sockets[0] as red_socket, sockets[1] as blue_socket, watching as third:
            views = [receive(each, "view")["view"] for each in (red_socket, blue_socket, third)]
            assert [view["you"] for view in views] == ["red", "blue", None]
            send(red_socket, type="choose", id="r", game=1, round=1, choice="boost")
            assert receive(red_socket, "done") == {"type": "done", "id": "r"}
            assert receive(third, "change")["patch"]["waiting_for"] == ["blue"]
            send(blue_socket, type="choose", id="b", game=1, round=1, choice="attack")
            for each in (red_socket, blue_socket, third):
                frame = receive(each, "change")
                while not frame["rounds"]:
                    frame = receive(each, "change")
                assert (frame["rounds"][0]["red"], frame["rounds"][0]["blue"]) == (
                    "boost",
                    "attack",
                )
        assert spectator.get(path).json()["you"] is None
        assert red.get(path).json()["you"] == "red"
        assert opened["match"] in str(red.get("/api/lobby").json()["yours"])


def test_a_spectator_cannot_play(server):
    grant = server.open_match(opponent="link")
    with server.socket(f"/api/matches/{grant['match']}/socket") as socket:
        receive(socket, "view")
        send(socket, type="forfeit", id="f")
        refused = receive(socket, "refused")
    assert (refused["id"], refused["error"]["code"]) == ("f", "not yours")


def test_a_wrong_secret_is_refused(server):
    grant = server.open_match(opponent="link")
    with server.program("wrong") as program:
        answer = program.get(f"/api/matches/{grant['match']}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not yours")


def test_a_socket_of_an_unknown_match_is_told_so(server):
    with server.socket("/api/matches/nothing/socket") as socket:
        assert receive(socket)["error"]["code"] == "not found"
        with pytest.raises(Exception, match="4404"):
            socket.recv(timeout=PATIENCE)


def test_sync_sends_the_whole_view_again(server):
    grant = server.open_match(opponent="link")
    with server.socket(f"/api/matches/{grant['match']}/socket", grant["secret"]) as socket:
        first = receive(socket, "view")["view"]
        send(socket, type="sync", id="s")
        frames = [receive(socket), receive(socket)]
    assert {"type": "done", "id": "s"} in frames
    again = next(frame["view"] for frame in frames if frame["type"] == "view")
    assert again["version"] == first["version"]


def test_the_lobby_shows_a_match_that_waits(server):
    with server.socket("/api/lobby/socket") as socket:
        receive(socket, "lobby")
        grant = server.open_match(opponent="lobby")
        while grant["match"] not in str(receive(socket, "lobby")["open"]):
            pass
        with server.program() as program:
            listed = program.get("/api/matches", params={"status": "open"}).json()["matches"]
    assert grant["match"] in [line["match"] for line in listed]


def test_a_finished_game_can_be_looked_at(server):
    grant = server.open_match(opponent="link", seat="red", wins_needed=1)
    path = f"/api/matches/{grant['match']}"
    with server.program(grant["secret"]) as program, server.program() as friend:
        friend.post(f"{path}/join")
        early = program.get(f"{path}/games/1/record")
        assert (early.status_code, early.json()["error"]["code"]) == (409, "closed")
        assert program.post(f"{path}/commands", json={"id": "f", "type": "forfeit"}).is_success
        seen = program.get(path, params={"picture": 1}).json()
        assert seen["outcome"]["winner"] == "blue"
        assert "<svg" in seen["picture"]
        record = program.get(f"{path}/games/1/record")
        assert record.headers["content-type"] == "application/x-ndjson"
        assert "attachment" in record.headers["content-disposition"]
        game = program.get(f"{path}/games/1").json()
        assert (game["winner"], game["is_over"]) == ("blue", True)
        assert "<svg" in program.get(f"{path}/games/1/frames/0").json()["picture"]
        assert program.get(f"{path}/games/1/frames/1").status_code == 404
        uploaded = program.post("/api/records", content=record.content)
        assert uploaded.status_code == 201
        seen = friend.get(f"/api/matches/{uploaded.json()['match']}").json()
        assert seen["visibility"] == "uploaded"


def test_a_forecast_is_for_the_player(server):
    grant = server.open_match(opponent={"level": "random"})
    path = f"/api/matches/{grant['match']}/forecast"
    with server.program(grant["secret"]) as program, server.program() as other:
        told = program.post(path, json={"choice": "boost"}).json()
        assert {line["against"] for line in told["lines"]} >= {"against attack"}
        assert other.post(path, json={"choice": "boost"}).status_code == 403
        wrong = program.post(path, json={"choice": "nonsense"})
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (409, "illegal")
