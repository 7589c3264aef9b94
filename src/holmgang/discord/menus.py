"""The menus that players have open: each moves on to the next round for as long as Discord allows.

An ephemeral message can be changed with the token of the press that it answered, for 15 minutes.
After that, or after a restart, the player presses Choose on the board.
"""

import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import aiohttp
import discord

from holmgang.discord.answers import Interaction, tell
from holmgang.discord.presses import menu_of
from holmgang.live.service import Viewer

if TYPE_CHECKING:
    from holmgang.discord.client import DuelClient

TOKEN_LIFE = 14 * 60.0
"""Seconds, with a minute to spare."""


class OpenMenu(NamedTuple):
    """The last answer to a player that had a menu, and the game and round of that menu."""

    interaction: Interaction
    seat: str
    shown: tuple[int, int]
    at: float


class OpenMenus:
    """The open menus of all matches, by match and user."""

    def __init__(self, client: "DuelClient") -> None:
        self._client = client
        self._menus: dict[str, dict[int, OpenMenu]] = {}

    def remember(
        self, match: str, interaction: Interaction, seat: str, shown: tuple[int, int]
    ) -> None:
        menu = OpenMenu(interaction, seat, shown, time.monotonic())
        self._menus.setdefault(match, {})[interaction.user.id] = menu

    async def refresh(self, match: str) -> None:
        """Updates the outdated menus of a match to the open round, or to the result."""
        menus = self._menus.get(match, {})
        for user, menu in list(menus.items()):
            view = await self._client.service.view(match, Viewer(menu.seat))
            shown = view.game, view.round
            if shown == menu.shown and view.status == "playing":
                continue
            if time.monotonic() - menu.at > TOKEN_LIFE or view.status != "playing":
                menus.pop(user, None)
            else:
                menus[user] = menu._replace(shown=shown)
            if time.monotonic() - menu.at <= TOKEN_LIFE:
                with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
                    await tell(menu.interaction, *menu_of(view))
        if not menus:
            self._menus.pop(match, None)
