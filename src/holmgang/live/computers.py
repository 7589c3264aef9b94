"""Levels and hosted bots: they choose in threads, and see only what a person would see.

A level or a bot gets the course of a game, which contains no choice of the open round.

A level that need not search answers at once, in threads in which nothing searches. The others wait
for their turn in the queue of their client, so that nobody waits for somebody else's many matches.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.engine.compiled.native import silent
from holmgang.engine.course import Course
from holmgang.engine.duel import Duel
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.live.terms import SeatedPlayer
from holmgang.live.turns import TurnThreads
from holmgang.machine import available_cores
from holmgang.players.levels import Level, find_level
from holmgang.players.naming import Bot
from holmgang.players.player import Failed, Player
from holmgang.solver.search.dispatch import (
    Interpret,
    SearchNeededError,
    instantly,
    interpreted_by,
)
from holmgang.solver.search.preparing import is_preparing

if TYPE_CHECKING:
    from holmgang.arena.judge.bots import FailedBot, RunningBot
    from holmgang.arena.judge.host import BotHost

INSTANT_THREADS = 2
MOST_BOTS = 32
"""Maximum number of bots that answer at the same time."""
MOST_RUNNING = 64
"""Maximum number of bots whose processes are kept until their next turn: each takes memory, and
anyone may open matches."""
BOT_LIMITS = JudgeSettings(first_ms=5_000, turn_ms=2_000, hard_ms=20_000, memory_mb=512)
"""Limits of bots: people can wait a little, but not for ever."""
LARGE_DICE = 1_000
"""With more faces a search waits to be compiled: uncompiled it would take a minute."""
LOOK_EVERY = 0.1

Result = TypeVar("Result")


class Computers:
    """The computer players of this process."""

    def __init__(
        self,
        bots: Mapping[str, Bot],
        *,
        trust: bool = False,
        secrets: tuple[str, ...] = (),
        threads: int | None = None,
        interpret: Interpret,
    ) -> None:
        """`trust` runs bots without the sandbox. `secrets` are folders hidden from bots in the
        sandbox, such as that of the database. `interpret` does searches that are not compiled, in
        another process.
        """
        self.bots = bots
        self._limits, self._secrets = replace(BOT_LIMITS, trust=trust), secrets
        self._levels: dict[tuple[str, str], Level] = {}
        self._running: OrderedDict[tuple[str, str], HostedBot] = OrderedDict()
        """Bots with a process, the most recently asked last."""
        self._answering: set[tuple[str, str]] = set()
        self._bots_lock = Lock()
        self._ending: set[HostedBot] = set()
        self._players: dict[tuple[str, str], tuple[int, Player]] = {}
        self._interpret = interpret
        self._instant = ThreadPoolExecutor(INSTANT_THREADS, "level")
        self._searching = TurnThreads(threads or max(2, available_cores()), "search")
        self._bots = TurnThreads(MOST_BOTS, "bot")
        self.choices = 0
        """Number of choices made by levels and bots so far."""
        self.seconds = 0.0
        """Total time they took to choose, including the wait for a thread."""

    async def choose(
        self, match: str, seat: str, who: SeatedPlayer, game: int, duel: Duel, client: str | None
    ) -> str:
        """The word that a level or a bot chooses in the open round. Raises `Failed`. `client` is
        whom it plays against, for the order in which they think.
        """
        course, ruleset = duel.course, duel.ruleset
        loop = asyncio.get_running_loop()

        def think() -> str:
            with self._kept(match, seat):
                player = self._player(match, seat, who, game, duel)
                return ruleset.word(player.choose(course))

        asked = loop.time()
        try:
            if who.kind != "level":
                return await asyncio.wrap_future(self._bots.submit(client, think))
            if not has_large_dice(duel):
                return await self._answer(think, client)
            while is_preparing(ruleset):  # noqa: ASYNC110 - by another process
                await asyncio.sleep(LOOK_EVERY)
            return await self._search(think, client)
        finally:
            self.choices += 1
            self.seconds += loop.time() - asked

    async def accepts_draw(
        self, match: str, seat: str, who: SeatedPlayer, game: int, duel: Duel, client: str | None
    ) -> bool:
        """Whether a level accepts a draw; bots cannot express it, and decline."""
        if who.kind != "level":
            return False
        course = duel.course

        def think() -> bool:
            return self._player(match, seat, who, game, duel).accepts_draw(course)

        return await self._answer(think, client)

    async def _answer(self, think: Callable[[], Result], client: str | None) -> Result:
        """A level's answer: at once if it need not search. A level can be asked again, since it
        draws from a key.
        """

        def think_instantly() -> Result:
            with instantly():
                return think()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._instant, think_instantly)
        except SearchNeededError:
            return await self._search(think, client)

    async def _search(self, think: Callable[[], Result], client: str | None) -> Result:
        """A level's answer by a search, when it is the client's turn."""

        def think_long() -> Result:
            with interpreted_by(self._interpret):
                return think()

        return await asyncio.wrap_future(self._searching.submit(client, think_long))

    def get_ready(self, match: str, seat: str, who: SeatedPlayer, ruleset: Ruleset) -> None:
        """Starts the background preparation that a level needs to play at full strength."""
        if who.kind == "level":
            self._level(match, seat, who).ready(ruleset, silent, wait=False)

    def note(self, match: str, seat: str, who: SeatedPlayer, ruleset: Ruleset) -> str:
        """What a level is still preparing, as text; empty if nothing."""
        return self._level(match, seat, who).ready.note(ruleset) if who.kind == "level" else ""

    def forget(self, match: str) -> None:
        """Ends the bots of a match, and forgets its levels."""
        for seat in SEATS:
            self._levels.pop((match, seat), None)
            self._players.pop((match, seat), None)
            with self._bots_lock:
                self._end_soon(self._running.pop((match, seat), None))

    def _end_soon(self, bot: "HostedBot | None") -> None:
        if bot is not None:
            self._ending.add(bot)
            self._bots.submit(None, self._end, bot)

    def _end(self, bot: "HostedBot") -> None:
        bot.close()
        self._ending.discard(bot)

    def close(self) -> None:
        """Ends all players; blocks until that is done."""
        self._instant.shutdown(wait=False, cancel_futures=True)
        self._searching.close()
        for bot in [*self._running.values(), *self._ending]:
            bot.close()
        self._bots.close(wait=True)

    def _level(self, match: str, seat: str, who: SeatedPlayer) -> Level:
        level = self._levels.get((match, seat))
        if level is None:
            level = self._levels[match, seat] = find_level(who.name, build=False)
        return level

    def _player(self, match: str, seat: str, who: SeatedPlayer, game: int, duel: Duel) -> Player:
        """The player of one game; a match has a new one for each of its games."""
        known = self._players.get((match, seat))
        if known is not None and known[0] == game:
            return known[1]
        number = SEATS.index(seat)
        if who.kind == "level":
            player = self._level(match, seat, who).sit(number, duel.key(seat))
        else:
            player = self._bot(match, seat, who).sit(number, duel)
        self._players[match, seat] = game, player
        return player

    def _bot(self, match: str, seat: str, who: SeatedPlayer) -> "HostedBot":
        known = self._running.get((match, seat))
        if known is None:
            bot = self.bots.get(who.name)
            if bot is None:
                raise Failed("crash", f"the bot {who.name} is no longer hosted here")
            known = HostedBot(bot, self._limits, self._secrets)
            with self._bots_lock:
                self._running[match, seat] = known
        return known

    @contextmanager
    def _kept(self, match: str, seat: str) -> Iterator[None]:
        """Protects a bot from being ended while it answers."""
        key = match, seat
        with self._bots_lock:
            self._answering.add(key)
            if key in self._running:
                self._running.move_to_end(key)
        try:
            yield
        finally:
            with self._bots_lock:
                self._answering.discard(key)
                self._make_room()

    def _make_room(self) -> None:
        """Ends the least recently asked bots if there are too many. They are started again when it
        is their turn.
        """
        resting = [key for key in self._running if key not in self._answering]
        for key in resting[: max(0, len(self._running) - MOST_RUNNING)]:
            self._players.pop(key, None)
            self._end_soon(self._running.pop(key))


class HostedBot:
    """A bot with its process, which is started again for the next game if it has ended."""

    def __init__(self, bot: Bot, limits: JudgeSettings, secrets: tuple[str, ...]) -> None:
        self._bot, self._limits, self._secrets = bot, limits, secrets
        self._host: BotHost | None = None
        self._running: RunningBot | FailedBot | None = None
        self._is_closed = False
        self._lock = Lock()  # held while the bot is asked

    def sit(self, seat: int, duel: Duel) -> Player:
        from holmgang.arena.judge.host import BotHost

        with self._lock:
            if self._is_closed:
                raise Failed("crash", "the match has ended")
            if self._host is None:
                self._host = BotHost()
            if self._running is None or not self._running.plays_on:
                self._running = self._host.start(self._bot, self._limits, self._secrets)
            task = GameTask("live", duel.ruleset.text, "", "", duel.seed, self._limits)
            return SeatedBot(self._running.sit(seat, task), self)

    def ask(self, player: Player, course: Course) -> int:
        """The bot's choice. The bot is paused afterwards, since people take their time."""
        with self._lock:
            if self._host is None:
                raise Failed("crash", "the match has ended")
            try:
                return player.choose(course)
            finally:
                self._host.rest()

    def close(self) -> None:
        """Ends the process, even while a thread waits for its answer."""
        self._is_closed = True
        host = self._host
        if host is not None:
            host.kill()
        with self._lock:
            if self._host is not None:
                self._host.close()
                self._host = None


class SeatedBot:
    """A hosted bot in one game."""

    def __init__(self, player: Player, bot: HostedBot) -> None:
        self.name = player.name
        self._player, self._bot = player, bot

    def choose(self, course: Course) -> int:
        return self._bot.ask(self._player, course)

    def accepts_draw(self, course: Course) -> bool:
        return False


def has_large_dice(duel: Duel) -> bool:
    """Whether the die of the open round has very many faces, as house rules can give it."""
    ruleset, state = duel.ruleset, duel.state
    menus = (ruleset.choices(state, seat) or [NO_CHOICE] for seat in (RED, BLUE))
    red, blue = (choices[-1] for choices in menus)
    return ruleset.chance(state, red, blue) >= LARGE_DICE
