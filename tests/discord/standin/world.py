"""What exists in the stand-in: guilds, channels, threads, roles, members, messages; who may do
what, and what each user has been shown.
"""

import itertools
import json
import re
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.discord.standin.errors import ApiError
from tests.discord.standin.validation import EPHEMERAL

EPOCH_MS = 1_420_070_400_000

ADMINISTRATOR = 1 << 3
MANAGE_CHANNELS = 1 << 4
MANAGE_GUILD = 1 << 5
VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
MANAGE_MESSAGES = 1 << 13
EMBED_LINKS = 1 << 14
ATTACH_FILES = 1 << 15
READ_MESSAGE_HISTORY = 1 << 16
MANAGE_ROLES = 1 << 28
USE_APPLICATION_COMMANDS = 1 << 31
MANAGE_THREADS = 1 << 34
CREATE_PUBLIC_THREADS = 1 << 35
CREATE_PRIVATE_THREADS = 1 << 36
SEND_MESSAGES_IN_THREADS = 1 << 38
ALL = (1 << 53) - 1

EVERYONE = VIEW_CHANNEL | SEND_MESSAGES | READ_MESSAGE_HISTORY | USE_APPLICATION_COMMANDS
EVERYONE |= SEND_MESSAGES_IN_THREADS
INVITED = (
    VIEW_CHANNEL
    | SEND_MESSAGES
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | MANAGE_ROLES
    | CREATE_PUBLIC_THREADS
    | SEND_MESSAGES_IN_THREADS
)
"""What the bot's invitation asks for."""

TEXT, PUBLIC_THREAD, PRIVATE_THREAD = 0, 11, 12
ADDED, THREAD_OPENED, THREAD_STARTER = 1, 18, 21
HAS_THREAD = 1 << 5
MOST_THREADS = 1000
"""Threads of a guild that are not archived."""

_numbers = itertools.count()


def snowflake() -> int:
    """A new id: milliseconds since 2015 and a counter, so later ones are larger."""
    return (int(time.time() * 1000) - EPOCH_MS << 22) | (next(_numbers) & 0x3FFFFF)


def now_text() -> str:
    return datetime.now(UTC).isoformat()


@dataclass
class User:
    name: str
    is_bot: bool = False
    id: int = field(default_factory=snowflake)
    shown: list = field(default_factory=list)
    """Everything that this user's Discord has been sent: (kind, JSON)."""

    def as_json(self):
        return {
            "id": str(self.id),
            "username": self.name,
            "discriminator": "0",
            "global_name": self.name.title(),
            "avatar": None,
            "bot": self.is_bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }


@dataclass
class Role:
    name: str
    permissions: int = 0
    position: int = 1
    id: int = field(default_factory=snowflake)

    def as_json(self):
        return {
            "id": str(self.id),
            "name": self.name,
            "permissions": str(self.permissions),
            "position": self.position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
        }


@dataclass
class Message:
    channel: "Channel"
    author: User
    body: dict
    id: int = field(default_factory=snowflake)
    nonce: str | None = None
    only_for: User | None = None
    """Of an ephemeral message: who sees it."""
    files: dict = field(default_factory=dict)
    edits: int = 0
    pinged: set = field(default_factory=set)
    """The ids of the users who were notified of it."""
    sent_at: float = field(default_factory=time.time)
    kind: int = 0
    """A line of Discord's own: 1 someone was added to a thread, 18 a thread was opened, 21 the
    message that a thread began with.
    """

    @property
    def is_old(self) -> bool:
        """Whether edits of it are limited."""
        return time.time() - self.sent_at > 3600

    @property
    def content(self) -> str:
        return self.body.get("content") or ""

    @property
    def components(self):
        rows = self.body.get("components") or []
        return [each for row in rows for each in row["components"]]

    def find(self, start: str):
        """The component whose custom id or label begins like that."""
        for each in self.components:
            if each.get("custom_id", "").startswith(start) or each.get("label") == start:
                return each
        raise LookupError(f"no component {start!r} in {self.components}")

    @property
    def named(self) -> list[int]:
        """The users that it mentions."""
        return sorted({int(each) for each in re.findall(r"<@(\d+)>", self.content)})

    def as_json(self):
        return {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "author": self.author.as_json(),
            "content": self.content,
            "timestamp": now_text(),
            "edited_timestamp": now_text() if self.edits else None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [
                self.channel.guild.members[user][0].as_json()
                for user in self.named
                if user in self.channel.guild.members
            ],
            "mention_roles": [],
            "attachments": self.body.get("attachments") or [],
            "embeds": self.body.get("embeds") or [],
            "components": numbered(self.body.get("components") or []),
            "pinned": False,
            "type": self.kind,
            "flags": (self.body.get("flags") or 0)
            | (HAS_THREAD if self.id in self.channel.guild.channels else 0),
        } | ({} if self.nonce is None else {"nonce": self.nonce})


def numbered(rows: list) -> list:
    """Components as Discord returns them: each has an id, and selects have their limits."""
    numbers = itertools.count(1)
    return [
        {
            **row,
            "id": next(numbers),
            "components": [
                ({"min_values": 1, "max_values": 1} if each["type"] == 3 else {})
                | each
                | {"id": next(numbers)}
                for each in row["components"]
            ],
        }
        for row in rows
    ]


@dataclass
class Channel:
    """A text channel, or a thread in one."""

    guild: "Guild"
    name: str
    kind: int = TEXT
    parent: "Channel | None" = None
    owner: User | None = None
    id: int = field(default_factory=snowflake)
    messages: dict = field(default_factory=dict)
    overwrites: dict = field(default_factory=dict)
    """(allow, deny) by the id of a role or a user."""
    members: set = field(default_factory=set)
    archived: bool = False
    locked: bool = False
    auto_archive: int = 1440
    is_deleted: bool = False

    @property
    def is_thread(self) -> bool:
        return self.kind != TEXT

    def as_json(self):
        value = {
            "id": str(self.id),
            "type": self.kind,
            "name": self.name,
            "guild_id": str(self.guild.id),
            "parent_id": str(self.parent.id) if self.parent else None,
            "position": 0,
            "flags": 0,
            "last_message_id": None,
            "rate_limit_per_user": 0,
        }
        if self.is_thread:
            value |= {
                "owner_id": str(self.owner.id),
                "message_count": len(self.messages),
                "member_count": len(self.members),
                "total_message_sent": len(self.messages),
                "thread_metadata": {
                    "archived": self.archived,
                    "locked": self.locked,
                    "auto_archive_duration": self.auto_archive,
                    "archive_timestamp": now_text(),
                    "create_timestamp": now_text(),
                },
            }
        else:
            value |= {
                "topic": None,
                "nsfw": False,
                "permission_overwrites": [
                    {
                        "id": str(each),
                        "type": 0 if each in self.guild.roles else 1,
                        "allow": str(allow),
                        "deny": str(deny),
                    }
                    for each, (allow, deny) in self.overwrites.items()
                ],
            }
        return value


@dataclass
class Guild:
    name: str
    owner: User
    id: int = field(default_factory=snowflake)
    roles: dict = field(default_factory=dict)
    members: dict = field(default_factory=dict)
    """Users by id, with the set of their roles' ids."""
    channels: dict = field(default_factory=dict)
    """Threads too."""
    system_channel: int | None = None
    most_threads: int = MOST_THREADS
    used: int = 0
    """The permissions that the bot's requests have needed."""

    def __post_init__(self) -> None:
        self.roles[self.id] = Role("@everyone", EVERYONE, 0, self.id)
        self.add(self.owner)

    def add(self, user: User, *roles: Role) -> None:
        self.members[user.id] = (user, {role.id for role in roles})

    def member_json(self, user: User, *, permissions: int | None = None):
        _, roles = self.members[user.id]
        value = {
            "user": user.as_json(),
            "roles": [str(role) for role in sorted(roles)],
            "joined_at": now_text(),
            "deaf": False,
            "mute": False,
            "flags": 0,
            "nick": None,
            "avatar": None,
            "banner": None,
            "communication_disabled_until": None,
            "pending": False,
            "premium_since": None,
        }
        if permissions is not None:
            value["permissions"] = str(permissions)
        return value

    def highest(self, user: User) -> int:
        """The position of the user's highest role."""
        return max((self.roles[role].position for role in self.members[user.id][1]), default=0)

    def base(self, user: User) -> int:
        """Permissions in the guild, before overwrites."""
        if user.id == self.owner.id:
            return ALL
        if user.id not in self.members:
            return 0
        value = self.roles[self.id].permissions
        for role in self.members[user.id][1]:
            value |= self.roles[role].permissions
        return ALL if value & ADMINISTRATOR else value

    def permissions(self, user: User, channel: Channel) -> int:
        """Permissions in a channel: overwrites of everyone, of roles, of the member. A thread has
        those of its parent.
        """
        value = self.base(user)
        if value == ALL or user.id not in self.members:
            return value
        overwrites = (channel.parent or channel).overwrites
        allow, deny = overwrites.get(self.id, (0, 0))
        value = value & ~deny | allow
        allow = deny = 0
        for role in self.members[user.id][1]:
            more = overwrites.get(role, (0, 0))
            allow, deny = allow | more[0], deny | more[1]
        value = value & ~deny | allow
        allow, deny = overwrites.get(user.id, (0, 0))
        value = value & ~deny | allow
        return value if value & VIEW_CHANNEL else 0

    def can_see(self, user: User, channel: Channel) -> bool:
        value = self.permissions(user, channel)
        if channel.kind == PRIVATE_THREAD and user.id not in channel.members:
            return bool(value & MANAGE_THREADS)
        return bool(value & VIEW_CHANNEL)

    def need(self, user: User, channel: Channel, *wanted: int) -> None:
        """Raises as Discord answers: 50001 if the channel cannot be seen, 50013 otherwise."""
        self.used |= sum({VIEW_CHANNEL, *wanted})
        if not self.can_see(user, channel):
            raise ApiError(50001)
        value = self.permissions(user, channel)
        if any(not value & each for each in wanted):
            raise ApiError(50013)

    def need_role(self, user: User, role: Role) -> None:
        """Only roles strictly below one's highest can be given."""
        self.used |= MANAGE_ROLES
        if not self.base(user) & MANAGE_ROLES or role.position >= self.highest(user):
            raise ApiError(50013)

    def show(self, kind: str, channel: Channel, message: Message) -> None:
        """Notes in `shown` of everyone who can see a message what has happened to it."""
        value = json.dumps(message.as_json(), ensure_ascii=False)
        for user, _ in list(self.members.values()):
            if user.is_bot or not self.can_see(user, channel):
                continue
            if message.only_for is None or message.only_for is user:
                user.shown.append((kind, value))

    def history(self, user: User, channel: Channel) -> list[Message]:
        """The messages that a user's Discord shows in a channel."""
        if not self.can_see(user, channel):
            return []
        return [
            message
            for message in channel.messages.values()
            if message.only_for is None or message.only_for is user
        ]

    def as_json(self, viewer: User):
        seen = [each for each in self.channels.values() if self.can_see(viewer, each)]
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner.id),
            "system_channel_id": str(self.system_channel) if self.system_channel else None,
            "roles": [role.as_json() for role in self.roles.values()],
            "channels": [each.as_json() for each in self.channels.values() if not each.is_thread],
            "threads": [each.as_json() for each in seen if each.is_thread and not each.archived],
            "members": [self.member_json(viewer)],
            "member_count": len(self.members),
            "emojis": [],
            "features": [],
            "stickers": [],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "joined_at": now_text(),
            "large": False,
            "unavailable": False,
            "afk_timeout": 300,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "system_channel_flags": 0,
            "premium_tier": 0,
            "preferred_locale": "en-US",
            "nsfw_level": 0,
            "premium_progress_bar_enabled": False,
        }


def is_ephemeral(message: Message) -> bool:
    return bool((message.body.get("flags") or 0) & EPHEMERAL)
