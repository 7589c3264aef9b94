"""What a server sees of the bot when it is invited, and what its owners can set."""

import logging
import re

import discord
import pytest
from tests.discord.playing import Club, eventually, public, run, running_bot
from tests.discord.standin import Standin
from tests.discord.standin.world import INVITED, MANAGE_GUILD, MANAGE_ROLES, Role
from tests.discord.test_challenges import finish, scene

from holmgang.discord.permissions import LABELS, NEEDED


async def set_up(club, **given):
    told = await club.standin.slash(club.guild.owner, club.general, "settings", **given)
    return told.text


@pytest.fixture
def is_ready(caplog):
    """Whether the client is ready. A server that is told of before is not new to it."""
    caplog.set_level(logging.INFO, "holmgang.discord.client")
    return lambda: "connected" in caplog.messages


def test_a_new_server_is_welcomed_once(tmp_path, is_ready):
    async def act(club, _bot):
        await eventually(is_ready)
        new = Club.new(club.standin)
        welcome = club.standin.new_channel(new.guild, "welcome")
        new.guild.system_channel = welcome.id
        await club.standin.invite(new.guild)
        (message,) = await club.standin.until(lambda: public(welcome))
        assert all(word in message.content for word in ("`/join`", "`/challenge`", "`/settings`"))
        assert not public(club.general), "only where it is new"
        await new.join(new.ann, new.bob)
        await new.duel("bagh")
        assert len(public(welcome)) == 1

    scene(tmp_path, act)


def test_where_the_bot_may_not_post_another_channel_gets_the_welcome(tmp_path, is_ready):
    async def act(club, _bot):
        await eventually(is_ready)
        new = Club.new(club.standin)
        welcome = club.standin.new_channel(new.guild, "welcome")
        new.guild.system_channel = welcome.id
        welcome.overwrites[club.standin.bot.id] = (0, 1 << 11)
        await club.standin.invite(new.guild)
        await club.standin.until(lambda: public(new.general))
        assert not public(welcome)

    scene(tmp_path, act)


def test_settings_are_shown_and_changed(tmp_path):
    async def act(club, _bot):
        text = await set_up(club)
        assert "where they are typed" in text
        assert "**Threads** are public" in text
        assert "answered for 24 h" in text
        arena = club.standin.new_channel(club.guild, "arena")
        await club.standin.gateway.dispatch("CHANNEL_CREATE", arena.as_json())
        text = await set_up(club, channel=arena, challenge_hours=3, pings=False)
        assert f"<#{arena.id}>" in text
        assert "answered for 3 h" in text
        assert "**Pings** are off" in text
        await club.join(club.ann, club.bob)
        told = await club.standin.slash(
            club.ann, club.general, "challenge", opponent=club.bob, game="bagh"
        )
        assert f"/{arena.id}/" in told.text
        (message,) = public(arena)
        assert not public(club.general)
        await club.standin.press(club.bob, message, "Accept")
        thread = await club.standin.until(lambda: club.guild.channels.get(message.id))
        assert thread.parent is arena
        assert "where they are typed" in await set_up(club, any_channel=True)

    scene(tmp_path, act)


def test_duels_can_have_private_threads(tmp_path):
    async def act(club, _bot):
        text = await set_up(club, threads="private")
        assert "**Create Private Threads**" in text, "the invitation does not ask for it"
        await club.join(club.ann, club.bob)
        given = {"opponent": club.bob, "game": "bagh"}
        told = await club.standin.slash(club.ann, club.general, "challenge", **given)
        assert "**Create Private Threads**" in told.text
        own = next(role for role in club.guild.roles.values() if role.name == "Holmgang")
        own.permissions = own.permissions & ~(1 << 35) | 1 << 36
        message = await club.challenge("bagh")
        await club.standin.press(club.bob, message, "Accept")
        thread = (
            await club.standin.until(
                lambda: [each for each in club.guild.channels.values() if each.is_thread]
            )
        )[0]
        board = await club.board(thread)
        assert thread.kind == 12
        assert thread.members == {club.ann.id, club.bob.id, club.standin.bot.id}
        await club.choose(club.ann, await club.open_menu(club.ann, board))
        assert not [value for _, value in club.eve.shown if str(thread.id) in value]

    scene(tmp_path, act)


def test_the_role_can_be_chosen(tmp_path):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        fencers, admins, high = Role("fencers"), Role("admins", MANAGE_GUILD), Role("high", 0, 9)
        for role in (fencers, admins, high):
            club.guild.roles[role.id] = role
        async with standin.running(), running_bot(standin, tmp_path):
            assert "permissions that not everyone should have" in await set_up(club, role=admins)
            assert "move my own role above **high**" in await set_up(club, role=high)
            assert f"<@&{fencers.id}>" in await set_up(club, role=fencers)
            await club.join(club.ann)
            assert fencers.id in club.guild.members[club.ann.id][1]
            assert "bagher" not in {role.name for role in club.guild.roles.values()}

    run(scenario())


@pytest.mark.parametrize(
    ("permissions", "position", "can_choose"),
    [
        (MANAGE_GUILD, 3, False),
        (MANAGE_GUILD | MANAGE_ROLES, 1, False),
        (MANAGE_GUILD | MANAGE_ROLES, 3, True),
    ],
)
def test_only_a_role_that_one_may_give_can_be_chosen(tmp_path, permissions, position, can_choose):
    """Otherwise the bot would give those who manage a server roles that they may not have."""

    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        members_only, manager = Role("members only", 0, 2), Role("manager", permissions, position)
        own = next(role for role in club.guild.roles.values() if role.name == "Holmgang")
        own.position = 5
        for role in (members_only, manager):
            club.guild.roles[role.id] = role
        club.guild.members[club.ann.id][1].add(manager.id)
        async with standin.running(), running_bot(standin, tmp_path):
            told = await standin.slash(club.ann, club.general, "settings", role=members_only)
            assert ("you may not give the role members only" in told.text.lower()) != can_choose
            assert (f"<@&{members_only.id}>" in told.text) == can_choose

    run(scenario())


@pytest.mark.parametrize("name", ["settings", "restore"])
def test_settings_are_for_those_who_manage_the_server(tmp_path, name):
    async def act(club, _bot):
        command = club.standin.find_command(name, 1)
        assert int(command["default_member_permissions"]) == MANAGE_GUILD
        command["default_member_permissions"] = None  # as a server may set it
        told = await club.standin.slash(club.eve, club.general, name)
        assert told.text == "Only members who manage this server can do that."

    scene(tmp_path, act)


def test_the_invitation_asks_for_the_permissions_of_the_tests(tmp_path, capsys, is_ready):
    async def act(_club, _bot):
        await eventually(is_ready)

    scene(tmp_path, act)
    asked = int(re.search(r"permissions=(\d+)", capsys.readouterr().out)[1])
    assert asked == NEEDED.value == INVITED


def test_a_duel_uses_the_permissions_of_the_invitation_and_no_others(tmp_path):
    async def act(club, bot):
        result = await finish(club)
        match = bot.store.matches.find()[0].id
        await eventually(lambda: bot.store.discord.duel(match).stage == "done")
        assert result.components, "the end of a duel"
        assert club.guild.used == NEEDED.value

    scene(tmp_path, act)


@pytest.mark.parametrize("name", [name for name in LABELS if getattr(NEEDED, name)])
def test_each_permission_is_used(tmp_path, name):
    """Without any one of them, something cannot be done, and the bot names it."""

    async def act(club, _bot):
        given = {"opponent": club.bob, "game": "bagh"}
        if name != "manage_roles":
            await club.join(club.ann, club.bob)
        own = next(role for role in club.guild.roles.values() if role.name == "Holmgang")
        lost = discord.Permissions(**{name: True}).value
        own.permissions &= ~lost
        club.guild.roles[club.guild.id].permissions &= ~lost
        everyone = club.guild.roles[club.guild.id]
        for user in (club.ann, club.bob):
            role = Role("member", lost)
            club.guild.roles[role.id] = role
            club.guild.members[user.id][1].add(role.id)
        assert everyone.permissions & lost == 0
        if name == "manage_roles":
            told = await club.standin.slash(club.ann, club.general, "join")
        else:
            told = await club.standin.slash(club.ann, club.general, "challenge", **given)
        assert LABELS[name] in told.text

    scene(tmp_path, act)
