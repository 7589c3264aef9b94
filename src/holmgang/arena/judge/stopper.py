"""Stops a bot and everything that it has started while it is not being asked.

If the bot has a control group, the group is frozen, which stops all its processes at once.
Otherwise every process gets SIGSTOP, and later SIGCONT.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from holmgang.arena.judge.groups import ControlGroup, parse_usage
from holmgang.arena.judge.keeper import stat_fields

LONGEST = 64  # bytes to read of a control group's usage
PATIENCE = 0.1  # maximum wait in seconds for a bot to stop
PAUSE = 0.0001
PASSES = 16


class Stopper(Protocol):
    """Stops and resumes one bot."""

    def stop(self) -> None: ...

    def resume(self) -> None: ...

    def is_still(self) -> bool:
        """Whether all processes of a stopped bot have stopped, including in the kernel."""
        ...

    def used_ns(self) -> int:
        """Processor time so far."""
        ...

    def close(self) -> None: ...


def wait_until_still(stopper: Stopper) -> None:
    """Waits until a bot has really stopped: a process only stops when it leaves a system call."""
    patience = time.monotonic() + PATIENCE
    while not stopper.is_still() and time.monotonic() < patience:
        time.sleep(PAUSE)


class Freezer:
    """Freezes a control group, of either version."""

    @classmethod
    def of(cls, group: ControlGroup | None) -> "Freezer | None":
        """None if the group cannot be frozen."""
        if group is None or group.freezer is None or group.usage is None:
            return None
        return cls(group.freezer, group.usage)

    def __init__(self, file: str, usage: str) -> None:
        self._file = os.open(file, os.O_RDWR)
        self._usage = os.open(usage, os.O_RDONLY)
        if file.endswith("cgroup.freeze"):
            self._words = b"1", b"0"
            events = os.path.join(os.path.dirname(file), "cgroup.events")  # noqa: PTH118, PTH120
            self._state, self._frozen = os.open(events, os.O_RDONLY), b"frozen 1"
        else:
            self._words = b"FROZEN", b"THAWED"
            self._state, self._frozen = os.dup(self._file), b"FROZEN"

    def stop(self) -> None:
        os.pwrite(self._file, self._words[0], 0)

    def resume(self) -> None:
        os.pwrite(self._file, self._words[1], 0)

    def is_still(self) -> bool:
        return self._frozen in os.pread(self._state, LONGEST, 0)

    def used_ns(self) -> int:
        return parse_usage(os.pread(self._usage, LONGEST, 0))

    def close(self) -> None:
        for file in (self._file, self._usage, self._state):
            os.close(file)


class Signals:
    """Stops processes one by one, except those that the bot has stopped itself."""

    def __init__(self, family: Callable[[], list[int]]) -> None:
        """`family` returns the process ids of the bot."""
        self._family = family
        self._stopped: list[int] = []

    def stop(self) -> None:
        """Repeats until there is no new process, because processes may fork meanwhile."""
        self._stopped = []
        for _ in range(PASSES):
            found = [
                pid for pid in self._family() if pid not in self._stopped and state(pid) not in "TZ"
            ]
            if not found:
                return
            for pid in found:
                with suppress(OSError):  # it has just ended
                    os.kill(pid, signal.SIGSTOP)
            self._stopped += found

    def resume(self) -> None:
        for pid in self._stopped:
            with suppress(OSError):
                os.kill(pid, signal.SIGCONT)
        self._stopped = []

    def is_still(self) -> bool:
        return all(state(pid) in "TZ" for pid in self._stopped)

    def used_ns(self) -> int:
        return sum(map(cpu_ns, self._family()))

    def close(self) -> None:
        self._stopped = []


def state(pid: int) -> str:
    """The state of a process in /proc/PID/stat: T is stopped; Z (a zombie) if it has ended."""
    return (stat_fields(pid) or ["Z"])[0]


def cpu_ns(pid: int) -> int:
    """Processor time of a process, including ended threads; 0 if the process has ended."""
    clock = ~pid << 3 | 2  # like clock_getcpuclockid(3)
    try:
        return time.clock_gettime_ns(clock)
    except OSError:
        return 0
