"""The gateway: one websocket per session, with heartbeats, sequence numbers, resumes and the close
codes of the documentation.
"""

import json
import time
from contextlib import suppress

from aiohttp import WSMsgType, web
from tests.discord.standin.world import snowflake

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
GUILDS, GUILD_MEMBERS, GUILD_PRESENCES, GUILD_MESSAGES, MESSAGE_CONTENT = (
    1,
    1 << 1,
    1 << 8,
    1 << 9,
    1 << 15,
)
PRIVILEGED = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT
KNOWN_INTENTS = (1 << 26) - 1
INTENT_OF = {
    "MESSAGE": GUILD_MESSAGES,
    "GUILD_MEMBER": GUILD_MEMBERS,
    "INTERACTION": 0,
}
"""By how the name of an event begins; all others belong to GUILDS."""
LARGEST = 4096
MOST_IDENTIFIES = 1000
"""In a day. After that, Discord resets the token."""
MOST_SENT, SENT_SECONDS = 120, 60.0


class Session:
    """What survives a lost connection."""

    def __init__(self, intents: int, shard: tuple[int, int] = (0, 1)) -> None:
        self.id = f"session-{snowflake()}"
        self.intents, self.shard = intents, shard
        self.seq = 0
        self.events: list[str] = []
        self.socket: web.WebSocketResponse | None = None

    def wants(self, event: str, guild: int | None = None) -> bool:
        number, count = self.shard
        if guild is not None and (guild >> 22) % count != number:
            return False
        for start, intent in INTENT_OF.items():
            if event.startswith(start):
                return not intent or bool(self.intents & intent)
        return bool(self.intents & GUILDS) or event in ("READY", "RESUMED")


class Gateway:
    def __init__(self, standin) -> None:
        self.standin = standin
        self.sessions: dict[str, Session] = {}
        self.heartbeat_ms = 41_250
        self.identify_seconds = 0.0
        """Between two Identifies; Discord takes one in 5 seconds. Tests that restart the bot would
        take long with that."""
        self.identifies: list[float] = []
        self.used = 0
        """Identifies of this day that other processes have used, of 1,000."""
        self.shards = 1
        self.resumes = 0
        self.closed_with: list[int] = []
        self.disallowed = PRIVILEGED
        self.copies = 1
        """How often each interaction is sent: 2 for duplicates, 0 for lost events."""

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=0, heartbeat=None)
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": self.heartbeat_ms}})
        session: Session | None = None
        sent: list[float] = []
        patience = self.heartbeat_ms / 1000 * 1.5
        beat_at = time.monotonic()
        while not socket.closed:
            left = beat_at + patience - time.monotonic()
            try:
                message = await socket.receive(timeout=max(left, 0.01))
            except TimeoutError:  # the client does not beat
                await self.close(socket, 4009)
                break
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                break
            now = time.monotonic()
            sent = [each for each in sent if each > now - SENT_SECONDS] + [now]
            if len(sent) > MOST_SENT:
                await self.close(socket, 4008)
                break
            if len(message.data) > LARGEST:
                await self.close(socket, 4002)
                break
            try:
                frame = json.loads(message.data)
                op, data = frame["op"], frame.get("d")
            except (ValueError, KeyError, TypeError):
                await self.close(socket, 4002)
                break
            if op == HEARTBEAT:
                beat_at = now
                await socket.send_json({"op": ACK})
            elif op == IDENTIFY:
                if session is not None:
                    await self.close(socket, 4005)
                    break
                session = await self.identify(socket, data)
            elif op == RESUME:
                session = await self.resume(socket, data)
            elif op not in (3, 4, 8):
                await self.close(socket, 4001)
                break
            elif session is None:
                await self.close(socket, 4003)
                break
        if session is not None and session.socket is socket:
            session.socket = None
        return socket

    async def close(self, socket, code: int) -> None:
        self.closed_with.append(code)
        await socket.close(code=code)

    async def identify(self, socket, data) -> Session | None:
        now = time.monotonic()
        if data.get("token") != self.standin.token:
            await self.close(socket, 4004)
            return None
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~KNOWN_INTENTS:
            await self.close(socket, 4013)
            return None
        if intents & self.disallowed:
            await self.close(socket, 4014)
            return None
        if self.identifies and now - self.identifies[-1] < self.identify_seconds:
            await socket.send_json({"op": INVALID, "d": False})
            return None
        shard, count = data.get("shard", [0, 1])
        if not 0 <= shard < count:
            await self.close(socket, 4010)
            return None
        if count < self.shards:
            await self.close(socket, 4011)
            return None
        if self.used + len(self.identifies) >= MOST_IDENTIFIES:
            self.standin.token += ".reset"
            await self.close(socket, 4004)
            return None
        self.identifies.append(now)
        guilds = [each for each in self.standin.guilds if (each.id >> 22) % count == shard]
        session = Session(intents, (shard, count))
        session.socket = socket
        self.sessions[session.id] = session
        bot = self.standin.bot
        await self.send(
            session,
            "READY",
            {
                "v": 10,
                "user": bot.as_json() | {"verified": True, "mfa_enabled": False, "email": None},
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "resume_gateway_url": self.standin.gateway_url,
                "application": {"id": str(bot.id), "flags": 0},
                "shard": [shard, count],
            },
        )
        for guild in guilds:
            await self.send(session, "GUILD_CREATE", guild.as_json(bot))
        return session

    async def resume(self, socket, data) -> Session | None:
        session = self.sessions.get(data.get("session_id"))
        if data.get("token") != self.standin.token or session is None:
            await socket.send_json({"op": INVALID, "d": False})
            return None
        if data["seq"] > session.seq:
            await self.close(socket, 4007)
            return None
        self.resumes += 1
        session.socket = socket
        for text in session.events[data["seq"] :]:
            await socket.send_str(text)
        await self.send(session, "RESUMED", {})
        return session

    async def send(self, session: Session, event: str, data) -> None:
        """Numbers an event and sends it; without a connection it waits for a resume."""
        session.seq += 1
        frame = {"op": DISPATCH, "t": event, "s": session.seq, "d": data}
        text = json.dumps(frame)
        session.events.append(text)
        if session.socket is not None and not session.socket.closed:
            with suppress(ConnectionError):
                await session.socket.send_str(text)

    async def dispatch(self, event: str, data) -> None:
        """Sends an event to every session that has asked for its kind."""
        copies = self.copies if event == "INTERACTION_CREATE" else 1
        for session in list(self.sessions.values()):
            for _ in range(copies):
                if session.wants(event, int(data["guild_id"]) if "guild_id" in data else None):
                    await self.send(session, event, data)

    @property
    def current(self) -> Session | None:
        """The newest session that is connected."""
        live = [each for each in self.sessions.values() if each.socket is not None]
        return live[-1] if live else None

    async def cut(self) -> None:
        """Cuts the connection as a network does: without a close frame."""
        session = self.current
        if session is not None and session.socket is not None:
            socket, session.socket = session.socket, None
            transport = socket._req.transport
            if transport is not None:
                transport.abort()

    async def tell(self, op: int, data=None) -> None:
        """Sends Reconnect or Invalid Session."""
        session = self.current
        if session is not None and session.socket is not None:
            await session.socket.send_json({"op": op, "d": data})
            if op == INVALID and data is False:
                self.sessions.pop(session.id)

    def end_sessions(self) -> None:
        """Forgets the sessions of clients that are gone."""
        self.sessions = {key: each for key, each in self.sessions.items() if each.socket}
