"""Where a duel is shown: in a thread of a text channel, or in a private thread it was typed in."""

import asyncio
from typing import TYPE_CHECKING, NamedTuple

import discord

from holmgang.discord.answers import Interaction
from holmgang.live.refusal import Refused

if TYPE_CHECKING:
    from holmgang.discord.client import DuelClient


class Place(NamedTuple):
    guild: discord.Guild
    channel: discord.TextChannel
    own: discord.Permissions
    """The bot's permissions there."""
    thread: discord.Thread | None = None
    """The private thread, whose members do not want others to see the duel."""

    @property
    def id(self) -> int:
        """The id of the channel or thread that a challenge is posted in."""
        return self.channel.id if self.thread is None else self.thread.id

    @property
    def mention(self) -> str:
        return f"<#{self.id}>"


async def find_place(client: "DuelClient", interaction: Interaction) -> Place:
    """Where a duel from this interaction is shown: in the private thread it was typed in, in the
    channel that the server has set, or in the channel it was typed in. Raises `Refused`.
    """
    guild, here = interaction.guild, interaction.channel
    if guild is None or here is None:
        raise Refused("closed", "duels are played in the text channels of a server")
    parent = here.parent if isinstance(here, discord.Thread) else here
    if isinstance(here, discord.Thread) and here.is_private():
        if not isinstance(parent, discord.TextChannel):
            raise Refused("closed", "duels are played in the text channels of a server")
        if not await is_in_thread(here, client.own_id):
            raise Refused(
                "closed", f"I am not in this private thread: mention <@{client.own_id}> to add me"
            )
        return Place(guild, parent, interaction.app_permissions, here)
    wanted = (await asyncio.to_thread(client.store.discord.guild, guild.id)).channel
    found = guild.get_channel(wanted) if wanted is not None else None
    channel = found or parent  # the one that was set may be deleted
    if not isinstance(channel, discord.TextChannel):
        raise Refused("closed", "duels are played in the text channels of a server")
    is_here = channel == parent
    own = interaction.app_permissions if is_here else channel.permissions_for(guild.me)
    return Place(guild, channel, own)


async def can_see(place: Place, user: discord.User | discord.Member) -> bool:
    """Whether a member sees what is posted there."""
    if not isinstance(user, discord.Member) or not place.channel.permissions_for(user).view_channel:
        return False
    return place.thread is None or await is_in_thread(place.thread, user.id)


async def is_in_thread(thread: discord.Thread, user: int) -> bool:
    try:
        await thread.fetch_member(user)
    except (discord.NotFound, discord.Forbidden):
        return False
    return True


async def fetch_member(guild: discord.Guild, user: int) -> discord.Member | None:
    """A member; None for a user who has left. The bot is not told of members who leave."""
    try:
        return await guild.fetch_member(user)
    except discord.NotFound:
        return None
