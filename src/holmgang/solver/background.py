"""Builds tables in other processes."""

import atexit
import time
from contextlib import suppress
from pathlib import Path
from threading import Lock

from holmgang.games.ruleset import Ruleset
from holmgang.machine import start_module
from holmgang.solver.tables import alone, can_be_tabled, table_path


class BackgroundBuild:
    """A table being built by another process: `python -m holmgang.solver RULESET`."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.path = table_path(ruleset)
        self._process = start_module("holmgang.solver", ruleset.text)
        self._started = time.monotonic()
        atexit.register(self.stop)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def seconds(self) -> float:
        """Running time."""
        return time.monotonic() - self._started

    @property
    def has_failed(self) -> bool:
        return self._process.poll() not in (None, 0)

    def stop(self) -> None:
        """Stops building; no partial file is left."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
            with suppress(BlockingIOError), alone(self.path, wait=False):
                pass  # removes its lock file


_builds: dict[Path, BackgroundBuild] = {}
_lock = Lock()


def build_in_background(ruleset: Ruleset) -> None:
    """Starts building the ruleset's table, unless it cannot have one, or an earlier build is still
    running, has failed, or has built a table that this process cannot use.
    """
    if not can_be_tabled(ruleset):
        return
    path = table_path(ruleset)
    with _lock:
        known = _builds.get(path)
        if known is None or not (known.is_running or known.has_failed or path.exists()):
            _builds[path] = BackgroundBuild(ruleset)


def seconds_of_building(ruleset: Ruleset) -> float | None:
    """How long the ruleset's table has been building; None if it is not being built."""
    build = _builds.get(table_path(ruleset))
    return build.seconds if build is not None and build.is_running else None
