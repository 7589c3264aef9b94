"""A strict stand-in for Discord on this machine: REST, gateway, and users who press buttons.

README.md lists what is checked, and which documented behaviour each check is from.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from tests.discord.standin.errors import ApiError
from tests.discord.standin.gateway import Gateway
from tests.discord.standin.interactions import (
    COMMAND,
    COMPONENT,
    MODAL_SUBMIT,
    Interaction,
    Interactions,
)
from tests.discord.standin.limits import Limits
from tests.discord.standin.rest import Rest
from tests.discord.standin.world import (
    INVITED,
    MANAGE_THREADS,
    PRIVATE_THREAD,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    USE_APPLICATION_COMMANDS,
    Channel,
    Guild,
    Message,
    Role,
    User,
    snowflake,
)
from tests.patience import PATIENCE

OPTION_TYPES = {str: 3, int: 4, bool: 5, User: 6, Channel: 7, Role: 8}


class Standin:
    """All of Discord that the bot can reach."""

    def __init__(self) -> None:
        self.token = "a.bot.token"  # noqa: S105 - of nobody
        self.bot = User("holmgang", is_bot=True)
        self.guilds: list[Guild] = []
        self.commands: list[dict] = []
        self.sent: dict[int, Message] = {}
        self.limits = Limits()
        self.gateway = Gateway(self)
        self.interactions = Interactions(self)
        self.rest = Rest(self)
        self.changed = asyncio.Event()
        self.port = 0

    @property
    def api_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/gateway"

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Standin"]:
        runner = web.AppRunner(self.rest.app(), access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        try:
            yield self
        finally:
            await runner.cleanup()
        assert not self.rest.flaws, self.rest.flaws[:3]

    def new_guild(self, name: str = "Club", *, permissions: int = INVITED) -> Guild:
        """A guild with a channel `general`, to which the bot was invited."""
        guild = Guild(name, User("owner"))
        role = Role("Holmgang", permissions, position=5)
        guild.roles[role.id] = role
        guild.add(self.bot, role)
        self.guilds.append(guild)
        self.new_channel(guild, "general")
        return guild

    async def invite(self, guild: Guild) -> None:
        """Tells the bot of a guild that it was not in before."""
        told = guild.as_json(self.bot) | {"guild_id": str(guild.id)}
        told.pop("unavailable")  # which is only said of guilds that the bot was in before
        await self.gateway.dispatch("GUILD_CREATE", told)

    def new_private_thread(self, parent: Channel, *members: User) -> Channel:
        thread = Channel(parent.guild, "secret", PRIVATE_THREAD, parent, members[0])
        thread.members = {member.id for member in members}
        parent.guild.channels[thread.id] = thread
        return thread

    def new_channel(self, guild: Guild, name: str) -> Channel:
        channel = Channel(guild, name)
        guild.channels[channel.id] = channel
        return channel

    def new_user(self, guild: Guild, name: str, *roles: Role) -> User:
        user = User(name)
        guild.add(user, *roles)
        return user

    def find_channel(self, id: int) -> Channel:  # noqa: A002
        for guild in self.guilds:
            if id in guild.channels:
                return guild.channels[id]
        raise ApiError(10003)

    # Messages

    def make_message(
        self,
        channel: Channel,
        author: User,
        body: dict,
        files: dict,
        *,
        only_for: User | None = None,
        nonce: str | None = None,
    ) -> Message:
        message = Message(channel, author, dict(body), nonce=nonce, only_for=only_for)
        self.attach(message, files, body.get("attachments"))
        channel.messages[message.id] = message
        self.sent[message.id] = message
        channel.guild.show("create", channel, message)
        self.change()
        return message

    def edit_message(self, message: Message, body: dict, files: dict) -> None:
        """Changes what the body names. Attachments that it does not list are gone."""
        kept = message.body.get("attachments") or []
        message.body |= {key: value for key, value in body.items() if key != "flags"}
        if "attachments" in body or files:
            listed = {str(each.get("id")) for each in body.get("attachments") or []}
            message.body["attachments"] = [each for each in kept if each["id"] in listed]
            names = {each["filename"] for each in message.body["attachments"]}
            message.files = {name: message.files[name] for name in message.files if name in names}
            self.attach(message, files, body.get("attachments"))
        message.edits += 1
        message.channel.guild.show("update", message.channel, message)
        self.change()

    def attach(self, message: Message, files: dict, described) -> None:
        described = {str(each.get("id")): each for each in described or []}
        listed = [each for each in message.body.get("attachments") or [] if "url" in each]
        for key, content in files.items():
            number = key.removeprefix("files[").removesuffix("]")
            id = str(snowflake())  # noqa: A001
            told = described.get(number) or {}
            name = told.get("filename") or "file"
            message.files[name] = content
            listed.append(
                {
                    "id": id,
                    "filename": name,
                    "size": len(content),
                    "url": f"{self.api_url}/attachments/{id}/{name}",
                    "proxy_url": f"{self.api_url}/attachments/{id}/{name}",
                }
                | ({"description": told["description"]} if told.get("description") else {})
            )
        message.body["attachments"] = listed

    def age(self, message: Message, seconds: float) -> None:
        """Makes a message older."""
        message.sent_at -= seconds

    async def delete_message(self, message: Message) -> None:
        message.channel.messages.pop(message.id, None)
        message.channel.guild.show("delete", message.channel, message)
        await self.gateway.dispatch(
            "MESSAGE_DELETE",
            {
                "id": str(message.id),
                "channel_id": str(message.channel.id),
                "guild_id": str(message.channel.guild.id),
            },
        )
        self.change()

    async def delete_channel(self, channel: Channel) -> None:
        """Deletes a thread, or a channel with its threads, of which nothing is said."""
        guild = channel.guild
        for each in list(guild.channels.values()):
            if each is channel or each.parent is channel:
                each.is_deleted = True
                guild.channels.pop(each.id)
        event = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        await self.gateway.dispatch(event, channel.as_json())

    async def change_thread(self, thread: Channel, **changed) -> None:
        """Archives, locks or renames a thread, or undoes that."""
        for name, value in changed.items():
            setattr(thread, name, value)
        await self.gateway.dispatch("THREAD_UPDATE", thread.as_json())
        self.change()

    async def set_overwrites(self, channel: Channel, overwrites: dict) -> None:
        """Changes the permissions in a channel."""
        channel.overwrites = overwrites
        await self.gateway.dispatch("CHANNEL_UPDATE", channel.as_json())

    async def delete_role(self, guild: Guild, role: Role) -> None:
        guild.roles.pop(role.id)
        for _, own in guild.members.values():
            own.discard(role.id)
        await self.gateway.dispatch(
            "GUILD_ROLE_DELETE", {"guild_id": str(guild.id), "role_id": str(role.id)}
        )

    def change(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    async def until(self, found, seconds: float = PATIENCE):
        """What `found` returns, as soon as that is true. It is asked after every message."""
        async with asyncio.timeout(seconds):
            while not (value := found()):
                await self.changed.wait()
            return value

    # What users do

    async def say(self, user: User, channel: Channel, text: str) -> Message:
        """Posts a message, which opens an archived thread. The bot is told of it without its
        text.
        """
        self.check_speaker(user, channel)
        if channel.archived:
            await self.change_thread(channel, archived=False)
        made = self.make_message(channel, user, {"content": text}, {})
        seen = made.as_json() | {"guild_id": str(channel.guild.id), "content": ""}
        await self.gateway.dispatch("MESSAGE_CREATE", seen)
        return made

    async def slash(
        self, user: User, channel: Channel, name: str, /, *, waits: float | None = PATIENCE, **given
    ) -> Interaction:
        """Types a slash command."""
        command = self.find_command(name, 1)
        self.check_invoker(user, channel, command)
        known = {option["name"]: option for option in command.get("options") or []}
        for option in known.values():
            assert not option.get("required") or option["name"] in given, f"missing {option}"
        options, users, named = [], [], {"channels": {}, "roles": {}}
        for key, value in given.items():
            option = known[key]
            assert option["type"] == OPTION_TYPES[type(value)], f"{key}={value!r}"
            if option.get("choices"):
                assert value in [each["value"] for each in option["choices"]], f"{key}={value!r}"
            if isinstance(value, User):
                users.append(value)
                value = str(value.id)  # noqa: PLW2901
            if isinstance(value, Channel | Role):
                kind = "channels" if isinstance(value, Channel) else "roles"
                own = {"permissions": str(channel.guild.permissions(user, channel))}
                named[kind][str(value.id)] = value.as_json() | (own if kind == "channels" else {})
                value = str(value.id)  # noqa: PLW2901
            options.append({"name": key, "type": option["type"], "value": value})
        data = {"id": command["id"], "name": name, "type": 1, "options": options}
        data["resolved"] = self.resolved(channel.guild, users) | named
        return await self.interactions.begin(Interaction(COMMAND, user, channel, data), waits=waits)

    async def pick_menu(self, user: User, channel: Channel, name: str, target: User) -> Interaction:
        """Right-clicks a member, Apps → name."""
        command = self.find_command(name, 2)
        self.check_invoker(user, channel, command)
        data = {"id": command["id"], "name": name, "type": 2, "target_id": str(target.id)}
        data["resolved"] = self.resolved(channel.guild, [target])
        return await self.interactions.begin(Interaction(COMMAND, user, channel, data))

    def find_command(self, name: str, kind: int) -> dict:
        return next(e for e in self.commands if (e["name"], e.get("type", 1)) == (name, kind))

    def check_invoker(self, user: User, channel: Channel, command: dict) -> None:
        self.check_speaker(user, channel)
        own = channel.guild.permissions(user, channel)
        assert own & USE_APPLICATION_COMMANDS, "the user may not use commands here"
        needed = int(command.get("default_member_permissions") or 0)
        assert own & needed == needed, "Discord does not show this command to the user"

    def check_speaker(self, user: User, channel: Channel) -> None:
        own = channel.guild.permissions(user, channel)
        speak = SEND_MESSAGES_IN_THREADS if channel.is_thread else SEND_MESSAGES
        assert channel.guild.can_see(user, channel), "the user cannot see the channel"
        assert own & speak, "the user may not speak here"
        assert own & MANAGE_THREADS or not channel.locked, "the thread is locked"

    def resolved(self, guild: Guild, users) -> dict:
        """Users, and members without user for those who are still there."""
        members = {}
        for user in users:
            if user.id in guild.members:
                member = guild.member_json(user, permissions=guild.base(user))
                member.pop("user")
                members[str(user.id)] = member
        return {"users": {str(u.id): u.as_json() for u in users}, "members": members}

    async def press(
        self,
        user: User,
        message: Message,
        start: str,
        *values: str,
        waits: float | None = PATIENCE,
        component: dict | None = None,
    ) -> Interaction:
        """Presses the component whose custom id or label begins like that; `component` is one of
        an earlier state of the message, which the user's Discord still shows.
        """
        guild = message.channel.guild
        assert message in guild.history(user, message.channel), "the user cannot see the message"
        assert not message.channel.archived, "some clients have no buttons in an archived thread"
        manages = guild.permissions(user, message.channel) & MANAGE_THREADS
        assert manages or not message.channel.locked, "nor in a locked one"
        found = component or message.find(start)
        assert not found.get("disabled"), "the component is disabled"
        data = {"custom_id": found["custom_id"], "component_type": found["type"]}
        if found["type"] == 3:
            offered = [option["value"] for option in found["options"]]
            assert values, "a select needs a value"
            assert all(value in offered for value in values), f"{values} not in {offered}"
            data["values"] = list(values)
        begun = Interaction(COMPONENT, user, message.channel, data, message)
        return await self.interactions.begin(begun, waits=waits)

    async def submit(self, interaction: Interaction, **given: str) -> Interaction:
        """Sends the form that an interaction was answered with."""
        modal = interaction.modal
        assert modal is not None, "there is no form"
        components = []
        for number, outer in enumerate(modal["components"]):
            inner = outer["component"]
            value = given[inner["custom_id"]]
            assert len(value) <= (inner.get("max_length") or 4000), "longer than the form allows"
            sent = {
                "type": 4,
                "id": 2 * number + 2,
                "custom_id": inner["custom_id"],
                "value": value,
            }
            components.append({"type": 18, "id": 2 * number + 1, "component": sent})
        data = {"custom_id": modal["custom_id"], "components": components}
        begun = Interaction(
            MODAL_SUBMIT, interaction.user, interaction.channel, data, interaction.source
        )
        return await self.interactions.begin(begun)
