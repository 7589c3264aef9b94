"""The referee: starts the bots, plays the game, and writes its record.

Bots are asked one after the other. That is equivalent to asking both at once, because neither
learns the other's choice. Rules, dice and choices of levels are those of a `Duel` with the same
seed, so a record replays like that of any duel.
"""

from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from time import monotonic, perf_counter

import orjson

from holmgang.arena.judge.bots import FailedBot, JudgedPlayer, RunningBot, TimedLevel
from holmgang.arena.judge.host import BotHost
from holmgang.arena.judge.transcript import write_log
from holmgang.arena.task import GameResult, GameTask, JudgeSettings
from holmgang.engine.compiled.native import silent
from holmgang.engine.course import Course, Positions
from holmgang.engine.events import Created
from holmgang.engine.keys import derive
from holmgang.engine.mix import Mix
from holmgang.engine.quick import QUICK
from holmgang.engine.record import header_line, result_line, round_line
from holmgang.games.contract import NO_CHOICE, SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset, load
from holmgang.machine import write_whole
from holmgang.players import Level
from holmgang.players.naming import Bot, find_player
from holmgang.players.player import play_game

REST_EVERY = 0.02
"""Interval in seconds at which fast bots are stopped between games. If games are very short,
stopping them after every game would take a tenth of the time."""


def play_games(tasks: Iterable[GameTask]) -> Generator[GameResult, None, None]:
    """The results of the tasks, one by one. A bot's process is kept for the next game if its
    protocol allows it and the bot takes part. Closing the iterator ends all processes.
    """
    with ExitStack() as stack:
        referee = Referee(stack)
        for task in tasks:
            yield referee.play(task).result


class Referee:
    """Plays games one after the other, and reuses running bots."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._host: BotHost | None = None
        self._waiting: list[tuple[RunningBot, JudgeSettings]] = []
        self._rest_is_due = 0.0
        self._positions: dict[str, Positions] = {}
        self._players: dict[tuple[str, str, str, bool], Level | Bot] = {}

    def play(self, task: GameTask) -> "JudgedGame":
        started = perf_counter()
        positions = self._positions.get(task.ruleset)
        if positions is None:
            positions = self._positions[task.ruleset] = Positions(load(task.ruleset), encode=QUICK)
        ruleset = positions.ruleset
        named = [
            self._known(task.red, task.blue, ruleset),
            self._known(task.blue, task.red, ruleset, is_second=task.red == task.blue),
        ]
        kept = [self._take(each, task.settings) for each in named]
        self._end_waiting()
        bots: list[RunningBot | FailedBot | None] = [
            running or self._start(each, task) if isinstance(each, Bot) else None
            for running, each in zip(kept, named, strict=True)
        ]
        players: list[JudgedPlayer] = []
        for seat, (bot, each) in enumerate(zip(bots, named, strict=True)):
            if bot is not None:
                players.append(bot.sit(seat, task))
            elif isinstance(each, Level):
                players.append(TimedLevel(each, seat, task.seed, self._rest))
        game = JudgedGame(task, positions, players)
        game.play()
        if task.settings.log is not None:
            path = Path(task.settings.log) / f"{file_name(task.id)}.log"
            said = {
                name: bot.take_lines()
                for name, bot in zip(SEATS, bots, strict=True)
                if bot is not None
            }
            write_log(path, task, game.result, said, started)
        for bot, player in zip(bots, players, strict=True):
            if isinstance(bot, RunningBot):
                if player.report.status == "ok" and bot.plays_on:
                    self._waiting.append((bot, task.settings))
                else:
                    bot.process.end()
        self._rest_between_games()
        return game

    def _rest(self) -> None:
        """Stops each bot until its next request."""
        if self._host is not None:
            self._host.rest()

    def _rest_between_games(self) -> None:
        if monotonic() > self._rest_is_due or any(bot.process.is_slow for bot, _ in self._waiting):
            self._rest_is_due = monotonic() + REST_EVERY
            self._rest()

    def _known(
        self, text: str, other: str, ruleset: Ruleset, *, is_second: bool = False
    ) -> Level | Bot:
        """The player that the text names. There is a separate one for each opponent, because a
        level may remember its habits (`exploiter:match`), and a second one for self-play.
        """
        key = text, other, ruleset.text, is_second
        if key not in self._players:
            found = self._players[key] = find_player(text, ruleset)
            if isinstance(found, Level):
                found.ready(ruleset, silent, wait=True)
        return self._players[key]

    def _take(self, player: object, settings: JudgeSettings) -> RunningBot | None:
        """The running process of this player, if there is one."""
        for place, (running, played_under) in enumerate(self._waiting):
            if running.bot == player and played_under == settings:
                del self._waiting[place]
                return running
        return None

    def _end_waiting(self) -> None:
        """Ends the bots that are not in the next game."""
        for running, _ in self._waiting:
            running.process.end()
        self._waiting = []

    def _start(self, bot: Bot, task: GameTask) -> RunningBot | FailedBot:
        """A new process of the bot, or its failure before the first request."""
        if self._host is None:
            self._host = BotHost(pinned=True)
            self._stack.callback(self._host.close)
        return self._host.start(bot, task.settings, task.secrets)


class JudgedGame:
    """One game between two players, with its record and result."""

    def __init__(self, task: GameTask, positions: Positions, players: list[JudgedPlayer]) -> None:
        self.task, self.players = task, players
        self.ruleset = positions.ruleset
        self.course = Course(positions, dice=derive(task.seed, "dice"), start=task.start)
        self._stderr: dict[str, bytes] = {}

    def play(self) -> None:
        failures = play_game(self.course, self.players)
        for seat, failed in failures.items():
            report = self.players[seat].report
            report.status, report.detail = failed.status, str(failed)
            if failed.took_ms is not None:
                charged, wall = failed.took_ms
                report.latencies_ms.append(charged)
                report.wall_ms.append(wall)
        for name, player in zip(SEATS, self.players, strict=True):
            self._stderr[name] = player.leave(self.course)

    # Record and result

    def _mixes(self) -> dict[int, dict[str, Mix]]:
        """By round and seat: the mixes from which the referee drew choices."""
        mixes: dict[int, dict[str, Mix]] = {}
        for name, player in zip(SEATS, self.players, strict=True):
            for number, mix in player.mixes.items():
                mixes.setdefault(number, {})[name] = mix
        return mixes

    def _round_lines(self) -> Iterator[bytes]:
        """The lines of the rounds in the record, from parts that are already JSON. Making them all
        at the end is cheaper than between requests.
        """
        red_times, blue_times = (iter(player.report.latencies_ms) for player in self.players)
        mixes = self._mixes()
        for number, step in enumerate(self.course.steps, start=1):
            red_ms = None if step.red == NO_CHOICE else next(red_times)
            blue_ms = None if step.blue == NO_CHOICE else next(blue_times)
            mix = orjson.dumps(mixes[number]) if number in mixes else None
            yield round_line(number, step.public, red_ms, blue_ms, step.after.hash, mix)

    @cached_property
    def result(self) -> GameResult:
        """The result; writes the record if configured."""
        outcome = self.course.outcome
        assert outcome is not None  # noqa: S101 - it has been played
        record = self._write_record(outcome)
        red, blue = (player.report for player in self.players)
        red.close()
        blue.close()
        return GameResult(
            id=self.task.id,
            ruleset=self.ruleset.text,
            seed=self.task.seed,
            winner=outcome.winner,
            reason=outcome.reason,
            rounds=len(self.course.steps),
            red=red,
            blue=blue,
            record=record,
        )

    def _write_record(self, outcome: Outcome) -> str | None:
        """Writes the record, and next to it the standard error of the bots. Overwrites the files
        of an interrupted worker.
        """
        if self.task.settings.records is None:
            return None
        folder = Path(self.task.settings.records)
        seats = {name: player.describe() for name, player in zip(SEATS, self.players, strict=True)}
        if self.task.names is not None:
            for described, name in zip(seats.values(), self.task.names, strict=True):
                described["name"] = name
        arena = {
            "task": self.task.id,
            **{
                name: {"status": player.report.status, "detail": player.report.detail}
                for name, player in zip(SEATS, self.players, strict=True)
            },
        }
        start = self.course.steps[0].before if self.course.steps else self.course.position
        created = Created(0.0, self.ruleset, self.task.seed, start.state, self.course.limit)
        header = header_line(created, seats, {"arena": arena})
        path = folder / f"{file_name(self.task.id)}.jsonl"
        lines = b"".join(
            [header, *self._round_lines(), result_line(outcome, len(self.course.steps))]
        )
        write_whole(path, lines, sync=False)  # there are many, and a lost game is played again
        for name, said in self._stderr.items():
            if said:
                write_whole(path.with_suffix(f".{name}.stderr.txt"), said, sync=False)
        return str(path)


def file_name(id: str) -> str:  # noqa: A002 - a task's
    """A task's id as a file name, with `_` for characters that are not allowed."""
    kept = "".join(each if each.isalnum() or each in "-._" else "_" for each in id)
    return kept.lstrip(".")[:200] or "game"
