"""Matches in lists, as JSON."""

from typing import Any

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.live.terms import can_be_rated, shown_name
from holmgang.store import MatchRow


def match_line(row: MatchRow) -> dict[str, Any]:
    """A match in the lobby, in a list or in a history."""
    entry = CATALOGUE.get(row.game)
    names, kinds = (row.red_name, row.blue_name), (row.red_kind, row.blue_kind)
    players = {
        seat: None if name is None else {"name": shown_name(name, kind or ""), "kind": kind}
        for seat, name, kind in zip(SEATS, names, kinds, strict=True)
    }
    return {
        "match": row.id,
        "status": row.status,
        "visibility": row.visibility,
        "ruleset": row.ruleset,
        "game_name": row.game,
        "title": entry.title if entry else row.game,
        "players": players,
        "score": {"red": row.red_wins, "blue": row.blue_wins},
        "wins_needed": row.wins_needed,
        "seconds": row.seconds,
        "rounds": row.rounds,
        "winner": row.winner,
        "reason": row.reason,
        "rated": None if may_be_rated(row) else row.rated,
        "deadline": None if row.deadline is None else round(row.deadline * 1000),
        "created_at": round(row.created_at * 1000),
        # During a match this would reveal that a choice was changed.
        "updated_at": None if row.status == "playing" else round(row.updated_at * 1000),
    }


def may_be_rated(row: MatchRow) -> bool:
    """Whether it depends on who joins whether the match is rated. In the lobby no match begins from
    a position; lists of one's own matches also have those by link, of which the match knows it.
    """
    is_lobby, kinds = row.visibility == "lobby", {row.red_kind, row.blue_kind}
    is_waiting = row.status == "open" and kinds == {"account", None}
    return is_lobby and is_waiting and can_be_rated("lobby", row.ruleset, row.game, row.seconds)
