"""Background tasks in the event loop, some of which must be finished even when the server stops."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from holmgang.live.refusal import Refused

COMMIT = "commit"
"""The name of work that is finished even when the server stops."""

log = logging.getLogger(__name__)


class BackgroundTasks:
    """The tasks of one process."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def start(
        self, work: Coroutine[Any, Any, None], name: str = "background"
    ) -> asyncio.Task[None]:
        """Starts a task, and keeps a reference to it until it is done."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    async def finish(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs work to its end, even if the caller is cancelled."""
        task = asyncio.create_task(work, name=COMMIT)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.shield(task)

    async def close(self) -> None:
        """Cancels all tasks except those that must be finished, and waits for these."""
        running = [task for task in self._tasks if not task.done()]
        for task in running:
            if task.get_name() != COMMIT:
                task.cancel()
        if running:
            await asyncio.wait(running)

    def _finished(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Refused):
            log.info("%s", error)
        elif error is not None:
            log.error("work in the background failed", exc_info=error)
