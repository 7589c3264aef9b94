"""Matches in lists."""

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.live.terms import can_be_rated, shown_name
from holmgang.store import MatchRow, MatchSummary
from holmgang.wire.lists import MatchLine
from holmgang.wire.match import PlayerName
from holmgang.wire.words import Score


def match_line(row: MatchRow) -> MatchLine:
    """A match in the lobby, in a list or in a history."""
    summary = row.summary
    entry = CATALOGUE.get(summary.game)
    names, kinds = (summary.red_name, summary.blue_name), (summary.red_kind, summary.blue_kind)
    players = {
        seat: None
        if name is None or kind is None
        else PlayerName(name=shown_name(name, kind), kind=kind)
        for seat, name, kind in zip(SEATS, names, kinds, strict=True)
    }
    return MatchLine(
        match=row.id,
        status=summary.status,
        visibility=summary.visibility,
        ruleset=summary.ruleset,
        game_name=summary.game,
        title=entry.title if entry else summary.game,
        players=players,
        score=Score(red=summary.red_wins, blue=summary.blue_wins),
        wins_needed=summary.wins_needed,
        seconds=summary.seconds,
        rounds=summary.rounds,
        winner=summary.winner,
        reason=summary.reason,
        rated=None if may_be_rated(summary) else summary.rated,
        deadline=None if summary.deadline is None else round(summary.deadline * 1000),
        created_at=round(row.created_at * 1000),
        # During a match this would reveal that a choice was changed.
        updated_at=None if summary.status == "playing" else round(row.updated_at * 1000),
    )


def may_be_rated(summary: MatchSummary) -> bool:
    """Whether it depends on who joins whether the match is rated. In the lobby no match begins from
    a position; lists of one's own matches also have those by link, of which the match knows it.
    """
    is_lobby, kinds = summary.visibility == "lobby", {summary.red_kind, summary.blue_kind}
    is_waiting = summary.status == "open" and kinds == {"account", None}
    return (
        is_lobby
        and is_waiting
        and can_be_rated("lobby", summary.ruleset, summary.game, summary.seconds)
    )
