"""One board for each duel: edited while it can be seen, posted anew only where an edit is not
enough.
"""

import asyncio
import re

import pytest
from tests.discord.playing import (
    BURIED,
    Club,
    boards,
    eventually,
    let_pass,
    limit_edits,
    public,
    run,
    running_bot,
)
from tests.discord.standin import Standin
from tests.discord.test_challenges import finish, scene
from tests.discord.test_robustness import begin, play_on
from tests.patience import PATIENCE

HOUR = 3600.0


def edits_of(standin, message):
    """The edits of a message that were asked for, also refused ones."""
    path = f"/channels/{message.channel.id}/messages/{message.id}"
    return standin.rest.requests.count(("PATCH", path))


def test_twenty_rounds_cost_one_board(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club, first_to=9)
        for number in range(20):
            assert await play_on(club, thread, board) is board
            assert "```" not in board.content, number
            assert list(board.files)[-1] == "board.png"
        assert public(thread) == [board]
        assert edits_of(club.standin, board) <= 40

    scene(tmp_path, act)


def test_a_board_tells_of_the_last_rounds(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club, first_to=9)
        for number in range(1, 6):
            await play_on(club, thread, board)
            told = re.findall(r"> \*\*Round (\d+)\*\*", board.content)
            assert int(told[-1]) == number or "> **Game 1**" in board.content
            assert len(told) <= 3

    scene(tmp_path, act)


def test_a_buried_board_is_posted_anew_in_the_next_round(tmp_path):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        async with standin.running():
            async with running_bot(standin, tmp_path):
                thread, board = await begin(club)
                for _ in range(BURIED - 1):
                    await standin.say(club.eve, thread, "Who wins?")
                assert await play_on(club, thread, board) is board, "it can still be seen"
                await standin.say(club.eve, thread, "Red!")
                second = await play_on(club, thread, board)
                assert second is not board
                await standin.until(lambda: not board.components)
                assert await play_on(club, thread, second) is second
            await club.bury(thread)  # while the bot is away
            async with running_bot(standin, tmp_path):
                third = await play_on(club, thread, second)
                assert third is not second

    run(scenario())


def test_a_player_who_is_away_gets_a_new_board_because_an_edit_notifies_nobody(
    tmp_path, monkeypatch
):
    async def act(club, _bot):
        thread, board = await begin(club)
        await club.choose(club.ann, await club.open_menu(club.ann, board))
        let_pass(monkeypatch, 400)
        await club.choose(club.bob, await club.open_menu(club.bob, board))
        after = await club.next_board(thread, board)
        assert after is not board
        assert after.pinged == {club.ann.id}

    scene(tmp_path, act)


def test_edits_are_joined_and_the_latest_state_wins(tmp_path):
    async def act(club, _bot):
        _, board = await begin(club, time=0)  # no deadline, which may change at any moment
        asked = await club.open_menu(club.ann, board)
        held, first = asyncio.Event(), asyncio.Event()

        async def hold(method, path):
            if method == "PATCH" and path.startswith("/channels/"):
                first.set()
                await held.wait()

        club.standin.rest.before_answer = hold
        asked = await club.standin.press(club.ann, asked.message, "Attack")
        await first.wait()
        before = edits_of(club.standin, board)
        for _ in range(4):
            asked = await club.standin.press(club.ann, asked.message, "withdraw")
            asked = await club.standin.press(club.ann, asked.message, "Attack")
        asked = await club.standin.press(club.ann, asked.message, "withdraw")
        held.set()
        await club.standin.until(lambda: f"⏳ <@{club.ann.id}>" in board.content)
        assert edits_of(club.standin, board) <= before + 2, "nine changes"

    scene(tmp_path, act)


def test_an_edit_that_changes_nothing_is_not_sent(tmp_path):
    async def act(club, _bot):
        _, board = await begin(club, time=0)  # no deadline, which may change at any moment
        asked = await club.open_menu(club.ann, board)
        held, first = asyncio.Event(), asyncio.Event()

        async def hold(method, path):
            if method == "PATCH" and path.startswith("/channels/"):
                first.set()
                await held.wait()

        club.standin.rest.before_answer = hold
        asked = await club.standin.press(club.ann, asked.message, "Attack")
        await first.wait()
        before = edits_of(club.standin, board)
        offer = await club.standin.press(club.bob, board, "draw:")
        await club.standin.press(club.bob, offer.message, "Take back")
        held.set()
        asked = await club.standin.press(club.ann, asked.message, "withdraw")
        await club.standin.until(lambda: f"⏳ <@{club.ann.id}>" in board.content)
        assert edits_of(club.standin, board) == before + 1

    scene(tmp_path, act)


def test_an_edit_that_waits_for_a_limit_holds_up_no_board(tmp_path, monkeypatch):
    limit_edits(monkeypatch, 0.3)

    async def act(club, _bot):
        dan = club.standin.new_user(club.guild, "dan")
        await club.join(club.eve, dan)
        thread, board = await begin(club)
        club.standin.limits.edits[thread.id] = (0, HOUR)
        for user in (club.ann, club.bob):
            await club.choose(user, await club.open_menu(user, board))
        after = await club.next_board(thread, board)
        assert after is not board
        assert "**Round 1**" in after.content
        limit_edits(monkeypatch, PATIENCE)
        other = Club(club.standin, club.guild, club.general, club.eve, dan, club.ann)
        other_thread = await other.duel("bagh")
        other_board = await other.board(other_thread)
        assert await play_on(other, other_thread, other_board) is other_board

    scene(tmp_path, act)


@pytest.mark.parametrize("ends", [False, True])
def test_no_round_is_left_out_however_long_an_edit_waits(tmp_path, monkeypatch, ends):
    async def play_round(club, board):
        for user in (club.ann, club.bob):
            await club.choose(user, await club.open_menu(user, board))

    async def act(club, _bot):
        thread, board = await begin(club, rules="start_hp=20")
        club.standin.limits.edits[thread.id] = (0, HOUR)
        for _ in range(5):
            await play_round(club, board)
        limit_edits(monkeypatch, 0.1)
        if ends:
            sure = await club.standin.press(club.ann, board, "Forfeit")
            await club.standin.press(club.ann, sure.message, "Yes, forfeit")
        else:
            await play_round(club, board)
        after = await club.next_board(thread, board)
        assert "Round" not in board.content
        told = re.findall(r"> \*\*Round (\d+)\*\*", after.content)
        assert told == [str(number) for number in range(1, 6 if ends else 7)]

    scene(tmp_path, act)


@pytest.mark.parametrize("has_via", [True, False])
def test_a_board_whose_edits_are_used_up_is_posted_anew(tmp_path, monkeypatch, has_via):
    """With `Via` discord.py waits as long as Discord says, so the bot does not wait for it."""
    limit_edits(monkeypatch, 0.3)

    async def act(club, _bot):
        thread, board = await begin(club)
        club.standin.limits.has_via = has_via
        club.standin.limits.most_old_edits = board.edits
        club.standin.age(board, 2 * HOUR)
        after = await play_on(club, thread, board)
        assert after is not board
        limit_edits(monkeypatch, PATIENCE)
        assert await play_on(club, thread, after) is after, "this one is new"

    scene(tmp_path, act)


def test_the_first_board_of_a_later_game_shows_how_the_last_one_ended(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club, first_to=9, rules="start_hp=1")
        while "game 2, round 1" not in board.content:
            await play_on(club, thread, board)
        assert list(board.files) == ["game.png", "board.png"]
        assert "> **Game 1**" in board.content
        assert "> **Round " in board.content, "the round that decided it"
        while "game 2, round 2" not in board.content:
            await play_on(club, thread, board)
        assert list(board.files) == ["board.png"]

    scene(tmp_path, act)


def test_a_duel_without_rounds_has_no_analysis_and_no_archive(tmp_path):
    async def act(club, bot):
        result = await finish(club)
        match = bot.store.matches.find()[0].id
        await eventually(lambda: bot.store.discord.duel(match).stage == "done")
        assert list(result.files) == ["board.png"]
        await club.standin.until(lambda: not boards(result.channel))

    scene(tmp_path, act)
