"""The REST routes that the bot uses, each with the checks of the documentation."""

import json
import re
from collections.abc import Awaitable, Callable

from aiohttp import web
from tests.discord.standin.errors import ApiError, check
from tests.discord.standin.shapes import ROUTES, check_answer, check_request
from tests.discord.standin.validation import check_commands, check_message
from tests.discord.standin.world import (
    ADDED,
    ATTACH_FILES,
    CREATE_PRIVATE_THREADS,
    CREATE_PUBLIC_THREADS,
    MANAGE_MESSAGES,
    MANAGE_ROLES,
    MANAGE_THREADS,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    READ_MESSAGE_HISTORY,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    THREAD_OPENED,
    THREAD_STARTER,
    Channel,
    Message,
    Role,
    User,
    now_text,
    snowflake,
)

SILENT = 1 << 12
BODY = web.RequestKey("body", tuple)
"""The JSON of a request and its files, once they were read."""
MOST_CREATED = 200
"""Commands that are created in a day."""
DURATIONS = (60, 1440, 4320, 10080)
UNSIGNED = ("/interactions/", "/webhooks/")
"""Routes whose token is in the path; all others need the bot's."""


async def read_body(request: web.Request):
    """The JSON of a request and its files."""
    if request.content_type.startswith("multipart/"):
        form = await request.post()
        files = {key: value.file.read() for key, value in form.items() if key.startswith("files[")}
        return json.loads(form.get("payload_json") or "{}"), files
    if request.content_type == "application/json":
        return await request.json(), {}
    return {}, {}


async def body_of(request: web.Request):
    return request[BODY]


class Rest:
    def __init__(self, standin) -> None:
        self.standin = standin
        self.requests: list[tuple[str, str]] = []
        self.errors: list[ApiError] = []
        self.flaws: list[str] = []
        """Answers of the stand-in that are not like Discord's."""
        self.created: list[str] = []
        """The commands that were created today."""
        self.before_answer: Callable[[str, str], Awaitable[None]] | None = None
        """Called with the method and the path of a request that has taken effect."""

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        api = "/api/v10"
        routes = [
            ("GET", "/users/@me", self.me),
            ("GET", "/oauth2/applications/@me", self.application),
            ("GET", "/gateway/bot", self.gateway),
            ("PUT", "/applications/{app}/commands", self.put_commands),
            ("POST", "/interactions/{id}/{token}/callback", self.callback),
            ("POST", "/webhooks/{app}/{token}", self.follow_up),
            ("PATCH", "/webhooks/{app}/{token}/messages/{message}", self.edit_answer),
            ("POST", "/channels/{channel}/messages", self.send),
            ("GET", "/channels/{channel}/messages", self.read_all),
            ("GET", "/channels/{channel}/messages/{message}", self.read),
            ("PATCH", "/channels/{channel}/messages/{message}", self.edit),
            ("DELETE", "/channels/{channel}/messages/{message}", self.delete),
            ("POST", "/channels/{channel}/messages/{message}/threads", self.thread_on_message),
            ("POST", "/channels/{channel}/threads", self.thread),
            ("PUT", "/channels/{channel}/thread-members/{user}", self.add_to_thread),
            ("GET", "/channels/{channel}/thread-members/{user}", self.thread_member),
            ("GET", "/channels/{channel}", self.see_channel),
            ("PATCH", "/channels/{channel}", self.change_thread),
            ("GET", "/guilds/{guild}/members/{user}", self.member),
            ("POST", "/guilds/{guild}/roles", self.new_role),
            ("PUT", "/guilds/{guild}/members/{user}/roles/{role}", self.give_role),
            ("DELETE", "/guilds/{guild}/members/{user}/roles/{role}", self.take_role),
        ]
        for method, path, handler in routes:
            app.router.add_route(method, api + path, self.checked(f"{method} {path}", handler))
        app.router.add_get("/gateway", self.standin.gateway.connect)
        return app

    def checked(self, route: str, handler):
        """The handler behind the checks of every request: identity, rate limits and shapes."""

        async def handle(request: web.Request) -> web.Response:
            path = request.path.removeprefix("/api/v10")
            self.requests.append((request.method, path))
            headers, refusal = self.standin.limits.count(request.method, path)
            if refusal is not None:
                return answer(refusal, 429, headers)
            is_signed = request.headers.get("Authorization") == f"Bot {self.standin.token}"
            if not path.startswith(UNSIGNED):
                agent = request.headers.get("User-Agent", "")
                if not is_signed or not re.match(r"DiscordBot \(.+\)", agent):
                    return answer({"message": "401: Unauthorized", "code": 0}, 401, headers)
            elif "Authorization" in request.headers:
                raise AssertionError("an interaction route was signed with the bot's token")
            try:
                request[BODY] = body, _ = await read_body(request)
                check_request(route, body, request.query)
                result = await handler(request)
            except ConnectionError:  # the bot was killed
                return web.Response(status=400)
            except ApiError as error:
                self.errors.append(error)
                if error.code == 30046:
                    more, body = self.standin.limits.refuse_edit()
                    return answer(body, 429, headers | more)
                return answer(error.as_json(), error.status, headers)
            if self.before_answer is not None:
                await self.before_answer(request.method, path)
            if flaw := check_answer(route, result):
                self.flaws.append(flaw)
            if result is None:
                return web.Response(status=204, headers=headers)
            return answer(result, ROUTES[route][1], headers)

        return handle

    # Identity

    async def me(self, _request):
        return self.standin.bot.as_json() | {
            "verified": True,
            "mfa_enabled": False,
            "locale": "en-US",
        }

    async def application(self, _request):
        bot = self.standin.bot
        return {
            "id": str(bot.id),
            "name": "Holmgang",
            "icon": None,
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "owner": self.standin.guilds[0].owner.as_json(),
            "type": None,
            "verify_key": "",
            "team": None,
            "flags": 0,
            "flags_new": "0",
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "role_connections_verification_url": None,
            "approximate_guild_count": len(self.standin.guilds),
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
            "explicit_content_filter": 0,
            "eligible_oauth2_scopes": ["bot", "applications.commands"],
        }

    async def gateway(self, _request):
        return {
            "url": self.standin.gateway_url,
            "shards": self.standin.gateway.shards,
            "session_start_limit": {
                "total": 1000,
                "remaining": 1000
                - self.standin.gateway.used
                - len(self.standin.gateway.identifies),
                "reset_after": 86_400_000,
                "max_concurrency": 1,
            },
        }

    async def put_commands(self, request):
        body, _ = await body_of(request)
        check_commands(body)
        known = {(each["name"], each.get("type", 1)) for each in self.standin.commands}
        new = [e["name"] for e in body if (e["name"], e.get("type", 1)) not in known]
        check(len(self.created) + len(new) <= MOST_CREATED, "", 30034)
        self.created += new
        bot = str(self.standin.bot.id)
        self.standin.commands = [
            {
                "description": "",
                **each,
                "id": str(snowflake()),
                "application_id": bot,
                "version": str(snowflake()),
                "type": each.get("type", 1),
                "default_member_permissions": as_text(each.get("default_member_permissions")),
            }
            for each in body
        ]
        return self.standin.commands

    # Interactions

    async def callback(self, request):
        body, files = await body_of(request)
        id, token = request.match_info["id"], request.match_info["token"]  # noqa: A001
        answered = self.standin.interactions.answer(int(id), token, body, files)
        return answered if request.query.get("with_response") in ("1", "true") else None

    async def follow_up(self, request):
        body, files = await body_of(request)
        made = self.standin.interactions.follow_up(request.match_info["token"], body, files)
        return made.as_json()

    async def edit_answer(self, request):
        body, files = await body_of(request)
        token, message = request.match_info["token"], request.match_info["message"]
        return self.standin.interactions.edit(token, message, body, files).as_json()

    # Channels and messages

    def channel(self, request) -> Channel:
        return self.standin.find_channel(int(request.match_info["channel"]))

    def message(self, request, channel: Channel) -> Message:
        """A message by its route: ephemeral ones are not there."""
        found = channel.messages.get(int(request.match_info["message"]))
        if found is None or found.only_for is not None:
            raise ApiError(10008)
        return found

    async def see_channel(self, request):
        channel = self.channel(request)
        channel.guild.need(self.standin.bot, channel)
        return channel.as_json()

    async def send(self, request):
        channel = self.channel(request)
        body, files = await body_of(request)
        speak = SEND_MESSAGES_IN_THREADS if channel.is_thread else SEND_MESSAGES
        channel.guild.need(self.standin.bot, channel, speak)
        if files:
            channel.guild.need(self.standin.bot, channel, ATTACH_FILES)
        check_message(body, files)
        nonce = body.get("nonce")
        check(nonce is None or len(str(nonce)) <= 25, "nonce: at most 25 characters")
        if nonce is not None and body.get("enforce_nonce"):
            for known in self.standin.sent.values():
                if known.nonce == nonce and known.channel is channel:
                    return known.as_json()
        await self.unarchive(channel)
        made = self.standin.make_message(channel, self.standin.bot, body, files, nonce=nonce)
        self.mention(channel, made)
        await self.standin.gateway.dispatch(
            "MESSAGE_CREATE", made.as_json() | {"guild_id": str(channel.guild.id)}
        )
        return made.as_json()

    def mention(self, channel: Channel, message: Message) -> None:
        """Notifies the users who are mentioned and may be, and adds them to a thread."""
        allowed = message.body.get("allowed_mentions", {"parse": ["users"]})
        named = {int(each) for each in re.findall(r"<@(\d+)>", message.content)}
        if "users" not in allowed.get("parse", ()):
            named &= {int(each) for each in allowed.get("users", ())}
        named &= set(channel.guild.members)
        if channel.is_thread:
            channel.members |= named
        if not (message.body.get("flags") or 0) & SILENT:
            message.pinged = named

    async def unarchive(self, channel: Channel) -> None:
        """Sending into an archived thread opens it again, unless it is locked."""
        if channel.archived and channel.locked:
            channel.guild.need(self.standin.bot, channel, MANAGE_THREADS)
        if channel.archived:
            await self.standin.change_thread(channel, archived=False)

    async def read_all(self, request):
        channel = self.channel(request)
        channel.guild.need(self.standin.bot, channel, READ_MESSAGE_HISTORY)
        seen = [each for each in channel.messages.values() if each.only_for is None]
        limit = int(request.query.get("limit", 50))
        check(1 <= limit <= 100, "limit: 1 to 100")
        if "after" in request.query:  # the first ones after it, but the newest of these first
            after = int(request.query["after"])
            seen = [each for each in seen if each.id > after][:limit]
        return [each.as_json() for each in reversed(seen)][:limit]

    async def read(self, request):
        channel = self.channel(request)
        channel.guild.need(self.standin.bot, channel, READ_MESSAGE_HISTORY)
        return self.message(request, channel).as_json()

    async def edit(self, request):
        channel = self.channel(request)
        body, files = await body_of(request)
        channel.guild.need(self.standin.bot, channel)
        message = self.message(request, channel)
        if message.author is not self.standin.bot:
            raise ApiError(50013)
        if channel.archived:
            raise ApiError(50083)
        if message.is_old and message.edits >= self.standin.limits.most_old_edits:
            raise ApiError(30046)
        check_message(body, files, before=message.body)
        self.standin.edit_message(message, body, files)
        await self.standin.gateway.dispatch(
            "MESSAGE_UPDATE", message.as_json() | {"guild_id": str(channel.guild.id)}
        )
        return message.as_json()

    async def delete(self, request):
        channel = self.channel(request)
        message = self.message(request, channel)
        if message.author is not self.standin.bot:
            channel.guild.need(self.standin.bot, channel, MANAGE_MESSAGES)
        await self.standin.delete_message(message)

    # Threads

    async def thread_on_message(self, request):
        channel = self.channel(request)
        body, _ = await body_of(request)
        channel.guild.need(self.standin.bot, channel, CREATE_PUBLIC_THREADS, READ_MESSAGE_HISTORY)
        message = self.message(request, channel)
        if message.id in channel.guild.channels:
            raise ApiError(160004)
        opened = await self.open_thread(channel, body, PUBLIC_THREAD, message.id)
        thread = channel.guild.channels[message.id]
        await self.note(thread, THREAD_STARTER)
        return opened

    async def thread(self, request):
        channel = self.channel(request)
        body, _ = await body_of(request)
        kind = body.get("type", PRIVATE_THREAD)
        check(kind in (PUBLIC_THREAD, PRIVATE_THREAD), "type: 11 or 12")
        create = CREATE_PUBLIC_THREADS if kind == PUBLIC_THREAD else CREATE_PRIVATE_THREADS
        channel.guild.need(self.standin.bot, channel, create)
        opened = await self.open_thread(channel, body, kind, snowflake())
        if kind == PUBLIC_THREAD:
            await self.note(channel, THREAD_OPENED)
        return opened

    async def note(self, channel: Channel, kind: int) -> None:
        """Posts a line of Discord's own."""
        made = self.standin.make_message(channel, self.standin.bot, {"content": ""}, {})
        made.kind = kind
        await self.standin.gateway.dispatch(
            "MESSAGE_CREATE", made.as_json() | {"guild_id": str(channel.guild.id)}
        )

    async def open_thread(self, channel: Channel, body, kind: int, id: int):  # noqa: A002
        check(not channel.is_thread, "a thread has no threads")
        threads = [each for each in channel.guild.channels.values() if each.is_thread]
        active = [each for each in threads if not each.archived]
        check(len(active) < channel.guild.most_threads, "", 160006)
        check(1 <= len(body.get("name") or "") <= 100, "thread name: 1 to 100")
        duration = body.get("auto_archive_duration") or 1440
        check(duration in DURATIONS, f"auto_archive_duration: one of {DURATIONS}")
        thread = Channel(
            channel.guild, body["name"], kind, channel, self.standin.bot, id, auto_archive=duration
        )
        thread.members.add(self.standin.bot.id)
        channel.guild.channels[id] = thread
        await self.standin.gateway.dispatch(
            "THREAD_CREATE", thread.as_json() | {"newly_created": True}
        )
        return thread.as_json()

    async def change_thread(self, request):
        thread = self.channel(request)
        body, _ = await body_of(request)
        thread.guild.need(self.standin.bot, thread)
        check(thread.is_thread, "only threads are changed here")
        check(set(body) <= {"archived", "locked", "name"}, f"unexpected fields: {set(body)}")
        if thread.archived and body.get("archived", True):
            raise ApiError(50083)
        is_own = thread.owner is self.standin.bot and not thread.locked and "locked" not in body
        if not is_own:
            thread.guild.need(self.standin.bot, thread, MANAGE_THREADS)
        await self.standin.change_thread(thread, **body)
        return thread.as_json()

    async def add_to_thread(self, request):
        thread = self.channel(request)
        user = self.find_member(thread.guild, int(request.match_info["user"]))
        thread.guild.need(self.standin.bot, thread, SEND_MESSAGES_IN_THREADS)
        if thread.archived:
            raise ApiError(50083)
        if not thread.guild.can_see(user, thread.parent):
            raise ApiError(50001)
        thread.members.add(user.id)
        await self.note(thread, ADDED)

    async def thread_member(self, request):
        thread = self.channel(request)
        user = int(request.match_info["user"])
        thread.guild.need(self.standin.bot, thread)
        if user not in thread.members:
            raise ApiError(10007)
        return {
            "id": str(thread.id),
            "user_id": str(user),
            "join_timestamp": now_text(),
            "flags": 0,
        }

    # Members and roles

    def guild(self, request):
        id = int(request.match_info["guild"])  # noqa: A001
        for guild in self.standin.guilds:
            if guild.id == id and self.standin.bot.id in guild.members:
                return guild
        raise ApiError(10004)

    def find_member(self, guild, user: int) -> User:
        if user not in guild.members:
            raise ApiError(10007)
        return guild.members[user][0]

    async def member(self, request):
        guild = self.guild(request)
        return guild.member_json(self.find_member(guild, int(request.match_info["user"])))

    async def new_role(self, request):
        guild = self.guild(request)
        body, _ = await body_of(request)
        if not guild.base(self.standin.bot) & MANAGE_ROLES:
            raise ApiError(50013)
        if len(guild.roles) >= 250:
            raise ApiError(30005)
        permissions = int(body.get("permissions") or 0)
        if permissions & ~guild.base(self.standin.bot):
            raise ApiError(50013)
        role = Role(body.get("name") or "new role", permissions, position=1)
        guild.roles[role.id] = role
        await self.standin.gateway.dispatch(
            "GUILD_ROLE_CREATE", {"guild_id": str(guild.id), "role": role.as_json()}
        )
        return role.as_json()

    def role(self, request, guild) -> Role:
        role = guild.roles.get(int(request.match_info["role"]))
        if role is None:
            raise ApiError(10011)
        guild.need_role(self.standin.bot, role)
        return role

    async def give_role(self, request):
        guild = self.guild(request)
        user = self.find_member(guild, int(request.match_info["user"]))
        guild.members[user.id][1].add(self.role(request, guild).id)

    async def take_role(self, request):
        guild = self.guild(request)
        user = self.find_member(guild, int(request.match_info["user"]))
        guild.members[user.id][1].discard(self.role(request, guild).id)


def answer(value, status: int, headers) -> web.Response:
    """JSON with exactly the content type that discord.py looks for."""
    return web.Response(
        body=json.dumps(value).encode(),
        status=status,
        headers={**headers, "Content-Type": "application/json"},
    )


def as_text(value: int | None) -> str | None:
    return None if value is None else str(value)
