"""Work handed from other threads to the event loop."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress

log = logging.getLogger(__name__)


class Inbox:
    """A queue from the store's writer to the event loop, which is woken once for everything that
    has arrived in the meantime.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._work: deque[Callable[[], None]] = deque()
        self._is_woken = False

    def put(self, work: Callable[[], None]) -> None:
        """Schedules work in the event loop, in order. Can be called from any thread."""
        self._work.append(work)
        if not self._is_woken:
            self._is_woken = True
            with suppress(RuntimeError):  # the loop is closed: nobody is waiting
                self._loop.call_soon_threadsafe(self._do_all)

    def _do_all(self) -> None:
        self._is_woken = False  # before looking, so that what comes now wakes it again
        while self._work:
            try:
                self._work.popleft()()
            except Exception:
                log.exception("work after a commit failed")
