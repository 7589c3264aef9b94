"""Tables of the default rulesets, built one by one while the server is idle, and puzzles made from
them.
"""

import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset, load
from holmgang.solver.background import BackgroundBuild
from holmgang.solver.tables import can_be_tabled, find_table

FIRST_AFTER = 15.0  # seconds: a first duel, for which levels are compiled, comes before
CHECK_EVERY = 0.5

log = logging.getLogger(__name__)


class TableBuilder:
    """A thread that builds missing tables in processes that run only when a core is idle.

    It ignores rulesets that clients ask for, since anyone could ask for any number of them.
    """

    def __init__(
        self,
        after: float = FIRST_AFTER,
        then: Callable[[threading.Event], None] = lambda stopping: None,
    ) -> None:
        """When all tables are built, the thread calls `then` with an event that is set when the
        server stops.
        """
        self._after, self._then = after, then
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._build_all, name="tables", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _build_all(self) -> None:
        for name in CATALOGUE:  # before the files of the code can change under a running server
            _ = load(name).code
        if self._stopping.wait(self._after):
            return
        for name in CATALOGUE:
            ruleset = load(name)
            if can_be_tabled(ruleset) and find_table(ruleset) is None:
                self._build(ruleset)
            if self._stopping.is_set():
                return
        self._then(self._stopping)

    def _build(self, ruleset: Ruleset) -> None:
        background = BackgroundBuild(ruleset)
        make_idle(background.pid)
        while background.is_running:
            if self._stopping.wait(CHECK_EVERY):
                background.stop()
                return
        if background.has_failed:
            log.info("no table was built", extra={"event": {"ruleset": ruleset.text}})
        else:
            log.info(
                "table built",
                extra={"event": {"ruleset": ruleset.text, "s": round(background.seconds)}},
            )


def make_idle(pid: int) -> None:
    """Gives a process idle priority, if the system supports that."""
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
