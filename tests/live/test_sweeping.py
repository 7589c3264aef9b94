"""Sweeping: idle and abandoned matches, and rounds that other processes have left open."""

import asyncio

import pytest
from tests.asked import as_request
from tests.live.matches import Wall
from tests.live.test_service import guest, opened, serving, until

from holmgang.errors import RecordError
from holmgang.live import sweeping
from holmgang.live.clock import PlayClock
from holmgang.live.presence import LINGER
from holmgang.live.refusal import Refused
from holmgang.live.service import Service, Viewer
from holmgang.store import Store

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/data/holmgang.sqlite3"


async def test_a_round_that_ran_out_elsewhere_is_ended_by_the_sweep(url):
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall)) as service:
        match = await opened(service, seconds=15)
        await asyncio.to_thread(service.store.outages.beat)
    wall.at += 60
    with Store.open(url) as store:
        service = Service(store, clock=PlayClock([], wall))
        await service._sweeper.sweep(wall.at)
        await until(service, match, None, lambda view: view.status == "over")
        await service.close()


async def test_a_match_that_cannot_be_read_does_not_end_the_sweep(url, caplog):
    wall = Wall()
    async with serving(url, clock=PlayClock(wall=wall)) as service:
        match = await opened(service, seconds=15)
        other = await opened(service, seconds=15)
        for each in (match, other):
            service.rooms.drop(each)
        events = service.store.read

        def damaged(asked, since=0):
            if asked == match:
                raise RecordError("another game's rules")
            return events(asked, since)

        service.store.read = damaged
        wall.at += 60
        await service._sweeper.sweep(wall.at)
        assert "cannot be read" in caplog.text
        assert other in service.rooms.loaded
        assert match not in service.rooms.loaded


async def test_an_open_match_leaves_the_lobby_when_its_player_has_gone(url):
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall)) as service:
        grant = await service.open(await guest(service), as_request({"opponent": "lobby"}))
        async with service.follow(grant.match, Viewer("red" if grant.seat == "red" else "blue")):
            wall.at += sweeping.OPENER_AWAY + 1
            await service._sweeper.sweep(wall.at)
            assert (await service.lobby()).open
        wall.at += LINGER + 1
        await service.presence.note()
        await service._sweeper.sweep(wall.at)
        assert (await service.lobby()).open == []
        with pytest.raises(Refused, match="has left"):
            await service.join(grant.match, await guest(service))
        wall.at += sweeping.OPENER_AWAY + 1
        await service.presence.note()
        await service._sweeper.sweep(wall.at)
        assert (await service.view(grant.match, Viewer())).status == "cancelled"


async def test_idle_matches_are_dropped_from_memory(url):
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall)) as service:
        match = await opened(service)
        assert service.counts["matches"] == 1
        wall.at += sweeping.IDLE + 1
        await service._sweeper.sweep(wall.at)
        assert service.counts["matches"] == 0
        assert (await service.view(match, Viewer())).status == "playing"
