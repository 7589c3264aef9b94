"""Players as the referee sees them: timed levels, and bots in either protocol."""

from collections.abc import Callable, Sequence
from time import perf_counter

from holmgang.arena import codingame, protocol
from holmgang.arena.judge.process import SLOW_NS, Process, TranscriptLine
from holmgang.arena.protocol import ProtocolError
from holmgang.arena.task import GameTask, SeatReport
from holmgang.engine.course import Course, Position
from holmgang.engine.keys import derive, draw, steps
from holmgang.engine.mix import Mix, sample
from holmgang.errors import ChoiceError
from holmgang.games.contract import SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import load
from holmgang.players import Level
from holmgang.players.naming import Bot
from holmgang.players.player import Failed


class JudgedPlayer:
    """A player in one of the referee's games."""

    def __init__(self, name: str, player: str) -> None:
        self.name = name
        self.report = SeatReport()
        self.mixes: dict[int, Mix] = {}
        """By round: the mixes from which the referee drew the choices of a bot."""
        self._text = player

    def describe(self) -> dict[str, str]:
        """Its identity, for the header of the record."""
        return {"name": self.name, "player": self._text}

    def choose(self, course: Course) -> int:
        raise NotImplementedError

    def accepts_draw(self, course: Course) -> bool:
        """Never: neither protocol has draw offers, and the referee makes none."""
        return False

    def leave(self, course: Course) -> bytes:
        """Ends the game and returns what the bot has written to standard error."""
        return b""


class TimedLevel(JudgedPlayer):
    """A level, which plays in the judge's own process."""

    def __init__(self, level: Level, seat: int, seed: int, rest: Callable[[], None]) -> None:
        """`seed` is that of the game. `rest` stops the bots; it is called if the level is slow."""
        super().__init__(level.name, level.name)
        self._rest, self._is_slow = rest, True
        self._player = level.sit(seat, derive(seed, SEATS[seat]))

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


class FailedBot(JudgedPlayer):
    """A bot that failed before its first request."""

    plays_on = False

    def __init__(
        self, bot: Bot, failed: Failed, stderr: bytes = b"", lines: Sequence[TranscriptLine] = ()
    ) -> None:
        super().__init__(bot.name, bot.text)
        self.failed: Failed = failed
        self.stderr = stderr
        self._lines = lines

    def sit(self, seat: int, task: GameTask) -> "FailedBot":
        return self

    def choose(self, course: Course) -> int:
        raise self.failed

    def leave(self, course: Course) -> bytes:
        return self.stderr

    def take_lines(self) -> list[TranscriptLine]:
        return list(self._lines)


OTHER_PROTOCOL = "if the bot speaks JSON, write json: before it"


def explained(failed: Failed, spoken: str) -> Failed:
    """The failure of a bot that has not answered anything yet, with the likeliest reason."""
    hint = ""
    if failed.status == "timeout":
        hint = "; is every line flushed?"
    elif spoken == "codingame" and "json" in str(failed).lower():
        hint = f"; {OTHER_PROTOCOL}"
    return Failed(failed.status, f"{failed}{hint}", failed.took_ms)


MOST_DROPPED = 10_000
"""The most dropped answers in a game. A bot with more is flooding the judge."""


class RunningBot:
    """A bot with its process, for one game or for many."""

    failed: Failed | None = None

    def __init__(self, bot: Bot, process: Process) -> None:
        self.bot, self.process = bot, process
        self.last_id = 0
        """The id of the last request. Ids increase from game to game."""
        self.hello: protocol.Hello | None = None

    def greet(self, start_ms: float) -> None:
        """Exchanges hellos if the protocol has them. Raises `Failed` if the bot does not answer."""
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
        """Ends the process and returns what it has written to standard error."""
        self.process.end()
        return self.process.take_stderr()

    @property
    def plays_on(self) -> bool:
        """Whether it can play another game."""
        return self.bot.protocol == "json" and self.process.is_running

    def take_lines(self) -> list[TranscriptLine]:
        """The lines of the transcript since the last call; none if it is not logged."""
        lines, self.process.transcript = self.process.transcript, []
        return lines

    def sit(self, seat: int, task: GameTask) -> "BotPlayer":
        """The bot as a player of one game."""
        kind = JsonBot if self.bot.protocol == "json" else CodingameBot
        return kind(self, seat, task)


class BotPlayer(JudgedPlayer):
    """The common part of bots in both protocols."""

    def __init__(self, running: RunningBot, seat: int, task: GameTask) -> None:
        super().__init__(running.bot.name, running.bot.text)
        self._running, self._seat = running, seat
        self._process = running.process
        self._settings = task.settings
        self._left = task.settings.game_ms
        self._limit = self._limit_ms()
        self._patience = self._wait_ms()

    def describe(self) -> dict[str, str]:
        hello = self._running.hello
        if hello is None:
            return super().describe()
        return {"name": hello.name, "author": hello.author, "player": self._text}

    def choose(self, course: Course) -> int:
        steps = course.steps
        return self.answer(course.position, course.round, steps[-1].public if steps else b"null")

    def answer(self, position: Position, round: int, last: bytes) -> int:
        """The choice in a position; `last` is the round before it, as JSON."""
        raise NotImplementedError

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
        """The limit for the next answer: its own, or the time left for the game."""
        limits, is_first = self._settings, not self.report.latencies_ms
        limit = limits.first_ms if is_first else limits.turn_ms
        return limit if self._left is None else min(limit, self._left)

    def _wait_ms(self) -> float:
        """How long to wait for an answer: beyond its limit if another strike is allowed."""
        if self.report.strikes >= self._settings.strikes:
            return self._limit
        hard = self._settings.hard_ms
        return hard if self._left is None else min(hard, self._left)

    def _judge_time(self) -> None:
        """Notes the time of an answer. Raises `Failed` if it was too long."""
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
        """Deducts an answer's time from the time left for the game. Strikes do not extend it."""
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
    """A bot in CodinGame's protocol for fencing."""

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
    """A bot in the JSON protocol."""

    def __init__(self, running: RunningBot, seat: int, task: GameTask) -> None:
        super().__init__(running, seat, task)
        ruleset = load(task.ruleset)
        self._head = protocol.format_head(ruleset, seat)
        self._key = derive(task.seed, SEATS[seat])
        self._steps = steps(derive(task.seed, f"{SEATS[seat]} ids"))
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
        previous = running.last_id
        # Random steps, so that no bot can guess the id of a request and answer it in advance.
        running.last_id = id = previous + next(self._steps)  # noqa: A001 - protocol's word
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
        line = self._ask(request)
        patience, hard = self._patience, self._settings.hard_ms
        try:
            answer = protocol.parse_answer(line)
            while answer.id <= previous:
                report.dropped += 1
                if report.dropped > MOST_DROPPED:
                    raise ProtocolError(f"more than {MOST_DROPPED} unrequested answers")
                self._process.time_left(patience, hard)
                answer = protocol.parse_answer(self._process.hear(patience, hard))
            self._judge_time()
            if answer.id != id:
                raise ProtocolError(f"it answers request {answer.id}, but the open request is {id}")
        except ProtocolError as error:
            raise Failed("invalid", str(error)) from None
        if answer.choice is not None:
            choice = menu.choices.get(answer.choice)
            return self._parsed(position, answer.choice) if choice is None else choice
        if answer.mix is None:
            raise Failed("forfeit", "it gave up")
        self.mixes[round] = answer.mix
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
