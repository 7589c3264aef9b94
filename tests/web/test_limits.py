"""Token buckets, and what a client is told that asks too often."""

import json
from functools import partial
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from hypothesis import given
from hypothesis import strategies as st
from tests.patience import PATIENCE
from tests.web.running import receive, running_server, send

from holmgang.web import limits, passwords
from holmgang.web.limits import ALLOWANCES, Buckets, Limits, Rate, address_key
from holmgang.web.refusals import TooMany
from holmgang.web.sessions import digest

PASSWORD = "a long enough password"  # noqa: S105 - of nobody


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_a_bucket_gives_its_burst_and_then_its_rate():
    clock = Clock()
    buckets = Buckets(Rate(3, 0.5), clock=clock)
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("a") == pytest.approx(2)
    assert buckets.take("b") == 0  # another key has its own
    clock.now += 1.9
    assert buckets.take("a") == pytest.approx(0.1)
    clock.now += 0.1
    assert buckets.take("a") == 0
    assert buckets.take("a") == pytest.approx(2)
    clock.now += 1000
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0]  # no more than the burst is saved up
    assert buckets.take("a") > 0


@given(st.lists(st.floats(0, 5), max_size=60))
def test_no_pattern_of_requests_gets_more_than_allowed(pauses):
    clock = Clock()
    buckets = Buckets(Rate(4, 2.0), clock=clock)
    started, taken = clock.now, 0
    for pause in pauses:
        clock.now += pause
        taken += buckets.take("a") == 0
        assert taken <= 4 + 2.0 * (clock.now - started) + 1e-6


def test_memory_is_bounded():
    buckets = Buckets(Rate(1, 1), most=100)
    for number in range(1000):
        buckets.take(number)
    assert len(buckets) == 100


def test_what_is_refused_says_when_to_try_again():
    clock = Clock()
    own = Limits(clock=clock)
    for _ in range(ALLOWANCES["upload"].person.burst):
        own.check("upload", "203.0.113.1", 7)
    with pytest.raises(TooMany, match="too many uploads") as refused:
        own.check("upload", "203.0.113.2", 7)  # the person counts at every address
    assert refused.value.retry_after == 20
    own.check("upload", "203.0.113.2", 8)
    assert own.refused == 1


def test_sockets_of_an_address_are_counted_while_they_are_open(monkeypatch):
    monkeypatch.setattr(limits, "MOST_SOCKETS", 2)
    own = Limits()
    with own.socket("a"), own.socket("b"):
        with own.socket("a"), pytest.raises(TooMany), own.socket("a"):
            pass
        with own.socket("a"):
            pass
    assert own._sockets == {}


def test_limits_can_be_switched_off(monkeypatch):
    monkeypatch.setattr(limits, "MOST_SOCKETS", 0)
    own = Limits(is_on=False)
    for _ in range(1000):
        own.check("upload", "a")
    with own.socket("a"):
        pass


def test_a_subscriber_with_ipv6_is_one_address():
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff:2")
    assert address_key("2001:db8::1") != address_key("2001:db8:0:1::1")
    assert address_key("::ffff:192.0.2.7") == address_key("192.0.2.7") == "192.0.2.7"
    assert address_key("no address") == "unknown"


def told(rate):
    """A rate as docs/operations.md writes it."""
    if rate is None:
        return ""
    often = rate.per_second >= 1
    then = f"{rate.per_second:g} a second" if often else f"1 in {1 / rate.per_second:g} seconds"
    return f"{rate.burst}, then {then}"


def test_bytes_count():
    clock = Clock()
    own, rate = Limits(clock=clock), ALLOWANCES["data"].address
    own.charge_data("a", 1000 * rate.burst)
    own.check_data("a")
    own.charge_data("a", 4000 * int(rate.per_second))
    with pytest.raises(TooMany, match="too many kilobytes") as refused:
        own.check_data("a")
    assert refused.value.retry_after == 4
    own.check_data("b")
    clock.now += 4
    own.check_data("a")


def test_uploads_count_by_their_size(tmp_path, monkeypatch):
    own = Limits(clock=Clock())
    most = ALLOWANCES["upload data"].person.burst
    own.check("upload data", "a", 7, tokens=most - 1)
    with pytest.raises(TooMany, match="too many kilobytes of uploads"):
        own.check("upload data", "b", 7, tokens=2)
    few = ALLOWANCES["upload data"]._replace(address=Rate(1, 0.001))
    monkeypatch.setattr(limits, "ALLOWANCES", {**ALLOWANCES, "upload data": few})
    with running_server(tmp_path) as server, server.program() as program:
        assert program.post("/api/records", content=b"x" * 900).status_code == 422
        refused = program.post("/api/records", content=b"x" * 900)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too many")


def test_an_address_that_was_sent_too_much_waits(tmp_path, monkeypatch):
    few = ALLOWANCES["data"]._replace(address=Rate(2, 0.001))
    monkeypatch.setattr(limits, "ALLOWANCES", {**ALLOWANCES, "data": few})
    with running_server(tmp_path) as server, server.program() as program:
        match = server.open_match(opponent="link")
        path = f"/api/matches/{match['match']}"
        with server.socket(f"{path}/socket", match["secret"]) as socket:
            size = len(json.dumps(receive(socket, "view")))
            for number in range(2000 // size + 2):
                send(socket, type="sync", id=f"s{number}")
            assert receive(socket, "refused")["error"]["code"] == "too many"
        refused = program.get(path)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too many")
        assert int(refused.headers["retry-after"]) > 100
        assert program.get("/health").status_code == 200
        with server.socket(f"{path}/socket", match["secret"]) as socket:
            assert receive(socket, "refused")["error"]["code"] == "too many"


def test_what_an_address_is_sent_by_http_counts(tmp_path, monkeypatch):
    few = ALLOWANCES["data"]._replace(address=Rate(2, 0.001))
    monkeypatch.setattr(limits, "ALLOWANCES", {**ALLOWANCES, "data": few})
    with running_server(tmp_path) as server, server.program() as program:
        path = f"/api/matches/{server.open_match(opponent='link')['match']}"
        sent = 0
        while sent <= 4000 and (answer := program.get(path)).status_code == 200:
            sent += len(answer.content)
        assert 2000 < sent <= 4000
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too many")


@pytest.mark.parametrize("action", ALLOWANCES)
def test_the_limits_are_documented(action):
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.partition("## Limits")[2].splitlines()
        if line.startswith("|")
    ]
    allowed = ALLOWANCES[action]
    rates = [told(allowed.address), told(allowed.person)]
    assert any(row[1] == rates[0] and row[2].startswith(rates[1]) for row in rows), rates
    assert ["open sockets, long polls", str(limits.MOST_SOCKETS), ""] in rows


# Through the server


def test_opening_too_many_matches(tmp_path):
    with running_server(tmp_path) as server, server.client() as client:
        answers = [
            client.post("/api/matches", json={"opponent": "link"})
            for _ in range(ALLOWANCES["open"].person.burst + 1)
        ]
    assert {answer.status_code for answer in answers[:-1]} == {201}
    assert answers[-1].status_code == 429
    assert answers[-1].json()["error"]["code"] == "too many"
    assert int(answers[-1].headers["retry-after"]) >= 1


@pytest.fixture
def guessed(tmp_path, monkeypatch):
    """A server with an account, and a guess of its password from an address. Hashing is quick here:
    the limits are tested, not the hashes, for which `test_people.py` uses the real parameters.
    """
    quick = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "PasswordHasher", quick)
    with running_server(tmp_path, behind_proxy=True) as server, server.client() as owner:
        answer = owner.post("/api/account", json={"name": "Ann", "password": PASSWORD})
        assert answer.status_code == 201
        owner.delete("/api/session")

        def attempt(address, *, client=None, password="a wrong password"):  # noqa: S107
            with server.program() as program:
                answer = (client or program).post(
                    "/api/session",
                    json={"name": "ann", "password": password},
                    headers={"X-Forwarded-For": address},
                )
            return answer.status_code

        yield owner, attempt


def test_guesses_from_one_address_lock_nobody_else_out(guessed):
    owner, attempt = guessed
    statuses = [attempt("198.51.100.1") for _ in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    assert attempt("198.51.100.1", password=PASSWORD) == 429
    assert attempt("203.0.113.5", password=PASSWORD) == 200  # the owner, on a new device
    assert attempt("198.51.100.1", client=owner, password=PASSWORD) == 200


def test_guesses_from_many_addresses_do_not_lock_out_a_known_device(
    tmp_path_factory, monkeypatch, request
):
    few = ALLOWANCES["sign in anywhere"]._replace(address=Rate(6, 0.05))
    monkeypatch.setattr(limits, "ALLOWANCES", {**ALLOWANCES, "sign in anywhere": few})
    owner, attempt = request.getfixturevalue("guessed")
    statuses = [attempt(f"198.51.100.{number}") for number in range(8)]
    assert statuses == [401] * 6 + [429] * 2
    assert attempt("203.0.113.5", password=PASSWORD) == 429
    assert attempt("203.0.113.5", client=owner, password=PASSWORD) == 200
    owner.delete("/api/session")
    statuses = [attempt("203.0.113.5", client=owner) for _ in range(11)]
    # A known device may not guess for ever either; it has signed in once.
    assert statuses == [401] * 9 + [429] * 2


def test_a_device_is_known_for_everyone_who_signed_in_on_it(tmp_path):
    with running_server(tmp_path) as server:
        with server.client() as shared, server.client() as other:
            for client, name in ((shared, "Ann"), (shared, "Bob"), (other, "Cid")):
                client.post("/api/account", json={"name": name, "password": PASSWORD})
                client.delete("/api/session")
            token = shared.cookies["holmgang-device"]
        people = [server.store.people.by_name(name).id for name in ("Ann", "Bob")]
        assert server.store.people.device_owners(digest(token)) == set(people)


def test_too_many_commands_on_a_socket(tmp_path):
    with running_server(tmp_path) as server:
        grant = server.open_match(opponent="link")
        burst = ALLOWANCES["command"].person.burst
        with server.socket(f"/api/matches/{grant['match']}/socket", grant["secret"]) as socket:
            receive(socket, "view")
            refused = []
            for number in range(burst + 3):
                send(socket, type="choose", id=f"{number}", game=1, round=1, choice="boost")
                refused.append(receive(socket, "refused"))
            codes = [each["error"]["code"] for each in refused]
            assert codes == ["closed"] * burst + ["too many"] * 3
            assert [each["id"] for each in refused] == [str(n) for n in range(burst + 3)]


def test_too_many_sockets_from_an_address(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MOST_SOCKETS", 2)
    lobby = "/api/lobby/socket"
    with (
        running_server(tmp_path) as server,
        server.socket(lobby) as one,
        server.socket(lobby) as two,
    ):
        receive(one, "lobby")
        receive(two, "lobby")
        with server.socket(lobby) as three:
            assert receive(three)["error"]["code"] == "too many"
            with pytest.raises(Exception, match="1013"):
                three.recv(timeout=PATIENCE)
