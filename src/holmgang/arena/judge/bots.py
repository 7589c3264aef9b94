"""Players as the referee sees them: levels with a stopwatch, and bots in either protocol."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

from holmgang.arena import codingame, protocol
from holmgang.arena.judge.process import SLOW_NS, Process
from holmgang.arena.judge.transcript import LoggedProcess, TranscriptLine
from holmgang.arena.protocol import ProtocolError
from holmgang.arena.task import GameTask, SeatReport
from holmgang.engine.course import Course, Position
from holmgang.engine.keys import derive, draw, steps
from holmgang.engine.mix import Mix, sample
from holmgang.errors import ChoiceError
from holmgang.games.contract import SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import load
from holmgang.players import Level, Player
from holmgang.players.naming import Bot
from holmgang.players.player import Failed


@dataclass(slots=True)
class Report:
    """What is noted of a player during a game."""

    status: str = "ok"
    detail: str = ""
    latencies_ms: list[float] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)
    strikes: int = 0
    dropped: int = 0
    mixes: dict[int, Mix] = field(default_factory=dict)
    """What choices were sampled from, by round, where the bot left it to the referee."""

    def fail(self, failed: Failed) -> None:
        self.status, self.detail = failed.status, str(failed)
        if failed.took_ms is not None:
            self.latencies_ms.append(failed.took_ms[0])
            self.wall_ms.append(failed.took_ms[1])

    def as_result(self) -> SeatReport:
        return SeatReport(
            self.status,
            self.detail,
            tuple(self.latencies_ms),
            tuple(self.wall_ms),
            self.strikes,
            self.dropped,
        )


class JudgedPlayer(Player, Protocol):
    """A player in one game of the referee's."""

    report: Report

    def describe(self) -> dict[str, Any]:
        """Who it is, for the header of the record."""
        ...

    def leave(self, course: Course) -> bytes:
        """The game is over. Gives what the bot has written to its standard error."""
        ...


class TimedLevel:
    """A level. It plays in the judge's own process."""

    def __init__(self, level: Level, seat: int, seed: int, rest: Callable[[], None]) -> None:
        """`seed` is that of the game. `rest` stops the bots, which is done if the level is going to
        think for long.
        """
        self.name = level.name
        self.report = Report()
        self._rest, self._is_slow = rest, True
        self._player = level.sit(seat, derive(seed, SEATS[seat]))

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "player": self.name}

    def choose(self, course: Course) -> int:
        if self._is_slow:
            self._rest()
        started = perf_counter()
        choice = self._player.choose(course)
        took = (perf_counter() - started) * 1000
        self._is_slow = took * 1e6 > SLOW_NS
        self.report.latencies_ms.append(took)
        self.report.wall_ms.append(took)
        return choice

    def accepts_draw(self, course: Course) -> bool:
        return self._player.accepts_draw(course)

    def leave(self, course: Course) -> bytes:
        return b""


class FailedBot:
    """A bot that did not get as far as its first request."""

    plays_on = False

    def __init__(
        self, bot: Bot, failed: Failed, stderr: bytes = b"", lines: Sequence[TranscriptLine] = ()
    ) -> None:
        self.name = bot.name
        self.report = Report()
        self.failed: Failed = failed
        self.stderr = stderr
        self._bot, self._lines = bot, lines

    def sit(self, seat: int, task: GameTask) -> "FailedBot":
        return self

    def describe(self) -> dict[str, Any]:
        return {"name": self._bot.name, "player": self._bot.text}

    def choose(self, course: Course) -> int:
        raise self.failed

    def accepts_draw(self, course: Course) -> bool:
        return False

    def leave(self, course: Course) -> bytes:
        return self.stderr

    def take_lines(self) -> list[TranscriptLine]:
        return list(self._lines)


OTHER_PROTOCOL = "if the bot speaks JSON, write json: before it"


def explained(failed: Failed, spoken: str) -> Failed:
    """The failure of a bot from which nothing has come yet, with the likeliest reason."""
    hint = ""
    if failed.status == "timeout":
        hint = "; is every line flushed?"
    elif spoken == "codingame" and "json" in str(failed).lower():
        hint = f"; {OTHER_PROTOCOL}"
    return Failed(failed.status, f"{failed}{hint}", failed.took_ms)


MOST_DROPPED = 10_000
"""In a game. More is no mistake, but a flood."""


class RunningBot:
    """A bot with its process, for one game or for many."""

    failed: Failed | None = None

    def __init__(self, bot: Bot, process: Process | LoggedProcess) -> None:
        self.bot, self.process = bot, process
        self.last_id = 0
        """Of the requests so far; they grow from game to game."""
        self.hello: protocol.Hello | None = None

    def greet(self, start_ms: float) -> None:
        """Shakes hands, where the protocol has that. Raises `Failed` if the bot does not."""
        if self.bot.protocol != "json":
            return
        try:
            line = self.process.ask(protocol.format_hello(), start_ms, 2 * start_ms)
        except Failed as failed:
            raise explained(failed, self.bot.protocol) from None
        try:
            self.hello = protocol.parse_hello(line)
        except ProtocolError as error:
            raise Failed("invalid", f"no hello: {error}") from None
        self.process.has_started()

    def end(self) -> bytes:
        """Ends the process, and gives what it has written to its standard error."""
        self.process.end()
        return self.process.take_stderr()

    @property
    def plays_on(self) -> bool:
        """Whether it can play another game."""
        return self.bot.protocol == "json" and self.process.is_running

    def take_lines(self) -> list[TranscriptLine]:
        """What was said since this was called last, if that is logged."""
        return self.process.take_lines() if isinstance(self.process, LoggedProcess) else []

    def describe(self) -> dict[str, Any]:
        if self.hello is None:
            return {"name": self.bot.name, "player": self.bot.text}
        return {"name": self.hello.name, "author": self.hello.author, "player": self.bot.text}

    def sit(self, seat: int, task: GameTask) -> "BotPlayer":
        """The bot as a player of one game."""
        kind = JsonBot if self.bot.protocol == "json" else CodingameBot
        return kind(self, seat, task)


class BotPlayer:
    """What is the same for a bot in either protocol."""

    def __init__(self, running: RunningBot, seat: int, task: GameTask) -> None:
        self.name = running.bot.name
        self.report = Report()
        self._running, self._seat = running, seat
        self._process = running.process
        self._settings = task.settings
        self._left = task.settings.game_ms
        self._limit = self._limit_ms()
        self._patience = self._wait_ms()

    def describe(self) -> dict[str, Any]:
        return self._running.describe()

    def choose(self, course: Course) -> int:
        steps = course.steps
        return self.answer(course.position, course.round, steps[-1].public if steps else b"null")

    def answer(self, position: Position, round: int, last: bytes) -> int:
        """The choice in a position, before which the round `last` was played (as JSON)."""
        raise NotImplementedError

    def accepts_draw(self, course: Course) -> bool:
        """Neither protocol knows of draw offers."""
        return False

    def leave(self, course: Course) -> bytes:
        return self._process.take_stderr()

    def _ask(self, lines: bytes) -> bytes:
        """The answer to a request. Raises `Failed` if none comes in time."""
        try:
            return self._process.ask(lines, self._patience, self._settings.hard_ms)
        except Failed as failed:
            if self._left is None or failed.took_ms is None or failed.took_ms[0] <= self._left:
                raise
            detail = f"{failed}, all that was left of {self._settings.game_ms:g} for the game"
            raise Failed(failed.status, detail, failed.took_ms) from None

    def _limit_ms(self) -> float:
        """The limit for the next answer: its own, or what is left for the game."""
        limits, is_first = self._settings, not self.report.latencies_ms
        limit = limits.first_ms if is_first else limits.turn_ms
        return limit if self._left is None else min(limit, self._left)

    def _wait_ms(self) -> float:
        """How long to wait for an answer: longer than allowed, if one more may be late."""
        if self.report.strikes >= self._settings.strikes:
            return self._limit
        hard = self._settings.hard_ms
        return hard if self._left is None else min(hard, self._left)

    def _judge_time(self) -> None:
        """Notes how long the answer took, and refuses it if that was too long."""
        limit, report = self._limit, self.report
        charged, wall = self._process.end_turn()
        report.latencies_ms.append(charged)
        report.wall_ms.append(wall)
        if self._left is not None:
            self._charge_game(charged)
        if charged > limit:
            if report.strikes >= self._settings.strikes:
                raise Failed("timeout", f"answered after {charged:.1f} ms; {limit:g} are allowed")
            report.strikes += 1
            self._patience = self._wait_ms()
        if len(report.latencies_ms) == 1:
            self._limit = self._limit_ms()
            self._patience = self._wait_ms()

    def _charge_game(self, charged: float) -> None:
        """Takes an answer's time off what is left for the game. No strike pardons spending more."""
        assert self._left is not None  # noqa: S101 - there is a limit
        if charged > self._left:
            allowed = self._settings.game_ms
            raise Failed(
                "timeout",
                f"answered after {charged:.1f} ms; {self._left:.1f} were left of {allowed:g} for"
                " the game",
            )
        self._left -= charged
        self._limit = self._limit_ms()
        self._patience = self._wait_ms()


class CodingameBot(BotPlayer):
    """A bot that speaks fencing's published protocol."""

    def answer(self, position: Position, round: int, last: bytes) -> int:
        ruleset, is_first = position.ruleset, not self.report.latencies_ms
        lines = codingame.format_turn(ruleset, position.state, self._seat).encode()
        try:
            line = self._ask(lines)
        except Failed as failed:
            raise (explained(failed, "codingame") if is_first else failed) from None
        self._judge_time()
        if is_first:
            self._process.has_started()
        try:
            text = line.removesuffix(b"\r").decode()
            return codingame.parse_answer(ruleset, text)
        except UnicodeDecodeError:
            raise Failed("invalid", f"not text: {protocol.shown(line)}") from None
        except ChoiceError as error:
            hint = f"; {OTHER_PROTOCOL}" if line[:1] == b"{" else ""
            raise Failed("invalid", f"{error}{hint}") from None


class JsonBot(BotPlayer):
    """A bot that speaks the protocol for all games."""

    def __init__(self, running: RunningBot, seat: int, task: GameTask) -> None:
        super().__init__(running, seat, task)
        ruleset = load(task.ruleset)
        self._head = protocol.format_head(ruleset, seat)
        self._key = derive(task.seed, SEATS[seat])
        self._steps = steps(derive(task.seed, f"{SEATS[seat]} ids"))
        self._previous = 0
        limits = task.settings
        self._process.tell(
            protocol.format_new_game(
                ruleset,
                seat,
                first_ms=limits.first_ms,
                turn_ms=limits.turn_ms,
                game_ms=limits.game_ms,
            )
        )

    def answer(self, position: Position, round: int, last: bytes) -> int:
        running, report, menu = self._running, self.report, position.menus[self._seat]
        self._previous = running.last_id
        # Random steps: no bot knows the id of a request, and can answer it, before it was sent.
        running.last_id = id = running.last_id + next(self._steps)  # noqa: A001 - protocol's word
        latencies = report.latencies_ms
        request = protocol.format_request(
            self._head,
            id,
            round,
            position.json,
            menu.json,
            last,
            self._limit,
            latencies[-1] if latencies else None,
            self._left,
        )
        if self._left is None:
            line = self._process.ask(request, self._patience, self._settings.hard_ms)
        else:
            line = self._ask(request)
        word = protocol.plain_choice(line, id)
        if word is None:
            return self._read(line, position, round)
        self._judge_time()
        choice = menu.choices.get(word)
        return self._parsed(position, word) if choice is None else choice

    def _read(self, line: bytes, position: Position, round: int) -> int:
        """The choice in an answer that is not a plain one, or is for a request that is over."""
        report, id = self.report, self._running.last_id  # noqa: A001
        patience, hard = self._patience, self._settings.hard_ms
        try:
            answer = protocol.parse_answer(line)
            while answer.id <= self._previous:
                report.dropped += 1
                if report.dropped > MOST_DROPPED:
                    raise ProtocolError(f"more than {MOST_DROPPED} unrequested answers")
                self._process.time_left(patience, hard)
                answer = protocol.parse_answer(self._process.hear(patience, hard))
            self._judge_time()
            if answer.id != id:
                raise ProtocolError(f"it answers request {answer.id}, but the open request is {id}")
            if answer.forfeit:
                raise Failed("forfeit", "it gave up")
        except ProtocolError as error:
            raise Failed("invalid", str(error)) from None
        if answer.mix is None:
            return self._parsed(position, answer.choice or "")
        report.mixes[round] = answer.mix
        for word in answer.mix:
            self._parsed(position, word)
        return self._parsed(position, sample(answer.mix, draw(self._key, round)))

    def _parsed(self, position: Position, word: str) -> int:
        try:
            return position.parse(self._seat, word)
        except ChoiceError as error:
            raise Failed("invalid", str(error)) from None

    def leave(self, course: Course) -> bytes:
        outcome = course.outcome or Outcome(None, "abandoned")
        if self._process.is_running:
            over = protocol.format_game_over(outcome.winner, outcome.reason, course.position.json)
            self._process.tell(over)
            self._process.flush()
        return super().leave(course)
