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
from holmgang.players.naming import command_words, read_manifest


def build_command(folder: Path) -> tuple[str, ...] | None:
    """The words of the build command; None if there is none. Raises UsageError."""
    command = read_manifest(folder).get("build")
    return None if command is None else command_words(folder, command, 'build = "cc -o bot bot.c"')


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
    run = command_words(folder, read_manifest(folder).get("command"), 'command = "./bot"')
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
