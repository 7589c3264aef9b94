"""The slash commands. Each has been acknowledged, in private, before it gets here."""

import asyncio
import re
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from holmgang.discord.answers import Interaction, tell
from holmgang.discord.challenges import (
    TIME_NAMES,
    USUAL_TIME,
    make_terms,
    setup,
    time_value,
)
from holmgang.discord.lists import history_text, leaderboard_text
from holmgang.discord.permissions import missing
from holmgang.discord.places import find_place
from holmgang.discord.presses import rules_page, show_own_duel
from holmgang.discord.roles import check_harmless, find_role, has_joined, help_with, join, leave
from holmgang.discord.rounds import player_name
from holmgang.games.catalogue import CATALOGUE
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.live.terms import ALPHABET
from holmgang.players.levels import KINDS
from holmgang.store import ShownDuel
from holmgang.wire.words import MOST_WINS

if TYPE_CHECKING:
    from holmgang.discord.client import DuelClient

SCOPES = ("bot", "applications.commands")
TIME_CHOICES = [Choice(name=name, value=int(time_value(each))) for each, name in TIME_NAMES.items()]
LEVELS = [Choice(name=f"{name}: {kind.line}"[:100], value=name) for name, kind in KINDS.items()]
MATCH = re.compile(f"(?:^|/match/)([{ALPHABET}]{{10}})(?:$|[/?#])")
"""The id of a match, alone or in the address of its page."""


PINGS_ON = "**Pings** are on: I notify players who are away when it is their turn."
PINGS_OFF = "**Pings** are off: I notify nobody. Players find their duel with `/duel`."


def member_of(interaction: Interaction) -> discord.Member:
    if not isinstance(interaction.user, discord.Member):
        raise Refused("closed", "that works only in a server")
    return interaction.user


def add_to(tree: "app_commands.CommandTree[DuelClient]") -> None:
    """Adds all commands."""
    client = tree.client
    games = [Choice(name=entry.title[:100], value=name) for name, entry in CATALOGUE.items()]

    @tree.command(name="join", description="Join the players, so that others can challenge you")
    async def join_players(interaction: Interaction) -> None:
        await tell(interaction, await join(client, member_of(interaction)))

    @tree.command(name="leave", description="Leave the players")
    async def leave_players(interaction: Interaction) -> None:
        await tell(interaction, await leave(client, member_of(interaction)))

    @tree.command(name="rules", description="The rules of a game")
    @app_commands.describe(game="Which game")
    @app_commands.choices(game=games)
    async def see_rules(interaction: Interaction, game: str) -> None:
        text, view = rules_page(game, 0)
        await tell(interaction, text, view)

    @tree.command(name="duel", description="Your current duel and its choices, or help")
    async def own_duel(interaction: Interaction) -> None:
        await show_own_duel(client, interaction)

    @tree.command(name="challenge", description="Challenge a member, or me to play against a level")
    @app_commands.describe(
        opponent="A member, or me",
        game="Which game",
        time="Time for each choice (default: 1 day)",
        first_to="Number of wins needed (default: set by the game)",
        level="My level, if you challenge me (default: beginner)",
        rules="Rules that differ from the default, such as max_boost=4",
    )
    @app_commands.choices(game=games, level=LEVELS)
    @app_commands.choices(time=TIME_CHOICES)
    async def challenge(
        interaction: Interaction,
        opponent: discord.User,
        game: str,
        time: int = USUAL_TIME,
        first_to: Range[int, 1, MOST_WINS] | None = None,
        level: str = "",
        rules: Range[str, 0, 200] = "",
    ) -> None:
        if opponent.id == client.own_id:
            level = level or CATALOGUE[game].opponent
        terms = make_terms(game, rules.strip(), level, time, first_to)
        await client.challenges.issue(interaction, opponent, terms)

    @tree.context_menu(name="challenge")
    async def challenge_member(
        interaction: Interaction, user: discord.User | discord.Member
    ) -> None:
        place = await find_place(client, interaction)
        await client.challenges.check(place, interaction.user, user, is_sent=False)
        text, view = setup(user.id, is_bot=user.id == client.own_id)
        await tell(interaction, text, view)

    @tree.command(name="leaderboard", description="The best players of a game")
    @app_commands.describe(game="Which game")
    @app_commands.choices(game=games)
    async def leaderboard(interaction: Interaction, game: str) -> None:
        best = await asyncio.to_thread(client.store.ratings.leaderboard, game, 20)
        await tell(interaction, leaderboard_text(game, best))

    @tree.command(name="history", description="Your last duels")
    async def history(interaction: Interaction) -> None:
        person = await client.person(interaction.user)
        rows = await asyncio.to_thread(
            client.store.matches.find, status="over", person=person.id, limit=10
        )
        await tell(interaction, history_text(person, rows, client.address_of))

    @tree.command(name="watch", description="Follow a match from the website in a thread")
    @app_commands.describe(match="The address of the match, or its id")
    async def watch(interaction: Interaction, match: str) -> None:
        await tell(interaction, await watch_match(client, interaction, match))

    @tree.command(name="settings", description="Settings of this server")
    @app_commands.describe(
        channel="Channel for challenges and duels",
        any_channel="Challenges are posted wherever they are typed (default)",
        pings="Whether I may notify players who are away (default: yes)",
        role="Role of the players",
        threads="Who can see duels (default: public)",
        challenge_hours="Time to answer a challenge, in hours (default: 24)",
    )
    @app_commands.choices(
        threads=[
            Choice(name="public: everyone who sees the channel", value="public"),
            Choice(name="private: only the players", value="private"),
        ]
    )
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def settings(
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        any_channel: bool = False,
        pings: bool | None = None,
        role: discord.Role | None = None,
        threads: str = "",
        challenge_hours: Range[int, 1, 168] | None = None,
    ) -> None:
        member = member_of(interaction)
        guild = member.guild
        changed: dict[str, int | None] = {}
        if channel is not None or any_channel:
            changed["channel"] = channel.id if channel else None
        if pings is not None:
            changed["pings"] = pings
        if role is not None:
            check_role(member, role)
            changed["role"] = role.id
        if threads:
            changed["private_threads"] = threads == "private"
        if challenge_hours is not None:
            changed["challenge_hours"] = challenge_hours
        if changed:
            await asyncio.to_thread(client.store.discord.set_guild, guild.id, **changed)
        await tell(interaction, await settings_text(client, guild))

    @tree.command(name="restore", description="Recreate the role and threads that were deleted")
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def restore(interaction: Interaction) -> None:
        await tell(interaction, await restore_all(client, interaction))


def check_role(member: discord.Member, role: discord.Role) -> None:
    """Raises `Refused` for a role that the bot cannot or should not give to players, or that the
    member could not give: nobody gets a role by way of the bot.
    """
    guild = member.guild
    check_harmless(role)
    if role.is_default() or role.managed:
        raise Refused("bad", "that role cannot be given to members; pick another one")
    if not guild.me.guild_permissions.manage_roles or role >= guild.me.top_role:
        raise Refused("not yours", help_with(role.name))
    may_give = member.guild_permissions.manage_roles and role < member.top_role
    if member.id != guild.owner_id and not may_give:
        raise Refused("not yours", f"you may not give the role {role.name}, so I must not either")


async def settings_text(client: "DuelClient", guild: discord.Guild) -> str:
    """The settings of a server, and which permission is missing for them."""
    found = await asyncio.to_thread(client.store.discord.guild, guild.id)
    where = f"<#{found.channel}>" if found.channel else "where they are typed"
    role = f"<@&{found.role}>" if found.role else f"{client.settings.role}, made by the first /join"
    hours = found.challenge_hours or round(client.settings.challenge_seconds / 3600)
    lines = [
        f"- **Channel** for challenges and duels: {where}",
        f"- {PINGS_ON if found.pings else PINGS_OFF}",
        f"- **Role** of the players: {role}",
        "- **Threads** are " + ("private." if found.private_threads else "public."),
        f"- **Challenges** can be answered for {hours} h.",
    ]
    channel = guild.get_channel(found.channel) if found.channel else None
    if isinstance(channel, discord.TextChannel):
        own = channel.permissions_for(guild.me)
        lines.append(missing(own, channel.mention, is_private=found.private_threads))
    elif found.private_threads and not guild.me.guild_permissions.create_private_threads:
        lines.append("⚠ I need the permission **Create Private Threads** for that.")
    return "\n".join(filter(None, lines))


async def watch_match(client: "DuelClient", interaction: Interaction, text: str) -> str:
    """Shows a match that was started elsewhere. Raises `Refused`."""
    found = MATCH.search(text.strip())
    if found is None:
        raise Refused("bad", "that is not a match: give the address of its page, or its id")
    if not await has_joined(client, member_of(interaction)):
        raise Refused("closed", "you have not joined the players yet: type `/join` first")
    view = await client.service.view(found[1], Viewer())
    known = await asyncio.to_thread(client.store.discord.duel, found[1])
    if known is not None and known.guild == interaction.guild_id and known.thread is not None:
        return f"That match is already shown in <#{known.thread}>."
    if known is not None:
        raise Refused("closed", "that match is shown in another server")
    if view.status != "playing":
        raise Refused("closed", "that match is not being played")
    guild, channel, *_ = await find_place(client, interaction)
    red, blue = (discord.utils.escape_markdown(player_name(view, s)) for s in ("red", "blue"))
    message = await channel.send(f"**{view.title}**: {red} – {blue}")
    duel = ShownDuel(
        found[1],
        guild.id,
        channel.id,
        message.id,
        None,
        None,
        None,
        None,
        view.game,
        len(view.rounds),
        "playing",
        thread_state="open",
    )
    await client.show_duel(duel)
    return "The match is now shown in a thread."


async def restore_all(client: "DuelClient", interaction: Interaction) -> str:
    """Recreates the role, and threads for duels whose thread is gone. Returns what was done."""
    guild, channel, *_ = await find_place(client, interaction)
    try:
        role = await find_role(client, guild)
    except discord.Forbidden:
        raise Refused("not yours", help_with(client.settings.role)) from None
    lines = [f"The players' role is {role.mention}."]
    duels = await asyncio.to_thread(client.store.discord.unfinished_duels, guild.id)
    for duel in duels:
        shown = client.follow(duel)
        if duel.thread is None or not await is_usable(client, duel.thread):
            await shown.restore(channel.id)
            lines.append(f"A new thread is opening here for match `{duel.match}`.")
        else:
            await shown.note_thread("open")
            shown.forget_board()
            lines.append(f"<#{duel.thread}> has a new board.")
    if not duels:
        lines.append("No duel is being played here.")
    return "\n".join(lines)


async def is_usable(client: "DuelClient", thread: int) -> bool:
    """Whether a thread is there, and the bot can see it."""
    try:
        await client.fetch_channel(thread)
    except (discord.NotFound, discord.Forbidden):
        return False
    return True
