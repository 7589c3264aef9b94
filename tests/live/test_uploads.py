"""Uploaded records: compressed, limited, and deleted when nobody looks at them."""

import asyncio
import sqlite3

import pytest
from tests.live.matches import Wall, long_record
from tests.live.test_service import guest, opened, serving

from holmgang.engine import record as engine_records
from holmgang.games.contract import SEATS
from holmgang.live.clock import PlayClock
from holmgang.live.events import Joined, Over
from holmgang.live.match import LiveMatch
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.live.terms import SeatedPlayer, Terms, new_id
from holmgang.store import Store

pytestmark = pytest.mark.anyio
DAY = 86_400


@pytest.fixture
def path(tmp_path):
    return tmp_path / "holmgang.sqlite3"


@pytest.fixture
def url(path):
    return f"sqlite:///{path}"


def stored(path):
    """The bytes that the events of all matches take."""
    with sqlite3.connect(path) as connection:
        (size,) = connection.execute("SELECT SUM(LENGTH(body)) FROM events").fetchone()
    connection.close()
    return size or 0


def old_upload(text):
    """The match of an upload as it was stored once: with all events of its game."""
    duel = engine_records.replay(engine_records.parse(text, "the record"))
    match = LiveMatch(new_id(), PlayClock())
    match.open(Terms(duel.ruleset, 1, None, "lose", "uploaded", duel.seed, None))
    for seat in SEATS:
        match._add(Joined(seat, SeatedPlayer(seat, "record")))
    match._series.games.append(duel)
    match._add_game_events(duel.events)
    match._add(Over("blue", "forfeit"))
    return match


def store_old(store, match):
    store.append(match.id, 0, match.take_new(), match.summary()).result()


async def test_an_upload_takes_less_than_its_record(url, path):
    text = long_record(500)
    async with serving(url) as service:
        match = await service.upload(text)
        view = await service.view(match, Viewer())
        assert len(view.rounds) == 500
        assert (view.status, view.outcome.reason) == ("over", "forfeit")
        assert (await service.record(match, 1)).count(b"\n") == 502
    assert stored(path) < len(text) / 4


async def test_an_upload_in_the_old_form_is_still_shown(url):
    text = long_record(60)
    async with serving(url) as service:
        old = old_upload(text)
        store_old(service.store, old)
        new = await service.upload(text)
        views = [await service.view(match, Viewer()) for match in (old.id, new)]
        assert views[0].rounds == views[1].rounds
        assert views[0].state == views[1].state


async def test_all_uploads_together_take_so_much(url, path):
    async with serving(url, upload_mb=0) as service:
        with pytest.raises(Refused, match="no room for uploads") as refused:
            await service.upload(long_record(5))
        assert refused.value.code == "closed"
        await opened(service)  # matches are not concerned
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT COUNT(*) FROM uploads").fetchone() == (0,)
    connection.close()


async def test_an_upload_is_deleted_when_nobody_looks_at_it(url, path):
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall), upload_days=90) as service:
        kept, forgotten = [await service.upload(long_record(5)) for _ in range(2)]
        match = await opened(service)
        assert (await service.view(kept, Viewer())).kept_days == 90
        assert (await service.view(match, Viewer())).kept_days is None
        wall.at += 80 * DAY
        await service._sweeper.see_upload(kept)
        await service._sweeper.sweep(wall.at)
        wall.at += 11 * DAY
        await service._sweeper.sweep(wall.at)
        assert (await service.view(kept, Viewer())).status == "over"
        with pytest.raises(Refused) as refused:
            await service.view(forgotten, Viewer())
        assert refused.value.code == "not found"
        assert await asyncio.to_thread(service.store.read, forgotten) == []
        assert await asyncio.to_thread(service.store.matches.row, match) is not None


async def test_looking_at_an_upload_is_noted(url):
    wall = Wall()
    async with serving(url, clock=PlayClock([], wall), upload_days=90) as service:
        match = await service.upload(long_record(5))
        seen = asyncio.Event()
        usual = service.store.uploads.see

        def see_upload(*given):
            usual(*given)
            loop.call_soon_threadsafe(seen.set)

        loop = asyncio.get_running_loop()
        service.store.uploads.see = see_upload
        wall.at += 80 * DAY
        await service.view(match, Viewer())
        await asyncio.wait_for(seen.wait(), 30)
        wall.at += 80 * DAY
        await service._sweeper.sweep(wall.at)
        assert (await service.view(match, Viewer())).status == "over"


async def test_uploads_of_an_older_database_are_counted_from_its_migration(url, path):
    old = old_upload(long_record(60))
    with Store.open(url) as store:
        store_old(store, old)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE uploads")
        connection.execute("ALTER TABLE discord_duels DROP COLUMN thread_state")
        connection.execute("ALTER TABLE discord_duels DROP COLUMN reminded")
        for column in ("pings", "channel", "private_threads", "challenge_hours"):
            connection.execute(f"ALTER TABLE discord_guilds DROP COLUMN {column}")
        connection.execute("ALTER TABLE discord_challenges DROP COLUMN settled_at")
        connection.execute("ALTER TABLE discord_duels ADD COLUMN is_lost BOOLEAN DEFAULT false")
        connection.execute("UPDATE alembic_version SET version_num = '0008'")
    connection.close()
    async with serving(url) as service:
        assert (await service.view(old.id, Viewer())).status == "over"
        await guest(service)
    with sqlite3.connect(path) as connection:
        ((match, size, _),) = connection.execute("SELECT * FROM uploads").fetchall()
    connection.close()
    assert (match, size) == (old.id, stored(path))
