"""The machine: cores, the user's data folder, atomic writes, processes in the background."""

import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from holmgang.errors import UsageError

if TYPE_CHECKING:
    from subprocess import Popen

NICE = 10
"""The priority of work in the background, as `nice` counts it."""


def available_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def data_folder() -> Path:
    """Holmgang's part of the user's data folder, by the XDG base directory specification.

    Raises UsageError if the user has no home.
    """
    given = os.environ.get("XDG_DATA_HOME", "")
    try:
        data = Path(given) if given.startswith("/") else Path.home() / ".local/share"
    except RuntimeError:
        raise UsageError("there is no home folder; set XDG_DATA_HOME to one for data") from None
    return data / "holmgang"


def write_whole(
    path: Path, content: str | bytes, *, sync: bool = True, private: bool = False
) -> None:
    """Replaces the content of the file atomically; of a link, that of the file it points to. What
    is no file, such as a pipe or `/dev/null`, is written to as it is.

    With `sync`, it is on the disk when this returns; with `private`, only the user can read it.
    Raises `UsageError`.
    """
    encoded = content.encode() if isinstance(content, str) else content
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            path.write_bytes(encoded)
            return
        try:
            file = draft.open("wb")
        except FileNotFoundError:
            target.parent.mkdir(parents=True, exist_ok=True)
            file = draft.open("wb")
        with file:
            if private:
                os.fchmod(file.fileno(), 0o600)  # before anything is written
            file.write(encoded)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        draft.replace(target)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
        raise


def relative(path: Path) -> str:
    """A path as people write it: from the current folder, where it is below it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def start_module(
    module: str, *words: str, stdin: int | None = None, stdout: int | IO[bytes] | None = None
) -> "Popen[bytes]":
    """Starts `python -m MODULE WORDS` in the background: with low priority, and not stopped by
    Ctrl-C, which is for this process.
    """
    from subprocess import DEVNULL, Popen  # slow to import, and seldom needed

    process = Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", module, *words],
        stdin=stdin or DEVNULL,
        stdout=stdout or DEVNULL,
        stderr=DEVNULL,
        start_new_session=True,
    )
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    return process


def program() -> str:
    """The word that starts this program: `holmgang`, or its path where the shell does not find it.
    Every command that is printed begins with it.
    """
    import shutil  # slow to import, and seldom needed

    started = Path(sys.argv[0])
    if started.name != "holmgang" or shutil.which("holmgang") is not None:
        return "holmgang"
    return shlex.quote(relative(started.absolute()))


def typed_command() -> str:
    """The command that this process was started with, to be typed again."""
    return f"{program()} {shlex.join(sys.argv[1:])}"
