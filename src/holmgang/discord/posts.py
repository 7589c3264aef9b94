"""The posts in the thread of a duel: boards, rounds and results, as text and pictures.

Everything here is a function of a spectator's view.
"""

from collections.abc import Sequence
from typing import NamedTuple

import discord
from discord.utils import escape_markdown

from holmgang.discord.controls import Style, button, place, plain_view
from holmgang.discord.custom_ids import Press
from holmgang.discord.rounds import SEAT_MARKS, game_text, player_name, round_text
from holmgang.engine.picture import result_caption
from holmgang.games.contract import NOBODY, SEATS
from holmgang.games.ruleset import load
from holmgang.games.svg import labelled
from holmgang.wire.match import GameLog, MatchView

WAITING, CHOSEN, OFFER = "⏳", "✅", "🤝"
"""How the lines begin that are about the open round only."""
LONGEST = 2000
FEWEST_RECENT = 3
"""Rounds that a board tells of, if no more of them are new."""
BOARD_WIDTH = 40
"""Width of the board as text, in characters, that a phone shows without line breaks."""


class Players(NamedTuple):
    """The users of Discord in the seats of a match; None for anyone else."""

    red: int | None
    blue: int | None

    def mention(self, seat: str, view: MatchView) -> str:
        user = getattr(self, seat)
        return f"<@{user}>" if user is not None else escape_markdown(player_name(view, seat))


class ShownRounds(NamedTuple):
    """How much of a match has been shown: a game, and the number of its rounds."""

    game: int
    rounds: int


def board_text(
    view: MatchView, players: Players, recent: Sequence[str], *, has_picture: bool
) -> str:
    """The board message: the last rounds, the state unless a picture shows it, and who has to
    choose.
    """
    head = f"**{view.title}**, {place(view)} · {versus(view, players)}"
    state = [] if has_picture else [state_text(view)]
    rest = [*state, *standing(view, players)]
    return fitted(head, recent, rest)


def fitted(head: str, log: Sequence[str], rest: Sequence[str]) -> str:
    """The lines as a message: without the first ones of the log if it would be too long."""
    room = LONGEST - sum(len(line) + 1 for line in (head, *rest))
    kept = list(log)
    while kept and sum(len(line) + 1 for line in kept) > room:
        kept.pop(0)
    return "\n".join([head, *kept, *rest])[:LONGEST]


def rounds_since(view: MatchView, shown: ShownRounds, fewest: int) -> list[str]:
    """The rounds of the open game that are new, and at least the last ones."""
    new = shown.rounds if shown.game == view.game else 0
    return [round_text(line) for line in view.rounds[max(0, min(new, len(view.rounds) - fewest)) :]]


def recent_rounds(view: MatchView, shown: ShownRounds, before: GameLog | None) -> list[str]:
    """The last rounds of the open game; at its start, the end of the game before. All that are new
    are among them. `before`: the log of that game, if it is known.
    """
    lines = rounds_since(view, shown, FEWEST_RECENT)
    ended: list[str] = []
    if before is not None:
        new = shown.rounds if shown.game == before.number else len(before.log)
        least = 0 if view.rounds else 1
        ended = [round_text(line) for line in before.log[min(new, len(before.log) - least) :]]
    if view.games and (ended or len(view.rounds) < FEWEST_RECENT):
        ended.append(game_text(view.games[-1]))
    return [*ended, *lines]


def state_text(view: MatchView) -> str:
    """The state as a block of text."""
    ruleset = load(view.ruleset)
    rows = ruleset.board(ruleset.parse_state(view.state), BOARD_WIDTH)
    drawn = "\n".join("".join(span.text for span in row).rstrip() for row in rows)
    return f"```\n{drawn}\n```"


def named_picture(view: MatchView, game: int) -> str | None:
    """The board of the open game or of the previous one, with the players' names and a caption;
    None before the first game, and if no game of the match can be replayed.
    """
    shown = view if game == view.game else view.previous
    if not game or shown is None or shown.picture is None:
        return None
    names = [player.name if player else seat.capitalize() for seat, player in view.players.items()]
    caption = f"Round {view.round}" if view.round else ""
    if game <= len(view.games):
        winner = view.games[game - 1].winner
        caption = result_caption(SEATS.index(winner) if winner else NOBODY)
    return labelled(shown.picture, (names[0], names[1]), caption)


def versus(view: MatchView, players: Players) -> str:
    red, blue = (f"{SEAT_MARKS[seat]} {players.mention(seat, view)}" for seat in ("red", "blue"))
    if view.wins_needed == 1:
        return f"{red} – {blue}"
    score = view.score
    return f"{red} {score['red']} – {score['blue']} {blue} (first to {view.wins_needed})"


def standing(view: MatchView, players: Players) -> list[str]:
    """Who has chosen, who has yet to choose and until when, and offers of a draw; in the first
    round also why the match is not rated.
    """
    lines = []
    marks = [
        f"{WAITING if seat in view.waiting_for else CHOSEN} {players.mention(seat, view)}"
        for seat in view.asked
    ]
    if marks:
        due = f" · due <t:{view.deadline // 1000}:R>" if view.deadline else ""
        lines.append(" · ".join(marks) + due)
    lines += [draw_offer(view, players, seat) for seat in view.draw_offered_by]
    if view.unrated and (view.game, view.round) == (1, 1):
        lines.append(view.unrated)
    return lines


def draw_offer(view: MatchView, players: Players, seat: str) -> str:
    return f"{OFFER} {players.mention(seat, view)} offers {draw_words(view)}."


def draw_words(view: MatchView) -> str:
    """What a draw ends: only the open game if the match has several."""
    return "a draw" if view.wins_needed == 1 else f"to end game {view.game} in a draw"


def finished_text(text: str) -> str:
    """The text of a board whose round is over: without who has to choose, and until when."""
    lines = text.split("\n")
    return "\n".join(line for line in lines if not line.startswith((WAITING, CHOSEN, OFFER)))


def result_text(
    view: MatchView, players: Players, shown: ShownRounds, address: str, analysis: Sequence[str]
) -> str:
    """The end of a match, with the rounds that have not been shown, and with the sentences of the
    analysis once there are any.
    """
    outcome = view.outcome
    head = f"**{view.title}** · {versus(view, players)}"
    lines = []
    if outcome is not None:
        winner = players.mention(outcome.winner, view) if outcome.winner else ""
        lines.append(f"🏁 **{outcome.sentence}** {winner and f'Well played, {winner}!'}".rstrip())
    changes = view.rating_changes
    if view.unrated:
        lines.append(view.unrated)
    if changes:
        lines.append(
            "Ratings: "
            + ", ".join(
                f"{players.mention(seat, view)} {round(before)} → {round(after)}"
                for seat, (before, after) in changes.items()
            )
        )
    lines += [f"- {escape_markdown(sentence)}" for sentence in analysis]
    if address:
        lines.append(f"<{address}>")
    return fitted(head, rounds_since(view, shown, 1), lines)


def board_view(view: MatchView) -> discord.ui.View:
    """The buttons below a board. They are the same for everyone who sees them."""

    def press(action: str) -> Press:
        return Press(action, view.match, view.game, view.round)

    of_game = f" of game {view.game}" if view.wins_needed > 1 else ""
    found = [button("Choose", press("menu"), Style.primary)]
    if view.draw_offered_by:
        found.append(button(f"Accept the draw{of_game}", press("draw")))
        found.append(button("Decline the draw", press("nodraw")))
    else:
        found.append(button(f"Offer a draw{of_game}", press("draw")))
    found.append(button("Forfeit", press("forfeit"), Style.danger))
    return plain_view(found)


def result_view(view: MatchView) -> discord.ui.View:
    """The button below a result."""
    return plain_view([button("Rematch", Press("rematch", view.match), Style.primary)])
