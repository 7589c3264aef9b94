"""Whom the bot notifies: only players who are away, and nobody where a server does not want it."""

import time
from types import SimpleNamespace

from tests.discord.playing import Club, eventually, let_pass, public, run, running_bot
from tests.discord.standin import Standin
from tests.discord.test_challenges import scene
from tests.discord.test_robustness import begin, play_on

from holmgang.discord.challenges import AGAIN

HOUR = 3600.0


def pinged(thread):
    """The users who were notified of each message, without those that notified nobody."""
    return [message.pinged for message in public(thread) if message.pinged]


def test_players_who_are_here_are_not_pinged(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club)
        for _ in range(3):
            board = await play_on(club, thread, board)
        assert pinged(thread) == []
        assert thread.members >= {club.ann.id, club.bob.id}, "they were mentioned silently"
        assert not [m for m in public(thread) if m.kind], "no line says that someone was added"
        (challenge,) = [m for m in public(club.general) if m.pinged]
        assert challenge.pinged == {club.bob.id}, "not the challenger"

    scene(tmp_path, act)


def test_a_player_who_is_away_is_pinged_and_the_one_who_acted_is_not(tmp_path, monkeypatch):
    async def act(club, _bot):
        thread, board = await begin(club)
        await club.choose(club.ann, await club.open_menu(club.ann, board))
        let_pass(monkeypatch, 400)
        await club.choose(club.bob, await club.open_menu(club.bob, board))
        board = await club.next_board(thread, board)
        assert board.pinged == {club.ann.id}
        sure = await club.standin.press(club.bob, board, "Forfeit")
        await club.standin.press(club.bob, sure.message, "Yes, forfeit")
        result = await club.next_board(thread, board)
        assert result.pinged == {club.ann.id}

    scene(tmp_path, act)


def test_who_has_yet_to_choose_is_reminded_once(tmp_path, monkeypatch):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        async with standin.running():
            async with running_bot(standin, tmp_path) as bot:
                thread, board = await begin(club)
                await club.choose(club.ann, await club.open_menu(club.ann, board))
                let_pass(monkeypatch, 20 * HOUR)
                monkeypatch.setattr(bot.service, "now", lambda: time.time() + 20 * HOUR)
                await eventually(lambda: pinged(thread))
                reminder = public(thread)[-1]
                assert reminder.pinged == {club.bob.id}
                assert "your choice in round 1 is due" in reminder.content
            async with running_bot(standin, tmp_path) as bot:
                monkeypatch.setattr(bot.service, "now", lambda: time.time() + 21 * HOUR)
                await club.choose(club.bob, await club.open_menu(club.bob, board))
                await club.next_board(thread, board)
                due = [m for m in public(thread) if "is due" in m.content]
                assert due[0] is reminder
                assert not [m for m in due if "round 1" in m.content and m is not reminder]

    run(scenario())


def test_a_challenge_that_was_just_withdrawn_pings_nobody_again(tmp_path, monkeypatch):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        later = SimpleNamespace(time=time.time)
        monkeypatch.setattr("holmgang.discord.challenges.time", later)
        for is_pinged in (True, False, True):
            message = await club.challenge("bagh")
            assert message.pinged == ({club.bob.id} if is_pinged else set())
            await club.standin.press(club.ann, message, "Withdraw")
            if not is_pinged:
                later.time = lambda: time.time() + AGAIN

    scene(tmp_path, act)


def test_a_server_can_switch_pings_off(tmp_path, monkeypatch):
    async def act(club, bot):
        owner = club.guild.owner
        told = await club.standin.slash(owner, club.general, "settings", pings=False)
        assert "**Pings** are off" in told.text
        thread, board = await begin(club)
        assert thread.members >= {club.ann.id, club.bob.id}
        let_pass(monkeypatch, 20 * HOUR)
        monkeypatch.setattr(bot.service, "now", lambda: time.time() + 20 * HOUR)
        board = await play_on(club, thread, board)
        assert pinged(thread) == pinged(club.general) == []
        told = await club.standin.slash(owner, club.general, "settings", pings=True)
        assert "**Pings** are on" in told.text
        let_pass(monkeypatch, 40 * HOUR)
        await eventually(lambda: pinged(thread))

    scene(tmp_path, act)
