"""Matches of a server in words."""

from holmgang.errors import UsageError
from holmgang.games.contract import SEATS, other_seat
from holmgang.terminal.online.session import duration
from holmgang.terminal.online.view import player_text
from holmgang.wire.lists import MatchLine, OwnMatchLine
from holmgang.wire.words import TIMES

NO_LIMIT = "none"
NOBODY = "nobody yet"


def line_text(line: MatchLine) -> str:
    """A match in one line, such as `bagh: egil waits, 1:00 for each choice`."""
    parts = [f"{line.ruleset}: {players_text(line)}"]
    if line.seconds is not None:
        parts.append(f"{duration(line.seconds)} for each choice")
    if line.status != "open":
        parts.append(progress_text(line))
    elif line.wins_needed > 1:
        parts.append(f"first to {line.wins_needed}")
    if line.rated is not False:
        parts.append("rated" if line.rated else "rated between accounts")
    if is_your_turn(line):
        parts.append("your turn")
    return ", ".join(parts)


def is_your_turn(line: MatchLine) -> bool:
    return isinstance(line, OwnMatchLine) and line.you in line.waiting_for


def players_text(line: MatchLine) -> str:
    """Who plays, such as `you (red) against egil`."""
    seated = {seat: player for seat in SEATS if (player := line.players.get(seat)) is not None}
    names = {seat: player_text(player) for seat, player in seated.items()}
    if isinstance(line, OwnMatchLine):
        return f"you ({line.you}) against {names.get(other_seat(line.you), NOBODY)}"
    if len(names) == 1:
        [(seat, name)] = names.items()
        return f"{name} waits as {seat}"
    return f"{names.get('red', NOBODY)} against {names.get('blue', NOBODY)}"


def score_text(line: MatchLine) -> str:
    """The progress of a match, such as `1 – 0, 12 rounds`."""
    score = f"{line.score.red} – {line.score.blue}, " if line.wins_needed > 1 else ""
    return f"{score}{line.rounds} round{'' if line.rounds == 1 else 's'}"


def progress_text(line: MatchLine) -> str:
    """How far a match is, or why it was cancelled."""
    if line.status == "cancelled":
        return f"cancelled: {line.reason}"
    return "open" if line.status == "open" else score_text(line)


def time_text(seconds: int | None) -> str:
    return "no limit" if seconds is None else f"{duration(seconds)} for each choice"


def parse_seconds(text: str | int | None) -> int | None:
    """The time for each choice as it was typed. Raises `UsageError`."""
    if text is None or text == NO_LIMIT:
        return None
    for seconds in TIMES:
        if seconds is not None and str(text) == str(seconds):
            return seconds
    allowed = ", ".join(str(seconds) for seconds in TIMES if seconds is not None)
    raise UsageError(f"the time for each choice is one of {allowed} seconds; not {text}")
