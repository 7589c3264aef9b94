"""Compiles a ruleset's search in the background.

Another process compiles into the cache of object files, since numba would block every thread of
this one. Until it is done, `search` runs interpreted and sees less far ahead.
"""

import atexit
from subprocess import Popen
from threading import Event, Lock, Semaphore, Thread

from holmgang.engine.compiled.native import Announce, can_compile, silent
from holmgang.games.ruleset import Ruleset
from holmgang.machine import available_cores, start_module
from holmgang.solver.quantal import kernels_of_quantal
from holmgang.solver.search import alternating, simultaneous

POLL_SECONDS = 0.02


def is_compiled(ruleset: Ruleset) -> bool:
    """Whether a search can start without compiling."""
    if ruleset.game.dominance is not None:
        return alternating.searcher_of(ruleset).is_cached("search")
    return simultaneous.searcher_of(ruleset, False).is_compiled


def are_levels_compiled() -> bool:
    """Whether graded levels can choose without compiling or interpreting, besides the search."""
    return kernels_of_quantal().is_cached("quantal")


def compile_levels(announce: Announce = silent) -> None:
    """Compiles the kernel that graded levels need besides the search."""
    kernels_of_quantal()("quantal", announce)


def is_native(ruleset: Ruleset) -> bool:
    """Whether a search runs as machine code without compiling first."""
    return can_compile() and not is_preparing(ruleset) and is_compiled(ruleset)


class Preparation:
    """The compilation of a ruleset's search in another process."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._process: Popen[bytes] | None = None
        self._lock = Lock()
        self._is_stopped = False
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()
        atexit.register(self.stop)

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stops compiling; no partial file is left."""
        with self._lock:
            self._is_stopped = True
            if self._process is not None and self._process.poll() is None:
                self._process.terminate()
        self._thread.join()
        atexit.unregister(self.stop)

    def _run(self) -> None:
        if is_compiled(self._ruleset) and are_levels_compiled():
            return
        while not _slots.acquire(timeout=POLL_SECONDS):
            if self._is_stopped:
                return
        try:
            self._compile()
        finally:
            _slots.release()

    def _compile(self) -> None:
        with self._lock:
            if self._is_stopped:
                return
            self._process = start_module("holmgang.solver.search", self._ruleset.text)
        self._process.wait()


_slots = Semaphore(available_cores())
"""Limits the number of compilers that this process runs at the same time."""
_preparations: dict[Ruleset, Preparation] = {}
_lock = Lock()


def prepare(ruleset: Ruleset) -> None:
    """Starts compiling the ruleset's search, unless this process has already started it."""
    with _lock:
        if ruleset not in _preparations:
            _preparations[ruleset] = Preparation(ruleset)


def was_prepared(ruleset: Ruleset) -> bool:
    """Whether `prepare` was called for the ruleset in this process."""
    return ruleset in _preparations


def is_preparing(ruleset: Ruleset) -> bool:
    preparation = _preparations.get(ruleset)
    return preparation is not None and preparation.is_running


def wait_until_prepared(ruleset: Ruleset, hurry: Event) -> None:
    """Waits until the search is compiled or `hurry` is set."""
    while is_preparing(ruleset) and not hurry.wait(POLL_SECONDS):
        pass
