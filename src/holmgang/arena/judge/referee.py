"""The referee: asks both sides, judges what they say, and plays the game by the rules.

Bots are asked one after the other, which is the same as at once, as neither learns of the other's
choice. Both answers are there before either is judged (F16). Rules, dice and choices of levels are
those of a `Duel` with the same seed, so a record replays like that of any duel.
"""

from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, perf_counter

import orjson

from holmgang.arena.contestant import Bot, parse_contestant
from holmgang.arena.judge.process import Core, Failed, Nursery
from holmgang.arena.judge.rulebook import Position, Rulebook, Step
from holmgang.arena.judge.sandbox import Sandbox
from holmgang.arena.judge.seat import Absentee, Guest, LevelSeat, Seat
from holmgang.arena.judge.transcript import LoggedProcess, write_log
from holmgang.arena.task import GameResult, GameTask, Settings
from holmgang.engine.compiled.native import silent
from holmgang.engine.events import Created
from holmgang.engine.keys import derive
from holmgang.engine.mix import Mix
from holmgang.engine.record import header_line, result_line, round_line
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset, load
from holmgang.machine import write_whole
from holmgang.players import Level

Played = tuple[Step, int, int, dict[str, Mix] | None]
"""A round: what came of it, both choices, and the mixes behind them."""

REST_EVERY = 0.02
"""Seconds after which even bots that answer at once are stopped between two games. Doing so after
each of many very short games would cost a tenth of the time."""

WORST_FIRST = ("crash", "timeout", "invalid", "forfeit")
"""Where both fail in the same round, the first of these is the reason of the duel's end."""


def play_games(tasks: Iterable[GameTask]) -> Generator[GameResult, None, None]:
    """The results of the tasks, one by one. A bot's process goes on to the next game if its
    protocol allows it and it takes part in that game. When the iterator ends or is closed, no
    process is left.
    """
    with ExitStack() as stack:
        hall = Hall(stack)
        for task in tasks:
            yield hall.play(task)


class Hall:
    """Where games are played one after the other: the bots that run, and what they run in."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._nursery: Nursery | None = None
        self._sandbox: Sandbox | None = None
        self._waiting: list[tuple[Guest, Settings]] = []
        self._rest_is_due = 0.0
        self._books: dict[str, Rulebook] = {}
        self._contestants: dict[tuple[str, str, str, bool], Level | Bot] = {}

    def play(self, task: GameTask) -> GameResult:
        started = perf_counter()
        book = self._books.get(task.ruleset)
        if book is None:
            book = self._books[task.ruleset] = Rulebook(load(task.ruleset))
        contestants = [
            self._known(task.red, task.blue, book.ruleset),
            self._known(task.blue, task.red, book.ruleset, is_second=task.red == task.blue),
        ]
        kept = [self._take(each, task.settings) for each in contestants]
        self._send_home()
        guests: list[Guest | Absentee | None] = [
            guest or self._invite(each, task) if isinstance(each, Bot) else None
            for guest, each in zip(kept, contestants, strict=True)
        ]
        seats: list[Seat] = []
        for number, (guest, each) in enumerate(zip(guests, contestants, strict=True)):
            if isinstance(guest, Guest):
                seats.append(guest.sit(number, book, task))
            elif guest is not None:
                seats.append(guest)
            elif isinstance(each, Level):
                seats.append(LevelSeat(each, number, book, task, self._rest))
        game = Game(task, book, seats)
        game.play()
        result = game.result()
        if task.settings.log is not None:
            path = Path(task.settings.log) / f"{file_name(task.id)}.log"
            said = {
                name: guest.take_lines()
                for name, guest in zip(SEATS, guests, strict=True)
                if guest is not None
            }
            write_log(path, task, result, said, started)
        for guest, seat in zip(guests, seats, strict=True):
            if isinstance(guest, Guest):
                if seat.report.status == "ok" and guest.plays_on:
                    self._waiting.append((guest, task.settings))
                else:
                    guest.process.end()
        self._rest_between_games()
        return result

    def _rest(self) -> None:
        """Stops the bots until they are asked again."""
        if self._nursery is not None:
            self._nursery.rest()

    def _rest_between_games(self) -> None:
        if monotonic() > self._rest_is_due or any(
            guest.process.is_slow for guest, _ in self._waiting
        ):
            self._rest_is_due = monotonic() + REST_EVERY
            self._rest()

    def _known(
        self, text: str, other: str, ruleset: Ruleset, *, is_second: bool = False
    ) -> Level | Bot:
        """Who the text names; another for each opponent, whose habits a level may remember
        (`exploiter:match`), and a second one to play against itself.
        """
        key = text, other, ruleset.text, is_second
        if key not in self._contestants:
            found = self._contestants[key] = parse_contestant(text, ruleset)
            if isinstance(found, Level):
                found.ready(ruleset, silent, wait=True)
        return self._contestants[key]

    def _take(self, contestant: object, settings: Settings) -> Guest | None:
        """The process that plays for this contestant already, if there is one."""
        for place, (guest, played_under) in enumerate(self._waiting):
            if guest.bot == contestant and played_under == settings:
                del self._waiting[place]
                return guest
        return None

    def _send_home(self) -> None:
        for guest, _ in self._waiting:
            guest.process.end()
        self._waiting = []

    def _invite(self, bot: Bot, task: GameTask) -> Guest | Absentee:
        """A new process of the bot, or how it failed before the first request."""
        if self._nursery is None or self._sandbox is None:
            self._stack.callback(Core().close)
            self._sandbox = Sandbox()
            self._nursery = Nursery()
            self._stack.callback(self._nursery.close)
        guest, settings = None, task.settings
        try:
            process = self._sandbox.start(self._nursery, bot, settings, task.secrets)
            guest = Guest(bot, process if settings.log is None else LoggedProcess(process))
            guest.greet(settings.start_ms)
        except Failed as failed:
            stderr, lines = b"", []
            if guest is not None:
                guest.process.end()
                stderr = guest.process.take_stderr()
                lines = guest.take_lines()
            return Absentee(bot, failed, stderr, lines)
        return guest


class Game:
    """One game between two seats."""

    def __init__(self, task: GameTask, book: Rulebook, seats: list[Seat]) -> None:
        self.task, self.book, self.seats = task, book, seats
        self.ruleset = book.ruleset
        self.rounds = 0
        self.outcome: Outcome | None = None
        self._played: list[Played] | None = None if task.settings.records is None else []
        self._stderr: dict[str, bytes] = {}

    def play(self) -> None:
        book, limit = self.book, self.ruleset.entry.round_limit
        dice = derive(self.task.seed, "dice")
        red_seat, blue_seat = self.seats
        position, last = book.start_at(self.task.start), b"null"
        self.outcome = position.outcome
        while self.outcome is None:
            red = self._ask(red_seat, RED, position, last)
            blue = self._ask(blue_seat, BLUE, position, last)
            if red is None or blue is None:
                self.outcome = self._judged()
                break
            self.rounds += 1
            step = position, last = book.play(position, red, blue, dice, self.rounds)
            if self._played is not None:
                self._played.append((step, red, blue, self._mixes()))
            self.outcome = position.outcome
            if self.outcome is None and self.rounds == limit:
                self.outcome = Outcome(None, "limit")
        for name, seat in zip(SEATS, self.seats, strict=True):
            self._stderr[name] = seat.leave(self.outcome, position)

    def _ask(self, seat: Seat, number: int, position: Position, last: bytes) -> int | None:
        """The choice of a seat; None if it has failed."""
        if not position.choices[number]:
            return NO_CHOICE
        try:
            return seat.choose(position, self.rounds + 1, last)
        except Failed as failure:
            seat.report.fail(failure)
            return None

    def _judged(self) -> Outcome:
        status = {name: seat.report.status for name, seat in zip(SEATS, self.seats, strict=True)}
        failed = [name for name in SEATS if status[name] != "ok"]
        reason = min((status[name] for name in failed), key=WORST_FIRST.index)
        if reason != "forfeit":
            return self.ruleset.disqualification(failed, reason)
        if len(failed) == 2:
            return Outcome(None, "agreement")
        return Outcome("blue" if failed == ["red"] else "red", "forfeit")

    # What is kept

    def _mixes(self) -> dict[str, Mix] | None:
        """What the choices of this round were sampled from, where the referee did that."""
        red, blue = self.seats
        if red.report.mix is None and blue.report.mix is None:
            return None
        return {
            name: seat.report.mix
            for name, seat in zip(SEATS, self.seats, strict=True)
            if seat.report.mix is not None
        }

    def _round_lines(self) -> Iterator[bytes]:
        """The rounds' lines in the record, made of what is JSON already. Writing them all at the
        end costs less than one by one between the requests.
        """
        red_times, blue_times = (iter(seat.report.latencies_ms) for seat in self.seats)
        for number, (step, red, blue, mixes) in enumerate(self._played or (), start=1):
            red_ms = None if red == NO_CHOICE else next(red_times)
            blue_ms = None if blue == NO_CHOICE else next(blue_times)
            mix = None if mixes is None else orjson.dumps(mixes)
            yield round_line(number, step.public, red_ms, blue_ms, step.after.hash, mix)

    def result(self) -> GameResult:
        assert self.outcome is not None  # noqa: S101 - it has been played
        red, blue = (seat.report.as_result() for seat in self.seats)
        return GameResult(
            id=self.task.id,
            ruleset=self.ruleset.text,
            seed=self.task.seed,
            winner=self.outcome.winner,
            reason=self.outcome.reason,
            rounds=self.rounds,
            red=red,
            blue=blue,
            record=self._write_record(self.outcome),
        )

    def _write_record(self, outcome: Outcome) -> str | None:
        """The record, and beside it what the bots wrote to standard error. A game that is played
        again takes the place of what an interrupted worker left.
        """
        if self._played is None or self.task.settings.records is None:
            return None
        folder = Path(self.task.settings.records)
        seats = {name: seat.describe() for name, seat in zip(SEATS, self.seats, strict=True)}
        if self.task.names is not None:
            for described, name in zip(seats.values(), self.task.names, strict=True):
                described["name"] = name
        arena = {
            "task": self.task.id,
            **{
                name: {"status": seat.report.status, "detail": seat.report.detail}
                for name, seat in zip(SEATS, self.seats, strict=True)
            },
        }
        start, limit = self.ruleset.parse_state(self.task.start), self.ruleset.entry.round_limit
        created = Created(0.0, self.ruleset, self.task.seed, start, limit)
        header = header_line(created, seats, {"arena": arena})
        path = folder / f"{file_name(self.task.id)}.jsonl"
        lines = b"".join([header, *self._round_lines(), result_line(outcome, self.rounds)])
        write_whole(path, lines, sync=False)  # there are many, and a lost one is played again
        for name, said in self._stderr.items():
            if said:
                write_whole(path.with_suffix(f".{name}.stderr.txt"), said, sync=False)
        return str(path)


def file_name(id: str) -> str:  # noqa: A002 - a task's
    """A task's id as the name of a file: what could not be in one becomes a `_`."""
    kept = "".join(each if each.isalnum() or each in "-._" else "_" for each in id)
    return kept.lstrip(".")[:200] or "game"
