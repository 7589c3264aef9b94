"""Lines to a person or a program, and lines back; unseen ones too."""

import os
import select
import shutil
import signal
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TextIO

from holmgang.terminal.glyphs import fitted

NARROWEST, WIDEST = 20, 100


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
