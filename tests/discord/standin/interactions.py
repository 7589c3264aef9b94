"""Interactions: what users do, and the bot's answers with their deadlines and their visibility."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.discord.standin.errors import ApiError, check
from tests.discord.standin.validation import EPHEMERAL, LOADING, check_message, check_modal
from tests.discord.standin.world import Channel, Message, User, snowflake
from tests.patience import PATIENCE

COMMAND, COMPONENT, MODAL_SUBMIT = 2, 3, 5
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, MODAL = 4, 5, 6, 7, 9
ALLOWED = {
    COMMAND: (MESSAGE, DEFERRED, MODAL),
    COMPONENT: (MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, MODAL),
    MODAL_SUBMIT: (MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE),
}
"""Which answers fit; a form is no answer to a form."""
FIRST_ANSWER = 3.0
TOKEN_LIFE = 15 * 60.0


@dataclass
class Interaction:
    """Something a user did, and what the bot has answered so far."""

    kind: int
    user: User
    channel: Channel
    data: dict
    source: Message | None = None
    """The message with the component."""
    id: int = field(default_factory=snowflake)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    began: float = 0.0
    answered: int = 0
    """The type of the first answer."""
    answered_after: float = 0.0
    message: Message | None = None
    """The message that answers."""
    modal: dict | None = None
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def text(self) -> str:
        return self.message.content if self.message else ""


class Interactions:
    def __init__(self, standin) -> None:
        self.standin = standin
        self.by_id: dict[int, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self.clock: Callable[[], float] = lambda: 0.0
        """For deadlines. It stands still, so that a slow machine breaks none."""
        self.offset = 0.0
        """Seconds by which a test has put the clock forward."""

    def now(self) -> float:
        return self.clock() + self.offset

    async def begin(
        self, interaction: Interaction, *, waits: float | None = PATIENCE
    ) -> Interaction:
        """Sends the interaction to the bot, and waits until it has been answered to the end."""
        interaction.began = self.now()
        self.by_id[interaction.id] = interaction
        self.by_token[interaction.token] = interaction
        await self.standin.gateway.dispatch("INTERACTION_CREATE", self.payload(interaction))
        if waits is not None:
            async with asyncio.timeout(waits):
                await interaction.finished.wait()
        return interaction

    def payload(self, interaction: Interaction) -> dict[str, Any]:
        guild, channel = interaction.channel.guild, interaction.channel
        own = guild.permissions(interaction.user, channel)
        value = {
            "id": str(interaction.id),
            "application_id": str(self.standin.bot.id),
            "type": interaction.kind,
            "token": interaction.token,
            "version": 1,
            "data": interaction.data,
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": "en-US", "features": []},
            "channel_id": str(channel.id),
            "channel": channel.as_json() | {"permissions": str(own)},
            "member": guild.member_json(interaction.user, permissions=own),
            "app_permissions": str(guild.permissions(self.standin.bot, channel)),
            "locale": "en-US",
            "guild_locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {"0": str(guild.id)},
            "context": 0,
            "attachment_size_limit": 10 * 2**20,
        }
        if interaction.source is not None:
            value["message"] = interaction.source.as_json()
        return value

    # The bot's side

    def answer(self, id: int, token: str, body, files) -> dict[str, Any]:  # noqa: A002
        """The first answer. Raises `ApiError`."""
        interaction = self.by_id.get(id)
        if interaction is None or interaction.token != token:
            raise ApiError(10062)
        after = self.now() - interaction.began
        if interaction.answered:
            raise ApiError(40060)
        if after > FIRST_ANSWER:
            raise ApiError(10062)
        kind, data = body.get("type"), body.get("data") or {}
        check(kind in ALLOWED[interaction.kind], f"type {kind} does not answer this interaction")
        in_place = kind in (DEFERRED_UPDATE, UPDATE)
        check(not in_place or interaction.source is not None, f"type {kind} has nothing to update")
        if kind in (MESSAGE, UPDATE):
            before = interaction.source.body if kind == UPDATE else None
            check_message(data, files, before=before)
        if kind == MODAL:
            check_modal(data)
            interaction.modal = data
        interaction.answered, interaction.answered_after = kind, after
        flags = data.get("flags") or 0
        if kind == MESSAGE:
            interaction.message = self.standin.make_message(
                interaction.channel,
                self.standin.bot,
                data,
                files,
                only_for=only(flags, interaction),
            )
        elif kind == DEFERRED:
            loading = {"content": "", "flags": flags | LOADING}
            interaction.message = self.standin.make_message(
                interaction.channel,
                self.standin.bot,
                loading,
                {},
                only_for=only(flags, interaction),
            )
        elif in_place:
            interaction.message = interaction.source
            if kind == UPDATE:
                self.standin.edit_message(interaction.message, data, files)
        if kind in (MESSAGE, UPDATE, MODAL):
            interaction.finished.set()
        value: dict[str, Any] = {"id": str(id), "type": interaction.kind}
        if interaction.message is not None:
            value |= {
                "response_message_id": str(interaction.message.id),
                "response_message_loading": kind == DEFERRED,
                "response_message_ephemeral": interaction.message.only_for is not None,
            }
        if kind not in (MESSAGE, UPDATE):
            return {"interaction": value}
        resource = {"type": kind, "message": interaction.message.as_json()}
        return {"interaction": value, "resource": resource}

    def by_webhook(self, token: str) -> Interaction:
        """The interaction of a webhook route. Raises `ApiError` before the first answer and after
        the life of the token.
        """
        interaction = self.by_token.get(token)
        if interaction is None or not interaction.answered:
            raise ApiError(10015)
        if self.now() - interaction.began > TOKEN_LIFE:
            raise ApiError(50027)
        return interaction

    def edit(self, token: str, message: str, body, files) -> Message:
        interaction = self.by_webhook(token)
        found = interaction.message
        if message != "@original":
            found = interaction.channel.messages.get(int(message))
        if found is None or found.id not in found.channel.messages:
            raise ApiError(10008)
        check_message(body, files, before=found.body)
        found.body["flags"] = (found.body.get("flags") or 0) & ~LOADING
        self.standin.edit_message(found, body, files)
        interaction.finished.set()
        return found

    def follow_up(self, token: str, body, files) -> Message:
        """A further message. The first one after a deferral takes the place, and the visibility, of
        the message that says that the bot is thinking.
        """
        interaction = self.by_webhook(token)
        first = interaction.message
        if first is not None and (first.body.get("flags") or 0) & LOADING:
            return self.edit(token, "@original", body, files)
        check_message(body, files)
        flags = body.get("flags") or 0
        made = self.standin.make_message(
            interaction.channel, self.standin.bot, body, files, only_for=only(flags, interaction)
        )
        interaction.finished.set()
        return made


def only(flags: int, interaction: Interaction) -> User | None:
    return interaction.user if flags & EPHEMERAL else None
