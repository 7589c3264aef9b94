"""Lists and counts of matches, from the summaries that come with every append."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, case, func, not_, or_, select

from holmgang.store import presence
from holmgang.store.database import is_storable
from holmgang.store.log import LIVE, MatchSummary
from holmgang.store.schema import matches
from holmgang.store.substore import AnyRow, Substore


class MatchRow(NamedTuple):
    """A match in a list."""

    id: str
    last_seq: int
    created_at: float
    """The time of the first event."""
    updated_at: float
    """The time of the last event."""
    summary: MatchSummary


class MatchStore(Substore):
    def find(
        self,
        *,
        status: str | Collection[str] | None = None,
        visibility: str | Collection[str] | None = None,
        person: int | None = None,
        game: str | None = None,
        opponents: Collection[str] | None = None,
        result: str | None = None,
        before: float | None = None,
        is_free: bool | None = None,
        is_attended: bool | None = None,
        now: float = 0.0,
        limit: int = 50,
    ) -> list[MatchRow]:
        """The matches that meet all given conditions, newest first.

        `person` is in either seat, against a player of one of the kinds `opponents`, and has `won`,
        `lost` or `drawn` (`result`). `before` is a time of creation. `is_free`: a seat is free;
        `is_attended`: a player is present at `now`.
        """
        conditions: list[ColumnElement[bool]] = []
        if is_free is not None:
            has_free_seat = or_(matches.c.red_kind.is_(None), matches.c.blue_kind.is_(None))
            conditions.append(has_free_seat if is_free else not_(has_free_seat))
        kept_status: ColumnElement[str] = matches.c.status
        if is_attended is not None:
            attended = matches.c.id.in_(presence.attended(now))
            conditions.append(attended if is_attended else not_(attended))
            if is_attended:  # few are: keeps the database from using the index of the status
                kept_status = matches.c.status.concat("")
        if status is not None:
            conditions.append(kept_status.in_(_words(status)))
        if visibility is not None:
            conditions.append(matches.c.visibility.in_(_words(visibility)))
        if person is not None:
            conditions.append(_has_seat(person))
        if person is not None and opponents is not None:
            conditions.append(_in_seats(person, matches.c.blue_kind, matches.c.red_kind, opponents))
        if person is not None and result is not None:
            conditions.append(_has_result(person, result))
        if game is not None:
            conditions.append(matches.c.game == game)
        if before is not None:
            conditions.append(matches.c.created_at < before)
        query = select(matches).where(*conditions)
        newest = query.order_by(matches.c.created_at.desc(), matches.c.id).limit(limit)
        return [_match_row(row) for row in self._rows(newest)]

    def row(self, match: str) -> MatchRow | None:
        if not is_storable(match):
            return None
        row = self._first(select(matches).where(matches.c.id == match))
        return None if row is None else _match_row(row)

    def count(self, person: int, status: str, visibility: str, since: float = 0.0) -> int:
        """The number of a person's matches with an event after `since`."""
        return self._count(
            select(func.count()).where(
                _has_seat(person),
                matches.c.status == status,
                matches.c.visibility == visibility,
                matches.c.updated_at > since,
            )
        )

    def results(
        self, person: int, visibility: str | Collection[str]
    ) -> dict[str, tuple[int, int, int]]:
        """How many finished matches a person has won, drawn and lost, by game."""
        won, drawn, lost = (_has_result(person, result) for result in ("won", "drawn", "lost"))
        columns = [func.sum(case((each, 1), else_=0)) for each in (won, drawn, lost)]
        query = (
            select(matches.c.game, *columns)
            .where(
                _has_seat(person),
                matches.c.status == "over",
                matches.c.visibility.in_(_words(visibility)),
            )
            .group_by(matches.c.game)
        )
        return {game: (won, drawn, lost) for game, won, drawn, lost in self._rows(query)}

    def count_rated(self, two: Sequence[int | None], game: str, since: float) -> int:
        """The number of rated matches of two people that were opened after `since`, unfinished
        ones included.
        """
        return self._count(
            select(func.count()).where(
                matches.c.red_person.in_(two),
                matches.c.blue_person.in_(two),
                matches.c.created_at > since,
                matches.c.game == game,
                matches.c.rated,
            )
        )

    def live(self) -> list[str]:
        """The ids of all matches that are `open` or `playing`, oldest first."""
        is_live = select(matches.c.id).where(matches.c.status.in_(LIVE))
        return [match for (match,) in self._rows(is_live.order_by(matches.c.created_at))]

    def timed(self) -> list[str]:
        """The ids of matches with an open round that has a time limit."""
        playing = select(matches.c.id).where(matches.c.status == "playing")
        return [match for (match,) in self._rows(playing.where(matches.c.deadline.is_not(None)))]

    def due(self, now: float, limit: int = 100) -> list[str]:
        """The ids of matches whose open round has timed out, longest overdue first."""
        playing = select(matches.c.id).where(matches.c.status == "playing")
        due = playing.where(matches.c.deadline < now).order_by(matches.c.deadline).limit(limit)
        return [match for (match,) in self._rows(due)]


def _match_row(row: "AnyRow") -> MatchRow:
    match, last_seq, created_at, updated_at, *summary = row
    return MatchRow(match, last_seq, created_at, updated_at, MatchSummary._make(summary))


def _has_seat(person: int) -> ColumnElement[bool]:
    return or_(matches.c.red_person == person, matches.c.blue_person == person)


def _in_seats(
    person: int,
    as_red: ColumnElement[str | None],
    as_blue: ColumnElement[str | None],
    words: Collection[str],
) -> ColumnElement[bool]:
    """Whether a column has one of these words: one column if the person is red, another if blue."""
    return or_(
        (matches.c.red_person == person) & as_red.in_(words),
        (matches.c.blue_person == person) & as_blue.in_(words),
    )


def _has_result(person: int, result: str) -> ColumnElement[bool]:
    if result == "drawn":
        return (matches.c.status == "over") & matches.c.winner.is_(None)
    own, other = ("red", "blue") if result == "won" else ("blue", "red")
    return or_(
        (matches.c.red_person == person) & (matches.c.winner == own),
        (matches.c.blue_person == person) & (matches.c.winner == other),
    )


def _words(given: str | Collection[str]) -> list[str]:
    return [word for word in ([given] if isinstance(given, str) else given) if is_storable(word)]
