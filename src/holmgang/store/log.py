"""The log of matches: appending events, reading them, and the lists of matches derived from them.

`matches.last_seq` is the number of the last event. An append names the event it follows, and takes
effect only if that is still the last one; so of two processes that append at once, one wins.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Dialect,
    Executable,
    bindparam,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from holmgang.errors import StoreError
from holmgang.store import presence
from holmgang.store.database import is_storable
from holmgang.store.schema import events, matches

LIVE = ("open", "playing")
"""The statuses of matches that go on."""


class StoredEvent(NamedTuple):
    """An event of a match. The store keeps its body and does not read it."""

    seq: int
    """1, 2, … within the match."""
    at: float
    """Seconds since 1970."""
    body: dict[str, Any]
    """A JSON object."""


class Summary(NamedTuple):
    """What lists show of a match: derived from its log, and replaced with every append."""

    status: str
    """open, playing, over or cancelled."""
    visibility: str
    """lobby, link, solo or uploaded."""
    ruleset: str
    """Canonical text."""
    game: str
    """The name in the catalogue."""
    wins_needed: int
    seconds: int | None
    """For each choice."""
    red_person: int | None
    blue_person: int | None
    red_name: str | None
    blue_name: str | None
    red_kind: str | None
    """guest, account, level, bot or record."""
    blue_kind: str | None
    red_wins: int
    blue_wins: int
    draws: int
    games: int
    rounds: int
    """Of all games."""
    winner: str | None
    reason: str | None
    rated: bool
    deadline: float | None
    """When the open round runs out, in seconds since 1970; None without a clock."""


class MatchRow(NamedTuple):
    """A match in a list: its id, the times of its first and last event, and its summary."""

    id: str
    last_seq: int
    created_at: float
    updated_at: float
    status: str
    visibility: str
    ruleset: str
    game: str
    wins_needed: int
    seconds: int | None
    red_person: int | None
    blue_person: int | None
    red_name: str | None
    blue_name: str | None
    red_kind: str | None
    blue_kind: str | None
    red_wins: int
    blue_wins: int
    draws: int
    games: int
    rounds: int
    winner: str | None
    reason: str | None
    rated: bool
    deadline: float | None


class RatedResult(NamedTuple):
    """The result of a rated match, given with the append that ends it."""

    game: str
    red: int
    """The id of a person."""
    blue: int
    score: float
    """Red's: 1, 0.5 or 0."""


class Append(NamedTuple):
    """One call of `Store.append`, as rows of the tables."""

    match: str
    expected_seq: int
    rows: list[tuple[str, int, float, str]]
    summary: Summary
    rated: RatedResult | None

    @property
    def at(self) -> float:
        return self.rows[-1][2]

    @property
    def last_seq(self) -> int:
        return self.expected_seq + len(self.rows)


def parse_append(
    match: str,
    expected_seq: int,
    given: Sequence[StoredEvent],
    summary: Summary,
    rated: RatedResult | None,
) -> Append:
    """The append as rows. Raises StoreError if the events do not follow `expected_seq` in order, or
    are not JSON.
    """
    if not given or any(seq != n for n, (seq, _, _) in enumerate(given, expected_seq + 1)):
        numbers = ", ".join(str(event.seq) for event in given) or "none"
        raise StoreError(f"the events after {expected_seq} of match {match} are numbered {numbers}")
    try:
        rows = [(match, seq, at, orjson.dumps(body).decode()) for seq, at, body in given]
    except TypeError as error:  # orjson's own errors are of this type
        raise StoreError(f"an event of match {match} is not JSON: {error}") from None
    return Append(match, expected_seq, rows, summary, rated)


INDEXED = ("status", "red_person", "blue_person")
"""The fields of a summary that have an index, which costs more to update than the row."""
UNINDEXED = tuple(name for name in Summary._fields if name not in INDEXED)
indexed: Callable[[Summary], tuple[Any, ...]] = attrgetter(*INDEXED)
unindexed: Callable[[Summary], tuple[Any, ...]] = attrgetter(*UNINDEXED)
MOST_KNOWN = 10_000
"""Matches whose indexed fields are remembered."""


class LogStatements:
    """The statements that append, compiled once: they run thousands of times in a second.

    SQLite updates an index whenever its columns are named, PostgreSQL only if they change. So for
    SQLite it is remembered what those columns are, as of which event, and they are left out as long
    as they stay.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._insert = _compile(insert(matches), dialect, matches.c.keys())
        self._update = _compile_update(Summary._fields, dialect)
        self._update_unindexed = _compile_update(UNINDEXED, dialect)
        self._events = _compile(insert(events), dialect, events.c.keys())
        self._remembers = dialect.name == "sqlite"
        self._known: dict[str, tuple[int, tuple[Any, ...]]] = {}

    def append(self, connection: Connection, appends: Sequence[Append]) -> bool:
        """Appends all, or says that one of them does not follow the last event of its match.

        Raises IntegrityError in the same case. Appends to the same match have to be in order.
        """
        new, same, other = [], [], []
        for a in appends:
            if a.expected_seq == 0:
                new.append((a.match, a.last_seq, a.rows[0][2], a.at, *a.summary))
            elif self._known.get(a.match) == (a.expected_seq, indexed(a.summary)):
                same.append((a.last_seq, a.at, *unindexed(a.summary), a.match, a.expected_seq))
            else:
                other.append((a.last_seq, a.at, *a.summary, a.match, a.expected_seq))
        if new:
            connection.exec_driver_sql(self._insert, new)
        for statement, rows in ((self._update_unindexed, same), (self._update, other)):
            if rows and connection.exec_driver_sql(statement, rows).rowcount != len(rows):
                return False
        connection.exec_driver_sql(self._events, [row for a in appends for row in a.rows])
        return True

    def appended(self, append: Append) -> None:
        """Called for each append after its commit."""
        if not self._remembers:
            return
        if append.summary.status in LIVE:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[append.match] = append.last_seq, indexed(append.summary)
        else:
            self._known.pop(append.match, None)


def _compile_update(names: Sequence[str], dialect: Dialect) -> str:
    given: dict[str, Any] = {name: bindparam(name) for name in ("last_seq", "updated_at", *names)}
    is_next = (matches.c.id == bindparam("match"), matches.c.last_seq == bindparam("expected"))
    statement = update(matches).values(given).where(*is_next)
    return _compile(statement, dialect, [*given, "match", "expected"])


def _compile(statement: Executable, dialect: Dialect, names: Iterable[str]) -> str:
    """The statement as text, with positional parameters in the order of the names."""
    compiled = statement.compile(dialect=dialect)  # type: ignore[attr-defined]
    if compiled.positiontup != list(names):
        raise AssertionError(f"parameters out of order: {compiled.positiontup}")
    return str(compiled)


def last_seq(connection: Connection, match: str) -> int:
    """The number of the last event, 0 for a match that does not exist."""
    found = connection.scalar(select(matches.c.last_seq).where(matches.c.id == match))
    return found or 0


def read(connection: Connection, match: str, after: int) -> list[StoredEvent]:
    """The events of the match with a number above `after`; none of a match that does not exist."""
    if not is_storable(match):
        return []
    found = connection.execute(
        select(events.c.seq, events.c.at, events.c.body)
        .where(events.c.match == match, events.c.seq > after)
        .order_by(events.c.seq)
    )
    return [StoredEvent(seq, at, orjson.loads(body)) for seq, at, body in found]


def list_matches(
    connection: Connection,
    *,
    status: str | Collection[str] | None,
    visibility: str | Collection[str] | None,
    person: int | None,
    game: str | None,
    before: float | None,
    is_free: bool | None,
    is_attended: bool | None,
    now: float,
    limit: int,
) -> list[MatchRow]:
    """The matches to which everything that is given applies, the newest first."""
    conditions: list[ColumnElement[bool]] = []
    if is_free is not None:
        has_free_seat = or_(matches.c.red_kind.is_(None), matches.c.blue_kind.is_(None))
        conditions.append(has_free_seat if is_free else not_(has_free_seat))
    kept_status: ColumnElement[str] = matches.c.status
    if is_attended is not None:
        attended = matches.c.id.in_(presence.attended(now))
        conditions.append(attended if is_attended else not_(attended))
        if is_attended:  # few are, so their ids are looked up, not all matches of the status
            kept_status = matches.c.status.concat("")
    if status is not None:
        conditions.append(kept_status.in_(_words(status)))
    if visibility is not None:
        conditions.append(matches.c.visibility.in_(_words(visibility)))
    if person is not None:
        conditions.append(or_(matches.c.red_person == person, matches.c.blue_person == person))
    if game is not None:
        conditions.append(matches.c.game == game)
    if before is not None:
        conditions.append(matches.c.created_at < before)
    found = connection.execute(
        select(matches)
        .where(*conditions)
        .order_by(matches.c.created_at.desc(), matches.c.id)
        .limit(limit)
    )
    return [MatchRow._make(row) for row in found]


def count_matches(connection: Connection, status: str, visibility: str, person: int) -> int:
    """The number of a person's matches."""
    seats = (matches.c.red_person == person, matches.c.blue_person == person)
    wanted = (matches.c.status == status, matches.c.visibility == visibility, or_(*seats))
    return connection.scalar(select(func.count()).select_from(matches).where(*wanted)) or 0


def match_row(connection: Connection, match: str) -> MatchRow | None:
    if not is_storable(match):
        return None
    row = connection.execute(select(matches).where(matches.c.id == match)).first()
    return None if row is None else MatchRow._make(row)


def rated_between(
    connection: Connection, two: Sequence[int | None], game: str, since: float
) -> int:
    """The number of rated matches of two people in a game that were opened since then."""
    count = connection.scalar(
        select(func.count())
        .select_from(matches)
        .where(
            matches.c.red_person.in_(two),
            matches.c.blue_person.in_(two),
            matches.c.created_at > since,
            matches.c.game == game,
            matches.c.rated,
        )
    )
    return count or 0


def count_solo(connection: Connection, person: int, since: float) -> int:
    """The number of a person's unfinished matches against computer players with an event since
    then.
    """
    is_theirs = or_(matches.c.red_person == person, matches.c.blue_person == person)
    found = connection.scalar(
        select(func.count()).where(
            is_theirs,
            matches.c.status == "playing",
            matches.c.visibility == "solo",
            matches.c.updated_at > since,
        )
    )
    return found or 0


def live_matches(connection: Connection) -> list[str]:
    """The ids of all matches that wait for an opponent or are being played, the oldest first."""
    return list(
        connection.scalars(
            select(matches.c.id).where(matches.c.status.in_(LIVE)).order_by(matches.c.created_at)
        )
    )


def timed(connection: Connection) -> list[str]:
    """The ids of matches with an open round that has a time limit."""
    return list(
        connection.scalars(
            select(matches.c.id).where(
                matches.c.status == "playing", matches.c.deadline.is_not(None)
            )
        )
    )


def due(connection: Connection, now: float, limit: int = 100) -> list[str]:
    """The ids of matches whose open round has run out, the longest overdue first."""
    return list(
        connection.scalars(
            select(matches.c.id)
            .where(matches.c.status == "playing", matches.c.deadline < now)
            .order_by(matches.c.deadline)
            .limit(limit)
        )
    )


def _words(given: str | Collection[str]) -> list[str]:
    return [word for word in ([given] if isinstance(given, str) else given) if is_storable(word)]
