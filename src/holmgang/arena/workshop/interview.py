"""Questions to a bot outside of a game: how it says hello, and what it answers in one position."""

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
    """One bot and those who ask it. It is started when it is needed, and again after a failure."""

    def __init__(self, bot: Bot, positions: Positions, settings: JudgeSettings) -> None:
        self._bot, self._positions, self._settings = bot, positions, settings
        self._task = GameTask("interview", positions.ruleset.text, "", "", 0, settings)
        self._running: RunningBot | None = None
        self.stderr = b""
        """What the bot wrote there before it last failed."""

    def __enter__(self) -> Self:
        self._host = BotHost(pinned=True)
        return self

    def __exit__(self, *exception: object) -> None:
        self._host.close()

    def greet(self) -> tuple[protocol.Hello | None, float]:
        """Who the bot says it is, if it speaks JSON, and the milliseconds it took to start and say
        so. Raises `Failed`.
        """
        started = perf_counter()
        running = self._ready()
        return running.hello, (perf_counter() - started) * 1000

    def ask(self, question: Probe, *, with_news: bool = False) -> None:
        """Asks for a choice in a game that begins in that position. Raises `Failed` if none comes
        that is legal and in time; to give up is legal. `with_news` adds what the protocol does not
        know yet.
        """
        running = self._ready()
        course = Course(self._positions, dice=0, start=question.state)
        try:
            player = running.sit(question.seat, self._task)
            last = question.last
            if with_news:
                running.process.tell(protocol.line_of(NEWS))
                last += NOVELTY  # the next field of the request
            player.answer(course.position, question.round, last)
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
