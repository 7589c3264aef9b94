"""Control groups: one limit of memory and of processes for all that a bot starts, together.

Only where this process may make them (as root, on most machines). Without, each process of a bot
has its own limits, and docs/sandbox.md says what that means.
"""

import os
from itertools import count
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
MARGIN_MB = 64  # for the sandbox itself and what the kernel keeps for the bot

numbers = count()


class Group:
    """A group for one bot, in whichever hierarchies there are. The keeper removes it."""

    def __init__(self, memory_mb: int, processes: int) -> None:
        memory = str((memory_mb + MARGIN_MB) << 20)
        name = f"holmgang-{os.getpid()}-{next(numbers)}"
        limits = (
            (ROOT, {"memory.max": memory, "memory.swap.max": "0", "pids.max": str(processes)}),
            (ROOT / "memory", {"memory.limit_in_bytes": memory}),
            (ROOT / "pids", {"pids.max": str(processes)}),
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
