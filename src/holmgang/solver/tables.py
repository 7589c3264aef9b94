"""Where tables are kept, found and built: in one folder, one file for each ruleset."""

import atexit
import fcntl
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path

from holmgang.engine.compiled.native import Announce, can_compile, silent
from holmgang.errors import RecordError, RulesetError, UsageError
from holmgang.games.ruleset import Ruleset
from holmgang.machine import data_folder
from holmgang.solver.exact import tablebase
from holmgang.solver.exact.solve import Progress, solve
from holmgang.solver.exact.tablebase import Tablebase
from holmgang.solver.layered.layers import Layers
from holmgang.solver.layered.places import has_clock
from holmgang.solver.search.dispatch import takes_turns

MOST_BY_THE_WAY = 200_000  # states of a table that is built without being asked for
NICE = 10

log = logging.getLogger(__name__)


def table_folder() -> Path:
    """$HOLMGANG_TABLES, or holmgang/tables in the user's data folder."""
    own = os.environ.get("HOLMGANG_TABLES")
    return Path(own) if own else data_folder() / "tables"


def table_path(ruleset: Ruleset) -> Path:
    return table_folder() / f"{ruleset.entry.name}-{ruleset.hash}.table"


def layers_path(ruleset: Ruleset) -> Path:
    """Where the layers of a game with a clock are kept."""
    return table_path(ruleset).with_suffix(".layers")


Table = Tablebase | Layers


def find_table(ruleset: Ruleset) -> Table | None:
    """The ruleset's table, if there is one that can be used. A file that is damaged, of another
    format or of other rules is not; a warning says so, once.
    """
    return usable(table_path(ruleset), ruleset) or usable(layers_path(ruleset), ruleset)


def usable(path: Path, ruleset: Ruleset) -> Table | None:
    if not path.exists():
        return None
    try:
        return open_table(path, ruleset)
    except (RecordError, RulesetError) as error:
        is_rebuilt = path.suffix == ".table" and can_be_tabled(ruleset)
        remedy = "rebuilding it, or searching if it is large" if is_rebuilt else "searching instead"
        warn_once(f"{error} ({remedy})")
        return None


def open_table(path: Path, ruleset: Ruleset) -> Table:
    """The table in a file. Raises `RecordError` or `RulesetError` if it is damaged, of another
    format or of another ruleset.
    """
    if path.suffix == ".layers":
        stat = path.stat()
        table: Table = open_layers(path, stat.st_mtime_ns, stat.st_size)
    else:
        table = Tablebase(path)
        table.check_sum()
    if table.ruleset.hash != ruleset.hash:
        raise RulesetError(f"{path} is for {table.ruleset.text}, not for {ruleset.text}")
    return table


@lru_cache(maxsize=2)
def open_layers(path: Path, written: int, size: int) -> Layers:
    """One for all who ask, since layers take much memory; another after the file has changed."""
    return Layers(path)


def solving(ruleset: Ruleset) -> str:
    """How far the layer is that a question has to wait for; empty if there is none."""
    path = layers_path(ruleset)
    table = usable(path, ruleset) if has_clock(ruleset) else None
    return table.solving if isinstance(table, Layers) else ""


@cache
def warn_once(message: str) -> None:
    log.warning("%s", message)


def build_table(
    ruleset: Ruleset,
    *,
    most_states: int,
    progress: Progress = lambda said: None,
    announce: Announce = silent,
) -> Path:
    """Solves the ruleset, unless there is a table already or another process is writing it; the
    table's path.
    """
    path = table_path(ruleset)
    with alone(path):
        if usable(path, ruleset) is None:
            solution = solve(ruleset, most_states=most_states, progress=progress, announce=announce)
            tablebase.write(solution, path)
    return path


def can_be_tabled(ruleset: Ruleset) -> bool:
    """Whether it is worth trying: not with a clock, nor where amounts have no limit."""
    return can_compile() and not has_clock(ruleset) and not takes_turns(ruleset)


def build_by_the_way(
    ruleset: Ruleset, *, progress: Progress = lambda said: None, announce: Announce = silent
) -> str:
    """Builds the ruleset's table if it is missing or cannot be used, unless it would be too large;
    then the reason.
    """
    if can_be_tabled(ruleset) and find_table(ruleset) is None:
        try:
            build_table(ruleset, most_states=MOST_BY_THE_WAY, progress=progress, announce=announce)
        except UsageError as refusal:
            return str(refusal)
    return ""


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Waits until no other process is building this file."""
    lock = path.with_suffix(".lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("w")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


class Background:
    """A table that is being built by another process while this one goes on."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        command = [sys.executable, "-m", "holmgang", "solve", ruleset.text, "--json"]
        command += ["--most-states", str(MOST_BY_THE_WAY)]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            command,
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            start_new_session=True,  # Ctrl-C is for the one who plays
        )
        os.setpriority(os.PRIO_PROCESS, self._process.pid, NICE)
        self._started = time.monotonic()
        atexit.register(self.stop)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return time.monotonic() - self._started

    def table(self) -> Table | None:
        """The table, once it is there."""
        return find_table(self.ruleset) if self._process.poll() == 0 else None

    @property
    def has_failed(self) -> bool:
        return self._process.poll() not in (None, 0)

    def stop(self) -> None:
        """Gives up; nothing half-written is left."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()


_backgrounds: dict[Path, Background] = {}


def build_in_background(ruleset: Ruleset) -> Background | None:
    """The process that builds the ruleset's table, one for all who ask; None if there can be no
    table. One that has failed is not started again.
    """
    path = table_path(ruleset)
    known = _backgrounds.get(path)
    if can_be_tabled(ruleset) and (known is None or not (known.is_running or known.has_failed)):
        _backgrounds[path] = Background(ruleset)
    return _backgrounds.get(path)


def seconds_of_building(ruleset: Ruleset) -> float | None:
    """How long the ruleset's table has been in the making; None if it is not."""
    background = _backgrounds.get(table_path(ruleset))
    return background.seconds if background is not None and background.is_running else None
