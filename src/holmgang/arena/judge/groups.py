"""Control groups: one limit of memory and of processes for all that a bot starts, together, and
one count of its processor time, which forgets nothing that has ended.

Only where this process may make them (as root, on most machines). Without, each process of a bot
has its own limits, and docs/sandbox.md says what that means.
"""

import os
from itertools import count
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
USAGE = ("cpuacct.usage", "cpu.stat")
MARGIN_MB = 64  # for the sandbox itself and what the kernel keeps for the bot

numbers = count()


class Group:
    """A group for one bot, in whichever hierarchies there are. The keeper removes it."""

    def __init__(self, memory_mb: int, processes: int) -> None:
        memory = str((memory_mb + MARGIN_MB) << 20)
        name = f"holmgang-{os.getpid()}-{next(numbers)}"
        limits: tuple[tuple[Path, dict[str, str]], ...] = (
            (ROOT, {"memory.max": memory, "memory.swap.max": "0", "pids.max": str(processes)}),
            (ROOT / "memory", {"memory.limit_in_bytes": memory}),
            (ROOT / "pids", {"pids.max": str(processes)}),
            (ROOT / "cpuacct", {}),
        )
        self.folders = [
            folder / name for folder, given in limits if self._made(folder / name, given)
        ]

    def _made(self, folder: Path, limits: dict[str, str]) -> bool:
        try:
            if not (folder.parent / "cgroup.procs").exists():
                return False
            folder.mkdir()
        except OSError:
            return False
        for file, limit in limits.items():
            try:
                (folder / file).write_text(limit)
            except OSError:
                if file == "memory.swap.max":
                    continue  # a kernel without swap has no such file
                folder.rmdir()
                return False
        return True

    @property
    def files(self) -> list[str]:
        """Where a process writes itself down to be in the group."""
        return [str(folder / "cgroup.procs") for folder in self.folders]

    @property
    def usage(self) -> str | None:
        """Where the processor time of all that was ever in the group is counted."""
        files = (folder / name for folder in self.folders for name in USAGE)
        return next((str(file) for file in files if file.exists()), None)


def parse_usage(text: bytes) -> int:
    r"""Nanoseconds of processor time, as either kind of control groups tells it.

    >>> parse_usage(b"27000\n"), parse_usage(b"usage_usec 27\nuser_usec 9\n")
    (27000, 27000)
    """
    words = text.split(maxsplit=2)
    return int(words[0]) if len(words) == 1 else 1000 * int(words[1])
