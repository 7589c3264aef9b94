"""Interpreted searches in other processes: in this process they would block all other threads.

This module is also the program of such a process: it reads requests and writes answers until its
input ends or it has been idle for a while.
"""

import pickle
import select
import sys
from contextlib import suppress
from subprocess import PIPE, Popen
from threading import Lock, Semaphore

from holmgang.errors import HolmgangError
from holmgang.games.contract import State
from holmgang.games.finding import load_environment
from holmgang.games.ruleset import Ruleset, load
from holmgang.machine import available_cores, start_module
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.search.dispatch import search_here

REST_SECONDS = 60.0
"""Idle time after which a process ends."""


class SearchFailedError(HolmgangError):
    """A search process died or was stopped."""


class Interpreters:
    """Processes that search without compiling; each handles one request at a time. They are started
    on demand, at most one per core.
    """

    def __init__(self, most: int | None = None) -> None:
        self._slots = Semaphore(most or available_cores())
        self._lock = Lock()
        self._resting: list[Popen[bytes]] = []
        self._asked: set[Popen[bytes]] = set()
        self._is_closed = False

    def search(
        self, ruleset: Ruleset, state: State, budget_ms: float | None, depth: int | None
    ) -> Evaluation:
        """The same as `dispatch.search`. Also raises `SearchFailedError`."""
        request = pickle.dumps((ruleset.text, state, budget_ms, depth))
        with self._slots:
            while True:
                process, is_new = self._take()
                try:
                    found = ask(process, request)
                except (OSError, EOFError, pickle.UnpicklingError):
                    self._end(process)
                    if is_new or self._is_closed:
                        raise SearchFailedError("the search was interrupted") from None
                    continue  # it ended because it had been idle
                self._put_back(process)
                break
        if isinstance(found, HolmgangError):
            raise found
        return found

    def close(self) -> None:
        """Ends the processes; searches in progress fail."""
        with self._lock:
            self._is_closed = True
            resting, self._resting = self._resting, []
            for process in self._asked:
                process.kill()  # the thread that waits for it cleans up
        for process in resting:
            self._end(process)

    def _take(self) -> tuple[Popen[bytes], bool]:
        """A process, and whether it is a new one."""
        with self._lock:
            if self._is_closed:
                raise SearchFailedError("the search was interrupted")
            is_new = not self._resting
            process = start() if is_new else self._resting.pop()
            self._asked.add(process)
        return process, is_new

    def _put_back(self, process: Popen[bytes]) -> None:
        with self._lock:
            if not self._is_closed:
                self._asked.discard(process)
                self._resting.append(process)
                return
        self._end(process)

    def _end(self, process: Popen[bytes]) -> None:
        with self._lock:
            self._asked.discard(process)
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def start() -> Popen[bytes]:
    return start_module("holmgang.solver.search.outside", stdin=PIPE, stdout=PIPE)


def ask(process: Popen[bytes], request: bytes) -> Evaluation | HolmgangError:
    if process.stdin is None or process.stdout is None:
        raise OSError("the process has no pipes")
    process.stdin.write(request)
    process.stdin.flush()
    found: Evaluation | HolmgangError = pickle.load(process.stdout)  # noqa: S301 - our own process
    return found


# In the search process


def serve() -> None:
    load_environment()  # states are unpickled with the types of their games
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while select.select([source], [], [], REST_SECONDS)[0]:
        text, state, budget_ms, depth = pickle.load(source)  # noqa: S301 - from our own process
        found: Evaluation | HolmgangError
        try:
            found = search_here(load(text), state, budget_ms=budget_ms, depth=depth, interpret=True)
        except HolmgangError as error:
            found = error
        pickle.dump(found, sink)
        sink.flush()


if __name__ == "__main__":
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        serve()
