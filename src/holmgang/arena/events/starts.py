"""Starting positions from a file: one per line, as JSON or in the game's short notation."""

from pathlib import Path

from holmgang.errors import HolmgangError, UsageError
from holmgang.games.ruleset import Ruleset


def read_starts(path: Path | None, ruleset: Ruleset) -> tuple[str, ...]:
    """The states in a file, in the game's notation; empty without a file. Raises UsageError, which
    names the line.
    """
    if path is None:
        return ()
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    starts = []
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            starts.append(parse_start(text, ruleset))
        except HolmgangError as error:
            raise UsageError(f"{path}, line {number}: {error}") from None
    if not starts:
        raise UsageError(
            f"{path} has no starting position: write one state per line, such as"
            f" {ruleset.format_text(ruleset.initial())}; # starts a comment"
        )
    return tuple(starts)


def parse_start(text: str, ruleset: Ruleset) -> str:
    """The state in the game's notation.

    >>> from holmgang.games.ruleset import load
    >>> parse_start("3.1.0.0/2.0.0.0", load("bagh"))
    '3.1.0.0/2.0.0.0'

    Raises HolmgangError if it is not a state, or if the game is already over in it.
    """
    state = ruleset.parse_state(text)
    decided = ruleset.outcome(state)
    if decided is not None:
        winner = "a draw" if decided.winner is None else f"{decided.winner} has won"
        raise UsageError(f"the game is over in this state: {winner} ({decided.reason})")
    return ruleset.format_text(state)
