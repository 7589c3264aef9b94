"""Plain output: lines, JSON for programs, and files."""

import errno
import json
import os
import sys
from pathlib import Path

from holmgang.errors import UsageError
from holmgang.machine import write_whole

STANDARD_OUTPUT = Path("-")


def print_line(text: str) -> None:
    sys.stdout.write(text + "\n")


def print_json(value: object) -> None:
    print_line(json.dumps(value))


def check_target(target: Path | None) -> None:
    """Raises `UsageError` if a file cannot be written, for commands that have much to do first."""
    if target is None or target == STANDARD_OUTPUT:
        return
    whole = target.absolute()
    folder = next(each for each in (*whole.parents, whole) if each.exists())
    for wrong, why in (
        (target.is_dir(), errno.EISDIR),
        (not folder.is_dir(), errno.ENOTDIR),
        (not os.access(target if target.exists() else folder, os.W_OK), errno.EACCES),
    ):
        if wrong:
            raise UsageError(f"cannot write {target}: {os.strerror(why)}")


def write_text(target: Path, text: str) -> None:
    """Writes a file; `-` is standard output."""
    if target == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_whole(target, text)
