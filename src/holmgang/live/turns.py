"""Threads that serve clients by turns, so that nobody waits for the many jobs of someone else."""

import os
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Condition, Thread, get_native_id
from typing import Any, TypeVar, TypeVarTuple

from holmgang.machine import NICE

Given = TypeVarTuple("Given")
Result = TypeVar("Result")

QueuedCall = tuple["Future[Any]", Callable[[], Any]]


class TurnThreads:
    """A pool of threads with a queue for each client. A free thread takes the next job of the
    client whose last turn is longest ago. If there are several threads, a known client never
    occupies all of them.
    """

    def __init__(self, count: int, name: str, *, nice: int = NICE) -> None:
        """With `nice`, the threads have a lower priority than the event loop."""
        self._count, self._name, self._nice = count, name, nice
        self._most_of_one = max(1, count - 1)
        self._waiting: OrderedDict[str | None, deque[QueuedCall]] = OrderedDict()
        """Jobs by client, the client whose turn is next first."""
        self._running: Counter[str | None] = Counter()
        self._threads: list[Thread] = []
        self._idle = self._jobs = 0
        self._is_closed = False
        self._changed = Condition()

    def submit(
        self, client: str | None, work: Callable[[*Given], Result], *given: *Given
    ) -> "Future[Result]":
        """Runs the work when it is the client's turn; None stands for all unknown clients."""
        future: Future[Result] = Future()
        with self._changed:
            if self._is_closed:
                future.cancel()
                return future
            self._waiting.setdefault(client, deque()).append((future, lambda: work(*given)))
            self._jobs += 1
            if self._jobs > self._idle and len(self._threads) < self._count:
                thread = Thread(target=self._work, name=f"{self._name}-{len(self._threads)}")
                self._threads.append(thread)
                thread.start()
            self._changed.notify()
        return future

    def close(self, *, wait: bool = False) -> None:
        """Cancels jobs that have not begun. With `wait`, returns when the others are done."""
        with self._changed:
            self._is_closed = True
            for jobs in self._waiting.values():
                for future, _ in jobs:
                    future.cancel()
            self._waiting.clear()
            self._jobs = 0
            self._changed.notify_all()
        if wait:
            for thread in self._threads:
                thread.join()

    def _work(self) -> None:
        lower_priority(self._nice)
        while True:
            with self._changed:
                self._idle += 1
                self._changed.wait_for(lambda: self._is_closed or self._next() is not None)
                self._idle -= 1
                if self._is_closed:
                    return
                client, (future, run) = self._take()
                self._running[client] += 1
            try:
                carry_out(future, run)
            finally:
                del run
                with self._changed:
                    self._running[client] -= 1
                    if not self._running[client]:
                        del self._running[client]
                    self._changed.notify()

    def _next(self) -> tuple[str | None] | None:
        """The client whose turn it is, in a tuple; None if there is nothing to do."""
        for client in self._waiting:
            if client is None or self._running[client] < self._most_of_one:
                return (client,)
        return None

    def _take(self) -> tuple[str | None, QueuedCall]:
        found = self._next()
        if found is None:
            raise AssertionError("there is nothing to do")
        (client,) = found
        jobs = self._waiting[client]
        job = jobs.popleft()
        self._jobs -= 1
        if jobs:
            self._waiting.move_to_end(client)
        else:
            del self._waiting[client]
        return client, job


def carry_out(future: "Future[Any]", run: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = run()
    except BaseException as error:  # noqa: BLE001 - whoever asked gets it
        future.set_exception(error)
    else:
        future.set_result(result)


def lower_priority(nice: int) -> None:
    """Lowers the priority of this thread, on a system where a thread has its own."""
    if nice and sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), nice)
