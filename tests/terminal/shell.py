"""`holmgang` as an outsider runs it: with pipes, and in a terminal of its own."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

from tests import forked
from tests.patience import PATIENCE

from holmgang.engine.compiled.objects import cache_folder

PROGRAM = [sys.executable, "-m", "holmgang"]
HEALS_TWICE = 6536  # a seed: in BAGH, the level random as blue begins with heal, heal, boost
ESCAPE = re.compile(r"\x1b(\[[0-9;?<>=]*[a-zA-Z$]|\][^\x07]*\x07|[()=>][0-9A-Z]?|P[^\x1b]*\x1b\\)")


def environment(home, **more):
    """A new user's, except that what is compiled is kept for the next test too."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "HOLMGANG_CACHE": str(cache_folder()),
        "LANG": "C.UTF-8",
        "PYTHONWARNINGS": "error",
        **more,
    }


def run(home, *args, given="", **more):
    """The finished process: its output as text, and its exit code."""
    data = given if isinstance(given, bytes) else given.encode()
    done = forked.run(
        args,
        input=data,
        capture_output=True,
        env=environment(home, **more),
        timeout=PATIENCE,
        check=False,
    )
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


def start(home, *args):
    """The running process, with pipes to and from it that keep nothing back."""
    return forked.Popen(
        args,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
        bufsize=0,
    )


class Terminal:
    """A program in a pseudo-terminal. Waits for what is shown, never for time to pass."""

    def __init__(self, home, *args, columns=80, rows=24, term="xterm-256color", **more):
        self.seen = ""
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._slave = slave  # kept open: its settings can be read when the program is gone
        self.before = termios.tcgetattr(slave)
        self.process = forked.Popen(
            args,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(home, TERM=term, **more),
            start_new_session=True,
            in_terminal=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)
        os.close(self._slave)

    def read(self, seconds):
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        if not poll.poll(1000 * seconds):
            return False
        self.seen += os.read(self._master, 65536).decode(errors="replace")
        return True

    def expect(self, wanted, *, after=0):
        """Reads until the text is there, from the position `after` on; gives where it ends."""
        deadline = time.monotonic() + PATIENCE
        while (found := self.seen.find(wanted, after)) < 0:
            if self.process.poll() is not None and not self.read(0):
                raise AssertionError(f"ended without {wanted!r}:\n{self.seen}")
            if time.monotonic() > deadline:
                raise AssertionError(f"never showed {wanted!r}:\n{self.seen}")
            self.read(0.1)
        return found + len(wanted)

    def send(self, keys):
        os.write(self._master, keys.encode())

    def signal(self, number):
        self.process.send_signal(number)

    def finish(self):
        """The exit code, when the program has ended and all its output is read."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"does not end:\n{self.seen}"
            self.read(0.05)
        while self.read(0):
            pass
        return self.process.returncode

    @property
    def text(self):
        """What was shown, without the colours and the moves of the cursor."""
        return ESCAPE.sub("", self.seen)

    @property
    def is_restored(self):
        return termios.tcgetattr(self._slave) == self.before


CTRL_C, CTRL_D = "\x03", "\x04"
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
