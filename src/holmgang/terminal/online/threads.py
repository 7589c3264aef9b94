"""Follows a match in the background: waits for news, sends commands, asks for forecasts.

Each of the three has its own thread and connection. They put their results into an inbox, from
which the session takes them. Nothing here gives up: a command is repeated with the same id until
the server has answered it, and after every failure the whole view is requested.
"""

import queue
import random
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from holmgang.errors import HolmgangError, ServerError, ServerRefusal, Unreachable
from holmgang.games.ruleset import Ruleset
from holmgang.terminal.online.connection import Connection
from holmgang.terminal.online.view import (
    FinishedGame,
    MatchView,
    read_frame,
    read_game,
    read_view,
)

WAIT_SECONDS = 10.0
"""Seconds the server may hold a request open while there is nothing new (long polling)."""
BUSY_SECONDS = 2.0
"""The same while a level is getting ready, since progress of that is not an event."""
SHORTEST_ROUND = 0.3
"""Seconds between two requests that found nothing new."""
FIRST_DELAY, LONGEST_DELAY, LONGEST_COMMAND_DELAY = 0.2, 5.0, 1.0
JITTER = random.SystemRandom()
MOST_MISSED = 100
"""Maximum number of games that can end between two views; a match has no more."""
GLANCE_SECONDS = 0.2
"""Seconds the cursor has to rest on a choice before its forecast is requested."""
LEAVE_SECONDS = 2.0

Command = dict[str, Any]
Handler = Callable[[Any], None]


@dataclass(frozen=True)
class EndedGame:
    """A game that ended since the last view, with the rounds that were not seen yet."""

    game: FinishedGame
    seen: int
    """Rounds that were seen before."""
    state: Any
    """The last one."""


@dataclass(frozen=True)
class Seen:
    """A new view."""

    view: MatchView
    ended: list[EndedGame]
    seen: int
    """Rounds of the open game that were seen before."""


@dataclass(frozen=True)
class Answered:
    """A command was refused; or it was carried out, and a view that includes it was put before."""

    command: Command
    refusal: ServerRefusal | None


@dataclass(frozen=True)
class Found:
    """The answer to a question."""

    then: Handler
    answer: Any


@dataclass(frozen=True)
class Lost:
    """The server cannot be reached at the moment; attempts continue."""

    error: ServerError


@dataclass(frozen=True)
class Back:
    """The server can be reached again."""


@dataclass(frozen=True)
class Gone:
    """The server no longer has the match."""

    error: ServerError


Item = Seen | Answered | Found | Lost | Back | Gone


@dataclass(frozen=True)
class Question:
    """A question to the server; `then` is called with the answer or the error."""

    ask: Callable[[Connection], Any]
    then: Handler
    is_glance: bool = False
    """Whether it can be skipped if a newer question is waiting."""
    number: int = field(default=0)


class MatchThreads:
    """The threads of one match."""

    def __init__(
        self, connect: Callable[[], Connection], view: MatchView, put: Callable[[Item], None]
    ) -> None:
        """Starts from a view. `put` is called with each result, from any of the threads."""
        self._match = view.match
        self._ruleset: Ruleset = view.ruleset
        self._put = put
        self._seen, self._seen_at = view, time.monotonic()
        self._seeing = threading.Lock()
        self._stop = threading.Event()
        self._connections = [connect() for _ in range(3)]
        self._commands: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._asked = 0
        work = (self._poll, self._send_all, self._ask_all)
        self._threads = [
            threading.Thread(target=self._run, args=(do, connection), daemon=True)
            for do, connection in zip(work, self._connections, strict=True)
        ]

    @property
    def are_running(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Ends the threads. An unanswered command may or may not have been carried out."""
        self._stop.set()
        self._commands.put(None)
        self._questions.put(None)
        for connection in self._connections:
            connection.abort()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(LEAVE_SECONDS)

    def send(self, type: str, **fields: Any) -> Command:  # noqa: A002 - the protocol's word
        """Sends a command, and repeats it until it is answered."""
        command = {"id": secrets.token_hex(8), "type": type, **fields}
        self._commands.put(command)
        return command

    def ask(
        self, ask: Callable[[Connection], Any], then: Handler, *, is_glance: bool = False
    ) -> None:
        """Sends a question to the server, once."""
        self._asked += 1
        self._questions.put(Question(ask, then, is_glance, self._asked))

    # The threads

    def _run(self, do: Callable[[Connection], None], connection: Connection) -> None:
        try:
            do(connection)
        finally:
            connection.close()

    def _poll(self, connection: Connection) -> None:
        delays = Delays()
        while not self._stop.is_set():
            asked_at, before = time.monotonic(), self._seen
            try:
                self._look(connection, BUSY_SECONDS if before.notes else WAIT_SECONDS)
            except ServerRefusal as refusal:
                if refusal.code in ("not found", "not yours"):
                    self._put(Gone(refusal))
                    return
                self._lose(refusal, delays)
                continue
            except ServerError as error:
                self._lose(error, delays)
                continue
            if delays.is_failing:
                delays.reset()
                self._put(Back())
            if self._seen is before and time.monotonic() - asked_at < SHORTEST_ROUND:
                self._stop.wait(SHORTEST_ROUND)

    def _lose(self, error: ServerError, delays: "Delays") -> None:
        if self._stop.is_set():
            return
        if not delays.is_failing:
            self._put(Lost(error))
        self._stop.wait(delays.next(error))

    def _look(self, connection: Connection, wait: float) -> None:
        """Requests the view, for which the server may wait, and puts it if it is newer."""
        asked_at = time.monotonic()
        since = f"?since={self._seen.version}&wait={wait:g}" if wait else ""
        path = f"/api/matches/{self._match}{since}"
        view = read_view(connection.get(path, self._match, wait=wait))
        with self._seeing:
            before = self._seen
            if (view.match, view.ruleset) != (self._match, self._ruleset):
                raise ServerError("the server has sent another match")
            if view.you != before.you:
                raise ServerRefusal("not yours", "the seat is no longer yours")
            # A server that was restored from a backup goes back; an answer may also be old.
            is_old = view.version < before.version and asked_at < self._seen_at
            if is_old or (view.version, view.notes) == (before.version, before.notes):
                return
            if view.game - before.game > MOST_MISSED:
                raise ServerError("the server has sent a match with too many games")
            ended = [
                self._read_ended(connection, number, before)
                for number in range(max(1, before.game), view.game)
            ]
            seen = len(before.rounds) if view.game == before.game else 0
            self._seen, self._seen_at = view, time.monotonic()
            self._put(Seen(view, ended, seen))

    def _read_ended(self, connection: Connection, number: int, before: MatchView) -> EndedGame:
        path = f"/api/matches/{self._match}/games/{number}"
        game = read_game(connection.get(path, self._match))
        frame = connection.get(f"{path}/frames/{len(game.rounds)}", self._match)
        known = len(before.rounds) if number == before.game else 0
        return EndedGame(game, known, read_frame(frame, self._ruleset))

    def _send_all(self, connection: Connection) -> None:
        delays = Delays(LONGEST_COMMAND_DELAY)
        path = f"/api/matches/{self._match}/commands"
        while (command := self._commands.get()) is not None:
            refusal = None
            while not self._stop.is_set():
                try:
                    connection.post(path, command, self._match, again=True)
                    self._look(connection, 0.0)
                except ServerRefusal as error:
                    refusal = error
                except ServerError as error:
                    self._stop.wait(delays.next(error))
                    continue
                delays.reset()
                self._put(Answered(command, refusal))
                break

    def _ask_all(self, connection: Connection) -> None:
        while (question := self._questions.get()) is not None:
            if question.is_glance:
                self._stop.wait(GLANCE_SECONDS)
                if question.number != self._asked:
                    continue
            if self._stop.is_set():
                return
            try:
                answer = question.ask(connection)
            except HolmgangError as error:
                answer = error
            self._put(Found(question.then, answer))


class Delays:
    """The waiting times before new attempts: increasing and slightly random, so that not all
    clients reconnect at once.
    """

    def __init__(self, longest: float = LONGEST_DELAY) -> None:
        self._delay = 0.0
        self._longest = longest

    @property
    def is_failing(self) -> bool:
        return self._delay > 0.0

    def next(self, error: ServerError) -> float:
        self._delay = min(self._longest, 2 * self._delay) or FIRST_DELAY
        asked_for = error.retry_after if isinstance(error, Unreachable) else 0.0
        return max(asked_for, self._delay * JITTER.uniform(0.7, 1.3))

    def reset(self) -> None:
        self._delay = 0.0
