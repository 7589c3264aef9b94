"""Turns of levels and bots."""

import random

import pytest
from tests.arena.folders import bot_folder
from tests.asked import as_command
from tests.live.test_service import choose, opened_alone, serving, until

from holmgang.games.ruleset import load
from holmgang.live import computers as live_computers
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.players.naming import parse_player

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/data/holmgang.sqlite3"


@pytest.mark.parametrize("level", ["random", "greedy"])
async def test_a_level_plays_to_the_end(url, level):
    async with serving(url) as service:
        match = await opened_alone(service, {"level": level}, "bagh-advantage")
        rng = random.Random(1)
        while True:
            view = await until(
                service, match, "red", lambda view: view.waiting_for in ([], ["red"])
            )
            if view.status != "playing":
                break
            await choose(service, match, "red", rng.choice(["attack", "guard", "boost"]))
        assert view.outcome.reason in ("hp", "limit")


async def test_a_level_answers_a_draw_offer(url):
    async with serving(url) as service:
        match = await opened_alone(service, {"level": "random"})
        asked = {"id": "d", "type": "offer draw", "game": 1, "round": 1}
        await service.command(match, "red", as_command(asked))
        view = await until(service, match, "red", lambda view: not view.draw_offered_by)
        assert view.game == 1  # random never accepts


async def test_a_level_goes_on_after_a_restart(url):
    async with serving(url) as service:
        match = await opened_alone(service, {"level": "random"}, "magic-duel")
        await until(service, match, "red", lambda view: view.waiting_for == ["red"])
        await choose(service, match, "red", "magic")
        await choose(service, match, "red", "magic")
    async with serving(url) as service:
        await until(service, match, "red", lambda view: view.waiting_for == ["red"])


async def test_a_hosted_bot_plays_and_is_started_again_after_a_restart(url, tmp_path):
    folder = bot_folder(tmp_path / "grim", "attack")
    bot = parse_player(str(folder), load("bagh")).bot
    for game in (1, 2):
        async with serving(url, bots={"grim": bot}, trust=True) as service:
            if game == 1:
                match = await opened_alone(service, {"bot": "grim"}, "bagh:start_hp=1")
            await until(service, match, "red", lambda view: view.waiting_for == ["red"])
            await choose(service, match, "red", "heal")  # which is too late with 1 hp
            view = await service.view(match, Viewer("red"))
            assert view.score == {"red": 0, "blue": game}


async def test_only_so_many_bots_are_kept_and_the_others_are_started_again(
    url, tmp_path, monkeypatch
):
    monkeypatch.setattr(live_computers, "MOST_RUNNING", 2)
    folder = bot_folder(tmp_path / "grim", "attack")
    bot = parse_player(str(folder), load("bagh")).bot
    async with serving(url, bots={"grim": bot}, trust=True) as service:
        matches = [await opened_alone(service, {"bot": "grim"}) for _ in range(4)]
        for round in range(3):
            for match in matches:
                view = await until(service, match, "red", lambda v: v.waiting_for == ["red"])
                assert [line.blue for line in view.rounds] == ["attack"] * round
            assert len(service.computers._running) == 2
            for match in matches:
                await choose(service, match, "red", "guard")


async def test_a_bot_that_fails_loses_the_match(url, tmp_path):
    folder = bot_folder(tmp_path / "grim", "attack")
    bot = parse_player(str(folder), load("bagh")).bot
    (folder / "bot.py").write_text("import sys; sys.exit(1)", encoding="utf-8")
    async with serving(url, bots={"grim": bot}, trust=True) as service:
        match = await opened_alone(service, {"bot": "grim"})
        view = await until(service, match, "red", lambda view: view.status == "over")
        assert (view.outcome.winner, view.outcome.reason) == ("red", "crash")


async def test_an_unknown_bot_is_refused(url):
    async with serving(url) as service:
        with pytest.raises(Refused, match="hosted bots: none"):
            await opened_alone(service, {"bot": "grim"})


async def test_a_bot_that_only_fences_plays_no_other_game(url, tmp_path):
    folder = bot_folder(tmp_path / "grim", "attack")
    bot = parse_player(f"codingame:{folder}", load("fencing")).bot
    async with serving(url, bots={"grim": bot}, trust=True) as service:
        with pytest.raises(Refused, match="plays fencing only"):
            await opened_alone(service, {"bot": "grim"})


async def test_a_level_always_wants_a_rematch(url):
    async with serving(url) as service:
        match = await opened_alone(service, {"level": "random"})
        await service.command(match, "red", as_command({"id": "f", "type": "forfeit"}))
        await service.command(match, "red", as_command({"id": "r", "type": "rematch"}))
        await until(service, match, "red", lambda view: view.rematch.match)
