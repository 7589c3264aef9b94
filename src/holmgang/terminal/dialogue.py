"""Standard input and output in lines, with hidden and interruptible input."""

import os
import select
import shutil
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import UnsupportedOperation
from typing import TextIO

from holmgang.games.contract import State
from holmgang.games.drawing import row_text
from holmgang.games.ruleset import Ruleset
from holmgang.terminal.glyphs import fitted

NARROWEST, WIDEST = 20, 100
CHUNK = 65_536


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal. Python has None for a stream that was closed."""
    return stream is not None and stream.isatty()


class Dialogue:
    """Standard input and output, line by line. Nothing else may read the input. Another thread can
    interrupt a question.
    """

    def __init__(self) -> None:
        self.is_live = is_terminal(sys.stdin)
        """Whether the input comes from a terminal."""
        self._woken, self._wake = os.pipe()
        for end in (self._woken, self._wake):
            os.set_blocking(end, False)
        self._typed = b""
        self._is_at_end = False

    @property
    def width(self) -> int:
        return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))

    def say(self, text: str = "") -> None:
        """Writes a line unchanged."""
        sys.stdout.write(fitted(text, sys.stdout) + "\n")

    def tell(self, text: str, first: str = "", rest: str | None = None) -> None:
        """Writes a sentence, wrapped; `first` and `rest` begin its lines."""
        rest = " " * len(first) if rest is None else rest
        wrapped = textwrap.wrap(
            fitted(text, sys.stdout),
            self.width,
            initial_indent=first,
            subsequent_indent=rest,
            break_on_hyphens=False,
        )
        for line in wrapped or [first.rstrip()]:
            self.say(line)

    def show_board(self, ruleset: Ruleset, state: State) -> None:
        for row in ((), *ruleset.board(state, self.width), ()):
            self.say(row_text(row).rstrip())

    def ask(self, prompt: str, *, hidden: bool = False) -> str:
        """Reads a line, without its end. Raises EOFError at the end of the input.

        A hidden line is not shown while it is typed.
        """
        return self._read(prompt, lambda: False, hidden=hidden) or ""

    def ask_unless(self, prompt: str, is_interrupted: Callable[[], bool]) -> str | None:
        """Like `ask`; None if `is_interrupted` becomes true first, which `wake` makes it check."""
        return self._read(prompt, is_interrupted)

    def wake(self) -> None:
        """Makes `ask_unless` check whether it is interrupted. Any thread may call this."""
        with suppress(BlockingIOError):  # full: it will check anyway
            os.write(self._wake, b"\0")

    def forget_typed(self) -> None:
        """Discards what a person has begun to type; input of a program is kept."""
        if self.is_live:
            import termios

            self._typed = b""
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def _read(
        self, prompt: str, is_interrupted: Callable[[], bool], *, hidden: bool = False
    ) -> str | None:
        with unechoed() if hidden else nullcontext():
            if hidden:
                self.forget_typed()
            sys.stdout.write(fitted(prompt, sys.stdout))
            sys.stdout.flush()
            # A signal just before `select` is not lost, since it leaves a byte in the pipe.
            before = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
            try:
                line = self._wait_for_line(is_interrupted)
            finally:
                signal.set_wakeup_fd(before)
        if line is None or hidden or not self.is_live:
            self.say()  # no Enter on the screen has ended the line
        if line == b"":
            raise EOFError
        return None if line is None else line.decode("utf-8", "replace").strip()

    def _wait_for_line(self, is_interrupted: Callable[[], bool]) -> bytes | None:
        """The line with its end, if it has one; empty at the end of the input."""
        try:
            source = sys.stdin.fileno()
        except UnsupportedOperation:  # a stream in memory, which has all lines already
            return sys.stdin.buffer.readline()
        while b"\n" not in self._typed and not self._is_at_end:
            ready = select.select([source, self._woken], [], [])[0]
            if self._woken in ready:
                with suppress(BlockingIOError):
                    os.read(self._woken, CHUNK)
                if is_interrupted():
                    return None
            if source in ready:
                part = os.read(source, CHUNK)
                self._is_at_end = not part
                self._typed += part
        line, end, self._typed = self._typed.partition(b"\n")
        return line + end


@contextmanager
def unechoed() -> Iterator[None]:
    """Turns echo off and discards pending input."""
    if not is_terminal(sys.stdin):
        yield
        return
    import termios

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    silent = termios.tcgetattr(fd)
    silent[3] &= ~(termios.ECHO | termios.ECHONL)
    try:
        termios.tcsetattr(fd, termios.TCSAFLUSH, silent)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
