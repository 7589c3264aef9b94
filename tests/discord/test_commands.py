"""The other commands: help, rules, lists, and matches that are shared with the web server."""

import asyncio
import re

import httpx
import pytest
from tests.asked import as_command, as_request
from tests.discord.playing import eventually, public
from tests.discord.test_challenges import scene
from tests.patience import PATIENCE
from tests.web.running import running_server

from holmgang.games.catalogue import CATALOGUE
from holmgang.live import opening


def test_help_is_for_those_without_a_duel_and_the_open_choice_for_the_others(tmp_path):
    async def act(club, _bot):
        told = await club.standin.slash(club.ann, club.general, "duel")
        assert "You have no duel here" in told.text
        assert "bagher" in told.text
        await club.join(club.ann, club.bob)
        thread = await club.duel("bagh")
        told = await club.standin.slash(club.ann, club.general, "duel")
        assert f"Your duel is in <#{thread.id}>" in told.text
        chosen = await club.standin.press(club.ann, told.message, "Attack")
        assert "chosen **Attack**" in chosen.text
        assert chosen.message.only_for is club.ann
        await club.choose(club.bob, await club.open_menu(club.bob, await club.board(thread)))
        await club.standin.until(lambda: "round 2: make your choice" in chosen.text)

    scene(tmp_path, act)


@pytest.mark.parametrize("game", ["bagh", "fencing"])
def test_rules_are_leafed_through(tmp_path, game):
    async def act(club, _bot):
        told = await club.standin.slash(club.eve, club.general, "rules", game=game)
        pages = [told.text]
        while not told.message.find("Next ▶").get("disabled"):
            told = await club.standin.press(club.eve, told.message, "Next ▶")
            pages.append(told.text)
        assert re.search(r"Page (\d+) of \1$", pages[-1])
        assert len(set(pages)) == len(pages) > 2
        told = await club.standin.press(club.eve, told.message, "◀ Back")
        assert told.text == pages[-2]

    scene(tmp_path, act)


def test_every_game_is_offered_and_no_command_is_for_private_messages(tmp_path):
    async def act(club, _bot):
        for name in ("challenge", "rules", "leaderboard"):
            options = club.standin.find_command(name, 1)["options"]
            game = next(option for option in options if option["name"] == "game")
            assert [choice["value"] for choice in game["choices"]] == list(CATALOGUE)
        assert all(each["contexts"] == [0] for each in club.standin.commands)
        restore = club.standin.find_command("restore", 1)
        assert int(restore["default_member_permissions"]) == 1 << 5

    scene(tmp_path, act)


def test_a_finished_match_is_analysed_rated_and_listed(tmp_path):
    async def act(club, bot):
        await club.join(club.ann, club.bob)
        thread = await club.duel("bagh", first_to=1)
        board = await club.board(thread)
        for user in (club.ann, club.bob):
            await club.choose(user, await club.open_menu(user, board))
        board = await club.next_board(thread, board)
        asked = await club.standin.press(club.ann, board, "Forfeit")
        await club.standin.press(club.ann, asked.message, "Yes, forfeit")
        result = await club.next_board(thread, board)
        assert "Ratings: " in result.content
        match = bot.store.matches.find()[0].id
        assert f"http://duels.example/match/{match}" in result.content
        before = result.content
        await club.standin.until(lambda: "analysis.png" in result.files, 60)
        assert result.content.count("\n- ") == 3
        assert result.files["analysis.png"].startswith(b"\x89PNG")
        assert set(result.files) == {"board.png", "analysis.png", f"bagh-{match}.zip"}
        assert public(thread)[-1] is result, "one message"
        assert all(line in result.content for line in before.split("\n"))
        assert result.find("Rematch")
        await eventually(lambda: bot.store.discord.duel(match).stage == "done")
        told = await club.standin.slash(club.ann, club.general, "history")
        assert "BAGH: lost against @bob" in told.text
        assert (
            bot.store.ratings.of_person(bot.store.discord.known_person(club.ann.id).id)[
                "bagh"
            ].matches
            == 1
        )
        told = await club.standin.slash(club.ann, club.general, "leaderboard", game="bagh")
        assert "nobody has played enough rated matches" in told.text

    scene(tmp_path, act, web_address="http://duels.example")


def test_a_match_that_is_not_rated_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "MOST_RATED", 0)

    async def act(club, bot):
        await club.join(club.ann, club.bob)
        thread = await club.duel("bagh", first_to=1)
        board = await club.board(thread)
        assert "Not rated: these players" in board.content
        asked = await club.standin.press(club.ann, board, "Forfeit")
        await club.standin.press(club.ann, asked.message, "Yes, forfeit")
        result = await club.next_board(thread, board)
        assert "Not rated: " in result.content
        assert "Ratings: " not in result.content

    scene(tmp_path, act)


@pytest.mark.parametrize(("level", "seats"), [("", {"red", "blue"}), ("random", set())])
def test_members_who_play_each_other_are_connected_to_the_bot(tmp_path, level, seats):
    """So that no other process ends their rounds while this one is down. Against a level they are
    not: the match would be listed as live for as long as its thread.
    """

    async def act(club, bot):
        await club.join(club.ann, club.bob)
        if level:
            given = {"opponent": club.standin.bot, "game": "bagh", "level": level}
            await club.standin.slash(club.ann, club.general, "challenge", **given)
        else:
            await club.duel("bagh")
        rooms, connected = bot.service.rooms.loaded, bot.service.presence._connected
        await eventually(lambda: [room.is_followed for room in rooms.values()] == [True])
        assert connected.keys() == {(match, seat) for match in rooms for seat in seats}

    scene(tmp_path, act)


def test_a_duel_of_discord_is_watched_on_the_web_page(tmp_path):
    """Both servers run on one database."""

    async def act(club, bot):
        await club.join(club.ann, club.bob)
        thread = await club.duel("bagh")
        match = bot.store.matches.find()[0].id
        url = f"sqlite:///{tmp_path}/holmgang.sqlite3"
        with running_server(tmp_path, has_limits=False, database=url) as server:
            async with httpx.AsyncClient(base_url=server.address, verify=False) as browser:  # noqa: S501

                async def seen():
                    return (await browser.get(f"/api/matches/{match}")).json()

                view = await seen()
                assert {view["players"][seat]["name"] for seat in ("red", "blue")} == {
                    "@ann",
                    "@bob",
                }
                board = await club.board(thread)
                for user in (club.ann, club.bob):
                    await club.choose(user, await club.open_menu(user, board))
                async with asyncio.timeout(PATIENCE):  # SQLite tells others within a second
                    while (await seen())["round"] != 2:
                        pass

    scene(tmp_path, act)


def test_a_match_of_the_web_page_is_watched_in_a_thread(tmp_path):
    async def act(club, bot):
        await club.join(club.eve)
        request = as_request({"ruleset": "bagh", "opponent": {"level": "random"}})
        guest = bot.store.people.new_guest()
        grant = await bot.service.open(guest, request)
        address = f"https://duels.example/match/{grant.match}"
        told = await club.standin.slash(club.eve, club.general, "watch", match=address)
        assert told.text == "The match is now shown in a thread."
        thread = await club.standin.until(
            lambda: [c for c in club.guild.channels.values() if c.is_thread]
        )
        board = (await club.standin.until(lambda: public(thread[0])))[0]
        assert guest.name in board.content
        assert not board.components, "nobody here has anything to press"
        command = {"type": "choose", "game": 1, "round": 1, "choice": "boost", "id": "a"}
        await bot.service.command(grant.match, grant.seat, as_command(command))
        await club.standin.until(lambda: "**Round 1**" in board.content)
        again = await club.standin.slash(club.eve, club.general, "watch", match=grant.match)
        assert f"<#{thread[0].id}>" in again.text
        for bad in ("nothing", "https://duels.example/match/1111111111"):
            told = await club.standin.slash(club.eve, club.general, "watch", match=bad)
            assert "not a match" in told.text or "no such match" in told.text

    scene(tmp_path, act)
