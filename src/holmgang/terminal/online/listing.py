"""Matches of a server in words."""

from holmgang.errors import UsageError
from holmgang.games.contract import SEATS
from holmgang.terminal.online.client import TIMES
from holmgang.terminal.online.session import duration
from holmgang.terminal.online.view import MatchLine
from holmgang.terminal.session import other_seat

NO_LIMIT = "none"


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
    if line.is_your_turn:
        parts.append("your turn")
    return ", ".join(parts)


def players_text(line: MatchLine) -> str:
    """Who plays, such as `you (red) against egil`."""
    names = {seat: player_text(line, seat) for seat in SEATS}
    if line.you is not None:
        return f"you ({line.you}) against {names[other_seat(line.you)]}"
    seated = [seat for seat in SEATS if line.players[seat] is not None]
    if len(seated) == 1:
        return f"{names[seated[0]]} waits as {seated[0]}"
    return f"{names['red']} against {names['blue']}"


def player_text(line: MatchLine, seat: str) -> str:
    player = line.players[seat]
    return "nobody yet" if player is None else str(player)


def score_text(line: MatchLine) -> str:
    """The progress of a match, such as `1 – 0, 12 rounds`."""
    score = f"{line.score['red']} – {line.score['blue']}, " if line.wins_needed > 1 else ""
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
