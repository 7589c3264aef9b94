"""The stand-in refuses what Discord refuses: one test for each line of its README."""

import asyncio
import json

import aiohttp
import pytest
from tests.discord.playing import run
from tests.discord.standin import Standin
from tests.discord.standin.errors import ApiError
from tests.discord.standin.gateway import GUILD_MEMBERS, GUILD_MESSAGES, GUILDS
from tests.discord.standin.interactions import COMPONENT, Interaction
from tests.discord.standin.shapes import check_answer
from tests.discord.standin.validation import check_commands, check_message, check_modal
from tests.discord.standin.world import (
    ADMINISTRATOR,
    MANAGE_THREADS,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    SEND_MESSAGES,
    VIEW_CHANNEL,
    Channel,
    Role,
    snowflake,
)
from tests.patience import PATIENCE


class Api:
    """Plain requests with the bot's token, or without."""

    def __init__(self, standin, session) -> None:
        self.standin, self.session = standin, session

    async def __call__(self, method, path, body=None, *, is_signed=True, agent="DiscordBot (x, 1)"):
        headers = {"User-Agent": agent}
        if is_signed:
            headers["Authorization"] = f"Bot {self.standin.token}"
        url = f"{self.standin.api_url}{path}"
        async with self.session.request(method, url, json=body, headers=headers) as answer:
            text = await answer.text()
            return answer.status, json.loads(text) if text else None, answer.headers


def with_api(act):
    async def scenario():
        standin = Standin()
        guild = standin.new_guild()
        channel = next(iter(guild.channels.values()))
        ann, bob = standin.new_user(guild, "ann"), standin.new_user(guild, "bob")
        async with standin.running(), aiohttp.ClientSession() as session:
            await act(Api(standin, session), standin, channel, ann, bob)

    run(scenario())


async def pressed(standin, channel, user):
    """A press on a public message that has not been answered."""
    row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": "x"}]}
    message = standin.make_message(channel, standin.bot, {"content": "x", "components": [row]}, {})
    return await standin.press(user, message, "x", waits=None)


def callback(interaction):
    return f"/interactions/{interaction.id}/{interaction.token}/callback?with_response=1"


def webhook(standin, interaction):
    return f"/webhooks/{standin.bot.id}/{interaction.token}"


async def code_of(request):
    _, body, _ = await request
    return body["code"]


def test_1_to_4_deadlines_and_single_answers():
    async def act(api, standin, channel, ann, _bob):
        late = await pressed(standin, channel, ann)
        standin.interactions.offset += 3.1
        assert await code_of(api("POST", callback(late), {"type": 6}, is_signed=False)) == 10062
        one = await pressed(standin, channel, ann)
        original = f"{webhook(standin, one)}/messages/@original"
        assert await code_of(api("PATCH", original, {"content": "a"}, is_signed=False)) == 10015
        assert (await api("POST", callback(one), {"type": 6}, is_signed=False))[0] == 200
        assert await code_of(api("POST", callback(one), {"type": 6}, is_signed=False)) == 40060
        assert (await api("PATCH", original, {"content": "a"}, is_signed=False))[0] == 200
        standin.interactions.offset += 901
        assert await code_of(api("PATCH", original, {"content": "b"}, is_signed=False)) == 50027

    with_api(act)


def test_5_6_and_13_types_and_forms():
    async def act(_api, standin, channel, ann, _bob):
        typed = Interaction(2, ann, channel, {})
        await standin.interactions.begin(typed, waits=None)
        with pytest.raises(ApiError, match="type 7"):
            standin.interactions.answer(typed.id, typed.token, {"type": 7, "data": {}}, {})
        submitted = Interaction(5, ann, channel, {})
        await standin.interactions.begin(submitted, waits=None)
        with pytest.raises(ApiError, match="type 9"):
            standin.interactions.answer(submitted.id, submitted.token, {"type": 9}, {})

    with_api(act)
    field = {"type": 4, "style": 1, "custom_id": "n"}
    label = {"type": 18, "label": "x", "component": field}
    check_modal({"title": "x", "custom_id": "x", "components": [label]})
    for bad in (
        {"title": "x" * 46, "custom_id": "x", "components": [label]},
        {"title": "x", "custom_id": "x", "components": []},
        {"title": "x", "custom_id": "x", "components": [label | {"label": "x" * 46}]},
        {
            "title": "x",
            "custom_id": "x",
            "components": [label | {"component": field | {"max_length": 4001}}],
        },
    ):
        with pytest.raises(ApiError):
            check_modal(bad)


def test_7_to_9_ephemerals_are_for_one_user():
    async def act(api, standin, channel, ann, bob):
        one = await pressed(standin, channel, ann)
        before = len(bob.shown)
        await api("POST", callback(one), {"type": 5, "data": {"flags": 64}}, is_signed=False)
        follow = await api("POST", webhook(standin, one), {"content": "secret"}, is_signed=False)
        message = follow[1]
        assert message["flags"] & 64, "the first follow-up keeps the visibility of the deferral"
        route = f"/channels/{channel.id}/messages"
        assert await code_of(api("GET", f"{route}/{message['id']}")) == 10008
        assert await code_of(api("PATCH", f"{route}/{message['id']}", {"content": "x"})) == 10008
        assert "secret" not in json.dumps((await api("GET", route))[1])
        assert "secret" not in json.dumps(bob.shown[before:])
        assert "secret" in json.dumps(ann.shown)
        assert [m.content for m in channel.guild.history(ann, channel)][-1] == "secret"
        assert "secret" not in [m.content for m in channel.guild.history(bob, channel)]
        public = await pressed(standin, channel, ann)
        await api("POST", callback(public), {"type": 5}, is_signed=False)
        await api(
            "POST", webhook(standin, public), {"content": "oops", "flags": 64}, is_signed=False
        )
        assert "oops" in json.dumps(bob.shown), "a public deferral makes a public choice"

    with_api(act)


def test_10_and_11_identity():
    async def act(api, standin, channel, ann, _bob):
        assert (await api("GET", "/users/@me"))[0] == 200
        assert (await api("GET", "/users/@me", is_signed=False))[0] == 401
        assert (await api("GET", "/users/@me", agent="curl/8"))[0] == 401
        one = await pressed(standin, channel, ann)
        plain = callback(one).partition("?")[0]
        assert (await api("POST", plain, {"type": 6}, is_signed=False, agent="x"))[0] == 204

    with_api(act)


COMMAND = {"name": "duel", "description": "x", "type": 1}


@pytest.mark.parametrize(
    "commands",
    [
        [COMMAND | {"name": "Duel"}],
        [COMMAND | {"name": "x" * 33}],
        [COMMAND | {"description": ""}],
        [COMMAND | {"description": "x" * 101}],
        [COMMAND, COMMAND],
        [COMMAND | {"name": f"c{n}"} for n in range(101)],
        [{"name": f"c{n}", "type": 2} for n in range(16)],
        [{"name": "x", "type": 2, "description": "x"}],
        [COMMAND | {"options": [{"name": f"o{n}", "description": "x"} for n in range(26)]}],
        [
            COMMAND
            | {
                "options": [
                    {"name": "a", "description": "x"},
                    {"name": "b", "description": "x", "required": True},
                ]
            }
        ],
        [
            COMMAND
            | {
                "options": [
                    {
                        "name": f"o{n}",
                        "description": "x" * 100,
                        "choices": [{"name": "y" * 100, "value": "z" * 100}] * 5,
                    }
                    for n in range(8)
                ]
            }
        ],
    ],
)
def test_14_limits_of_commands(commands):
    check_commands([COMMAND, {"name": "Challenge member", "type": 2}])
    with pytest.raises(ApiError):
        check_commands(commands)


def test_15_a_put_replaces_all_commands():
    async def act(api, standin, _channel, _ann, _bob):
        path = f"/applications/{standin.bot.id}/commands"
        await api("PUT", path, [COMMAND, COMMAND | {"name": "b"}])
        await api("PUT", path, [COMMAND | {"name": "c"}])
        assert [each["name"] for each in standin.commands] == ["c"]

    with_api(act)


def row(*inner):
    return {"components": [{"type": 1, "components": list(inner)}]}


def a_button(**changed):
    return {"type": 2, "style": 1, "label": "x", "custom_id": "x"} | changed


def a_select(**changed):
    options = [{"label": "x", "value": "x"}]
    return {"type": 3, "custom_id": "x", "options": options} | changed


def many_options(count):
    return [{"label": str(n), "value": str(n)} for n in range(count)]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"content": "x" * 2001}, id="19 content"),
        pytest.param({"embeds": [{"description": "x" * 4097}]}, id="19 description"),
        pytest.param({"embeds": [{"description": "x" * 4000}] * 2}, id="19 sum of embeds"),
        pytest.param({}, id="20 empty"),
        pytest.param({"components": row(a_button())["components"] * 6}, id="16 rows"),
        pytest.param(row(*(a_button(custom_id=str(n)) for n in range(6))), id="16 buttons"),
        pytest.param(row(a_button(), a_select(custom_id="y")), id="16 select beside a button"),
        pytest.param(row(a_button(label="x" * 81)), id="16 label"),
        pytest.param(row(a_button(label="")), id="16 no label"),
        pytest.param(row(a_select(options=many_options(26))), id="16 options"),
        pytest.param(row(a_select(options=[])), id="16 no options"),
        pytest.param(row(a_select(options=many_options(2)[:1] * 2)), id="16 same values"),
        pytest.param(row(a_select(placeholder="x" * 151)), id="16 placeholder"),
        pytest.param(row(a_button(custom_id="")), id="17 no custom id"),
        pytest.param(row(a_button(custom_id="x" * 101)), id="17 long custom id"),
        pytest.param(row(a_button(), a_button()), id="17 same custom id"),
        pytest.param({"content": "x", "flags": 32768}, id="18 version 2 with content"),
        pytest.param({"flags": 32768, "components": [{"type": 10}] * 41}, id="18 41 components"),
    ],
)
def test_16_to_20_limits_of_messages(body):
    check_message({"content": "x", **row(a_button())}, {})
    with pytest.raises(ApiError):
        check_message(body, {})


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({f"files[{n}]": b"x" for n in range(11)}, 30015),
        ({"files[0]": b"x" * (10 * 2**20 + 1)}, 40005),
        ({f"files[{n}]": b"x" * (9 * 2**20) for n in range(3)}, 40005),
    ],
)
def test_21_limits_of_files(files, code):
    with pytest.raises(ApiError) as refused:
        check_message({}, files)
    assert refused.value.code == code


def test_22_and_23_kept_attachments_and_nonces():
    async def act(api, standin, channel, _ann, _bob):
        message = standin.make_message(channel, standin.bot, {"content": "x"}, {"files[0]": b"x"})
        route = f"/channels/{channel.id}/messages/{message.id}"
        kept = (await api("PATCH", route, {"content": "y"}))[1]["attachments"]
        assert len(kept) == 1
        assert (await api("PATCH", route, {"attachments": []}))[1]["attachments"] == []
        body = {"content": "z", "nonce": "n", "enforce_nonce": True}
        route = f"/channels/{channel.id}/messages"
        first, second = [(await api("POST", route, body))[1]["id"] for _ in range(2)]
        assert first == second

    with_api(act)


def test_24_to_27_threads():
    async def act(api, standin, channel, ann, bob):
        guild = channel.guild
        message = standin.make_message(channel, standin.bot, {"content": "x"}, {})
        route = f"/channels/{channel.id}/messages/{message.id}/threads"
        assert await code_of(api("POST", route, {"name": "x" * 101})) == 50035
        bad = {"name": "x", "auto_archive_duration": 61}
        assert await code_of(api("POST", route, bad)) == 50035
        thread = (await api("POST", route, {"name": "x"}))[1]
        assert thread["id"] == str(message.id)
        assert thread["type"] == PUBLIC_THREAD
        assert await code_of(api("POST", route, {"name": "x"})) == 160004
        private = Channel(guild, "p", PRIVATE_THREAD, channel, standin.bot)
        private.members.add(ann.id)
        assert guild.can_see(ann, private)
        assert not guild.can_see(bob, private)
        opened = guild.channels[message.id]
        opened.archived = True
        await api("POST", f"/channels/{opened.id}/messages", {"content": "x"})
        assert not opened.archived, "sending opens it again"
        opened.archived = True
        path = f"/channels/{opened.id}/thread-members/{ann.id}"
        assert await code_of(api("PUT", path)) == 50083
        opened.locked = True
        own = next(role for role in guild.roles.values() if role.name == "Holmgang")
        own.permissions &= ~MANAGE_THREADS
        assert await code_of(api("POST", f"/channels/{opened.id}/messages", {"content": "x"})) == (
            50013
        )

    with_api(act)


def test_28_to_31_permissions_hierarchy_and_ids():
    async def act(api, standin, channel, ann, _bob):
        guild, bot = channel.guild, standin.bot
        role = Role("r", position=3)
        guild.roles[role.id] = role
        guild.add(ann, role)
        channel.overwrites[guild.id] = (0, SEND_MESSAGES)
        assert not guild.permissions(ann, channel) & SEND_MESSAGES
        channel.overwrites[role.id] = (SEND_MESSAGES, 0)
        assert guild.permissions(ann, channel) & SEND_MESSAGES
        channel.overwrites[ann.id] = (0, VIEW_CHANNEL)
        assert guild.permissions(ann, channel) == 0
        role.permissions = ADMINISTRATOR
        assert guild.permissions(ann, channel) & VIEW_CHANNEL
        channel.overwrites = {bot.id: (0, SEND_MESSAGES)}
        send = f"/channels/{channel.id}/messages"
        assert await code_of(api("POST", send, {"content": "x"})) == 50013
        channel.overwrites = {bot.id: (0, VIEW_CHANNEL)}
        assert await code_of(api("POST", send, {"content": "x"})) == 50001
        assert await code_of(api("POST", "/channels/1/messages", {"content": "x"})) == 10003
        give = f"/guilds/{guild.id}/members/{ann.id}/roles"
        assert (await api("PUT", f"{give}/{role.id}"))[0] == 204
        role.position = 5
        assert await code_of(api("PUT", f"{give}/{role.id}")) == 50013, "the same height"
        assert await code_of(api("PUT", f"{give}/1")) == 10011
        assert await code_of(api("GET", f"/guilds/{guild.id}/members/1")) == 10007
        assert await code_of(api("GET", f"/guilds/1/members/{ann.id}")) == 10004
        ids = [snowflake() for _ in range(3)]
        assert ids == sorted(set(ids))

    with_api(act)


async def identified(standin, session, intents=GUILDS, token=None):
    """A socket that has identified itself, and the frames until then."""
    socket = await session.ws_connect(standin.gateway_url)
    await socket.receive_json()
    await socket.send_json({"op": 2, "d": {"token": token or standin.token, "intents": intents}})
    return socket


async def closing_code(socket):
    async with asyncio.timeout(PATIENCE):
        while not socket.closed:
            await socket.receive()
    return socket.close_code


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"token": "wrong"}, 4004),
        ({"intents": 1 << 40}, 4013),
        ({"intents": GUILD_MEMBERS}, 4014),
    ],
)
def test_32_and_35_identify(given, code):
    async def act(api, standin, _channel, _ann, _bob):
        assert await closing_code(await identified(standin, api.session, **given)) == code

    with_api(act)


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (["{"], 4002),
        (["x" * 4097], 4002),
        (['{"op": 3, "d": {}}'], 4003),
        (['{"op": 99}'], 4001),
        (['{"op": 1, "d": null}'] * 121, 4008),
    ],
)
def test_37_bad_frames(frames, code):
    async def act(api, standin, _channel, _ann, _bob):
        socket = await api.session.ws_connect(standin.gateway_url)
        for frame in frames:
            await socket.send_str(frame)
        assert await closing_code(socket) == code

    with_api(act)


def test_33_a_client_without_heartbeat_is_dropped():
    async def act(api, standin, _channel, _ann, _bob):
        standin.gateway.heartbeat_ms = 50
        assert await closing_code(await identified(standin, api.session)) == 4009

    with_api(act)


def test_32_34_and_36_intents_resumes_and_identifies():
    async def act(api, standin, channel, _ann, _bob):
        socket = await identified(standin, api.session)
        ready = (await socket.receive_json())["d"]
        assert (await socket.receive_json())["t"] == "GUILD_CREATE"
        await standin.gateway.dispatch("MESSAGE_CREATE", {})
        await standin.gateway.dispatch("CHANNEL_CREATE", channel.as_json())
        assert (await socket.receive_json())["t"] == "CHANNEL_CREATE", "messages need an intent"
        await standin.gateway.cut()
        await standin.gateway.dispatch("CHANNEL_UPDATE", channel.as_json())
        await standin.gateway.dispatch("CHANNEL_DELETE", channel.as_json())
        again = await api.session.ws_connect(standin.gateway_url)
        await again.receive_json()
        resume = {"token": standin.token, "session_id": ready["session_id"], "seq": 3}
        await again.send_json({"op": 6, "d": resume})
        frames = [await again.receive_json() for _ in range(3)]
        assert [(frame["t"], frame["s"]) for frame in frames] == [
            ("CHANNEL_UPDATE", 4),
            ("CHANNEL_DELETE", 5),
            ("RESUMED", 6),
        ]
        assert frames[-1]["d"] == {}
        other = await api.session.ws_connect(standin.gateway_url)
        await other.receive_json()
        await other.send_json({"op": 6, "d": resume | {"session_id": "none"}})
        assert await other.receive_json() == {"op": 9, "d": False}
        standin.gateway.identify_seconds = 5.0
        soon = await identified(standin, api.session, GUILDS | GUILD_MESSAGES)
        assert await soon.receive_json() == {"op": 9, "d": False}
        await asyncio.gather(again.close(), other.close(), soon.close())

    with_api(act)


def test_38_to_40_limits_doubles_and_losses():
    async def act(api, standin, channel, ann, _bob):
        standin.limits.posts = (1, 60.0)
        route = f"/channels/{channel.id}/messages"
        _, _, headers = await api("POST", route, {"content": "x"})
        assert headers["X-RateLimit-Remaining"] == "0"
        status, body, headers = await api("POST", route, {"content": "x"})
        assert status == 429
        assert body["retry_after"] > 0
        assert body["global"] is False
        for name in ("Limit", "Remaining", "Reset", "Reset-After", "Bucket", "Scope"):
            assert f"X-RateLimit-{name}" in headers
        assert "Retry-After" in headers
        assert "Via" in headers
        standin.limits.posts, standin.limits.global_requests = None, 0
        assert (await api("GET", "/users/@me"))[1]["global"] is True
        one = await pressed(standin, channel, ann)
        assert (await api("POST", callback(one), {"type": 6}, is_signed=False))[0] == 200
        standin.limits.global_requests = 50
        socket = await identified(standin, api.session)
        for _ in range(2):
            await socket.receive_json()
        for copies in (0, 2):
            standin.gateway.copies = copies
            begun = Interaction(COMPONENT, ann, channel, {"custom_id": str(copies)})
            await standin.interactions.begin(begun, waits=None)
        frames = [await socket.receive_json() for _ in range(2)]
        assert [frame["d"]["data"]["custom_id"] for frame in frames] == ["2", "2"]
        await socket.close()

    with_api(act)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/messages", {"content": 5}),
        ("POST", "/messages", {"contents": "x"}),
        ("POST", "/messages", {"content": "x", "nonce": "x" * 26}),
        ("POST", "/messages", {"content": "x", "allowed_mentions": {"parse": ["someone"]}}),
        (
            "POST",
            "/messages",
            {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        ),
        ("POST", "/messages", {"content": "x", "allowed_mentions": {"users": ["ann"]}}),
        ("POST", "/messages", {"content": "x", "allowed_mentions": {"users": ["1"] * 101}}),
        ("POST", "/messages?wait=1", {"content": "x"}),
        ("POST", "/messages", {"components": [{"type": 1, "components": []}]}),
        ("POST", "/threads", {"name": ""}),
        ("POST", "/threads", {"name": "x", "type": 5}),
        ("POST", "/threads", {"name": "x", "auto_archive_duration": 61}),
    ],
)
def test_41_shapes_of_requests(method, path, body):
    async def act(api, _standin, channel, _ann, _bob):
        assert await code_of(api(method, f"/channels/{channel.id}{path}", body)) == 50035

    with_api(act)


@pytest.mark.parametrize(
    "button",
    [
        {"style": 6, "label": "x", "custom_id": "x"},
        {"style": 5, "label": "x", "custom_id": "x"},
        {"style": 1, "label": "x", "url": "https://x.example"},
        {"style": 1, "custom_id": "x"},
        {"label": "x", "custom_id": "x"},
    ],
)
def test_41_styles_of_buttons(button):
    async def act(api, _standin, channel, _ann, _bob):
        row = {"type": 1, "components": [{"type": 2, **button}]}
        body = {"content": "x", "components": [row]}
        assert await code_of(api("POST", f"/channels/{channel.id}/messages", body)) == 50035

    with_api(act)


def test_41_an_answer_of_another_shape_is_a_flaw():
    answer = {"id": "1", "type": 2}
    route = "POST /interactions/{id}/{token}/callback"
    assert not check_answer(route, {"interaction": answer})
    assert "interaction" in check_answer(route, answer)
    assert "Expected `str`" in check_answer(route, {"interaction": answer | {"id": 1}})
    assert "resource" in check_answer(route, {"interaction": answer, "resource": {"type": 5}})


def test_42_to_44_limits_of_a_day():
    async def act(api, standin, channel, _ann, _bob):
        route = f"/channels/{channel.id}/messages"
        _, made, _ = await api("POST", route, {"content": "x"})
        message = channel.messages[int(made["id"])]
        standin.limits.most_old_edits = 1
        for _ in range(3):
            assert (await api("PATCH", f"{route}/{message.id}", {"content": "y"}))[0] == 200
        standin.age(message, 3700)
        status, told, _ = await api("PATCH", f"{route}/{message.id}", {"content": "z"})
        assert (status, told["code"]) == (429, 30046)
        channel.guild.most_threads = 1
        threads = f"/channels/{channel.id}/threads"
        assert (await api("POST", threads, {"name": "x", "type": 11}))[0] == 201
        assert await code_of(api("POST", threads, {"name": "y", "type": 11})) == 160006
        commands = f"/applications/{standin.bot.id}/commands"
        for day in range(3):
            many = [COMMAND | {"name": f"c{day}x{n}"} for n in range(100)]
            status, *_ = await api("PUT", commands, many)
            assert status == (200 if day < 2 else 400)
        assert (await api("PUT", commands, [COMMAND | {"name": "c1x1"}]))[0] == 200

    with_api(act)


def test_45_the_token_is_reset_after_the_identifies_of_a_day():
    async def act(api, standin, _channel, _ann, _bob):
        standin.gateway.used = 999
        token = standin.token
        socket = await identified(standin, api.session)
        assert (await socket.receive_json())["t"] == "READY"
        assert await closing_code(await identified(standin, api.session)) == 4004
        assert standin.token != token
        await socket.close()

    with_api(act)


def test_48_users_in_archived_and_locked_threads():
    async def act(_api, standin, channel, ann, _bob):
        thread = Channel(channel.guild, "duel", PUBLIC_THREAD, channel, standin.bot)
        channel.guild.channels[thread.id] = thread
        await pressed(standin, thread, ann)
        message = next(iter(thread.messages.values()))
        thread.archived = True
        with pytest.raises(AssertionError, match="archived"):
            await standin.press(ann, message, "x", waits=None)
        await standin.say(ann, thread, "Hello")
        assert not thread.archived, "typing opens it"
        thread.locked = True
        for attempt in (standin.press(ann, message, "x"), standin.say(ann, thread, "Hello")):
            with pytest.raises(AssertionError, match="locked"):
                await attempt

    with_api(act)


def test_46_and_47_what_discord_adds():
    async def act(api, standin, channel, ann, _bob):
        row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": "x"}]}
        route = f"/channels/{channel.id}/messages"
        body = {"content": f"<@{ann.id}>", "components": [row]}
        _, made, _ = await api("POST", route, body)
        assert made["components"][0]["id"] == 1
        assert made["components"][0]["components"][0]["id"] == 2
        assert [user["id"] for user in made["mentions"]] == [str(ann.id)]
        assert (await api("POST", f"{route}/{made['id']}/threads", {"name": "x"}))[0] == 201
        _, again, _ = await api("GET", f"{route}/{made['id']}")
        assert again["flags"] & 32, "it has a thread"
        thread = channel.guild.channels[int(made["id"])]
        assert [each.kind for each in thread.messages.values()] == [21]
        await api("POST", f"/channels/{channel.id}/threads", {"name": "y", "type": 11})
        assert [each.kind for each in channel.messages.values()] == [0, 18]
        described = [{"id": 0, "filename": "a.png", "description": "a board"}]
        message = standin.make_message(
            channel, standin.bot, {"attachments": described}, {"files[0]": b"x"}
        )
        assert message.as_json()["attachments"][0]["description"] == "a board"

    with_api(act)
