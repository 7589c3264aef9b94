"""Transcripts: all lines sent to bots and written by them in a game, and their standard error."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from holmgang.arena.judge.process import KEPT_OF_STDERR, Process, TranscriptLine
from holmgang.arena.task import GameResult, GameTask
from holmgang.games.shape import printable
from holmgang.machine import write_whole

SENT, ANSWERED, STDERR = ">", "<", "!"
LEGEND = (
    f"Times are in milliseconds. {SENT} was sent to the bot, {ANSWERED} is an answer, {STDERR} is"
    " standard error, shown\nbefore the next request."
)


class LoggedProcess(Process):
    """A bot's process that logs all its input and output in `transcript`."""

    _noted_stderr = b""

    def _note(self, mark: str, text: bytes) -> None:
        self.transcript.append(TranscriptLine(perf_counter(), mark, text))

    def _note_stderr(self) -> None:
        written = super().take_stderr()
        if written:
            self._note(STDERR, written)
            self._noted_stderr = (self._noted_stderr + written)[-KEPT_OF_STDERR:]

    def take_stderr(self) -> bytes:
        self._note_stderr()
        written, self._noted_stderr = self._noted_stderr, b""
        return written

    def tell(self, lines: bytes) -> None:
        self._note(SENT, lines)
        super().tell(lines)

    def ask(self, line: bytes, limit_ms: float, hard_ms: float) -> bytes:
        self._note_stderr()
        self._note(SENT, line)
        answer = super().ask(line, limit_ms, hard_ms)
        self._note(ANSWERED, answer)
        return answer

    def hear(self, limit_ms: float, hard_ms: float) -> bytes:
        answer = super().hear(limit_ms, hard_ms)
        self._note(ANSWERED, answer)
        return answer


def write_log(
    path: Path,
    task: GameTask,
    result: GameResult,
    said: Mapping[str, list[TranscriptLine]],
    started: float,
) -> None:
    """Writes the transcript of a game; `said` has the lines of each seat."""
    began = datetime.now(UTC) - timedelta(seconds=perf_counter() - started)
    text = "\n".join(
        [
            *head(task, began),
            "",
            *exchange(said, started),
            "",
            *ending(result),
        ]
    )
    write_whole(path, text + "\n", sync=False)


def head(task: GameTask, began: datetime) -> list[str]:
    names = task.names or ("", "")
    return [
        f"Game {task.id}: {task.ruleset}, {began.isoformat(timespec='seconds')}",
        *(
            printable(f"{seat}: {name} ({text})" if name not in ("", text) else f"{seat}: {text}")
            for seat, name, text in zip(("red", "blue"), names, (task.red, task.blue), strict=True)
        ),
        *([] if task.start is None else [f"start: {task.start}"]),
        LEGEND,
    ]


def exchange(said: Mapping[str, list[TranscriptLine]], started: float) -> list[str]:
    """All lines of both seats, in order of time."""
    order = sorted((line, seat) for seat, lines in said.items() for line in lines)
    return [
        f"{(line.moment - started) * 1000:12.3f}  {seat:<4} {line.mark} {printable(text)}"
        for line, seat in order
        for text in line.text.decode(errors="replace").removesuffix("\n").split("\n")
    ]


def ending(result: GameResult) -> list[str]:
    won = "a draw" if result.winner is None else f"{result.winner} wins"
    reports = {"red": result.red, "blue": result.blue}
    return [
        f"{won} ({result.reason}) after {result.rounds} rounds",
        *(
            printable(f"{seat}: {report.status}" + (f": {report.detail}" if report.detail else ""))
            for seat, report in reports.items()
        ),
    ]
