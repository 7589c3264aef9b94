"""Finds and builds tables: one file for each ruleset, in one folder.

Each file is opened once per process and shared by all threads.
"""

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from holmgang.engine.compiled.native import Announce, can_compile, silent
from holmgang.engine.progress import Notify
from holmgang.errors import RecordError, RulesetError, UsageError
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.machine import data_folder
from holmgang.solver.exact import tablebase
from holmgang.solver.exact.compiling import compile_solver
from holmgang.solver.exact.solve import solve_whole
from holmgang.solver.exact.table import MOST_MIB, MOST_STATES
from holmgang.solver.exact.tablebase import Tablebase
from holmgang.solver.layered.layers import Layers, solve_layers
from holmgang.solver.layered.places import has_clock
from holmgang.solver.search.dispatch import takes_turns
from holmgang.solver.summary import Counted, SolveResult

MOST_BY_THE_WAY = 200_000  # states of a table that is built automatically

log = logging.getLogger(__name__)


def table_folder() -> Path:
    """$HOLMGANG_TABLES, or holmgang/tables in the user's data folder."""
    own = os.environ.get("HOLMGANG_TABLES")
    return Path(own) if own else data_folder() / "tables"


def table_path(ruleset: Ruleset) -> Path:
    return table_folder() / f"{ruleset.entry.name}-{ruleset.hash}.table"


def layers_path(ruleset: Ruleset) -> Path:
    """The path of the layers of a game with a clock."""
    return table_path(ruleset).with_suffix(".layers")


# Finding

SolvedTable = Tablebase | Layers
Stamp = tuple[int, int, int]
"""Identifies the version of a file."""

_opened: dict[Path, tuple[Stamp, SolvedTable | None]] = {}
_opening = Lock()


def find_table(ruleset: Ruleset) -> SolvedTable | None:
    """The ruleset's table, if there is a usable one. A file that is damaged, of another format, for
    other rules or computed by other code is not used; a warning is logged once.
    """
    return usable(table_path(ruleset), ruleset) or usable(layers_path(ruleset), ruleset)


def usable(path: Path, ruleset: Ruleset) -> SolvedTable | None:
    """The table in a file, opened once until the file changes; None if it cannot be used."""
    try:
        stat = path.stat()
    except OSError:
        return None
    stamp = stat.st_ino, stat.st_ctime_ns, stat.st_size
    with _opening:
        known = _opened.get(path)
        if known is None or known[0] != stamp:
            known = _opened[path] = stamp, opened(path, ruleset)
    return known[1]


def opened(path: Path, ruleset: Ruleset) -> SolvedTable | None:
    try:
        return open_table(path, ruleset)
    except (RecordError, RulesetError) as error:
        is_rebuilt = path.suffix == ".table" and can_be_tabled(ruleset)
        remedy = "rebuilding it, or searching if it is large" if is_rebuilt else "searching instead"
        log.warning("%s (%s)", error, remedy)
        return None


def reject(table: SolvedTable) -> None:
    """Makes `find_table` ignore a table that turned out to be damaged."""
    with _opening:
        for path, (stamp, known) in _opened.items():
            if known is table:
                _opened[path] = stamp, None


def open_table(path: Path, ruleset: Ruleset) -> SolvedTable:
    """The table in a file. Raises `RecordError` or `RulesetError` if it cannot be used."""
    if path.suffix == ".layers":
        table: SolvedTable = Layers(path)
    else:
        table = Tablebase(path)
        table.check_sum()
    if (table.ruleset.hash, table.ruleset.code) != (ruleset.hash, ruleset.code):
        raise RulesetError(f"{path} is for {table.ruleset.text}, not for {ruleset.text}")
    return table


def solving(ruleset: Ruleset) -> str:
    """The progress of the layer being solved for a request; empty if there is none."""
    table = usable(layers_path(ruleset), ruleset) if has_clock(ruleset) else None
    return table.solving if isinstance(table, Layers) else ""


# Building


def solve(
    ruleset: str | Ruleset,
    *,
    out: Path | None = None,
    most_states: int = MOST_STATES,
    most_mib: int = MOST_MIB,
    progress: Notify = lambda said: None,
    announce: Announce = silent,
) -> SolveResult:
    """Solves the ruleset and writes its table to `out`, by default to the folder of tables, where
    it replaces an older one. A game with a clock is solved by layers, which can be interrupted and
    resumed.

    Raises `UsageError` if the game has too many states or needs too much memory, or if the file
    cannot be written.
    """
    ruleset = as_ruleset(ruleset)
    if out is not None and out.is_dir():  # refuse before the work, not after it
        raise UsageError(f"cannot write {out}: it is a folder")
    if has_clock(ruleset):
        path = out or layers_path(ruleset)
        return solve_layers(ruleset, path, progress=progress, announce=announce)
    path = out or table_path(ruleset)
    with alone(path):
        return write_table(ruleset, path, most_states, most_mib, progress, announce)


def write_table(
    ruleset: Ruleset,
    path: Path,
    most_states: int,
    most_mib: int,
    progress: Notify,
    announce: Announce,
) -> SolveResult:
    compile_solver(announce)
    solution = solve_whole(
        ruleset,
        most_states=most_states,
        most_mib=most_mib,
        progress=progress,
        announce=announce,
    )
    tablebase.write(solution, path)
    return SolveResult(
        ruleset,
        solution.table.states,
        Counted.REACHABLE,
        solution.values[solution.table.start],
        solution.exploitability,
        solution.compute_seconds,
        path,
        path.stat().st_size,
        solution.sweeps,
        solution.worst_exploitability,
    )


def build_table(
    ruleset: Ruleset,
    *,
    most_states: int,
    progress: Notify = lambda said: None,
    announce: Announce = silent,
) -> Path:
    """Solves the ruleset unless a usable table exists, waiting for any other process or thread that
    builds it. Returns the table's path.
    """
    path = table_path(ruleset)
    with alone(path):
        if usable(path, ruleset) is None:
            write_table(ruleset, path, most_states, MOST_MIB, progress, announce)
    return path


def can_be_tabled(ruleset: Ruleset) -> bool:
    """Whether a table may be built automatically: not if there is a clock or seats take turns."""
    return can_compile() and not has_clock(ruleset) and not takes_turns(ruleset)


def build_by_the_way(
    ruleset: Ruleset, *, progress: Notify = lambda said: None, announce: Announce = silent
) -> str:
    """Builds the ruleset's table if it is missing or cannot be used. Returns the reason if it is
    too large, otherwise an empty string.
    """
    if can_be_tabled(ruleset) and find_table(ruleset) is None:
        try:
            build_table(ruleset, most_states=MOST_BY_THE_WAY, progress=progress, announce=announce)
        except UsageError as refusal:
            return str(refusal)
    return ""


@contextmanager
def alone(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Locks the file for building, waiting for other processes and threads. Without `wait` it
    raises `BlockingIOError` if it is locked.
    """
    lock = path.with_suffix(".lock")
    while True:
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            file = lock.open("w")
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
        with file:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            if not is_same_file(file.fileno(), lock):
                continue  # the previous holder has removed it
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)
            return


def is_same_file(opened: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(opened), path.stat())
    except FileNotFoundError:
        return False
