"""Finds the bots in a folder, to offer them as opponents."""

from collections.abc import Mapping
from pathlib import Path

from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.games.shape import printable
from holmgang.players.levels import KINDS
from holmgang.players.naming import MANIFEST, Bot, from_folder


def find_bots(folder: Path, *, trust: bool) -> tuple[Mapping[str, Bot], list[str]]:
    """The bots in the subfolders, by name, and the reasons why others cannot be used. Raises
    `UsageError` if the folder does not exist or there is no sandbox to run bots in.
    """
    try:
        subfolders = sorted(each for each in folder.iterdir() if (each / MANIFEST).is_file())
    except OSError as error:
        raise UsageError(f"cannot read the bots in {folder}: {error.strerror}") from None
    if subfolders and not trust:
        from holmgang.arena.judge.sandbox import check_bubblewrap

        check_bubblewrap()
    bots: dict[str, Bot] = {}
    problems = []
    for subfolder in subfolders:
        try:
            bots[subfolder.name] = find_bot(subfolder)
        except UsageError as error:
            problems.append(f"{printable(subfolder.name)}: {error}")
    return bots, problems


def find_bot(folder: Path) -> Bot:
    """The bot in a folder. It uses the JSON protocol unless its manifest says otherwise."""
    if folder.name in KINDS:
        raise UsageError("a level has this name; rename the folder")
    text = str(folder.resolve())
    try:
        return from_folder(text, folder, None, load("bagh"))
    except UsageError:
        return from_folder(text, folder, None, load("fencing"))  # in CodinGame's protocol
