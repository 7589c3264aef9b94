"""Where tables are kept, found and built: in one folder, one file for each ruleset."""

import atexit
import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from holmgang.engine.compiled.native import Announce, can_compile, silent
from holmgang.errors import RulesetError, UsageError
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
    """The ruleset's table, if there is one. Raises `RecordError` or `RulesetError` if the file in
    its place is damaged or belongs to other rules.
    """
    for path, opened in ((table_path(ruleset), Tablebase), (layers_path(ruleset), Layers)):
        if path.exists():
            table: Table = opened(path)
            if table.ruleset.hash != ruleset.hash:
                raise RulesetError(f"{path} is for {table.ruleset.text}, not for {ruleset.text}")
            if isinstance(table, Tablebase):  # layers see to it themselves
                table.check_sum()
            return table
    return None


def build_table(
    ruleset: Ruleset,
    *,
    most_states: int,
    progress: Progress = lambda said: None,
    announce: Announce = silent,
) -> Path:
    """Solves the ruleset, unless another process is at it and gets it done; the table's path."""
    path = table_path(ruleset)
    with alone(path):
        if not path.exists():
            solution = solve(ruleset, most_states=most_states, progress=progress, announce=announce)
            tablebase.write(solution, path)
    return path


def can_be_tabled(ruleset: Ruleset) -> bool:
    """Whether it is worth trying: not with a clock, nor where amounts have no limit."""
    return can_compile() and not has_clock(ruleset) and not takes_turns(ruleset)


def build_by_the_way(
    ruleset: Ruleset, *, progress: Progress = lambda said: None, announce: Announce = silent
) -> str:
    """Builds the ruleset's table, unless it is there or too large; why it is not, if it is not."""
    if can_be_tabled(ruleset) and not table_path(ruleset).exists():
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
