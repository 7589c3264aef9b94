"""Several processes that serve on one socket, with one PostgreSQL database.

The parent only supervises. It starts the first worker, which brings the database up to date, and
then the others; it replaces workers that die, and stops all of them on a signal.
"""

import atexit
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from types import FrameType
from typing import NoReturn

from holmgang.errors import HolmgangError
from holmgang.games.shape import printable

LOOK_EVERY = 0.1
START_AGAIN_AFTER = 1.0
"""Seconds between two starts of a worker."""
STOP_WITHIN = 30.0
"""Seconds after which workers that do not stop are killed."""
STOPPED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

log = logging.getLogger(__name__)

Work = Callable[[int, Callable[[], None]], object]
"""Serves as the worker of that number until SIGTERM; calls the function when it is ready."""


class Supervisor:
    """The parent of the workers."""

    def __init__(self, count: int, work: Work) -> None:
        self._count, self._work = count, work
        self._numbers: dict[int, int] = {}
        """Numbers of workers, by process id."""
        self._due: dict[int, float] = {}
        """When dead workers are started again."""
        self._lifeline = os.pipe()
        """Workers read from it; it ends when the parent does, however that happens."""
        self._stopped_by: int | None = None
        self._kill_at = float("inf")

    def run(self, on_ready: Callable[[], None]) -> int | None:
        """Runs the workers until a signal, and returns it. Exits if a worker cannot start."""
        for each in STOPPED_BY:
            if signal.getsignal(each) is not signal.SIG_IGN:
                signal.signal(each, self._stop)
        for number in range(self._count):
            if self._stopped_by is None and not self._start(number):
                self._end()
        if self._stopped_by is None:
            on_ready()
        while self._numbers or (self._due and self._stopped_by is None):
            time.sleep(LOOK_EVERY)
            self._look()
        return self._stopped_by

    def _look(self) -> None:
        """Finds workers that died, and starts them again when it is time."""
        for pid, number in list(self._numbers.items()):
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                del self._numbers[pid]
                if self._stopped_by is None:
                    code = os.waitstatus_to_exitcode(status)
                    log.error("a worker died", extra={"event": {"worker": number, "code": code}})
                    self._due[number] = time.monotonic() + START_AGAIN_AFTER
        now = time.monotonic()
        for number, due in list(self._due.items()):
            if now >= due and self._stopped_by is None:
                del self._due[number]
                if not self._start(number):
                    self._due[number] = time.monotonic() + START_AGAIN_AFTER
        if now > self._kill_at:
            self._signal(signal.SIGKILL)

    def _start(self, number: int) -> bool:
        """Starts a worker and waits until it is ready; False if it ends before that."""
        reading, writing = os.pipe()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPED_BY)
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            os.close(self._lifeline[1])
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which tells us
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            self._be_worker(number, writing)
        self._numbers[pid] = number
        os.close(writing)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        with os.fdopen(reading, "rb") as pipe:
            is_ready = pipe.read(1) != b""
        if not is_ready:
            os.waitpid(pid, 0)
            del self._numbers[pid]
        return is_ready

    def _be_worker(self, number: int, writing: int) -> NoReturn:
        def ready() -> None:
            os.write(writing, b"r")
            os.close(writing)

        Thread(target=stop_with_parent, args=(self._lifeline[0],), daemon=True).start()
        code = 1
        try:
            self._work(number, ready)
            code = 0
        except HolmgangError as error:
            sys.stderr.write(f"holmgang: {printable(str(error))}\n")
        except BaseException:
            log.exception("a worker failed")
        finally:
            atexit._run_exitfuncs()
            with suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)

    def _end(self) -> NoReturn:
        """Stops everything because a worker could not start; the worker has printed why."""
        self._signal(signal.SIGTERM)
        for pid in self._numbers:
            os.waitpid(pid, 0)
        sys.exit(2)

    def _stop(self, number: int, _: FrameType | None) -> None:
        if self._stopped_by is None:
            self._stopped_by = number
            self._kill_at = time.monotonic() + STOP_WITHIN
        self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> None:
        for pid in self._numbers:
            with suppress(ProcessLookupError):
                os.kill(pid, number)


def stop_with_parent(lifeline: int) -> None:
    os.read(lifeline, 1)  # of which there is none: this returns when the other end is closed
    os.kill(os.getpid(), signal.SIGTERM)
