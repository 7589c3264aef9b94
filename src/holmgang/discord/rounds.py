"""Rounds and games in words, for boards, menus and results."""

from discord.utils import escape_markdown

from holmgang.engine.menu import label_text
from holmgang.wire.match import GameLine, MatchView, RoundLine

SEAT_MARKS = {"red": "🔴", "blue": "🔷"}
"""Marks of the seats, which differ in shape too, as in the pictures."""


def round_text(line: RoundLine) -> str:
    """A round, as in the log."""
    choices = ", ".join(
        f"{SEAT_MARKS[seat]} {label_text(label)}" for seat, label in line.labels.items()
    )
    late = "".join(f" ({seat} ran out of time)" for seat in line.late)
    chance = f" · {line.chance_text}" if line.chance_text else ""
    story = " ".join(line.story)
    return f"> **Round {line.round}** {choices}{late}{chance}\n> {escape_markdown(story)}"


def game_text(line: GameLine) -> str:
    """The end of a game, as in the log."""
    return f"> **Game {line.number}** {line.ending}"


def last_round(view: MatchView) -> list[str]:
    """The last round of the open game; at its start, the result of the game before."""
    return [round_text(line) for line in view.rounds[-1:]] or [
        game_text(line) for line in view.games[-1:]
    ]


def player_name(view: MatchView, seat: str) -> str:
    player = view.players[seat]
    return player.name if player else seat
