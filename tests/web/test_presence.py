"""Ghosts: whoever is not there is not listed, cannot be joined, and loses nothing."""

import json
import signal
import time
from contextlib import contextmanager

import httpx
from tests.patience import PATIENCE
from tests.web.processes import serving
from tests.web.running import receive, running_server
from websockets.sync.client import connect

RATED = {"ruleset": "bagh", "seat": "red", "seconds": 15, "wins_needed": 1}


@contextmanager
def account(address, name):
    """A browser that is signed in."""
    with httpx.Client(base_url=address, headers={"Origin": address}, timeout=PATIENCE) as client:
        answer = client.post("/api/account", json={"name": name, "password": "a long password"})
        assert answer.status_code == 201, answer.text
        yield client


def again(client, address):
    """The same browser at the address of a server that was started again."""
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)
    return httpx.Client(base_url=address, headers={"Origin": address, "Cookie": cookies})


def opened(client, **asked):
    answer = client.post("/api/matches", json={**RATED, **asked})
    assert answer.status_code == 201, answer.text
    return answer.json()["match"]


def socket(address, client, match):
    """The page of a match in a browser."""
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)
    url = f"{address.replace('http', 'ws', 1)}/api/matches/{match}/socket"
    return connect(url, additional_headers={"Origin": address, "Cookie": cookies})


def listed(client, kind):
    return [line["match"] for line in client.get("/api/lobby").json()[kind]]


def wait_until_listed(client, kind, wanted):
    """Reads the lobby until it lists exactly these matches."""
    until = time.monotonic() + PATIENCE
    while (found := listed(client, kind)) != wanted:
        assert time.monotonic() < until, found
        time.sleep(0.1)


def rating(client, name):
    return client.get(f"/api/players/{name}").json()["ratings"]


def test_after_a_restart_an_absent_player_is_not_listed_and_cannot_be_joined(tmp_path):
    with (
        serving(tmp_path, "--port", "0") as first,
        account(first.address, "Ann") as ann,
        account(first.address, "Bob") as bob,
    ):
        match = opened(ann, opponent="lobby")
        with socket(first.address, ann, match):
            wait_until_listed(bob, "open", [match])
            first.process.send_signal(signal.SIGKILL)
            first.process.wait(PATIENCE)
        with (
            serving(tmp_path, "--port", "0") as second,
            again(bob, second.address) as bob_again,
        ):
            wait_until_listed(bob_again, "open", [])
            refused = bob_again.post(f"/api/matches/{match}/join", json={})
            assert refused.status_code == 409
            assert "has left" in refused.json()["error"]["message"]
            assert rating(bob_again, "Ann") == {}
            with again(ann, second.address) as ann_again:
                ann_again.get(f"/api/matches/{match}")  # back: it is listed again
                wait_until_listed(bob_again, "open", [match])
                assert bob_again.post(f"/api/matches/{match}/join", json={}).status_code == 200
                assert bob_again.get(f"/api/matches/{match}").json()["status"] == "playing"


def test_a_match_leaves_the_lobby_with_its_player(tmp_path):
    with (
        running_server(tmp_path, has_limits=False) as server,
        account(server.address, "Ann") as ann,
        account(server.address, "Bob") as bob,
    ):
        match = opened(ann, opponent="lobby")
        with socket(server.address, ann, match):
            wait_until_listed(bob, "open", [match])
            with server.socket("/api/lobby/socket") as lobby:
                assert match in str(receive(lobby, "lobby")["open"])
        wait_until_listed(bob, "open", [])
        assert bob.get("/api/matches?status=open").json()["matches"] == []
        refused = bob.post(f"/api/matches/{match}/join", json={})
        assert refused.json()["error"]["code"] == "closed"
        assert ann.get(f"/api/matches/{match}").json()["status"] == "open"


def test_only_duels_with_a_player_are_live(tmp_path):
    with (
        running_server(tmp_path, has_limits=False) as server,
        account(server.address, "Ann") as ann,
        account(server.address, "Bob") as bob,
    ):
        duel = opened(ann, opponent="lobby", seconds=86_400)
        other = opened(ann, opponent="lobby", seconds=86_400)
        for match in (duel, other):
            bob.post(f"/api/matches/{match}/join", json={})
        with socket(server.address, ann, duel):
            wait_until_listed(bob, "live", [duel])  # nobody is in the other one any more
            lines = bob.get("/api/lobby").json()["live"]
            assert [line["present"] for line in lines] == [["red"]]
            with socket(server.address, ann, other):
                wait_until_listed(bob, "live", [other, duel])
        wait_until_listed(bob, "live", [])
        assert bob.get("/api/matches?status=live").json()["matches"] == []


def test_the_clock_of_an_invitation_starts_when_both_are_there(tmp_path):
    with (
        running_server(tmp_path, has_limits=False) as server,
        account(server.address, "Ann") as ann,
        account(server.address, "Bob") as bob,
    ):
        match = opened(ann, opponent="link")
        seen = server.service.presence
        until = time.monotonic() + PATIENCE
        while seen.is_here(match, "red"):
            assert time.monotonic() < until
            time.sleep(0.1)
        assert bob.post(f"/api/matches/{match}/join", json={}).status_code == 200
        view = bob.get(f"/api/matches/{match}").json()
        assert (view["status"], view["deadline"], view["waiting_for"]) == ("open", None, [])
        assert view["players"]["red"]["name"] == "Ann"
        with socket(server.address, bob, match) as page:
            receive(page, "view")
            ann.get(f"/api/matches/{match}")
            change = receive(page, "change")["patch"]
            assert change["status"] == "playing"
            assert change["deadline"] is not None


def test_an_absent_player_is_waited_for_across_processes(tmp_path):
    """Ann is at one process and Bob at another; the match begins when both are somewhere."""
    with (
        serving(tmp_path, "--port", "0") as one,
        serving(tmp_path, "--port", "0") as two,
        account(one.address, "Ann") as ann,
        account(two.address, "Bob") as bob,
    ):
        match = opened(ann, opponent="lobby")
        with socket(one.address, ann, match) as page:
            receive(page, "view")
            wait_until_listed(bob, "open", [match])
            assert bob.post(f"/api/matches/{match}/join", json={}).status_code == 200
            while receive(page, "change")["patch"].get("status") != "playing":
                pass
        assert json.loads(bob.get(f"/api/matches/{match}").text)["status"] == "playing"
