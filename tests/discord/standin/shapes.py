"""The shapes of requests and answers: facts from Discord's published API description (version 10,
discord/discord-api-spec), for the routes that the bot uses.

Requests may have no other fields, which is stricter than Discord. Of answers, the fields that the
description requires are checked.
"""

from collections.abc import Collection
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from tests.discord.standin.errors import ApiError


def text(least: int = 0, most: int | None = None) -> Any:
    return Annotated[str, Meta(min_length=least, max_length=most)]


def number(least: int, most: int) -> Any:
    return Annotated[int, Meta(ge=least, le=most)]


Snowflake = Annotated[str, Meta(pattern="^(0|[1-9][0-9]*)$")]
Time = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")]
Id = number(0, 2**31 - 1)
Duration = Literal[60, 1440, 4320, 10080]


class Request(Struct, forbid_unknown_fields=True):
    pass


# Components, as they are sent


class Emoji(Request):
    name: text(1, 100) | None = None
    id: Snowflake | None = None
    animated: bool | None = None


class Button(Request, tag_field="type", tag=2):
    style: Literal[1, 2, 3, 4, 5]
    id: Id | None = None
    custom_id: text(1, 100) | None = None
    label: text(0, 80) | None = None
    disabled: bool | None = None
    url: text(0, 512) | None = None
    emoji: Emoji | None = None

    def __post_init__(self) -> None:
        is_link = self.style == 5
        if (self.url is not None) != is_link or (self.custom_id is not None) == is_link:
            raise ValueError("a link has a url, any other button a custom_id")
        if not self.label and self.emoji is None:
            raise ValueError("a button has a label or an emoji")


class Option(Request):
    label: text(1, 100)
    value: text(1, 100)
    description: text(0, 100) | None = None
    default: bool | None = None
    emoji: Emoji | None = None


class Select(Request, tag_field="type", tag=3):
    custom_id: text(1, 100)
    options: Annotated[list[Option], Meta(min_length=1, max_length=25)]
    id: Id | None = None
    placeholder: text(0, 150) | None = None
    min_values: number(0, 25) | None = None
    max_values: number(1, 25) | None = None
    disabled: bool | None = None
    required: bool | None = None


class Row(Request, tag_field="type", tag=1):
    components: Annotated[list[Button | Select], Meta(min_length=1, max_length=5)]
    id: Id | None = None


class TextInput(Request, tag_field="type", tag=4):
    custom_id: text(1, 100)
    style: Literal[1, 2]
    id: Id | None = None
    label: text(1, 45) | None = None
    value: text(0, 4000) | None = None
    placeholder: text(0, 100) | None = None
    required: bool | None = None
    min_length: number(0, 4000) | None = None
    max_length: number(1, 4000) | None = None


class LabelRow(Request, tag_field="type", tag=18):
    label: text(1, 45)
    component: TextInput
    id: Id | None = None
    description: text(1, 100) | None = None


# Messages


class Mentions(Request):
    parse: list[Literal["users", "roles", "everyone"]] | None = None
    users: Annotated[list[Snowflake | int], Meta(max_length=100)] | None = None
    roles: Annotated[list[Snowflake | int], Meta(max_length=100)] | None = None
    replied_user: bool | None = None

    def __post_init__(self) -> None:
        for kind in ("users", "roles"):
            if kind in (self.parse or ()) and getattr(self, kind):
                raise ValueError(f"allowed_mentions: {kind} by list or by parse, not both")


class AttachmentSent(Struct):
    """discord.py sends all fields of those that are kept."""

    id: Snowflake | int
    filename: text(1, 1024) | None = None
    description: text(0, 1024) | None = None
    title: text(0, 1024) | None = None


class Answer(Request):
    """What is common to messages and to answers of interactions."""

    content: text(0, 2000) | None = None
    embeds: Annotated[list[dict[str, Any]], Meta(max_length=10)] | None = None
    allowed_mentions: Mentions | None = None
    components: Annotated[list[Row], Meta(max_length=5)] | None = None
    attachments: Annotated[list[AttachmentSent], Meta(max_length=10)] | None = None
    flags: int | None = None
    tts: bool | None = None
    """discord.py sends it with edits too, where Discord ignores it."""


class MessageSent(Answer):
    nonce: text(0, 25) | int | None = None
    enforce_nonce: bool | None = None
    sticker_ids: Annotated[list[Snowflake], Meta(max_length=3)] | None = None


class Form(Request):
    custom_id: text(1, 100)
    title: text(1, 45)
    components: Annotated[list[LabelRow], Meta(min_length=1, max_length=5)]


class Deferred(Request):
    flags: int | None = None


class Callback(Request):
    type: Literal[4, 5, 6, 7, 9]
    data: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        shape = {4: Answer, 5: Deferred, 6: Deferred, 7: Answer, 9: Form}[self.type]
        if self.data is not None or self.type == 9:
            msgspec.convert(self.data, shape)


# Everything else that is sent


class ThreadOnMessage(Request):
    name: text(1, 100)
    auto_archive_duration: Duration | None = None
    rate_limit_per_user: number(0, 21600) | None = None


class ThreadOpened(ThreadOnMessage):
    type: Literal[10, 11, 12] | None = None
    invitable: bool | None = None


class ThreadChange(Request):
    name: text(0, 100) | None = None
    archived: bool | None = None
    locked: bool | None = None
    invitable: bool | None = None
    auto_archive_duration: Duration | None = None


class RoleSent(Request):
    name: text(1, 100) | None = None
    permissions: Annotated[str, Meta(pattern=r"^\d+$")] | int | None = None
    color: number(0, 0xFFFFFF) | None = None
    colors: dict[str, Any] | None = None
    hoist: bool | None = None
    mentionable: bool | None = None


class CommandChoice(Request):
    name: text(1, 100)
    value: text(0, 6000) | int | float
    name_localizations: dict[str, str] | None = None


class CommandOption(Request):
    type: number(1, 11)
    name: text(1, 32)
    description: text(1, 100)
    required: bool | None = None
    choices: Annotated[list[CommandChoice], Meta(max_length=25)] | None = None
    options: list[Any] | None = None
    min_value: float | None = None
    max_value: float | None = None
    min_length: number(0, 6000) | None = None
    max_length: number(1, 6000) | None = None
    autocomplete: bool | None = None
    channel_types: list[int] | None = None
    name_localizations: dict[str, str] | None = None
    description_localizations: dict[str, str] | None = None


class CommandSent(Request):
    name: text(1, 32)
    type: Literal[1, 2, 3] | None = None
    description: text(0, 100) | None = None
    options: Annotated[list[CommandOption], Meta(max_length=25)] | None = None
    default_member_permissions: number(0, 2**54 - 1) | None = None
    dm_permission: bool | None = None
    nsfw: bool | None = None
    contexts: Annotated[list[Literal[0, 1, 2]], Meta(min_length=1)] | None = None
    integration_types: Annotated[list[Literal[0, 1]], Meta(min_length=1)] | None = None
    name_localizations: dict[str, str] | None = None
    description_localizations: dict[str, str] | None = None


# Answers


class UserShape(Struct):
    id: Snowflake
    username: str
    avatar: str | None
    discriminator: str
    public_flags: int
    flags: int
    global_name: str | None
    primary_guild: None


class OwnUserShape(UserShape):
    mfa_enabled: bool
    locale: str


class AttachmentShape(Struct):
    id: Snowflake
    filename: str
    size: int
    url: str
    proxy_url: str
    description: str | None = None


class ButtonShape(Struct, tag_field="type", tag=2):
    id: int
    style: Literal[1, 2, 3, 4, 5]


class OptionShape(Struct):
    label: str
    value: str


class SelectShape(Struct, tag_field="type", tag=3):
    id: int
    custom_id: str
    min_values: int
    max_values: int
    options: list[OptionShape]


class RowShape(Struct, tag_field="type", tag=1):
    id: int
    components: list[ButtonShape | SelectShape]


class MessageShape(Struct):
    type: int
    content: str
    mentions: list[UserShape]
    mention_roles: list[Snowflake]
    attachments: list[AttachmentShape]
    embeds: list[dict[str, Any]]
    timestamp: Time
    edited_timestamp: Time | None
    flags: int
    components: list[RowShape]
    id: Snowflake
    channel_id: Snowflake
    author: UserShape
    pinned: bool
    mention_everyone: bool
    tts: bool
    nonce: str | int | UnsetType = UNSET


class ThreadMetadataShape(Struct):
    archived: bool
    archive_timestamp: Time | None
    auto_archive_duration: Duration
    locked: bool


class ThreadShape(Struct):
    id: Snowflake
    type: Literal[10, 11, 12]
    flags: int
    guild_id: Snowflake
    name: str
    owner_id: Snowflake
    thread_metadata: ThreadMetadataShape
    message_count: int
    member_count: int
    total_message_sent: int


class ChannelShape(Struct):
    id: Snowflake
    type: Literal[0, 2, 4, 5, 13, 14, 15]
    flags: int
    guild_id: Snowflake
    name: str
    position: int


class ThreadMemberShape(Struct):
    id: Snowflake
    user_id: Snowflake
    join_timestamp: Time
    flags: int


class MemberShape(Struct):
    avatar: str | None
    banner: str | None
    communication_disabled_until: str | None
    flags: int
    joined_at: Time
    nick: str | None
    pending: bool
    premium_since: str | None
    roles: list[Snowflake]
    user: UserShape
    mute: bool
    deaf: bool


class RoleShape(Struct):
    id: Snowflake
    name: str
    permissions: Annotated[str, Meta(pattern=r"^\d+$")]
    position: int
    color: int
    colors: dict[str, Any]
    hoist: bool
    managed: bool
    mentionable: bool
    icon: str | None
    unicode_emoji: str | None
    flags: int


class StartLimitShape(Struct):
    max_concurrency: int
    remaining: int
    reset_after: int
    total: int


class GatewayShape(Struct):
    url: str
    session_start_limit: StartLimitShape
    shards: int


class ApplicationShape(Struct):
    id: Snowflake
    name: str
    icon: str | None
    description: str
    type: None
    verify_key: str
    flags: int
    flags_new: str
    redirect_uris: list[str]
    interactions_endpoint_url: str | None
    role_connections_verification_url: str | None
    owner: UserShape
    approximate_guild_count: int
    approximate_user_install_count: int
    approximate_user_authorization_count: int
    explicit_content_filter: int
    team: None
    eligible_oauth2_scopes: list[str]


class CommandShape(Struct):
    id: Snowflake
    application_id: Snowflake
    version: Snowflake
    default_member_permissions: str | None
    type: Literal[1, 2, 3]
    name: str
    description: str


class InteractionShape(Struct):
    id: Snowflake
    type: Literal[2, 3, 5]


class ResourceShape(Struct):
    type: Literal[4, 7]
    message: MessageShape


class CallbackShape(Struct):
    interaction: InteractionShape
    resource: ResourceShape | UnsetType = UNSET
    """Of answers with a message: not of deferrals and forms."""


MESSAGES, MESSAGE = "/channels/{channel}/messages", "/channels/{channel}/messages/{message}"
MEMBER_ROLE = "/guilds/{guild}/members/{user}/roles/{role}"

ROUTES: dict[str, tuple[Any, int, Any]] = {
    "GET /users/@me": (None, 200, OwnUserShape),
    "GET /oauth2/applications/@me": (None, 200, ApplicationShape),
    "GET /gateway/bot": (None, 200, GatewayShape),
    "PUT /applications/{app}/commands": (list[CommandSent], 200, list[CommandShape]),
    "POST /interactions/{id}/{token}/callback": (Callback, 200, CallbackShape),
    "POST /webhooks/{app}/{token}": (Answer, 200, MessageShape),
    "PATCH /webhooks/{app}/{token}/messages/{message}": (Answer, 200, MessageShape),
    f"POST {MESSAGES}": (MessageSent, 200, MessageShape),
    f"GET {MESSAGES}": (None, 200, list[MessageShape]),
    f"GET {MESSAGE}": (None, 200, MessageShape),
    f"PATCH {MESSAGE}": (Answer, 200, MessageShape),
    f"DELETE {MESSAGE}": (None, 204, None),
    f"POST {MESSAGE}/threads": (ThreadOnMessage, 201, ThreadShape),
    "POST /channels/{channel}/threads": (ThreadOpened, 201, ThreadShape),
    "PUT /channels/{channel}/thread-members/{user}": (None, 204, None),
    "GET /channels/{channel}/thread-members/{user}": (None, 200, ThreadMemberShape),
    "GET /channels/{channel}": (None, 200, ThreadShape | ChannelShape),
    "PATCH /channels/{channel}": (ThreadChange, 200, ThreadShape),
    "GET /guilds/{guild}/members/{user}": (None, 200, MemberShape),
    "POST /guilds/{guild}/roles": (RoleSent, 200, RoleShape),
    f"PUT {MEMBER_ROLE}": (None, 204, None),
    f"DELETE {MEMBER_ROLE}": (None, 204, None),
}
"""By method and path: what is sent, the status, and what is answered."""


QUERIES = {
    "POST /interactions/{id}/{token}/callback": {"with_response"},
    f"GET {MESSAGES}": {"around", "before", "after", "limit"},
    "GET /channels/{channel}/thread-members/{user}": {"with_member"},
}
"""The parameters of routes that have any."""


def check_request(route: str, body: Any, query: Collection[str] = ()) -> None:
    """Refuses a body that is not of the shape of its route, as Discord does, and parameters that
    the route does not have, which Discord ignores.
    """
    shape = ROUTES[route][0]
    if unknown := set(query) - QUERIES.get(route, set()):
        raise ApiError(50035, f"{route} has no parameter {', '.join(unknown)}")
    if shape is None:
        if body:
            raise ApiError(50035, f"{route} takes no body")
        return
    try:
        msgspec.convert(body, shape)
    except msgspec.ValidationError as error:
        raise ApiError(50035, str(error)) from None


def check_answer(route: str, body: Any) -> str:
    """What is wrong with an answer of the stand-in itself; empty if nothing is."""
    shape = ROUTES[route][2]
    if shape == ThreadShape | ChannelShape:
        shape = ThreadShape if "thread_metadata" in body else ChannelShape
    if body is None:  # 204
        return "" if shape in (None, CallbackShape) else f"{route}: no answer"
    try:
        msgspec.convert(body, shape)
    except msgspec.ValidationError as error:
        return f"{route}: {error}"
    return ""
