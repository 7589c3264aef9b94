"""The players' role: members who have it can be challenged."""

import asyncio
from typing import TYPE_CHECKING

import discord

from holmgang.discord.permissions import ROLE_HELP
from holmgang.live.refusal import Refused

if TYPE_CHECKING:
    from holmgang.discord.client import DuelClient

REASON = "players of Holmgang"


async def has_joined(client: "DuelClient", member: discord.Member) -> bool:
    role = (await asyncio.to_thread(client.store.discord.guild, member.guild.id)).role
    return role is not None and member.get_role(role) is not None


async def join(client: "DuelClient", member: discord.Member) -> str:
    """Gives a member the role, which is created if missing. Raises `Refused`."""
    if await has_joined(client, member):
        return "You have already joined. `/challenge` someone, or type `/duel` for help."
    try:
        role = await find_role(client, member.guild)
        await member.add_roles(role, reason=REASON)
    except discord.Forbidden:
        raise Refused("not yours", help_with(client.settings.role)) from None
    return (
        f"You have joined: others with the role {role.mention} can challenge you now. Challenge "
        "someone with `/challenge`, or right-click a member, Apps → challenge."
    )


async def leave(client: "DuelClient", member: discord.Member) -> str:
    """Takes the role from a member. Raises `Refused`."""
    role = (await asyncio.to_thread(client.store.discord.guild, member.guild.id)).role
    if role is None or member.get_role(role) is None:
        return "You have not joined, so there is nothing to leave."
    try:
        await member.remove_roles(discord.Object(role), reason=REASON)
    except discord.Forbidden:
        raise Refused("not yours", help_with(client.settings.role)) from None
    return "You have left: nobody can challenge you here now. A duel in progress continues."


async def find_role(client: "DuelClient", guild: discord.Guild) -> discord.Role:
    """The players' role: the stored one, one with its name, or a new one. Raises `Refused` for a
    role with privileged permissions.
    """
    async with client.role_lock:  # two members who join at once share one role
        known = (await asyncio.to_thread(client.store.discord.guild, guild.id)).role
        role = guild.get_role(known) or client.new_roles.get(known) if known is not None else None
        if role is None:
            role = discord.utils.get(guild.roles, name=client.settings.role)
        if role is None:
            role = await guild.create_role(
                name=client.settings.role, permissions=discord.Permissions.none(), reason=REASON
            )
            await asyncio.to_thread(client.store.discord.set_guild, guild.id, role=role.id)
            client.new_roles[role.id] = role  # until Discord tells of it
        else:
            check_harmless(role)
            if role.id != known:
                await asyncio.to_thread(client.store.discord.set_guild, guild.id, role=role.id)
        return role


def check_harmless(role: discord.Role) -> None:
    """Raises `Refused` for a role with privileged permissions, which everyone could take."""
    if role.permissions.value & discord.Permissions.elevated().value:
        raise Refused(
            "closed",
            f"the role {role.name} has permissions that not everyone should have; someone who "
            "manages this server has to take them away, or pick another role with `/settings`",
        )


def help_with(name: str) -> str:
    return ROLE_HELP.format(role=f"**{name}**")
