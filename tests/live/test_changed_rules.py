"""Live matches whose logs can no longer be replayed, as after a change of a game's rules in code:
they are cancelled, do not count, and say so.
"""

import asyncio
import sqlite3
import time

import orjson
import pytest
from tests.asked import as_command, as_request
from tests.live.matches import Wall
from tests.live.test_durable import choice, opened
from tests.live.test_service import serving
from tests.patience import PATIENCE

from holmgang.live.clock import PlayClock
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.live.terms import DAY

pytestmark = pytest.mark.anyio
LINK = as_request({"opponent": "link"})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "holmgang.sqlite3"


async def begun(path, **asked):
    """A match in which a round was played, on a server that has stopped."""
    async with serving(f"sqlite:///{path}") as service:
        match = await opened(service, **asked)
        await service.command(match, "red", as_command(choice("attack", "r")))
        await service.command(match, "blue", as_command(choice("heal", "b")))
        return match


def change(path, match, event, **fields):
    """Changes an event of the log, as if it had been written under other rules."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT seq, body FROM events WHERE match = ?", [match])
        found = {seq: orjson.loads(body) for seq, body in rows}
        seq = next(seq for seq, body in found.items() if body["event"] == event)
        body = orjson.dumps(found[seq] | fields).decode()
        connection.execute(
            "UPDATE events SET body = ? WHERE match = ? AND seq = ?", [body, match, seq]
        )


async def cancelled(service, match):
    """The row of the match as soon as it is cancelled, without anyone asking for it."""
    async with asyncio.timeout(PATIENCE):
        while (row := service.store.matches.row(match)).summary.status == "playing":  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return row


async def test_a_match_that_cannot_be_replayed_is_cancelled_and_says_so(path):
    match = await begun(path, seconds=60)
    change(path, match, "revealed", state="0" * 16)
    async with serving(f"sqlite:///{path}") as service:
        row = await cancelled(service, match)
        summary = row.summary
        assert (summary.status, summary.reason, summary.rated) == (
            "cancelled",
            "rules changed",
            False,
        )
        assert summary.deadline is None
        view = await service.view(match, Viewer("red", picture=True))
        assert view.status == "cancelled"
        assert "rules of its game have changed" in view.outcome.sentence
        assert (view.rated, view.seal.seed) == (False, None)
        assert view.version == row.last_seq
        [line] = (await service.lobby(summary.red_person)).yours
        assert line.match == match
        assert (line.status, line.reason) == ("cancelled", "rules changed")
        assert (line.you, line.waiting_for, line.rated) == ("red", [], False)
        with pytest.raises(Refused, match="is over"):
            await service.command(match, "red", as_command(choice("attack", "x")))


@pytest.mark.parametrize(("days", "is_listed"), [(6, True), (8, False)])
async def test_its_players_find_it_in_their_lists_for_a_week(path, days, is_listed):
    match = await begun(path)
    change(path, match, "opened", ruleset="bagh:gone=1")
    wall = Wall(time.time())
    async with serving(f"sqlite:///{path}", clock=PlayClock([], wall)) as service:
        summary = (await cancelled(service, match)).summary
        red = service.store.people.new_guest()._replace(id=summary.red_person)
        withdrawn = await service.open(red, LINK)
        await service.command(
            withdrawn.match, withdrawn.seat, as_command({"id": "c", "type": "cancel"})
        )
        wall.at += days * DAY
        for person in (summary.red_person, summary.blue_person):
            lines = (await service.lobby(person)).yours
            assert [line.match for line in lines] == ([match] if is_listed else [])


async def test_it_is_cancelled_by_whoever_asks_first(path):
    match = await begun(path)
    change(path, match, "revealed", state="0" * 16)
    async with serving(f"sqlite:///{path}") as here, serving(f"sqlite:///{path}") as there:
        views = await asyncio.gather(*(each.view(match, Viewer()) for each in (here, there)))
        assert [view.outcome.reason for view in views] == ["rules changed"] * 2
        assert [e.body["event"] for e in here.store.read(match)].count("cancelled") == 1


async def test_a_match_that_another_process_has_cancelled_meanwhile_is_read_again(path):
    match = await begun(path)
    change(path, match, "revealed", state="0" * 16)
    async with serving(f"sqlite:///{path}") as service:
        before = [e for e in service.store.read(match) if e.body["event"] != "cancelled"]
        await cancelled(service, match)
        assert service.rooms._cancel(match, before[-1].seq)
        assert not service.rooms._cancel(match, service.store.read(match)[-1].seq)


async def test_a_match_of_a_game_that_no_longer_exists_is_cancelled(path):
    match = await begun(path)
    change(path, match, "opened", ruleset="bagh:gone=1")
    async with serving(f"sqlite:///{path}") as service:
        assert (await cancelled(service, match)).summary.reason == "rules changed"
        with pytest.raises(Refused, match="rules of this game have changed"):
            await service.view(match, Viewer())


async def test_a_match_whose_rules_have_another_hash_says_so_to_both(path):
    match = await begun(path, seconds=60)
    change(path, match, "opened", ruleset_hash="0" * 16)
    async with serving(f"sqlite:///{path}") as service:
        await cancelled(service, match)
        for seat in ("red", "blue"):
            view = await service.view(match, Viewer(seat, picture=True))
            assert "rules of its game have changed" in view.outcome.sentence
            assert (view.status, view.rated) == ("cancelled", False)


async def test_a_match_waits_a_day_for_a_game_that_is_not_loaded(path):
    match = await begun(path)
    change(path, match, "opened", ruleset="duel-of-wits")
    wall = Wall(time.time())
    async with serving(f"sqlite:///{path}", clock=PlayClock([], wall)) as service:
        with pytest.raises(Refused, match="does not have the game of this match"):
            await service.view(match, Viewer())
        row = service.store.matches.row(match)
        assert row.summary.status == "playing"
        wall.at += DAY + 1
        with pytest.raises(Refused, match="does not have the game of this match"):
            await service.view(match, Viewer())
        assert service.store.matches.row(match).summary.status == "cancelled"
        [line] = (await service.lobby(row.summary.red_person)).yours
        assert (line.match, line.status) == (match, "cancelled")


async def test_a_finished_match_stays_as_it_is(path):
    match = await begun(path)
    async with serving(f"sqlite:///{path}") as service:
        await service.command(match, "red", as_command({"id": "f", "type": "forfeit"}))
    change(path, match, "revealed", state="0" * 16)
    async with serving(f"sqlite:///{path}") as service:
        with pytest.raises(Refused, match="rules of this game have changed"):
            await service.view(match, Viewer())
        assert service.store.matches.row(match).summary.status == "over"
