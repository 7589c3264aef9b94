"""Guests, accounts, sessions and passwords, through a real server and a real database."""

import asyncio
import hashlib
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from argon2 import PasswordHasher
from tests.patience import PATIENCE
from tests.web.running import receive, running_server, send
from websockets.exceptions import ConnectionClosed

from holmgang.web import passwords
from holmgang.web.api import matches
from holmgang.web.passwords import Passwords
from holmgang.web.sessions import digest

OPENING = {"ruleset": "bagh", "opponent": "link"}
PASSWORD = "a long enough password"  # noqa: S105 - of nobody


def code_of(answer):
    return answer.status_code, answer.json()["error"]["code"]


def claim(client, name, password=PASSWORD):
    return client.post("/api/account", json={"name": name, "password": password})


def test_somebody_who_only_looks_has_no_session(server):
    with server.client() as client:
        for path in ("/", "/api/me", "/api/lobby", "/api/games"):
            assert "set-cookie" not in client.get(path).headers
        assert client.get("/api/me").json() == {"name": None, "guest": True, "ratings": {}}


def test_opening_and_joining_make_guests(server):
    with server.client() as one, server.client() as other:
        match = one.post("/api/matches", json=OPENING).json()["match"]
        assert one.get("/api/me").json()["name"].startswith("guest ")
        again = one.post("/api/matches", json=OPENING)
        assert "set-cookie" not in again.headers  # it is the same guest
        other.post(f"/api/matches/{match}/join", json={})
        assert other.get("/api/me").json()["name"] != one.get("/api/me").json()["name"]


def test_a_refused_opening_makes_no_guest(server):
    with server.client() as client:
        answer = client.post("/api/matches", json={"ruleset": "chess"})
        assert code_of(answer) == (422, "bad")
        answer = client.post("/api/matches/nothing/join", json={})
        assert code_of(answer) == (404, "not found")
        assert not client.cookies


def test_only_the_hash_of_a_token_is_stored(server):
    with server.client() as client:
        client.post("/api/matches", json=OPENING)
        token = client.cookies["holmgang"]
    database = sqlite3.connect(server.settings.database.removeprefix("sqlite:///"))
    stored = [row[0] for row in database.execute("SELECT token_hash FROM sessions")]
    everything = "\n".join(database.iterdump())
    database.close()
    assert hashlib.sha256(token.encode()).digest() in stored
    assert token not in everything


def test_claiming_a_name_keeps_the_matches_and_changes_the_token(server):
    with server.client() as client:
        match = client.post("/api/matches", json=OPENING).json()["match"]
        before = client.cookies["holmgang"]
        answer = claim(client, "Ann Lee")
        assert answer.status_code == 201
        assert answer.json() == {"name": "Ann Lee", "guest": False, "ratings": {}}
        assert client.cookies["holmgang"] != before
        assert client.get("/api/me").json()["name"] == "Ann Lee"
        assert client.get(f"/api/matches/{match}").json()["you"] is not None
        assert code_of(claim(client, "Ann Two")) == (409, "closed")
    with server.client() as old:
        old.cookies["holmgang"] = before
        assert old.get("/api/me").json()["name"] is None


def test_a_name_can_be_claimed_without_playing_first(server):
    with server.client() as client:
        assert claim(client, "Bob").status_code == 201
        assert client.get("/api/me").json()["guest"] is False
        assert client.get("/api/players/bob").json()["name"] == "Bob"


def test_names_are_unique_whatever_their_case(server):
    with server.client() as one, server.client() as other:
        assert claim(one, "Carol").status_code == 201
        assert code_of(claim(other, "CAROL")) == (401, "sign in")


def test_signing_in_and_out(server):
    with server.client() as first:
        assert claim(first, "Dora").status_code == 201
    with server.client() as client:
        right = {"name": "dora", "password": PASSWORD}
        wrong = client.post("/api/session", json={**right, "password": "something else"})
        unknown = client.post("/api/session", json={**right, "name": "Nobody"})
        assert code_of(wrong) == (401, "sign in")
        assert wrong.json() == unknown.json()  # nothing tells whether there is such a name
        answer = client.post("/api/session", json=right)
        assert (answer.status_code, answer.json()["name"]) == (200, "Dora")
        token = client.cookies["holmgang"]
        gone = client.delete("/api/session")
        assert gone.status_code == 204
        assert "holmgang" not in client.cookies
        assert client.get("/api/me").json()["name"] is None
        client.cookies["holmgang"] = token  # stolen before
        assert client.get("/api/me").json()["name"] is None


def sits(client, server):
    """A match that a person has opened, and a socket with which they play it."""
    match = client.post("/api/matches", json=OPENING).json()["match"]
    cookie = f"holmgang={client.cookies['holmgang']}"
    path = f"/api/matches/{match}/socket"
    return match, server.socket(path, Cookie=cookie, Origin=server.address)


def assert_signed_out(socket):
    """The socket is told so and closed."""
    assert receive(socket, "refused")["error"]["code"] == "sign in"
    with pytest.raises(ConnectionClosed):
        socket.recv(timeout=PATIENCE)
    assert socket.close_code == 4401


@pytest.mark.parametrize("way", ["sign out", "sign in", "claim"])
def test_the_end_of_a_session_ends_its_sockets(server, way):
    with server.client() as client, server.client() as other:
        name = f"{way} of sockets"
        assert claim(other, name).status_code == 201
        match, socket = sits(client, server)
        with socket:
            assert receive(socket, "view")["view"]["you"] is not None
            if way == "sign out":
                client.delete("/api/session")
            elif way == "sign in":
                client.post("/api/session", json={"name": name, "password": PASSWORD})
            else:
                claim(client, f"{name} 2")
            with suppress(ConnectionClosed):
                send(socket, id="late", type="cancel")  # it must have no effect
            assert_signed_out(socket)
        seen = client.get(f"/api/matches/{match}").json()
        assert seen["status"] == "open"
        assert (seen["you"] is not None) == (way == "claim")  # the same person, in a new session


def test_the_end_of_a_session_ends_its_sockets_in_other_processes(tmp_path):
    with (
        running_server(tmp_path) as one,
        running_server(tmp_path) as another,
        one.client() as client,
        another.client() as elsewhere,
    ):
        match, socket = sits(client, one)
        with socket:
            assert receive(socket, "view")["view"]["you"] is not None
            cookie = {"Cookie": f"holmgang={client.cookies['holmgang']}"}
            elsewhere.delete("/api/session", headers=cookie)
            assert_signed_out(socket)
        assert elsewhere.get(f"/api/matches/{match}").json()["status"] == "open"


def test_a_socket_with_a_session_that_has_ended_before_can_watch(server):
    with server.client() as client, server.client() as opener:
        match, socket = sits(opener, server)
        client.post("/api/matches", json=OPENING)
        cookie = f"holmgang={client.cookies['holmgang']}"
        client.delete("/api/session")
        path, origin = f"/api/matches/{match}/socket", {"Origin": server.address}
        with socket, server.socket(path, Cookie=cookie, **origin) as watching:
            assert receive(watching, "view")["view"]["you"] is None
            server.store.people.end_session(digest(opener.cookies["holmgang"]))
            receive(socket, "refused")  # so the sessions have been checked since
            send(watching, id="1", type="sync")
            assert receive(watching, "done")["id"] == "1"


def test_a_command_costs_no_look_at_the_session(server, monkeypatch):
    with server.client() as client:
        _, socket = sits(client, server)
        with socket:
            receive(socket, "view")
            monkeypatch.setattr(server.store.people, "by_session", None)  # it would fail
            for number in range(3):
                send(socket, id=str(number), type="sync")
                receive(socket, "done")


def test_a_view_that_was_waited_for_is_not_sent_after_signing_out(server, monkeypatch):
    is_waiting, has_changed = threading.Event(), threading.Event()

    async def wait_for_change(parts, match, viewer, *_):
        is_waiting.set()
        await asyncio.to_thread(has_changed.wait)
        return await parts.service.view(match, viewer)

    monkeypatch.setattr(matches, "wait_for_view", wait_for_change)
    with server.client() as client, ThreadPoolExecutor(1) as pool:
        match = client.post("/api/matches", json=OPENING).json()["match"]
        with server.client(Cookie=f"holmgang={client.cookies['holmgang']}") as waiting:
            view = pool.submit(waiting.get, f"/api/matches/{match}?wait=20")
            assert is_waiting.wait(30)
            client.delete("/api/session")
            has_changed.set()
            assert code_of(view.result()) == (401, "sign in")


def test_signing_out_without_a_session_is_fine(server):
    with server.client() as client:
        assert client.delete("/api/session").status_code == 204


def test_a_password_is_the_same_from_every_keyboard(server):
    with server.client() as client:
        assert claim(client, "Emil", "pässwörd lang").status_code == 201
    with server.client() as client:
        decomposed = "pa\u0308sswo\u0308rd lang"
        answer = client.post("/api/session", json={"name": "Emil", "password": decomposed})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Frida", "short"),
        ("Frida", "x" * 201),
        ("Frida Frida", "frida-frida"),
        ("x", PASSWORD),
        ("guest 12", PASSWORD),
        ("perfect", PASSWORD),
        ("Red", PASSWORD),
        ("a\u202eb", PASSWORD),
        ("a\u0000b", PASSWORD),
        ("<b>x</b>", PASSWORD),
        ("two  blanks", PASSWORD),
        ("", PASSWORD),
        (7, PASSWORD),
        (None, PASSWORD),
        ("Frida", None),
        ("Frida", ["a", "b"]),
    ],
)
def test_names_and_passwords_that_are_refused(server, name, password):
    with server.client() as client:
        answer = claim(client, name, password)
        assert code_of(answer) == (422, "bad")
        assert "set-cookie" not in answer.headers
        if isinstance(password, str):
            assert password not in answer.text


def test_a_hash_of_weaker_parameters_is_replaced(server):
    from argon2 import PasswordHasher

    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    guest = server.store.people.new_guest()
    server.store.people.claim(guest.id, "Gerd", weak)
    with server.client() as client:
        answer = client.post("/api/session", json={"name": "Gerd", "password": PASSWORD})
        assert answer.status_code == 200
        found = server.store.people.password_hash("Gerd")
        assert found is not None
        assert found[1] != weak
        again = client.post("/api/session", json={"name": "Gerd", "password": PASSWORD})
    assert again.status_code == 200


def test_an_unknown_name_costs_as_much_as_a_wrong_password():
    """What is counted is the work: a hash is verified in both cases."""

    class Counting:
        def __init__(self):
            self.verified = []

        def verify(self, known, password):
            self.verified.append(known)
            return True

    import asyncio

    async def ask():
        return await own.is_right(None, "x"), await own.is_right("known", "x")

    hasher = Counting()
    own = Passwords(hasher)
    try:
        assert asyncio.run(ask()) == (False, True)
    finally:
        own.close()
    assert len(hasher.verified) == 2


def test_the_dummy_hash_takes_as_long_as_a_real_one():
    assert not PasswordHasher().check_needs_rehash(passwords.DECOY)


def test_hashes_are_argon2id(server):
    with server.client() as client:
        assert claim(client, "Hanna").status_code == 201
    found = server.store.people.password_hash("hanna")
    assert found is not None
    assert found[1].startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_too_many_passwords_at_once_are_refused(server, monkeypatch):
    monkeypatch.setattr(passwords, "MOST_WAITING", 0)
    with server.client() as client:
        answer = client.post("/api/session", json={"name": "Ida", "password": PASSWORD})
    assert code_of(answer) == (429, "too many")
    assert int(answer.headers["retry-after"]) >= 1


def test_profiles_and_leaderboards(server):
    with server.client() as red, server.client() as blue:
        claim(red, "Jana")
        claim(blue, "Kurt")
        asked = {"opponent": "lobby", "seat": "red", "wins_needed": 1, "seconds": 86_400}
        match = red.post("/api/matches", json=asked).json()["match"]
        blue.post(f"/api/matches/{match}/join", json={})
        for number, word in enumerate(["boost", "boost", "attack", "attack"], start=1):
            for each, choice in ((red, word), (blue, "heal")):
                each.post(
                    f"/api/matches/{match}/commands",
                    json={
                        "id": f"{number}",
                        "type": "choose",
                        "game": 1,
                        "round": number,
                        "choice": choice,
                    },
                )
        seen = red.get(f"/api/matches/{match}").json()
        if seen["status"] != "over":
            red.post(f"/api/matches/{match}/commands", json={"id": "f", "type": "forfeit"})
        profile = blue.get("/api/players/jana").json()
        assert profile["name"] == "Jana"
        assert [line["match"] for line in profile["matches"]] == [match]
        rating = profile["ratings"]["bagh"]
        assert rating["provisional"] is True
        assert [value for _, value in rating["history"]][-1] == rating["rating"]
        assert red.get("/api/me").json()["ratings"]["bagh"]["matches"] == 1
        assert blue.get("/api/leaderboards/bagh").json() == {"game": "bagh", "players": []}
        listed = blue.get("/api/matches", params={"status": "over", "player": "Jana"}).json()
        assert [line["match"] for line in listed["matches"]] == [match]


def test_an_invitation_and_a_profile_agree_with_what_happens(server):
    """A rated match by link is not listed for others, but counted."""
    with server.client() as red, server.client() as blue, server.client() as guest:
        claim(red, "Embla")
        claim(blue, "Ask")
        match = red.post("/api/matches", json={**OPENING, "seat": "red", "seconds": 86_400})
        path = f"/api/matches/{match.json()['match']}"
        assert red.get(path).json()["rated"] is None
        assert blue.get(f"{path}/join").json() == {"rated": True, "reason": None}
        told = guest.get(f"{path}/join").json()
        assert told["rated"] is False
        assert "sign in" in told["reason"]
        assert code_of(guest.get("/api/matches/123456789A/join")) == (404, "not found")
        blue.post(f"{path}/join")
        for client in (red, blue):
            choice = {"id": "1", "type": "choose", "game": 1, "round": 1, "choice": "attack"}
            assert client.post(f"{path}/commands", json=choice).status_code == 200
        red.post(f"{path}/commands", json={"id": "f", "type": "forfeit"})
        assert red.get(path).json()["rating_changes"] is not None
        for client, listed, unlisted in ((red, 1, 0), (blue, 0, 1), (guest, 0, 1)):
            profile = client.get("/api/players/Embla").json()
            assert profile["ratings"]["bagh"]["matches"] == 1
            assert (len(profile["matches"]), profile["unlisted"]) == (listed, unlisted)


def test_a_session_of_one_server_lasts_over_a_restart(tmp_path):
    with running_server(tmp_path) as server, server.client() as client:
        match = client.post("/api/matches", json=OPENING).json()["match"]
        token = client.cookies["holmgang"]
        name = client.get("/api/me").json()["name"]
    with running_server(tmp_path) as server, server.client() as client:
        client.cookies["holmgang"] = token
        assert client.get("/api/me").json()["name"] == name
        assert client.get(f"/api/matches/{match}").json()["you"] is not None
