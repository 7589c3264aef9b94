"""A database of an older version: it is opened, and its live matches are played to their end."""

import sqlite3
from pathlib import Path
from random import Random

import pytest
from tests.asked import as_command
from tests.live.test_service import serving

from holmgang.engine import record as records
from holmgang.games.contract import SEATS
from holmgang.live.service import Viewer

pytestmark = pytest.mark.anyio
DUMP = Path(__file__).parent / "older_database.sql"
"""Written by commit 4bdb0e4, the last one before the wire was typed and ids had digests."""


@pytest.fixture
def url(tmp_path):
    path = tmp_path / "older.sqlite3"
    with sqlite3.connect(path) as database:
        database.executescript(DUMP.read_text(encoding="utf-8"))
    database.close()
    return f"sqlite:///{path}"


def chosen(view, choice, id):  # noqa: A002 - the protocol's word
    where = {"game": view.game, "round": view.round}
    return as_command({"type": "choose", "id": id, "choice": choice, **where})


async def test_live_matches_of_an_older_version_go_on(url):
    random = Random(1)
    async with serving(url) as service:
        live = service.store.matches.live()
        games, hidden = set(), set()
        for match in live:
            red, blue = [await service.view(match, Viewer(seat)) for seat in SEATS]
            games.add(red.game_name)
            assert (red.status, red.waiting_for) == ("playing", ["blue"])
            assert blue.chosen is None
            if red.chosen is not None:
                hidden.add(red.game_name)
                # The id stands for red's choice, although older logs have no digest of it.
                last = service.store.read(match)[-1].body
                await service.command(match, "red", chosen(red, red.chosen, last["command"]))
                assert (await service.view(match, Viewer("red"))).version == red.version

            number = 0
            while (view := await service.view(match, Viewer())).status == "playing":
                seat = view.waiting_for[0]
                options = (await service.view(match, Viewer(seat))).menu.options
                number += 1
                word = random.choice(options).word
                await service.command(match, seat, chosen(view, word, f"later {number}"))
            assert view.status == "over"
            for line in view.games:
                text = (await service.record(match, line.number)).decode()
                duel = records.replay(records.parse(text, "the record"))
                assert duel.is_over
        assert games == {"bagh", "fencing", "defend-the-city", "magic-duel"}
        assert hidden == {"bagh", "fencing"}  # in the others, only blue was asked
        assert service.store.matches.live() == []
