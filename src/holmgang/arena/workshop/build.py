"""Builds a bot with the `build` command of its `bot.toml`, for compiled languages.

It runs outside the sandbox, so it is only run on request, and never just because a bot plays:
refereeing a stranger's bot must not run the stranger's build command.
"""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from holmgang.errors import UsageError
from holmgang.games.shape import brief
from holmgang.players.naming import MANIFEST, read_manifest


def build_command(folder: Path) -> list[str] | None:
    """The build command as a list of words; None if there is none. Raises UsageError."""
    command = read_manifest(folder).get("build")
    if command is None:
        return None
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError:
        words = None
    if not (isinstance(words, list) and words and all(type(each) is str for each in words)):
        raise UsageError(
            f'{folder / MANIFEST}: build is a line such as "cc -o bot bot.c"; not {brief(command)}'
        )
    return words


def can_build(folder: Path) -> bool:
    """Whether the program of the build command is installed."""
    words = build_command(folder)
    return words is None or shutil.which(words[0]) is not None


def build(folder: Path) -> None:
    """Builds the bot if it has a build command; the compiler's output goes to standard error."""
    words = build_command(folder)
    if words is None:
        return
    try:
        done = subprocess.run(words, cwd=folder, stdout=sys.stderr, check=False)  # noqa: S603
    except OSError as error:
        raise UsageError(f"cannot build {folder}: {words[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise UsageError(
            f"cannot build {folder}: {shlex.join(words)} ended with exit code {done.returncode}"
        )


def unbuilt(folder: Path) -> str | None:
    """Why the bot has to be built before it plays; None if it does not.

    A file in both the build command and the start command is a product; one that is only in the
    build command is a source. A source newer than all products means an outdated build.
    """
    words = build_command(folder)
    if words is None:
        return None
    started = read_manifest(folder).get("command")
    run = shlex.split(started) if isinstance(started, str) else started or ()
    products = {Path(word) for word in words} & {Path(word) for word in run}
    sources = [folder / word for word in words[1:] if Path(word) not in products]
    made = [time for product in products if (time := newest(folder / product))]
    if products and not made:
        return f"it has not been built: {shlex.join(words)}"
    changed = [path.name for path in sources if made and newest(path) > max(made)]
    if changed:
        return f"{changed[0]} has changed since it was built: {shlex.join(words)}"
    return None


def newest(path: Path) -> float:
    """The last modification of a file, or of any file in a folder; 0 if there is none."""
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return max((file.stat().st_mtime for file in files), default=0.0)
