"""The bot and its users for the tests: the real client, the real service and store, and players who
press what they are shown.
"""

import asyncio
import logging
import random
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import discord
import yarl
from tests.discord.standin import Standin
from tests.discord.standin.interactions import Interaction
from tests.discord.standin.world import THREAD_OPENED, THREAD_STARTER, Channel, Guild, Message, User
from tests.patience import PATIENCE

from holmgang.discord.duel_thread import BURIED
from holmgang.discord.helper_process import Helpers
from holmgang.discord.run import stay_connected
from holmgang.discord.settings import DiscordSettings
from holmgang.live.service import Service
from holmgang.store import Store


@contextmanager
def pointed_at(standin: Standin):
    """Has discord.py talk to the stand-in."""
    base, gateway = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    discord.http.Route.BASE = standin.api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(standin.gateway_url)
    try:
        yield
    finally:
        discord.http.Route.BASE = base
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway


@contextmanager
def without_errors():
    """Fails if the bot logs an error: it is to expect everything that Discord does."""

    class Errors(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(logging.Formatter().format(record))

    found: list[str] = []
    handler = Errors(logging.ERROR)
    logger = logging.getLogger("holmgang")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
    assert not found, "\n".join(found)


@asynccontextmanager
async def running_bot(standin: Standin, folder: Path, **given) -> AsyncIterator["Bot"]:
    """The bot, connected to the stand-in, on a database in the folder."""
    with without_errors():
        async with connecting_bot(standin, folder, **given) as bot:
            await eventually(lambda: standin.gateway.current or bot.task.done())
            await eventually(lambda: standin.commands or bot.task.done())
            yield bot


@asynccontextmanager
async def connecting_bot(
    standin: Standin, folder: Path, *, width: int = 90, **given
) -> AsyncIterator["Bot"]:
    """The bot, which may log errors, and may not be connected yet. `width` is that of pictures."""
    settings = DiscordSettings(
        standin.token,
        f"sqlite:///{folder}/holmgang.sqlite3",
        tick_seconds=0.05,
        quick_start=True,
        **given,
    )
    with pointed_at(standin), Store.open(settings.database) as store:
        service, helpers = Service(store), Helpers(width=width)
        await service.start()
        stopping = asyncio.Event()
        task = asyncio.create_task(stay_connected(service, settings, helpers, stopping))
        try:
            yield Bot(service, store, task)
        finally:
            stopping.set()
            try:
                await task
            finally:
                await helpers.close()
                await service.close()
                standin.gateway.end_sessions()


def let_pass(monkeypatch, seconds):
    """Moves the clock by which users count as away."""
    now = time.monotonic() + seconds
    later = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("holmgang.discord.recent_users.time", later)


def limit_edits(monkeypatch, seconds):
    """Sets how long an edit of a board may take before it is sent or posted anew."""
    for name in ("EDIT_SECONDS", "JOIN_SECONDS"):
        monkeypatch.setattr(f"holmgang.discord.duel_thread.{name}", seconds)


async def eventually(is_so, seconds: float = PATIENCE) -> None:
    """Waits until something is so of which nobody tells."""
    async with asyncio.timeout(seconds):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@dataclass
class Bot:
    service: Service
    store: Store
    task: asyncio.Task


@dataclass
class Club:
    """A guild with two players and a bystander."""

    standin: Standin
    guild: Guild
    general: Channel
    ann: User
    bob: User
    eve: User
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    seen: dict[int, str] = field(default_factory=dict)
    """The rounds that boards showed when they were last looked at."""

    @classmethod
    def new(cls, standin: Standin) -> "Club":
        guild = standin.new_guild()
        general = next(iter(guild.channels.values()))
        ann, bob, eve = (standin.new_user(guild, name) for name in ("ann", "bob", "eve"))
        return cls(standin, guild, general, ann, bob, eve)

    async def join(self, *users: User) -> None:
        for user in users:
            told = await self.standin.slash(user, self.general, "join")
            assert "You have joined" in told.text, told.text

    async def challenge(self, game: str, **given) -> Message:
        """Ann challenges Bob: the message with the buttons."""
        return await self.challenge_of(self.ann, self.bob, game, **given)

    async def challenge_of(self, user: User, other: User, game: str = "bagh", **given) -> Message:
        told = await self.standin.slash(
            user, self.general, "challenge", opponent=other, game=game, **given
        )
        assert "Challenge sent" in told.text, told.text
        return public(self.general)[-1]

    async def duel(self, game: str, **given) -> Channel:
        """The thread of a duel that Ann has challenged Bob to, with its first board."""
        message = await self.challenge(game, **given)
        told = await self.standin.press(self.bob, message, "Accept")
        assert "is starting" in told.text, told.text
        thread = await self.standin.until(lambda: self.guild.channels.get(message.id))
        await self.board(thread)
        return thread

    async def board(self, thread: Channel) -> Message:
        """The newest board of a thread, once it is there."""
        found = await self.standin.until(lambda: boards(thread)[-1:] and boards(thread)[-1])
        self.seen[found.id] = round_of(found)
        return found

    async def next_board(self, thread: Channel, board: Message) -> Message:
        """The board in the next round, which may be the same message, or the result."""

        def newer():
            found = [m for m in public(thread) if m.id >= board.id and m.components]
            if found and (found[-1].id, round_of(found[-1])) != (board.id, self.seen[board.id]):
                return found[-1]
            return None

        found = await self.standin.until(newer)
        self.seen[found.id] = round_of(found)
        return found

    async def bury(self, thread: Channel) -> None:
        """Others talk below the board."""
        for _ in range(BURIED):
            await self.standin.say(self.eve, thread, "Who wins?")

    async def open_menu(self, user: User, board: Message) -> Interaction:
        self.seen.setdefault(board.id, round_of(board))
        return await self.standin.press(user, board, "Choose")

    async def choose(self, user: User, asked: Interaction) -> Interaction:
        """Answers a question at random, part by part. A half may be changed several times before
        the other one is set.
        """
        for _ in range(100):
            if "you have chosen" in asked.text or not asked.message.components:
                return asked
            before = asked.text
            asked = await self.pick(user, asked.message)
            if place(before) != place(asked.text):
                return asked  # the round is over
        raise AssertionError(f"no choice was made: {asked.text}")

    async def pick(self, user: User, message: Message) -> Interaction:
        components = [c for c in message.components if not c["custom_id"].startswith("withdraw")]
        open_selects = [c for c in components if c["type"] == 3 and not picked(c)]
        if open_selects:
            found = open_selects[0]
            value = self.rng.choice(found["options"])["value"]
            return await self.standin.press(user, message, "", value, component=found)
        found = self.rng.choice([c for c in components if c["type"] == 2])
        told = await self.standin.press(user, message, "", component=found)
        if told.modal is not None:
            told = await self.standin.submit(told, number=str(self.rng.randrange(8)))
        return told


def picked(select) -> bool:
    return any(option.get("default") for option in select["options"])


def place(text: str) -> str:
    """`game 1, round 2` of a question."""
    return text.partition(":")[0]


def round_of(board: Message) -> str:
    """`game 1, round 2` of a board; empty for a result."""
    found = re.search(r"(game \d+, )?round \d+", board.content.partition("\n")[0])
    return found[0] if found else ""


def public(thread: Channel) -> list[Message]:
    """The messages that everyone sees, without Discord's own lines."""
    seen = [message for message in thread.messages.values() if message.only_for is None]
    return [message for message in seen if message.kind not in (THREAD_OPENED, THREAD_STARTER)]


def boards(thread: Channel) -> list[Message]:
    """The messages with the buttons of a round."""
    return [
        message
        for message in public(thread)
        if any(each["custom_id"].startswith("menu:") for each in message.components)
    ]


def run(scenario) -> None:
    """Runs a test that is a coroutine, with a time limit."""

    async def limited() -> None:
        async with asyncio.timeout(5 * PATIENCE):
            await scenario

    asyncio.run(limited())
