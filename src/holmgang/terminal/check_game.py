"""`holmgang check-game`: the mistakes in a game, one line each."""

import sys
import time
from pathlib import Path

from holmgang.engine.compiled.comparing import compare
from holmgang.errors import HolmgangError, UsageError
from holmgang.games.checking import Finding, GameCheck
from holmgang.games.finding import SETTINGS, blame, is_path, load, place
from holmgang.games.shape import counted, printable
from holmgang.terminal.progress import StatusPrinter

MISTAKES = 2
LOOK_EVERY = 0.1
"""Seconds between two looks at a watched file."""


def check(text: str) -> None:
    """Prints what is wrong; exits with 2 if anything but warnings was found."""
    if not is_sound(text):
        sys.exit(MISTAKES)


def watch(text: str) -> None:
    """Checks the game in a file or folder whenever it is saved, until Ctrl-C."""
    name = SETTINGS.split(text.strip(), maxsplit=1)[0]
    if not is_path(name):
        raise UsageError("--watch needs the file or folder of a game, such as ./standoff.py")
    while True:
        versions, began = saved(Path(name)), time.perf_counter()
        try:
            is_sound(text)
        except HolmgangError as error:
            sys.stdout.write(f"{printable(str(error))}\n")
        except Exception as error:
            told = blame(error)
            if not told:
                raise
            sys.stdout.write(f"{printable(told)}\n")
        seconds = time.perf_counter() - began
        sys.stdout.write(f"Checked in {seconds:.1f} s. Waiting for changes; Ctrl-C stops.\n\n")
        sys.stdout.flush()
        while not (now := saved(Path(name))) or now == versions:
            time.sleep(LOOK_EVERY)


def saved(path: Path) -> list[tuple[Path, int]]:
    """The files of a game and when they were saved; none while an editor replaces them."""
    files = path.glob("*.py") if path.is_dir() else [path]
    return [(file, file.stat().st_mtime_ns) for file in sorted(files) if file.is_file()]


def is_sound(text: str) -> bool:
    """Prints what is wrong with a game; returns whether there are only warnings."""
    ruleset = load(text, plays=False)
    looked = GameCheck(ruleset)
    found: list[Finding] = []
    for finding in looked.findings():
        found.append(finding)
        sys.stdout.write(f"{finding}\n")
    if all(each.is_warning for each in found) and looked.rounds:
        where = place(looked.file, looked.lines("resolve"))
        compiled = compare(ruleset, looked.rounds, where, StatusPrinter(as_json=False).announce)
        if compiled is not None:
            found.append(compiled)
            sys.stdout.write(f"{compiled}\n")
    if not all(each.is_warning for each in found):
        return False
    states = counted(len(looked.reached.states), "state")
    scope = f"all {states}" if looked.is_whole else f"{states} of many more"
    rounds = counted(len(looked.rounds), "round")
    sys.stdout.write(f"{ruleset.text}: no mistakes in {scope} and {rounds}\n")
    return True
