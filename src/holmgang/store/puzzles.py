"""Puzzles, people's attempts to solve them, and the ratings of both.

A person has one attempt at a puzzle: the first one. It is rated like a match between the person and
the puzzle, in the transaction that stores it, unless the person is a guest. Solutions are not
interpreted here, and are read separately from everything else, so that none is disclosed by
accident.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from holmgang.errors import StoreError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.store import glicko
from holmgang.store.database import is_storable
from holmgang.store.glicko import Glicko
from holmgang.store.schema import people, puzzle_attempts, puzzle_ratings, puzzles

LOCK = 0x686F6C6D70757A7A
"""The number of PostgreSQL's lock for attempts; any number would do."""
FIRST_DEVIATION = 250.0
"""Of a puzzle, whose first rating is an estimate."""
JUDGING = 2
"""Version of the way in which right and wrong choices are told apart. Puzzles of another version
are kept for their attempts, and nobody sees them. 2: against all optimal mixes of the other side.
"""


class NewPuzzle(NamedTuple):
    """A puzzle to be stored."""

    id: str
    game: str
    """The name in the catalogue."""
    ruleset: str
    """Canonical text."""
    kind: str
    seat: str
    state: Mapping[str, Any]
    right_count: int
    tolerance: float
    source: str
    solution: Mapping[str, Any]
    rating: float


class PuzzleRow(NamedTuple):
    """The public part of a puzzle."""

    id: str
    game: str
    ruleset: str
    kind: str
    seat: str
    state: dict[str, Any]
    right_count: int
    tolerance: float
    source: str
    created_at: float
    rating: float
    deviation: float
    attempts: int
    """Rated ones."""
    solved: int
    """Of those."""


PUZZLE = tuple(puzzles.c[name] for name in PuzzleRow._fields)
"""The columns of a PuzzleRow: all but the solution."""


class Attempt(NamedTuple):
    """A person's only attempt at a puzzle."""

    puzzle: str
    person: int
    at: float
    answer: Any
    """JSON."""
    solved: bool
    before: float | None
    """The person's rating; None of all four if the attempt was not rated."""
    after: float | None
    puzzle_before: float | None
    puzzle_after: float | None


class PuzzleRating(NamedTuple):
    """A person's rating at the puzzles of a game, as it is now."""

    rating: float
    deviation: float
    volatility: float
    attempts: int
    solved: int
    at: float
    """When the last rated attempt was made."""

    @property
    def is_provisional(self) -> bool:
        return self.deviation >= glicko.PROVISIONAL


START = PuzzleRating(*glicko.START, 0, 0, 0.0)
RATING = tuple(puzzle_ratings.c[name] for name in PuzzleRating._fields)


# Puzzles


def is_current() -> ColumnElement[bool]:
    """The condition for puzzles that may be seen: judged in the way of this version, and made from
    the rules as this version has them.
    """
    unchanged = (
        and_(puzzles.c.game == name, puzzles.c.rules_code == load(name).code) for name in CATALOGUE
    )
    return and_(puzzles.c.judging == JUDGING, or_(*unchanged))


def add(connection: Connection, given: Sequence[NewPuzzle]) -> int:
    """Stores the puzzles that are new, and returns their number. One that was made from other rules
    than they are now is replaced.
    """
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    now = time.time()
    added = 0
    for puzzle in given:
        row = {
            **puzzle._asdict(),
            "state": orjson.dumps(puzzle.state).decode(),
            "solution": orjson.dumps(puzzle.solution).decode(),
            "judging": JUDGING,
            "rules_code": load(puzzle.game).code,
            "created_at": now,
            "deviation": FIRST_DEVIATION,
            "volatility": glicko.START.volatility,
            "attempts": 0,
            "solved": 0,
        }
        statement = dialect.insert(puzzles).values(row)
        statement = statement.on_conflict_do_update(
            index_elements=[puzzles.c.id],
            set_={name: value for name, value in row.items() if name != "id"},
            where=puzzles.c.rules_code != row["rules_code"],
        )
        added += connection.scalar(statement.returning(puzzles.c.id)) is not None
    return added


def find(connection: Connection, puzzle: str) -> PuzzleRow | None:
    if not is_storable(puzzle):
        return None
    row = connection.execute(select(*PUZZLE).where(puzzles.c.id == puzzle, is_current())).first()
    return None if row is None else _row(row)


def solution(connection: Connection, puzzle: str) -> dict[str, Any] | None:
    """The solution of a puzzle, to be shown only to people who have attempted it."""
    found = connection.scalar(
        select(puzzles.c.solution).where(puzzles.c.id == puzzle, is_current())
    )
    return None if found is None else orjson.loads(found)


def listed(connection: Connection, game: str | None, limit: int) -> list[PuzzleRow]:
    """Puzzles, the easiest first."""
    found = connection.execute(
        select(*PUZZLE).where(*_of_game(game)).order_by(puzzles.c.rating, puzzles.c.id).limit(limit)
    )
    return [_row(row) for row in found]


def ids(connection: Connection, kind: str) -> list[tuple[str, float]]:
    """The ids of all puzzles of a kind with the times at which they were kept, the oldest first."""
    found = connection.execute(
        select(puzzles.c.id, puzzles.c.created_at)
        .where(puzzles.c.kind == kind, is_current())
        .order_by(puzzles.c.created_at, puzzles.c.id)
    )
    return [(puzzle, at) for puzzle, at in found]


def counts(connection: Connection) -> dict[str, int]:
    """Number of puzzles by game."""
    found = connection.execute(
        select(puzzles.c.game, func.count())
        .where(is_current())
        .group_by(puzzles.c.game)
        .order_by(puzzles.c.game)
    )
    return {name: number for name, number in found}  # noqa: C416 - a result is no mapping


def nearest(
    connection: Connection, game: str | None, person: int | None, rating: float, limit: int
) -> list[PuzzleRow]:
    """Puzzles that the person has not attempted, those with the nearest rating first."""
    conditions = _of_game(game)
    if person is not None:
        attempted = select(literal(1)).where(
            puzzle_attempts.c.puzzle == puzzles.c.id, puzzle_attempts.c.person == person
        )
        conditions.append(~attempted.exists())
    found = connection.execute(
        select(*PUZZLE)
        .where(*conditions)
        .order_by(func.abs(puzzles.c.rating - rating), puzzles.c.id)
        .limit(limit)
    )
    return [_row(row) for row in found]


def _of_game(game: str | None) -> list[ColumnElement[bool]]:
    """Conditions for the puzzles of a game, or of all."""
    if game is None:
        return [is_current()]
    return [is_current(), puzzles.c.game == (game if is_storable(game) else "")]


def _row(row: Any) -> PuzzleRow:
    fields = dict(zip(PuzzleRow._fields, row, strict=True))
    return PuzzleRow(**{**fields, "state": orjson.loads(fields["state"])})


# Attempts


def attempt_of(connection: Connection, puzzle: str, person: int) -> Attempt | None:
    row = connection.execute(
        select(puzzle_attempts).where(
            puzzle_attempts.c.puzzle == puzzle, puzzle_attempts.c.person == person
        )
    ).first()
    if row is None:
        return None
    found = Attempt._make(row)
    return found._replace(answer=orjson.loads(found.answer))


def attempt(
    connection: Connection, puzzle: str, person: int, answer: Any, *, solved: bool, at: float
) -> Attempt:
    """Keeps and rates an attempt; if the person has made one before, that one is returned and
    nothing changes. Raises StoreError if there is no such puzzle or person.
    """
    _lock(connection)
    known = attempt_of(connection, puzzle, person)
    if known is not None:
        return known
    is_guest = connection.scalar(select(people.c.is_guest).where(people.c.id == person))
    row = connection.execute(
        select(
            puzzles.c.game,
            puzzles.c.rating,
            puzzles.c.deviation,
            puzzles.c.volatility,
            puzzles.c.attempts,
            puzzles.c.solved,
        ).where(puzzles.c.id == puzzle, is_current())
    ).first()
    if row is None or is_guest is None:
        raise StoreError(f"there is no puzzle {puzzle}, or no person {person}")
    made = Attempt(puzzle, person, at, answer, solved, None, None, None, None)
    if not is_guest:
        made = _rate(connection, made, row.game, Glicko(*row[1:4]), row.attempts, row.solved)
    kept = made._replace(answer=orjson.dumps(answer).decode())
    connection.execute(insert(puzzle_attempts).values(kept._asdict()))
    return made


def _lock(connection: Connection) -> None:
    """Makes other processes wait with attempts until the transaction ends. On SQLite the
    transaction itself is the lock.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def _rate(
    connection: Connection, made: Attempt, game: str, puzzle: Glicko, attempts: int, solved: int
) -> Attempt:
    """Updates both ratings, and returns the attempt with them. A puzzle's strength does not change,
    so its deviation does not grow with time.
    """
    old = _current(connection, made.person, game, made.at)
    mine, its = glicko.after_match(Glicko(*old[:3]), puzzle, float(made.solved))
    new = PuzzleRating(*mine, old.attempts + 1, old.solved + made.solved, max(made.at, old.at))
    if old.attempts:
        of_person = (puzzle_ratings.c.person == made.person, puzzle_ratings.c.game == game)
        connection.execute(update(puzzle_ratings).where(*of_person).values(new._asdict()))
    else:
        row = {"person": made.person, "game": game, **new._asdict()}
        connection.execute(insert(puzzle_ratings).values(row))
    connection.execute(
        update(puzzles)
        .where(puzzles.c.id == made.puzzle)
        .values(**its._asdict(), attempts=attempts + 1, solved=solved + made.solved)
    )
    return made._replace(
        before=old.rating, after=new.rating, puzzle_before=puzzle.rating, puzzle_after=its.rating
    )


# Ratings


def ratings_of(connection: Connection, person: int) -> dict[str, PuzzleRating]:
    """The puzzle ratings of a person by game."""
    now = time.time()
    rows = connection.execute(
        select(puzzle_ratings.c.game, *RATING)
        .where(puzzle_ratings.c.person == person)
        .order_by(puzzle_ratings.c.game)
    )
    return {game: _aged(PuzzleRating._make(row), now) for game, *row in rows}


def _current(connection: Connection, person: int, game: str, at: float) -> PuzzleRating:
    row = connection.execute(
        select(*RATING).where(puzzle_ratings.c.person == person, puzzle_ratings.c.game == game)
    ).first()
    return START if row is None else _aged(PuzzleRating._make(row), at)


def _aged(rating: PuzzleRating, now: float) -> PuzzleRating:
    rested = glicko.after_rest(Glicko(*rating[:3]), now - rating.at)
    return rating._replace(deviation=rested.deviation)
