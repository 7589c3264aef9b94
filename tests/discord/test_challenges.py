"""From /join to the thread of a duel, and every way in which that can go otherwise."""

import asyncio
import time
from types import SimpleNamespace

import pytest
from tests.discord.playing import Club, boards, let_pass, run, running_bot
from tests.discord.standin import Standin


def scene(folder, act, **given):
    """Runs a coroutine function on a club whose bot is connected."""

    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        async with standin.running(), running_bot(standin, folder, **given) as bot:
            await act(club, bot)

    run(scenario())


def test_join_gives_the_role_and_leave_takes_it(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann)
        role = next(role for role in club.guild.roles.values() if role.name == "bagher")
        assert role.id in club.guild.members[club.ann.id][1]
        again = await club.standin.slash(club.ann, club.general, "join")
        assert "already joined" in again.text
        left = await club.standin.slash(club.ann, club.general, "leave")
        assert "You have left" in left.text
        assert role.id not in club.guild.members[club.ann.id][1]
        assert again.message.only_for is left.message.only_for is club.ann

    scene(tmp_path, act)


def test_two_who_join_at_once_get_one_role(tmp_path):
    async def act(club, _bot):
        await asyncio.gather(*(club.join(user) for user in (club.ann, club.bob, club.eve)))
        assert [role.name for role in club.guild.roles.values()].count("bagher") == 1
        await club.challenge("bagh")

    scene(tmp_path, act)


def test_the_name_of_the_role_is_a_setting(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann)
        assert "duellist" in {role.name for role in club.guild.roles.values()}

    scene(tmp_path, act, role="duellist")


def test_who_has_not_joined_is_told_so_in_private(tmp_path):
    async def act(club, _bot):
        told = await club.standin.slash(
            club.ann, club.general, "challenge", opponent=club.bob, game="bagh"
        )
        assert "You have not joined" in told.text
        assert told.message.only_for is club.ann
        await club.join(club.ann)
        told = await club.standin.slash(
            club.ann, club.general, "challenge", opponent=club.bob, game="bagh"
        )
        assert f"<@{club.bob.id}> has not joined" in told.text
        assert not [m for m in club.general.messages.values() if m.only_for is None]

    scene(tmp_path, act)


@pytest.mark.parametrize(
    ("who", "button", "told"),
    [
        ("bob", "Decline", "declined"),
        ("ann", "Withdraw", "withdrawn"),
    ],
)
def test_a_challenge_is_declined_or_withdrawn(tmp_path, who, button, told):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        message = await club.challenge("bagh")
        answer = await club.standin.press(getattr(club, who), message, button)
        assert answer.text == f"The challenge was {told}."
        await club.standin.until(lambda: message.content.endswith(f"The challenge was {told}."))
        assert not message.components
        await club.join(club.eve)
        await club.challenge_of(club.ann, club.eve)  # she is free again

    scene(tmp_path, act)


def test_only_those_concerned_can_answer(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        message = await club.challenge("bagh")
        for user, button, told in [
            (club.eve, "Accept", "between other players"),
            (club.ann, "Accept", "has to answer"),
            (club.bob, "Withdraw", "you can decline"),
        ]:
            answer = await club.standin.press(user, message, button)
            assert told in answer.text
            assert answer.message.only_for is user
        assert message.components

    scene(tmp_path, act)


def test_a_challenge_expires(tmp_path, monkeypatch):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        message = await club.challenge("bagh")
        stale = message.find("Accept")
        later = SimpleNamespace(time=lambda: time.time() + 24 * 3600 + 100)
        monkeypatch.setattr("holmgang.discord.challenges.time", later)
        await club.standin.until(lambda: "has expired" in message.content)
        answer = await club.standin.press(club.bob, message, "", component=stale)
        assert answer.text == "This challenge has expired."
        assert message.id not in club.guild.channels

    scene(tmp_path, act)


def test_who_is_busy_is_told_so(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob, club.eve)
        await club.challenge("bagh")
        told = await club.standin.slash(
            club.ann, club.general, "challenge", opponent=club.eve, game="bagh"
        )
        assert "withdraw that one first" in told.text
        message = list(club.general.messages.values())[-2]
        await club.standin.press(club.bob, message, "Accept")
        for user, other, who in [
            (club.eve, club.ann, f"<@{club.ann.id}> has"),
            (club.ann, club.eve, "You have"),
        ]:
            told = await club.standin.slash(
                user, club.general, "challenge", opponent=other, game="bagh"
            )
            assert f"{who} an unfinished duel" in told.text
            assert told.message.only_for is user

    scene(tmp_path, act)


@pytest.mark.parametrize(
    "given", [{"game": "bagh", "rules": "max_bost=4"}, {"game": "bagh", "level": "greedy"}]
)
def test_what_cannot_be_played_is_refused(tmp_path, given):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        told = await club.standin.slash(
            club.ann, club.general, "challenge", opponent=club.bob, **given
        )
        assert (
            ("max_boost" in told.text)
            if "rules" in given
            else ("a level is only for" in told.text.lower())
        )

    scene(tmp_path, act)


def test_the_context_menu_asks_for_the_game_first(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        asked = await club.standin.pick_menu(club.ann, club.general, "challenge", club.bob)
        assert asked.message.only_for is club.ann
        for start, value in (("setup::0:0:game", "fencing"), ("setup::0:0:seconds", "60")):
            asked = await club.standin.press(club.ann, asked.message, start, value)
        sent = await club.standin.press(club.ann, asked.message, "Challenge")
        assert "Challenge sent" in sent.text
        message = [m for m in club.general.messages.values() if m.only_for is None][-1]
        assert "**Fencing Esport**, 1 minute for each choice" in message.content

    scene(tmp_path, act)


def test_the_bot_itself_plays_at_a_level(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann)
        told = await club.standin.slash(
            club.ann,
            club.general,
            "challenge",
            opponent=club.standin.bot,
            game="bagh",
            level="random",
            first_to=1,
        )
        assert "is starting" in told.text
        thread = await club.standin.until(
            lambda: [c for c in club.guild.channels.values() if c.is_thread]
        )
        thread = thread[0]
        board = await club.board(thread)
        while board.find("").get("label") == "Choose":
            asked = await club.open_menu(club.ann, board)
            await club.choose(club.ann, asked)
            board = await club.next_board(thread, board)
        assert "🏁" in board.content

    scene(tmp_path, act)


def test_a_member_who_left_cannot_be_challenged_nor_accepted(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        message = await club.challenge("bagh")
        club.guild.members.pop(club.ann.id)
        told = await club.standin.press(club.bob, message, "Accept")
        assert "has left this server" in told.text
        told = await club.standin.slash(
            club.bob, club.general, "challenge", opponent=club.ann, game="bagh"
        )
        assert "no longer a member of this server" in told.text

    scene(tmp_path, act)


def test_draws_are_offered_withdrawn_and_agreed_and_a_rematch_follows(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        thread = await club.duel("bagh", first_to=1)
        board = await club.board(thread)
        offered = await club.standin.press(club.ann, board, "Offer a draw")
        assert "You have offered a draw" in offered.text
        await club.standin.until(lambda: "offers a draw" in board.content)
        await club.standin.press(club.ann, offered.message, "Take back")
        await club.standin.until(lambda: "offers a draw" not in board.content)
        await club.standin.press(club.ann, board, "Offer a draw")
        await club.standin.until(lambda: "offers a draw" in board.content)
        await club.standin.press(club.bob, board, "Accept the draw")
        result = await club.next_board(thread, board)
        assert "🏁" in result.content
        for user, told in ((club.ann, "You have offered"), (club.bob, "The rematch is starting")):
            assert told in (await club.standin.press(user, result, "Rematch")).text
        again = await club.next_board(thread, result)
        assert "round 1" in again.content
        assert "🔴" in again.content
        mark = f"🔴 <@{club.ann.id}>"
        assert (mark in board.content) != (mark in again.content), "the seats are exchanged"

    scene(tmp_path, act)


def test_a_forfeit_has_to_be_confirmed(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        thread = await club.duel("bagh")
        assert thread.name in ("BAGH: @ann – @bob", "BAGH: @bob – @ann")
        board = await club.board(thread)
        watching = await club.standin.press(club.eve, board, "Forfeit")
        assert "You are watching" in watching.text
        asked = await club.standin.press(club.ann, board, "Forfeit")
        assert len(boards(thread)) == 1
        await club.standin.press(club.ann, asked.message, "Yes, forfeit")
        result = await club.next_board(thread, board)
        assert f"Well played, <@{club.bob.id}>" in result.content

    scene(tmp_path, act)


def test_a_draw_says_which_game_it_ends_and_is_notified(tmp_path, monkeypatch):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        thread = await club.duel("bagh", first_to=2)
        board = await club.board(thread)
        let_pass(monkeypatch, 400)
        offered = await club.standin.press(club.ann, board, "Offer a draw of game 1")
        assert "You have offered to end game 1 in a draw." in offered.text
        assert "A draw ends only game 1; the match continues." in offered.text
        await club.standin.until(lambda: "offers to end game 1 in a draw" in board.content)
        notice = await club.standin.until(
            lambda: [m for m in thread.messages.values() if m.pinged == {club.bob.id}]
        )
        assert "offers to end game 1 in a draw" in notice[0].content
        await club.standin.press(club.bob, board, "Accept the draw of game 1")
        after = await club.next_board(thread, board)
        assert "game 2, round 1" in after.content

    scene(tmp_path, act)


@pytest.mark.parametrize(("game", "is_hidden"), [("bagh", True), ("magic-duel", False)])
def test_a_menu_promises_secrecy_only_where_choices_are_hidden(tmp_path, game, is_hidden):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        board = await club.board(await club.duel(game))
        asked = [await club.open_menu(user, board) for user in (club.ann, club.bob)]
        texts = [each.text for each in asked if "make your choice" in each.text]
        assert len(texts) == (2 if is_hidden else 1)
        for text in texts:
            assert ("Nobody else sees it before the reveal" in text) == is_hidden
            assert ("it is played at once" in text) != is_hidden

    scene(tmp_path, act)


def test_a_finished_board_has_no_deadline(tmp_path):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        async with standin.running():
            async with running_bot(standin, tmp_path):
                await club.join(club.ann, club.bob)
                thread = await club.duel("bagh")
                first = await club.board(thread)
                assert "· due <t:" in first.content
                await club.bury(thread)
                for user in (club.ann, club.bob):
                    await club.choose(user, await club.open_menu(user, first))
                second = await club.next_board(thread, first)
                assert second is not first
                await standin.until(lambda: "<t:" not in first.content)
                assert "⏳" not in first.content
            async with running_bot(standin, tmp_path):  # which does not know the text
                sure = await standin.press(club.bob, second, "Forfeit")
                await standin.press(club.bob, sure.message, "Yes, forfeit")
                await standin.until(lambda: "<t:" not in second.content)
                assert "round 2" in second.content

    run(scenario())


async def finish(club):
    """A duel that Bob has lost: its result."""
    await club.join(club.ann, club.bob, club.eve)
    thread = await club.duel("bagh")
    board = await club.board(thread)
    sure = await club.standin.press(club.bob, board, "Forfeit")
    await club.standin.press(club.bob, sure.message, "Yes, forfeit")
    return await club.next_board(thread, board)


def test_a_rematch_needs_the_role_and_no_other_duel(tmp_path):
    async def act(club, bot):
        result = await finish(club)
        await club.standin.slash(club.bob, club.general, "leave")
        told = await club.standin.press(club.bob, result, "Rematch")
        assert "You have not joined" in told.text
        told = await club.standin.press(club.ann, result, "Rematch")
        assert f"<@{club.bob.id}> has not joined" in told.text
        await club.join(club.bob)
        told = await club.standin.press(club.ann, result, "Rematch")
        assert "You have offered" in told.text
        message = await club.challenge_of(club.ann, club.eve)
        await club.standin.press(club.eve, message, "Accept")
        told = await club.standin.press(club.bob, result, "Rematch")
        assert f"<@{club.ann.id}> has an unfinished duel" in told.text
        assert len(bot.store.discord.duels_of(club.guild.id, club.ann.id)) == 1

    scene(tmp_path, act)
