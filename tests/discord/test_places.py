"""Who can be challenged where, and what a challenge survives."""

import time
from types import SimpleNamespace

import pytest
from tests.discord.playing import public
from tests.discord.standin.world import VIEW_CHANNEL
from tests.discord.test_challenges import scene


async def form(club, user, other):
    """What the context menu answers."""
    return await club.standin.pick_menu(user, club.general, "challenge", other)


def test_who_cannot_play_is_told_before_the_form(tmp_path):
    async def act(club, _bot):
        told = await form(club, club.ann, club.bob)
        assert "You have not joined" in told.text
        await club.join(club.ann)
        told = await form(club, club.ann, club.bob)
        assert f"<@{club.bob.id}> has not joined" in told.text
        told = await form(club, club.ann, club.ann)
        assert "cannot challenge yourself" in told.text
        assert not told.message.components
        await club.join(club.bob, club.eve)
        assert (await form(club, club.ann, club.bob)).message.components
        await club.duel("bagh")
        told = await form(club, club.ann, club.eve)
        assert "You have an unfinished duel" in told.text
        told = await form(club, club.eve, club.ann)
        assert f"<@{club.ann.id}> has an unfinished duel" in told.text
        assert not told.message.components

    scene(tmp_path, act)


def test_a_member_who_cannot_see_the_channel_is_not_challenged_there(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        await club.standin.set_overwrites(club.general, {club.bob.id: (0, VIEW_CHANNEL)})
        await club.standin.slash(club.ann, club.general, "duel")  # handled after the change
        for told in (
            await form(club, club.ann, club.bob),
            await club.standin.slash(
                club.ann, club.general, "challenge", opponent=club.bob, game="bagh"
            ),
        ):
            assert f"<@{club.bob.id}> cannot see <#{club.general.id}>" in told.text
        assert not public(club.general)

    scene(tmp_path, act)


def test_a_challenge_in_a_private_thread_stays_there(tmp_path):
    async def act(club, bot):
        await club.join(club.ann, club.bob, club.eve)
        members = (club.ann, club.bob, club.standin.bot)
        secret = club.standin.new_private_thread(club.general, *members)
        given = {"opponent": club.bob, "game": "bagh"}
        told = await club.standin.slash(club.ann, secret, "challenge", **given)
        assert f"/{secret.id}/" in told.text, told.text
        (message,) = public(secret)
        await club.standin.press(club.bob, message, "Accept")
        board = await club.board(secret)
        assert board.files
        for user in (club.ann, club.bob):
            await club.choose(user, await club.open_menu(user, board))
        assert await club.next_board(secret, board) is board
        assert not public(club.general)
        threads = [each for each in club.guild.channels.values() if each.is_thread]
        assert threads == [secret]
        assert not [value for _, value in club.eve.shown if str(secret.id) in value]

    scene(tmp_path, act)


def test_a_private_thread_without_the_bot_or_the_opponent_is_refused(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        secret = club.standin.new_private_thread(club.general, club.ann)
        given = {"opponent": club.bob, "game": "bagh"}
        told = await club.standin.slash(club.ann, secret, "challenge", **given)
        assert f"mention <@{club.standin.bot.id}> to add me" in told.text
        secret.members.add(club.standin.bot.id)
        told = await club.standin.slash(club.ann, secret, "challenge", **given)
        assert f"<@{club.bob.id}> cannot see <#{secret.id}>" in told.text
        assert not public(club.general)
        assert not public(secret)

    scene(tmp_path, act)


@pytest.mark.parametrize("touch", ["Withdraw", "another"])
def test_a_challenge_to_a_member_who_has_left_is_withdrawn_when_touched(tmp_path, touch):
    async def act(club, _bot):
        await club.join(club.ann, club.bob, club.eve)
        message = await club.challenge("bagh")
        club.guild.members.pop(club.bob.id)
        if touch == "another":
            await club.challenge_of(club.ann, club.eve)
        else:
            told = await club.standin.press(club.ann, message, touch)
            assert "has left this server; the challenge was withdrawn" in told.text
        await club.standin.until(lambda: "was withdrawn" in message.content)
        assert not message.components

    scene(tmp_path, act)


@pytest.mark.parametrize("who", ["ann", "bob"])
def test_a_challenge_is_withdrawn_when_one_of_the_two_has_left(tmp_path, who):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        message = await club.challenge("bagh")
        club.guild.members.pop(getattr(club, who).id)
        await club.standin.until(lambda: "was withdrawn" in message.content)
        assert not message.components

    scene(tmp_path, act, members_seconds=0.05)


def test_a_declined_challenge_cannot_be_repeated_at_once(tmp_path, monkeypatch):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        message = await club.challenge("bagh")
        await club.standin.press(club.bob, message, "Decline")
        given = {"opponent": club.bob, "game": "bagh"}
        for told in (
            await club.standin.slash(club.ann, club.general, "challenge", **given),
            await form(club, club.ann, club.bob),
        ):
            assert f"<@{club.bob.id}> has declined your challenge" in told.text
            assert "again <t:" in told.text
        await club.challenge_of(club.bob, club.ann)  # the other way round is no repetition
        later = SimpleNamespace(time=lambda: time.time() + 601)
        monkeypatch.setattr("holmgang.discord.challenges.time", later)
        await club.challenge("bagh")

    scene(tmp_path, act)


def test_a_challenge_lasts_as_long_as_the_server_has_set(tmp_path):
    async def act(club, bot):
        await club.join(club.ann, club.bob)
        await club.standin.slash(club.guild.owner, club.general, "settings", challenge_hours=2)
        await club.challenge("bagh")
        (known,) = bot.store.discord.open_challenges()
        assert known.expires_at - known.created_at == 2 * 3600

    scene(tmp_path, act)
