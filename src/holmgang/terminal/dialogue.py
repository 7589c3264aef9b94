"""Lines to a person or a program, and lines back; unseen ones too."""

import os
import select
import shutil
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import TextIO

from holmgang.terminal.glyphs import fitted

NARROWEST, WIDEST = 20, 100
CHUNK = 65_536


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person is at the other end; Python has None for a stream that was closed."""
    return stream is not None and stream.isatty()


class Dialogue:
    """Standard input and output, line by line."""

    def __init__(self) -> None:
        self.is_live = is_terminal(sys.stdin)
        """Whether a person is there, for whom to wait."""

    @property
    def width(self) -> int:
        return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))

    def say(self, text: str = "") -> None:
        """Writes a line as it is."""
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

    def ask(self, prompt: str, *, hidden: bool = False) -> str:
        """The line that is given, without its end. Raises EOFError when there are no more.

        A hidden one leaves no trace on the screen, however long it is.
        """
        with unechoed() if hidden else nullcontext():
            sys.stdout.write(fitted(prompt, sys.stdout))
            sys.stdout.flush()
            if self.is_live:
                wait_for_line()
            line = sys.stdin.buffer.readline()
        if hidden or not self.is_live:
            self.say()  # nobody's Enter has ended the line
        if not line:
            raise EOFError
        return line.decode("utf-8", "replace").strip()

    def ask_unless(self, prompt: str, is_interrupted: Callable[[], bool]) -> str | None:
        """The same; None if the dialogue can be interrupted and was."""
        return self.ask(prompt)

    def wake(self) -> None:
        """Nothing interrupts this dialogue."""

    def forget_typed(self) -> None:
        """Drops what a person has begun to type."""


class WakingDialogue(Dialogue):
    """A dialogue that another thread can interrupt. It reads standard input by itself, so nothing
    else may.
    """

    def __init__(self) -> None:
        super().__init__()
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._woken, False)
        self._typed = b""
        self._is_at_end = False

    def close(self) -> None:
        os.close(self._woken)
        wake, self._wake = self._wake, -1
        os.close(wake)

    def wake(self) -> None:
        """Has `ask_unless` look whether it is interrupted."""
        with suppress(OSError):  # it is full, so it will; or closed
            os.write(self._wake, b"\0")

    def ask(self, prompt: str, *, hidden: bool = False) -> str:
        line = self._read(prompt, lambda: False)
        return line or ""

    def ask_unless(self, prompt: str, is_interrupted: Callable[[], bool]) -> str | None:
        """The line that is given; None if `is_interrupted` says so before that."""
        return self._read(prompt, is_interrupted)

    def forget_typed(self) -> None:
        """Drops what a person has begun to type; what a program has sent is kept."""
        if self.is_live:
            import termios

            self._typed = b""
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def _read(self, prompt: str, is_interrupted: Callable[[], bool]) -> str | None:
        sys.stdout.write(fitted(prompt, sys.stdout))
        sys.stdout.flush()
        before = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
            line = self._wait_for_line(is_interrupted)
        finally:
            signal.set_wakeup_fd(before)
        if line is None or not self.is_live:
            self.say()  # nobody's Enter has ended the line
        if line == b"":
            raise EOFError
        return None if line is None else line.decode("utf-8", "replace").strip()

    def _wait_for_line(self, is_interrupted: Callable[[], bool]) -> bytes | None:
        """The line with its end, if it has one; empty when there are no more."""
        source = sys.stdin.fileno()
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


def wait_for_line() -> None:
    """Waits for the person, or for a signal. One that comes just before Python begins to read would
    be noticed only after the next line; it is not lost here, as it leaves a byte in a pipe.
    """
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    before = signal.set_wakeup_fd(wake)
    try:
        while sys.stdin not in select.select([sys.stdin, woken], [], [])[0]:
            os.read(woken, 1)  # of a signal that ends nothing, as when the window changes its size
    finally:
        signal.set_wakeup_fd(before)
        os.close(woken)
        os.close(wake)


@contextmanager
def unechoed() -> Iterator[None]:
    """The terminal shows nothing of what is typed, and forgets what was typed before."""
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
