"""The main flows in simcord, a simulator of Discord that others wrote: a second opinion beside our
own stand-in. It runs in this process, without a gateway, deadlines or rate limits.
"""

import asyncio
from contextlib import asynccontextmanager

import discord
import pytest
import simcord
from tests.patience import PATIENCE

from holmgang.discord.client import DuelClient
from holmgang.discord.helper_process import HelperProcess, Helpers
from holmgang.discord.settings import DiscordSettings
from holmgang.live.service import Service
from holmgang.live.subscription import Subscription
from holmgang.store import Store


@asynccontextmanager
async def simulated(folder, monkeypatch):
    """The client in simcord, with a channel and two members."""
    with Store.open(f"sqlite:///{folder}/holmgang.sqlite3") as store:
        service, helpers = Service(store), Helpers(width=90)
        await service.start()
        client = DuelClient(service, DiscordSettings("token", quick_start=True), helpers)
        client.fetch_session_start_limits = plenty  # simcord has no route for it
        try:
            async with simcord.run(client, shard_count=1, settle_timeout=PATIENCE) as env:
                # simcord waits until the bot is idle, and has to know what it waits for.
                for owner, name in (
                    (Subscription, "__anext__"),
                    (HelperProcess, "ask"),
                    (HelperProcess, "_answer"),
                ):
                    monkeypatch.setattr(owner, name, declared(env, getattr(owner, name)))
                guild = env.create_guild()
                channel = guild.create_text_channel("general")
                members = [guild.add_member(env.create_user(name)) for name in ("ann", "bob")]
                yield env, channel, members
        finally:
            await helpers.close()
            await service.close()


async def plenty():
    return discord.SessionStartLimits(total=1000, remaining=1000, reset_after=0, max_concurrency=1)


def declared(env, usual):
    async def wait(*given):
        return await env.external_wait(usual(*given), reason="another process or the next event")

    return wait


async def until(env, found):
    """What `found` returns as soon as that is true; pictures are made in another process."""
    async with asyncio.timeout(PATIENCE):
        while not (value := found()):
            await env.settle()
            await asyncio.sleep(0.01)
        return value


async def begun(env, channel, ann, bob):
    """The thread of a new duel, and its first board."""
    for member in (ann, bob):
        told = await member.slash(channel, "join")
        assert told.ephemeral
        assert "You have joined" in told.response.content
    told = await ann.slash(channel, "challenge", opponent=bob, game="bagh")
    assert "Challenge sent" in told.response.content
    told = await bob.click(channel.last_message, label="Accept")
    assert "The duel is starting" in told.response.content
    (thread,) = await until(env, lambda: channel.threads)
    board = await until(env, lambda: thread.last_message)
    assert "round 1" in board.content
    assert [each.filename for each in board.attachments] == ["board.png"]
    return thread, board


async def play_round(env, thread, board, *players):
    for member, label in zip(players, ("Attack", "Boost"), strict=True):
        asked = await member.click(board, label="Choose")
        assert asked.ephemeral
        assert "make your choice" in asked.response.content
        await member.click(asked.response.message, label=label)
    await until(env, lambda: "**Round 1**" in thread.last_message.content)
    assert thread.last_message.id == board.id, "it was edited"


def test_a_duel_from_join_to_the_second_round(tmp_path, monkeypatch):
    async def scenario():
        async with simulated(tmp_path, monkeypatch) as (env, channel, players):
            thread, board = await begun(env, channel, *players)
            await play_round(env, thread, board, *players)
            seen = [thread.history(viewer=member) for member in players]
            menus = [[m.id for m in each if "make your choice" in m.content] for each in seen]
            assert all(menus), "both see the menu of the second round"
            assert not set(menus[0]) & set(menus[1]), "only their own"

    asyncio.run(scenario())


def test_a_draw_offer_a_forfeit_the_result_and_a_rematch(tmp_path, monkeypatch):
    async def scenario():
        async with simulated(tmp_path, monkeypatch) as (env, channel, (ann, bob)):
            thread, board = await begun(env, channel, ann, bob)
            await play_round(env, thread, board, ann, bob)
            told = await ann.click(thread.last_message, label="Offer a draw of game 1")
            assert "A draw ends only game 1" in told.response.content
            await until(env, lambda: "offers to end game 1" in thread.last_message.content)
            told = await bob.click(thread.last_message, label="Decline the draw")
            assert "There is no draw offer" in told.response.content
            sure = await bob.click(board, label="Forfeit")
            await bob.click(sure.response.message, label="Yes, forfeit")
            await until(env, lambda: "analysis.png" in names(thread.last_message))
            result = thread.last_message
            assert "🏁" in result.content
            assert [name.rpartition(".")[2] for name in names(result)] == ["png", "png", "zip"]
            for member in (ann, bob):
                await member.click(result, label="Rematch")
            await until(env, lambda: "game 1, round 1" in thread.last_message.content)

    asyncio.run(scenario())


def names(message):
    return [each.filename for each in message.attachments]


def test_rules_settings_and_a_challenge_by_menu(tmp_path, monkeypatch):
    async def scenario():
        async with simulated(tmp_path, monkeypatch) as (env, channel, (ann, bob)):
            told = await ann.slash(channel, "rules", game="fencing")
            assert told.ephemeral
            told = await ann.click(told.response.message, label="Next ▶")
            assert "Page 2 of" in told.response.content
            with pytest.raises(simcord.SetupError):  # the command is not offered
                await ann.slash(channel, "settings")
            owner = channel.guild.add_member(channel.guild.owner)
            told = await owner.slash(channel, "settings", pings=False)
            assert "**Pings** are off" in told.response.content
            told = await ann.context_menu(channel, "challenge", bob)
            assert "/join" in told.response.content, "it says so before the form"
            assert "not joined" in str(env.errors[0])
            for member in (ann, bob):
                await member.slash(channel, "join")
            form = await ann.context_menu(channel, "challenge", bob)
            await ann.click(form.response.message, label="Challenge")
            challenge = channel.last_message
            assert "challenges you to **BAGH**" in challenge.content
            told = await bob.click(challenge, label="Decline")
            assert "was declined" in told.response.content

    asyncio.run(scenario())
