"""A real server in a process of its own, and clients of it."""

import re
import signal
import subprocess
import time
from contextlib import contextmanager

from tests import forked
from tests.terminal.shell import PATIENCE, environment

from holmgang.games.ruleset import load
from holmgang.terminal.online.address import parse_address
from holmgang.terminal.online.client import Client, MatchWish
from holmgang.terminal.online.identity import Identity


class Server:
    """`holmgang serve` on a free port, which it keeps when it is started again."""

    def __init__(self, folder):
        self.folder = folder
        self.port = 0
        self.process = None
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = forked.Popen(
            [
                "serve",
                *("--port", str(self.port), "--no-open", "--no-limits", "--no-tables"),
                *("--database", f"sqlite:///{self.folder}/online.sqlite3"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(self.folder),
            text=True,
        )
        line = self.process.stdout.readline()
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)", line)[1])

    def kill(self):
        """Ends it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    @contextmanager
    def client(self):
        """A guest that is not kept in any file."""
        client = Client(parse_address(self.url), Identity())
        client.greet()
        try:
            yield client
        finally:
            client.close()


def wish(game="bagh", opponent="link", **more):
    return MatchWish(load(game), opponent, **more)


def play_until(session, is_so):
    """Lets a session go on until something is so; gives the news on the way."""
    news = []
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, f"it never was so: {session.view}"
        session.wait(0.05)
        news += session.advance()
    return news


def choose(session, word):
    """Chooses once it is asked for, and waits until the server knows."""
    play_until(session, lambda: session.asked is not None)
    session.choose(word)
    return play_until(session, lambda: not session.is_busy)
