"""A command on a disk that is soon full: a few kilobytes, mounted in a namespace of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SPACE = ("unshare", "--user", "--map-root-user", "--mount")
SCRIPT = """
mount -t tmpfs -o size="$1" none "$2" || exit 99
shift 2
"$@"
code=$?
cp -r "$DISK/." "$KEPT"
exit $code
"""


def can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    tried = [*SPACE, "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


needs_mounts = pytest.mark.skipif(
    not can_mount(), reason="needs the right to mount in a user namespace, for a disk that is full"
)


def on_tiny_disk(size: str, folder: Path, *arguments: str, stdin: str = ""):
    """Runs the command with `{disk}` as the disk; what it left there is in `folder` afterwards."""
    disk = folder.with_name("disk")
    disk.mkdir()
    folder.mkdir()
    holmgang = [sys.executable, "-m", "holmgang", *(text.format(disk=disk) for text in arguments)]
    return subprocess.run(
        [*SPACE, "sh", "-c", SCRIPT, "sh", size, str(disk), *holmgang],
        capture_output=True,
        text=True,
        input=stdin,
        check=False,
        env={**os.environ, "DISK": str(disk), "KEPT": str(folder), "COLUMNS": "200"},
    )
