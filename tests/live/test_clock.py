"""Nobody loses on time because of the server: one that is frozen or down, a database that cannot be
written, or a clock that is set. All of it on both kinds of database.
"""

import asyncio
import sqlite3
from contextlib import asynccontextmanager, closing, contextmanager

import psycopg
import pytest
from tests.asked import as_command
from tests.live.matches import Wall
from tests.live.test_service import opened, pass_time, serving, until
from tests.postgres import postgres  # noqa: F401 - a fixture

from holmgang.games.contract import SEATS
from holmgang.live import timeouts
from holmgang.live.clock import PlayClock
from holmgang.live.refusal import Refused
from holmgang.live.service import Service, Viewer
from holmgang.live.timeouts import Timeouts
from holmgang.store import Store, StoreError, database

pytestmark = pytest.mark.anyio
HOUR = 3600.0
CHOICE = {"id": "c", "type": "choose", "game": 1, "round": 1, "choice": "boost"}


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/holmgang.sqlite3"
    return request.getfixturevalue("postgres").new_database()


@contextmanager
def unwritable(url):
    """Inside, the database can be read but not written: another program has locked it, or the disk
    of its server is full.
    """
    if url.startswith("sqlite"):
        path = url.removeprefix("sqlite:///")
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
        return
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION 'could not extend file: disk full' USING ERRCODE = 'disk_full';"
            " END $$"
        )
        for table in ("alive", "events", "presence_notes"):
            connection.execute(
                f"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {table}"
                " EXECUTE FUNCTION refuse()"
            )
        yield
        connection.execute("DROP FUNCTION refuse CASCADE")


async def seconds_left(service, match):
    view = await service.view(match, Viewer("red"))
    return (view.deadline - view.now) / 1000


async def run_out(service, match):
    """Looks at the round now, as its timer would."""
    await service._timeouts.end_round(await service.rooms.find(match))
    return (await service.view(match, Viewer("red"))).status


@pytest.mark.parametrize("jump", [60.0, HOUR, -60.0, -HOUR])
async def test_a_clock_that_is_set_changes_nothing(url, jump):
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall)) as service:
        match = await opened(service, seconds=15)
        await pass_time(wall, 5, service)
        wall.at += jump
        assert await run_out(service, match) == "playing"
        await pass_time(wall, 1, service)
        assert 9 <= await seconds_left(service, match) <= 15
        await service.command(match, "red", as_command(CHOICE))
        await pass_time(wall, 16, service)
        assert await run_out(service, match) == "over"


async def test_between_two_beats_the_clock_of_the_machine_has_no_effect(url):
    wall, monotonic = Wall(), Wall(5.0)
    async with serving(url, clock=PlayClock([], wall, monotonic)) as service:
        match = await opened(service, seconds=15)
        wall.at += HOUR
        room = service.rooms.loaded[match]
        assert not room.match.is_overdue
        monotonic.at += 1
        await service._timeouts.heartbeat.beat()
        assert 13 <= await seconds_left(service, match) <= 15


async def test_a_server_that_was_frozen_charges_nobody(url):
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall)) as service:
        match = await opened(service, seconds=15)
        idle = await opened(service, seconds=15)
        service.rooms.drop(idle)
        await pass_time(wall, 5, service)
        wall.at += 60
        await service.command(match, "red", as_command(CHOICE))
        assert await run_out(service, match) == "playing"
        assert await run_out(service, idle) == "playing"
        assert await seconds_left(service, match) >= 9


async def test_a_database_that_cannot_be_written_charges_nobody(url, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.2)
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall)) as service:
        match = await opened(service, seconds=15)
        with unwritable(url):
            for _ in range(2):
                wall.at += 30
                assert await run_out(service, match) == "playing"
                with pytest.raises(StoreError, match=r"locked|disk full"):
                    await service.command(match, "red", as_command(CHOICE))
        await service.command(match, "red", as_command(CHOICE))
        assert await run_out(service, match) == "playing"
        assert await seconds_left(service, match) >= 14


async def kill(service):
    """Stops a service as SIGKILL does: its last beat and its players stay in the store, and it
    hears of nothing any more.
    """
    await asyncio.to_thread(service.store._writer.watcher.close)
    await service._background.close()
    for room in service.rooms.loaded.values():
        if room.timer is not None:
            room.timer.cancel()


@asynccontextmanager
async def both_connected(service, match, shell):
    """Both players are connected: by themselves, or through a shell that follows for them."""
    if shell == "discord":
        async with service.follow(match, Viewer(), SEATS):
            yield
    else:
        async with service.follow(match, Viewer("red")), service.follow(match, Viewer("blue")):
            yield


@pytest.mark.parametrize("shell", ["web", "discord"])
@pytest.mark.parametrize("kind", ["killed", "stopped"])
async def test_players_of_a_process_that_is_down_are_not_charged(url, kind, shell):
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall)) as alive:
        with Store.open(url) as store:
            down = Service(store, clock=PlayClock([], wall))
            await down.start()
            match = await opened(down, seconds=15)
            async with both_connected(down, match, shell):
                await pass_time(wall, 10, down, alive)  # so it counts that they stay connected
                if kind == "killed":
                    await kill(down)
                    await pass_time(wall, 60, alive)
            if kind == "stopped":
                await down.close()
                await pass_time(wall, 60, alive)
            await alive._sweeper.sweep(wall.at)
            assert await run_out(alive, match) == "playing"
            async with (
                serving(url, clock=PlayClock([], wall)) as again,
                both_connected(again, match, shell),
            ):
                await again.command(match, "red", as_command(CHOICE))
                assert await seconds_left(again, match) >= 4
                await pass_time(wall, 16, alive, again)
                assert await run_out(again, match) == "over"
            await down.close()


async def test_what_another_process_credits_meanwhile_counts(url, monkeypatch):
    """Two processes look at the same round: one credits it while the other one asks who was there,
    and before it has read the log again.
    """
    wall, loop = Wall(), asyncio.get_running_loop()
    monkeypatch.setattr(Timeouts, "_end_later", lambda *_: None)  # no timer does so before
    async with serving(url, clock=PlayClock([], wall)) as alive:
        with Store.open(url) as store:
            down = Service(store, clock=PlayClock([], wall))
            await down.start()
            match = await opened(down, seconds=15)
            async with down.follow(match, Viewer("red")), down.follow(match, Viewer("blue")):
                await pass_time(wall, 5, down, alive)
                await kill(down)
            await pass_time(wall, 60, alive)
            async with (
                serving(url, clock=PlayClock([], wall)) as again,
                again.follow(match, Viewer("red")),
                again.follow(match, Viewer("blue")),
            ):
                await again._timeouts.heartbeat.beat()
                usual = again.store.presence.connections

                async def credit(asked):
                    assert not await alive._timeouts.is_overdue(await alive.rooms.find(asked))

                def connections(asked):
                    asyncio.run_coroutine_threadsafe(credit(asked), loop).result()
                    return usual(asked)

                monkeypatch.setattr(again.store.presence, "connections", connections)
                await again.command(match, "red", as_command(CHOICE))
            await down.close()


async def test_someone_who_does_not_come_back_loses_in_the_end(url, monkeypatch):
    monkeypatch.setattr(timeouts, "LONGEST_WAIT", 40.0)
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall)) as alive:
        with Store.open(url) as store:
            down = Service(store, clock=PlayClock([], wall))
            await down.start()
            match = await opened(down, seconds=15)
            async with down.follow(match, Viewer("red")):
                await pass_time(wall, 2, down, alive)
                await kill(down)
            async with alive.follow(match, Viewer("blue")):
                await alive.command(match, "blue", as_command(CHOICE))
                await pass_time(wall, 30, alive)
                assert await run_out(alive, match) == "playing"
                await pass_time(wall, 15, alive)
                await run_out(alive, match)
                await pass_time(wall, 16, alive)
                assert await run_out(alive, match) == "over"
            await down.close()


async def test_a_round_still_ends_on_time(url):
    wall = Wall()
    clock = PlayClock([], wall)
    async with serving(url, clock=clock) as here, serving(url, clock=clock) as there:
        match = await opened(here, seconds=15)
        async with here.follow(match, Viewer("red")), there.follow(match, Viewer("blue")):
            await pass_time(wall, 16, here, there)
            with pytest.raises(Refused, match="time for round 1 is up"):
                await there.command(match, "red", as_command(CHOICE))
            await there._timeouts.end_round(await there.rooms.find(match))
            await until(here, match, "red", lambda view: view.status == "over")
