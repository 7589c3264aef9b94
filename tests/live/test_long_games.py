"""Games of thousands of rounds: the event loop does no work for each round."""

import asyncio
import threading

import orjson
import pytest
from tests.asked import as_command, plain
from tests.live.matches import long_record
from tests.live.test_service import choose, opened, serving

from holmgang.games.contract import SEATS
from holmgang.live import records, study
from holmgang.live import service as live_service
from holmgang.live import view as live_view
from holmgang.live.round_log import RoundLog, encode
from holmgang.live.service import Viewer
from holmgang.wire.match import RoundLine

pytestmark = pytest.mark.anyio
ROUNDS = 120


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/data/holmgang.sqlite3"


@pytest.fixture
def calls(monkeypatch):
    """The calls of functions whose work grows with a game: name, and whether on the event loop."""
    calls = []

    def count(module, name):
        usual = getattr(module, name)

        def counted(*given, **named):
            calls.append((name, threading.current_thread() is threading.main_thread()))
            return usual(*given, **named)

        monkeypatch.setattr(module, name, counted)

    count(live_view, "round_line")
    count(live_service, "round_line")
    count(records, "record_of")
    count(study, "walk_of")
    return calls


async def test_a_finished_game_is_encoded_once_and_not_on_the_loop(url, calls):
    async with serving(url) as service:
        match = await service.upload(long_record(ROUNDS))
        for _ in range(5):
            view = await service.view(match, Viewer())
            game = await service.game(match, 1)
            async with service.follow(match, Viewer()) as frames:
                frame = orjson.loads(await anext(frames))
            assert len(view.rounds) == len(frame["view"]["rounds"]) == ROUNDS
            assert orjson.loads(encode(game))["log"] == frame["view"]["rounds"]
        made = await asyncio.gather(*(service.record(match, 1) for _ in range(5)))
        assert {content.count(b"\n") for content in made} == {ROUNDS + 2}
        await service.study.walk(match, 1)
        again = await service.game(match, 1)
        assert again.log.json is game.log.json  # the same bytes
    assert calls.count(("round_line", False)) == ROUNDS
    assert calls.count(("record_of", False)) == 1
    assert [call for call in calls if call[1]] == []


async def test_a_record_tells_the_seed_when_the_match_is_over(url):
    async with serving(url) as service:
        match = await opened(service, "bagh:start_hp=1", wins_needed=2)
        while len((await service.view(match, Viewer())).games) < 1:
            await choose(service, match, "red", "attack")
            await choose(service, match, "blue", "heal")
        before = orjson.loads((await service.record(match, 1)).splitlines()[0])
        await service.command(match, "red", as_command({"id": "f", "type": "forfeit"}))
        after = orjson.loads((await service.record(match, 1)).splitlines()[0])
        assert "seed" not in before["match"]
        assert "seed" in after["match"]


async def test_a_round_of_a_long_match_costs_as_much_as_the_first(url, calls, monkeypatch):
    def compare(*_):
        raise AssertionError("rounds are compared one by one")

    monkeypatch.setattr(RoundLog, "__eq__", compare)
    async with serving(url) as service:
        match = await opened(service, "bagh:start_hp=99,max_boost=1")
        async with service.follow(match, Viewer("red")) as frames:
            await anext(frames)
            for number in range(30):
                calls.clear()
                for seat in SEATS:
                    await choose(service, match, seat, "guard")
                seen = [orjson.loads(await anext(frames)) for _ in SEATS]
                assert [each["round"] for frame in seen for each in frame["rounds"]] == [number + 1]
                assert len(calls) == 1


def test_a_log_is_a_sequence_that_does_not_change():
    fields = {"red": "heal", "blue": None, "labels": {}, "chance": None, "chance_text": ""}
    lines = [
        RoundLine(game=1, round=number, ms={}, story=[], late=[], **fields) for number in range(3)
    ]
    encoded = [encode(line) for line in lines]
    log = RoundLog(encoded)
    encoded.append(encode(lines[0]))
    assert log == lines
    assert (len(log), log[0], log[-1], log[1:]) == (3, lines[0], lines[2], lines[1:])
    assert orjson.loads(bytes(log.json)) == plain(lines)
    assert log != RoundLog(encoded)
    with pytest.raises(IndexError):
        log[3]
    with pytest.raises(TypeError):
        encode({"x": object()})
