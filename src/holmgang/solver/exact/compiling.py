"""Compiles the solver, with the help of another process: numba uses one core of a process.

Both go through the list of kernels, from opposite ends, and share the cache of object files, where
each waits for what the other is compiling.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from holmgang.engine.compiled.native import Announce
from holmgang.machine import available_cores, start_module
from holmgang.solver.exact import sharpen_kernels, sweep_kernels
from holmgang.solver.exact.solve import sweeping

NAMES = (*sweep_kernels.SPECS, *sharpen_kernels.SPECS)
MANY = 4  # missing kernels: fewer are compiled sooner than a process starts


def compile_solver(announce: Announce) -> None:
    """Loads or compiles every kernel that solves tables."""
    kernels = sweeping()
    missing = [name for name in NAMES if not kernels.is_cached(name)]
    with helper() if len(missing) > MANY and available_cores() > 1 else nullcontext():
        for name in NAMES:
            kernels(name, announce)


@contextmanager
def helper() -> Iterator[None]:
    """Another process that compiles inside this context. Stopping it leaves no partial file."""
    try:
        process = start_module("holmgang.solver.exact.compiling")
    except OSError:  # no more processes are allowed here
        yield
        return
    try:
        yield
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    for name in reversed(NAMES):
        sweeping()(name)
