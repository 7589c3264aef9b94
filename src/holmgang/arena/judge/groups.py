"""Control groups (cgroups): one for each bot and everything that it starts.

A group limits memory and processes, counts the processor time of everything that was ever in it,
measures how long it has waited for a processor, and can be frozen. Not every machine has all of
this, and usually only root may make groups, or a user to whom systemd has delegated one.
docs/sandbox.md says what is guaranteed without them.
"""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from holmgang.arena.judge.keeper import kill
from holmgang.arena.judge.leftovers import is_orphan, name_prefix

ROOT = Path("/sys/fs/cgroup")
VERSION_1 = ("memory", "pids", "cpuacct", "freezer")
"""The controllers of version 1 that are used if version 2 does not have them."""
USAGE = ("cpu.stat", "cpuacct.usage")
FREEZER = ("cgroup.freeze", "freezer.state")
PRESSURE = ("cpu.pressure",)
MARGIN_MB = 64  # for the sandbox itself and the kernel's own memory for the bot
PATIENCE = 1.0  # seconds for the kernel to notice that all processes of a group have ended

numbers = count()


class ControlGroup:
    """A group for one bot, in all hierarchies that are available. The keeper removes it."""

    def __init__(self, memory_mb: int | None = None, processes: int | None = None) -> None:
        """None means no limit."""
        self._name = f"{name_prefix()}{next(numbers)}"
        self.folders: list[Path] = []
        any(self._made(parent) for parent in unified_parents())
        if memory_mb is not None:
            memory = str((memory_mb + MARGIN_MB) << 20)
            if self._set("memory.max", memory):
                self._set("memory.swap.max", "0")
            elif self._made(ROOT / "memory"):
                self._set("memory.limit_in_bytes", memory)
        if processes is not None:
            self._set("pids.max", str(processes)) or (
                self._made(ROOT / "pids") and self._set("pids.max", str(processes))
            )
        if self.usage is None:
            self._made(ROOT / "cpuacct")
        if self.freezer is None:
            self._made(ROOT / "freezer")

    def _made(self, parent: Path) -> bool:
        """Makes the group below `parent`. Returns whether processes can be added to it."""
        if not os.access(parent / "cgroup.procs", os.W_OK):
            return False
        try:
            (parent / self._name).mkdir()
        except OSError:
            return False
        self.folders.append(parent / self._name)
        return True

    def _set(self, name: str, limit: str) -> bool:
        """Sets a limit. Returns False if the group does not have it."""
        found = self._find((name,))
        if found is None:
            return False
        try:
            Path(found).write_text(limit)
        except OSError:
            return False
        return True

    @property
    def files(self) -> list[str]:
        """The files to which a process writes its id to join the group."""
        return [str(folder / "cgroup.procs") for folder in self.folders]

    @property
    def usage(self) -> str | None:
        """The file with the processor time of everything that was ever in the group."""
        return self._find(USAGE)

    @property
    def freezer(self) -> str | None:
        """The file that freezes the group."""
        return self._find(FREEZER)

    @property
    def pressure(self) -> str | None:
        """The file with the time that the group has waited for a processor."""
        found = self._find(PRESSURE)
        return found if found is not None and is_readable(found) else None

    def release(self, pids: list[int]) -> None:
        """Removes our wrapper processes from the group, so that they are not measured or frozen."""
        if self.folders and (self.folders[0] / "cgroup.freeze").exists():
            for pid in pids:
                with suppress(OSError):
                    (self.folders[0].parent / "cgroup.procs").write_text(str(pid))

    def _find(self, names: tuple[str, ...]) -> str | None:
        files = (folder / name for folder in self.folders for name in names)
        return next((str(file) for file in files if file.exists()), None)


def unified_parents() -> Iterator[Path]:
    """The places where groups of version 2 may be made: the root and this process's own group."""
    root = next(
        (each for each in (ROOT, ROOT / "unified") if (each / "cgroup.controllers").exists()), None
    )
    if root is None:
        return
    yield root
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::/"):
                yield root / line.removeprefix("0::/")


def is_readable(file: str) -> bool:
    """Whether a file can be read. If a counter was disabled at boot, its file still exists."""
    try:
        Path(file).read_bytes()
    except OSError:
        return False
    return True


def remove_orphaned_groups() -> None:
    """Removes the groups whose owners have ended, and kills all processes in them."""
    for parent in (*unified_parents(), *(ROOT / name for name in VERSION_1)):
        with suppress(OSError):
            for folder in parent.glob("holmgang-*"):
                if is_orphan(folder.name):
                    remove_group(folder)


def remove_group(folder: Path) -> None:
    """Kills all processes in a group and removes the group."""
    patience = time.monotonic() + PATIENCE
    while time.monotonic() < patience:
        with suppress(OSError):
            for pid in (folder / "cgroup.procs").read_text().split():
                kill(int(pid))
        with suppress(OSError):
            (folder / "freezer.state").write_text("THAWED")  # frozen processes cannot die
        try:
            folder.rmdir()
        except OSError as error:
            if error.errno != errno.EBUSY:
                return
            time.sleep(0.001)
        else:
            return


def parse_usage(text: bytes) -> int:
    r"""Nanoseconds of processor time, from the file of either version of control groups.

    >>> parse_usage(b"27000\n"), parse_usage(b"usage_usec 27\nuser_usec 9\n")
    (27000, 27000)
    """
    words = text.split(maxsplit=2)
    return int(words[0]) if len(words) == 1 else 1000 * int(words[1])


def parse_pressure(text: bytes) -> int:
    r"""Nanoseconds in which all processes of a group that were ready to run had to wait: the
    kernel's pressure stall information ("full").

    >>> parse_pressure(b"some avg10=1.00 total=9\nfull avg10=0.50 total=7\n")
    7000
    """
    return 1000 * int(text.rpartition(b"total=")[2])
