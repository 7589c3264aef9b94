"""Answering interactions: acknowledged at once, in private, and exactly once.

Discord waits three seconds for the first answer, and shows an error after that. So every
interaction is acknowledged before any work is done, and the answer follows. Every answer is
ephemeral: Discord shows it to nobody else. A press on an ephemeral message changes that message.
"""

import logging
from collections import OrderedDict
from typing import Any, cast

import aiohttp
import discord

from holmgang.discord.permissions import grant
from holmgang.errors import HolmgangError
from holmgang.games.shape import JsonObject
from holmgang.live.refusal import Refused

MOST_SEEN = 10_000
ACKNOWLEDGED = 40_060
LONGEST = 2000
MISSED = (10_062, ACKNOWLEDGED, 50_027, 10_015)
FAILED = "Something went wrong on my side. Nothing you did before is lost; please try again."

Interaction = discord.Interaction[Any]

log = logging.getLogger(__name__)


class SeenInteractions:
    """Recent interactions, since Discord may send the same one several times."""

    def __init__(self) -> None:
        self._ids: OrderedDict[int, None] = OrderedDict()

    def is_new(self, id: int) -> bool:  # noqa: A002
        if id in self._ids:
            return False
        self._ids[id] = None
        if len(self._ids) > MOST_SEEN:
            self._ids.popitem(last=False)
        return True


def data_of(interaction: Interaction) -> JsonObject:
    """The data of an interaction, as Discord sent it."""
    return cast(JsonObject, interaction.data or {})


async def acknowledge(interaction: Interaction) -> None:
    """Tells Discord that an answer follows: a new ephemeral message, or a change of the ephemeral
    message that has the button. A public message is never changed by an answer.
    """
    message = interaction.message
    changes_message = message is not None and message.flags.ephemeral
    for is_last in (False, True):
        try:
            if changes_message:
                await interaction.response.defer()
            else:
                await interaction.response.defer(ephemeral=True, thinking=True)
        except (aiohttp.ClientError, OSError):
            if is_last:
                raise
        except discord.HTTPException as error:
            if not is_last or error.code != ACKNOWLEDGED:  # the first attempt has arrived
                raise
        else:
            return


async def tell(
    interaction: Interaction, text: str, view: discord.ui.View | None = None, **more: Any
) -> None:
    """Shows a message to the user of the interaction, replacing the earlier one."""
    await interaction.edit_original_response(content=text[:LONGEST], view=view, **more)


async def tell_error(interaction: Interaction, error: BaseException) -> None:
    """Tells the user about any error; logs unexpected ones."""
    if isinstance(error, discord.app_commands.CommandInvokeError):
        error = error.original
    if is_missed(error):
        log.warning("an interaction was not answered in time", extra=values_of(interaction, error))
        return
    if isinstance(error, discord.app_commands.MissingPermissions):
        text = "Only members who manage this server can do that."
    elif isinstance(error, Refused):
        text = sentence(error)
    elif isinstance(error, discord.Forbidden):
        text = grant(["view_channel", "send_messages", "send_messages_in_threads", "attach_files"])
    elif isinstance(error, HolmgangError):
        text = sentence(error)
    else:
        log.error("an interaction failed", exc_info=error, extra=values_of(interaction, error))
        text = FAILED
    try:
        if not interaction.response.is_done():
            await acknowledge(interaction)
        await tell(interaction, text)
    except discord.HTTPException as failed:
        log.warning("an error could not be told", extra=values_of(interaction, failed))


def is_missed(error: BaseException) -> bool:
    """Whether Discord no longer waits for an answer, or already has one."""
    return isinstance(error, discord.HTTPException) and error.code in MISSED


def sentence(error: HolmgangError) -> str:
    """The message of an error as a sentence."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def values_of(interaction: Interaction, error: BaseException) -> JsonObject:
    """The values for the log: no choice, no name."""
    code = error.code if isinstance(error, discord.HTTPException) else type(error).__name__
    return {"event": {"interaction": interaction.id, "error": code}}
