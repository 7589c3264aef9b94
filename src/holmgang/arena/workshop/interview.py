"""Requests to a bot outside a game: its hello, and its choices in single positions."""

from time import perf_counter
from typing import Self

from holmgang.arena import protocol
from holmgang.arena.judge.bots import FailedBot, RunningBot
from holmgang.arena.judge.host import BotHost
from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.arena.workshop.unusual import Probe
from holmgang.engine.course import Course, Positions
from holmgang.games.outcome import Outcome
from holmgang.players.naming import Bot
from holmgang.players.player import Failed

NEWS = {"type": "news of a later version", "of": [{"no": "concern"}, None, '"}']}
NOVELTY = b',"novelty":{"nested":["}",{"type":"hello"}]}'


class Interview:
    """A bot that is asked outside a game. It starts when needed, and again after a failure."""

    def __init__(self, bot: Bot, positions: Positions, settings: JudgeSettings) -> None:
        self._bot, self._positions, self._settings = bot, positions, settings
        self._task = GameTask("interview", positions.ruleset.text, "", "", 0, settings)
        self._running: RunningBot | None = None
        self.stderr = b""
        """The standard error of the bot before its last failure."""

    def __enter__(self) -> Self:
        self._host = BotHost(pinned=True)
        return self

    def __exit__(self, *exception: object) -> None:
        self._host.close()

    def greet(self) -> tuple[protocol.Hello | None, float]:
        """The bot's hello, if it speaks JSON, and the milliseconds until then. Raises `Failed`."""
        started = perf_counter()
        running = self._ready()
        return running.hello, (perf_counter() - started) * 1000

    def ask(self, probe: Probe, *, with_news: bool = False) -> None:
        """Asks for a choice in a game that starts in that position. Raises `Failed` without a legal
        answer in time; giving up is legal. `with_news` adds a message and a field that are unknown
        to this version of the protocol.
        """
        running = self._ready()
        course = Course(self._positions, dice=0, start=probe.state)
        try:
            player = running.sit(probe.seat, self._task)
            last = probe.last
            if with_news:
                running.process.tell(protocol.line_of(NEWS))
                last += NOVELTY  # the field that follows `last` in the request
            player.answer(course.position, probe.round, last)
            course.end(Outcome(None, "limit"))
            player.leave(course)
        except Failed as failed:
            self._dismiss()
            if failed.status != "forfeit":
                raise
        if not running.plays_on:
            self._dismiss()

    def _ready(self) -> RunningBot:
        if self._running is None:
            started = self._host.start(self._bot, self._settings)
            if isinstance(started, FailedBot):
                self.stderr = started.stderr
                raise started.failed
            self._running = started
        return self._running

    def _dismiss(self) -> None:
        if self._running is not None:
            self.stderr = self._running.end()
            self._running = None
