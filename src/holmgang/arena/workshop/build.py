"""Building a bot: the `build` command of its `bot.toml`, for languages that are compiled.

It is run when someone asks for it and never because a bot is going to play: it runs outside of the
sandbox, so whoever only wants to referee a stranger's bot must not be made to run it.
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
    """The words of the command that builds the bot; None if nothing has to be built."""
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
    """Whether what it takes is installed here."""
    words = build_command(folder)
    return words is None or shutil.which(words[0]) is not None


def build(folder: Path) -> None:
    """Builds the bot in its folder, if it has to be; what the compiler says goes to stderr."""
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
    """Why the bot should be built before it plays; None if it need not be.

    What the build command and the start command both name is its product, and what only the build
    command names is made from: if that is newer, the product is not of it.
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
    """When a file, or what is in a folder, was written last; 0 if there is none."""
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return max((file.stat().st_mtime for file in files), default=0.0)
