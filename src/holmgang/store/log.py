"""The log of matches: appending events.

`matches.last_seq` is the number of the last event. An append names the event it follows, and takes
effect only if that is still the last one; so of two processes that append at once, one wins.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

import orjson
from sqlalchemy import (
    BindParameter,
    Connection,
    Dialect,
    Executable,
    bindparam,
    insert,
    select,
    update,
)

from holmgang.errors import StoreError
from holmgang.games.shape import JsonObject
from holmgang.store.schema import events, matches

LIVE = ("open", "playing")
"""The statuses of matches that go on."""


class StoredEvent(NamedTuple):
    """An event of a match. The store keeps its body and does not read it."""

    seq: int
    """1, 2, … within the match."""
    at: float
    """Seconds since 1970."""
    body: JsonObject
    """A JSON object."""


class MatchSummary(NamedTuple):
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
    summary: MatchSummary
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
    summary: MatchSummary,
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
UNINDEXED = tuple(name for name in MatchSummary._fields if name not in INDEXED)
indexed: Callable[[MatchSummary], tuple[object, ...]] = attrgetter(*INDEXED)
unindexed: Callable[[MatchSummary], tuple[object, ...]] = attrgetter(*UNINDEXED)
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
        self._update = _compile_update(MatchSummary._fields, dialect)
        self._update_unindexed = _compile_update(UNINDEXED, dialect)
        self._events = _compile(insert(events), dialect, events.c.keys())
        self._remembers = dialect.name == "sqlite"
        self._known: dict[str, tuple[int, tuple[object, ...]]] = {}

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
    given: dict[str, BindParameter[object]] = {
        name: bindparam(name) for name in ("last_seq", "updated_at", *names)
    }
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
