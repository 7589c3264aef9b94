"""Levels that think: nobody can keep those of others from answering."""

import asyncio
import threading
from contextlib import asynccontextmanager

import pytest
from tests.asked import as_command, as_request
from tests.live.matches import Wall
from tests.live.test_service import guest, opened_alone, serving, until
from tests.patience import PATIENCE

from holmgang.games.ruleset import load
from holmgang.live import computers, opening
from holmgang.live.clock import PlayClock
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.live.slow_work import client
from holmgang.players.levels import find_level
from holmgang.solver.search import dispatch, preparing, simultaneous
from holmgang.solver.search.dispatch import check_has_time, search

pytestmark = pytest.mark.anyio
THREADS = 3
MANY = 40


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/data/holmgang.sqlite3"


class Blocked:
    """Makes the level `search` think until it is released, in bagh, and counts its thoughts."""

    def __init__(self, monkeypatch):
        self.gate, self.begun = threading.Event(), threading.Semaphore(0)

        def find(name, *, build):
            level = find_level("random", build=build)
            return level._replace(sit=self._sit) if name == "search" else level

        monkeypatch.setattr(computers, "find_level", find)

    def _sit(self, seat, key):
        usual, blocked = find_level("random").sit(seat, key), self

        class Thinking:
            name = "search"

            def choose(self, course):
                check_has_time()
                if course.ruleset.text == "bagh":
                    blocked.begun.release()
                    blocked.gate.wait()
                return usual.choose(course)

        return Thinking()


@pytest.fixture
def blocked(monkeypatch):
    blocked = Blocked(monkeypatch)
    yield blocked
    blocked.gate.set()


@asynccontextmanager
async def serving_blocked(url, blocked):
    """A service whose levels are released in the end, also by a test that fails."""
    async with serving(url, thinkers=THREADS) as service:
        try:
            yield service
        finally:
            blocked.gate.set()


async def opened_from(address, service, level, ruleset="bagh"):
    """A match against a level, opened by a new guest at this address: its id."""
    client.set(address)
    return await asyncio.create_task(opened_alone(service, {"level": level}, ruleset))


async def has_answered(service, match):
    return "blue" not in (await service.view(match, Viewer("red"))).waiting_for


async def test_levels_of_other_clients_answer_while_one_has_many_that_think(url, blocked):
    async with serving_blocked(url, blocked) as service:
        many = [await opened_from("a", service, "search") for _ in range(MANY)]
        for _ in range(THREADS - 1):
            assert await asyncio.to_thread(blocked.begun.acquire, timeout=PATIENCE)
        other = await opened_from("b", service, "search", "magic-duel")
        await until(service, other, "red", lambda view: view.waiting_for == ["red"])
        assert not blocked.begun.acquire(blocking=False)  # a's share of the threads, and no more
        assert not any([await has_answered(service, match) for match in many])
        blocked.gate.set()
        for match in many:
            await until(service, match, "red", lambda view: view.waiting_for == ["red"])


async def test_a_level_that_need_not_search_waits_for_no_search(url, blocked):
    async with serving_blocked(url, blocked) as service:
        for address in ("a", "b", "c"):
            for _ in range(MANY // 4):
                await opened_from(address, service, "search")
        for _ in range(THREADS):
            assert await asyncio.to_thread(blocked.begun.acquire, timeout=PATIENCE)
        other = await opened_from("d", service, "random")
        await until(service, other, "red", lambda view: view.waiting_for == ["red"])


@pytest.fixture
def interpreted(monkeypatch):
    """Nothing is compiled; the searches that were interpreted in this process."""
    monkeypatch.setattr(preparing, "is_preparing", lambda ruleset: True)
    monkeypatch.setattr(dispatch, "is_preparing", lambda ruleset: True)
    seen, usual = [], simultaneous.SearchBoards.search

    def note(self, *given):
        if not self.kernels.is_compiled:
            seen.append(self.ruleset.text)
        return usual(self, *given)

    monkeypatch.setattr(simultaneous.SearchBoards, "search", note)
    return seen


@pytest.mark.parametrize("level", ["greedy", "hard", "search"])
async def test_the_server_never_interprets_a_search_itself(url, interpreted, level):
    async with serving(url) as service:
        match = await opened_from("a", service, level, "fencing")
        await until(service, match, "red", lambda view: view.waiting_for == ["red"])
        ruleset = load("fencing")
        found = await service.slow_work.run(
            "worth", lambda: search(ruleset, ruleset.initial(), depth=1)
        )
    assert found.depth == 1
    assert interpreted == []
    search(ruleset, ruleset.initial(), depth=1)
    assert interpreted == ["fencing"]  # so it would have been seen


async def test_a_person_plays_so_many_matches_against_computers(url, monkeypatch):
    monkeypatch.setattr(opening, "MOST_SOLO", 2)
    wall = Wall()
    asked = as_request({"ruleset": "bagh", "opponent": {"level": "random"}, "seat": "red"})
    async with serving(url, clock=PlayClock([], wall)) as service:
        person = await guest(service)
        first = await service.open(person, asked)
        await service.open(person, asked)
        with pytest.raises(Refused) as refused:
            await service.open(person, asked)
        assert refused.value.code == "too many"
        assert "finish or forfeit one" in str(refused.value)
        await service.open(await guest(service), asked)
        await service.open(person, as_request({"ruleset": "bagh", "opponent": "link"}))
        await service.command(first.match, "red", as_command({"id": "f", "type": "forfeit"}))
        await service.open(person, asked)
        with pytest.raises(Refused):
            await service.open(person, asked)
        wall.at += opening.SOLO_SECONDS + 1
        await service.open(person, asked)
