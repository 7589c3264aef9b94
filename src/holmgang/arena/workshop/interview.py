"""Questions to a bot outside of a game: how it says hello, and what it answers in one position."""

from contextlib import ExitStack
from time import perf_counter
from typing import Self

from holmgang.arena import protocol
from holmgang.arena.contestant import Bot
from holmgang.arena.judge.process import Core, Failed, Nursery
from holmgang.arena.judge.rulebook import Rulebook
from holmgang.arena.judge.sandbox import Sandbox
from holmgang.arena.judge.seat import Guest
from holmgang.arena.task import GameTask, Settings
from holmgang.arena.workshop.unusual import Question
from holmgang.games.outcome import Outcome

NEWS = {"type": "news of a later version", "of": [{"no": "concern"}, None, '"}']}
NOVELTY = b',"novelty":{"nested":["}",{"type":"hello"}]}'


class Interview:
    """One bot and those who ask it. It is started when it is needed, and again after a failure."""

    def __init__(self, bot: Bot, book: Rulebook, settings: Settings) -> None:
        self._bot, self._book, self._settings = bot, book, settings
        self._task = GameTask("interview", book.ruleset.text, "", "", 0, settings)
        self._guest: Guest | None = None
        self.stderr = b""
        """The last that the bot has written there before it failed."""

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.callback(Core().close)
            self._sandbox = Sandbox()
            self._nursery = Nursery()
            stack.callback(self._nursery.close)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def greet(self) -> tuple[protocol.Hello | None, float]:
        """Who the bot says it is, if it speaks JSON, and the milliseconds it took to start and say
        so. Raises `Failed`.
        """
        started = perf_counter()
        guest = self._ready()
        return guest.hello, (perf_counter() - started) * 1000

    def ask(self, question: Question, *, with_news: bool = False) -> None:
        """Asks for a choice in a game that begins in that position. Raises `Failed` if none comes
        that is legal and in time; to give up is legal. `with_news` adds what the protocol does not
        know yet.
        """
        guest = self._ready()
        position = self._book.position(question.state)
        try:
            seat = guest.sit(question.seat, self._book, self._task)
            last = question.last
            if with_news:
                guest.process.tell(protocol.line_of(NEWS))
                last += NOVELTY  # the next field of the request
            seat.choose(position, question.round, last)
            seat.leave(Outcome(None, "limit"), position)
        except Failed as failed:
            self._dismiss()
            if failed.status != "forfeit":
                raise
        if not guest.plays_on:
            self._dismiss()

    def _ready(self) -> Guest:
        if self._guest is None:
            process = self._sandbox.start(self._nursery, self._bot, self._settings)
            self._guest = Guest(self._bot, process)
            try:
                self._guest.greet(self._settings.start_ms)
            except Failed:
                self._dismiss()
                raise
        return self._guest

    def _dismiss(self) -> None:
        if self._guest is not None:
            self._guest.process.end()
            self.stderr = self._guest.process.take_stderr()
            self._guest = None
