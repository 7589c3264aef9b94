"""`holmgang check-game`: the mistakes in a game, one line each."""

import sys

from holmgang.engine.compiled.comparing import compare
from holmgang.games.checking import Finding, GameCheck
from holmgang.games.finding import load, place
from holmgang.terminal.progress import StatusPrinter

MISTAKES = 2


def check(text: str) -> None:
    """Prints what is wrong; exits with 2 if anything but warnings was found."""
    ruleset = load(text)
    looked = GameCheck(ruleset)
    found: list[Finding] = []
    for finding in looked.findings():
        found.append(finding)
        sys.stdout.write(f"{finding}\n")
    if not any(not each.is_warning for each in found) and looked.rounds:
        where = place(looked.file, looked.lines("resolve"))
        compiled = compare(ruleset, looked.rounds, where, StatusPrinter(as_json=False).announce)
        if compiled is not None:
            found.append(compiled)
            sys.stdout.write(f"{compiled}\n")
    mistakes = [each for each in found if not each.is_warning]
    if mistakes:
        sys.exit(MISTAKES)
    states = f"{len(looked.parents):,} states"
    scope = f"all {states}" if looked.is_all else f"{states} of many more"
    sys.stdout.write(f"{ruleset.text}: no mistakes in {scope} and {len(looked.rounds):,} rounds\n")
