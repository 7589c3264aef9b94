"""Names of a judge's temporary folders and control groups, and the removal of orphaned ones.

The keeper removes both when a judge ends, even if the judge was killed. If the keeper was killed
too, the next judge removes them. A name identifies the owning process: `holmgang-`, the PID
namespace, the process id and the start time. So neither a later process with the same id nor one
in another container is mistaken for the owner.
"""

import os
import re
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from holmgang.arena.judge.keeper import stat_fields

NAME = re.compile(r"holmgang-(\d+)-(\d+)-(\d+)-")


def name_prefix() -> str:
    """The prefix of all names that this process owns."""
    return f"holmgang-{namespace()}-{os.getpid()}-{start_time(os.getpid())}-"


def namespace() -> int:
    """The number of this process's PID namespace."""
    return Path("/proc/self/ns/pid").stat().st_ino


def start_time(pid: int) -> int | None:
    """When a process started, in clock ticks since boot; None if it has ended."""
    fields = stat_fields(pid)
    return None if not fields or fields[0] in "ZX" else int(fields[19])


def is_orphan(name: str) -> bool:
    """Whether a name is one of ours and its owner has ended."""
    found = NAME.match(name)
    if found is None:
        return False
    owner_namespace, pid, started = map(int, found.groups())
    return owner_namespace == namespace() and start_time(pid) != started


def remove_orphaned_folders() -> None:
    """Removes this user's temporary folders whose owners have ended."""
    with suppress(OSError):
        for folder in Path(tempfile.gettempdir()).glob("holmgang-*"):
            if is_orphan(folder.name) and is_own_folder(folder):
                shutil.rmtree(folder, ignore_errors=True)


def is_own_folder(path: Path) -> bool:
    """Whether a path is a folder of this user, and not a link to one."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
