"""Puzzles, people's attempts to solve them, and the ratings of both.

A person has one attempt at a puzzle: the first one. It is rated like a match between the person and
the puzzle, in the transaction that stores it, unless the person is a guest. Solutions are not
interpreted here, and are read separately from everything else, so that none is disclosed by
accident.
"""

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

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
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from holmgang.errors import StoreError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.games.shape import JsonObject
from holmgang.store import glicko
from holmgang.store.database import is_storable, lock
from holmgang.store.glicko import Glicko
from holmgang.store.ratings import PuzzleRating, puzzle_rating_table
from holmgang.store.schema import people, puzzle_attempts, puzzles
from holmgang.store.substore import AnyRow, AnySelect, Substore

LOCK = 0x686F6C6D70757A7A
"""Arbitrary number of PostgreSQL's lock for attempts."""
FIRST_DEVIATION = 250.0
"""The deviation of a new puzzle, whose first rating is an estimate."""
JUDGING = 2
"""Version of the criterion for right and wrong choices. Puzzles of another version are kept for
their attempts, but not shown. 2: against all optimal mixes of the other side.
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
    state: Mapping[str, object]
    right_count: int
    tolerance: float
    source: str
    solution: Mapping[str, object]
    rating: float


class PuzzleRow(NamedTuple):
    """The public part of a puzzle."""

    id: str
    game: str
    ruleset: str
    kind: str
    seat: str
    state: JsonObject
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
    answer: str | dict[str, float]
    """A choice, or a mix."""
    solved: bool
    before: float | None
    """The person's rating; None of all four if the attempt was not rated."""
    after: float | None
    puzzle_before: float | None
    puzzle_after: float | None


class PuzzleStore(Substore):
    # Puzzles

    def add(self, given: Sequence[NewPuzzle]) -> int:
        """Stores the puzzles that are new, and returns their number. Replaces those that were made
        from rules that have changed since.
        """
        return self._write(lambda connection: _add(connection, given))

    def row(self, puzzle: str) -> PuzzleRow | None:
        if not is_storable(puzzle):
            return None
        row = self._first(select(*PUZZLE).where(puzzles.c.id == puzzle, _is_current()))
        return None if row is None else _puzzle_row(row)

    def solution(self, puzzle: str) -> JsonObject | None:
        """The solution of a puzzle, to be shown only to people who have attempted it."""
        is_it = (puzzles.c.id == puzzle, _is_current())
        row = self._first(select(puzzles.c.solution).where(*is_it))
        return None if row is None else orjson.loads(row[0])

    def find(self, game: str | None = None, limit: int = 1000) -> list[PuzzleRow]:
        """Puzzles of one game or of all, easiest first."""
        query = select(*PUZZLE).where(*_of_game(game)).order_by(puzzles.c.rating, puzzles.c.id)
        return [_puzzle_row(row) for row in self._rows(query.limit(limit))]

    def ids(self, kind: str) -> list[tuple[str, float]]:
        """The ids of all puzzles of a kind with their times of creation, oldest first."""
        query = (
            select(puzzles.c.id, puzzles.c.created_at)
            .where(puzzles.c.kind == kind, _is_current())
            .order_by(puzzles.c.created_at, puzzles.c.id)
        )
        return [(puzzle, at) for puzzle, at in self._rows(query)]

    def counts(self) -> dict[str, int]:
        """Number of puzzles by game."""
        return self._counts(_is_current())

    def hidden(self) -> dict[str, int]:
        """Number of puzzles by game that are not shown: of games that are not loaded, and those
        that were made or judged by other rules.
        """
        return self._counts(~_is_current())

    def _counts(self, condition: ColumnElement[bool]) -> dict[str, int]:
        query = select(puzzles.c.game, func.count()).where(condition)
        rows = self._rows(query.group_by(puzzles.c.game).order_by(puzzles.c.game))
        return {game: count for game, count in rows}  # noqa: C416 - rows are not pairs to mypy

    def nearest(
        self, game: str | None, person: int | None, rating: float, limit: int = 10
    ) -> list[PuzzleRow]:
        """Puzzles that the person has not attempted, by distance from the rating."""
        conditions = _of_game(game)
        if person is not None:
            attempted = select(literal(1)).where(
                puzzle_attempts.c.puzzle == puzzles.c.id, puzzle_attempts.c.person == person
            )
            conditions.append(~attempted.exists())
        distance = func.abs(puzzles.c.rating - rating)
        query = select(*PUZZLE).where(*conditions).order_by(distance, puzzles.c.id).limit(limit)
        return [_puzzle_row(row) for row in self._rows(query)]

    # Attempts

    def attempt(
        self, puzzle: str, person: int, answer: str | dict[str, float], *, solved: bool
    ) -> Attempt:
        """Stores and rates a person's attempt; a guest's is not rated. If the person has made one
        before, returns that one and changes nothing. Raises StoreError if there is no such puzzle
        or person.
        """
        made = Attempt(puzzle, person, time.time(), answer, solved, None, None, None, None)
        return self._write(lambda connection: _attempt(connection, made))

    def attempt_of(self, puzzle: str, person: int) -> Attempt | None:
        """The person's attempt at the puzzle."""
        return _parse_attempt(self._first(_attempts(puzzle, person)))

    def ratings(self, person: int) -> dict[str, PuzzleRating]:
        """A person's ratings at puzzles by game, as they are now."""
        now, table = time.time(), puzzle_rating_table
        return {game: table.parse(row, now) for game, *row in self._rows(table.of_person(person))}


def _is_current() -> ColumnElement[bool]:
    """The condition for puzzles that are shown: judged as in this version, and made from the rules
    of this version.
    """
    unchanged = (
        and_(puzzles.c.game == name, puzzles.c.rules_code == load(name).code) for name in CATALOGUE
    )
    return and_(puzzles.c.judging == JUDGING, or_(*unchanged))


def _of_game(game: str | None) -> list[ColumnElement[bool]]:
    """The conditions for the puzzles of a game, or of all."""
    if game is None:
        return [_is_current()]
    return [_is_current(), puzzles.c.game == (game if is_storable(game) else "")]


def _puzzle_row(row: AnyRow) -> PuzzleRow:
    found = PuzzleRow._make(row)
    return found._replace(state=orjson.loads(str(found.state)))


def _add(connection: Connection, given: Sequence[NewPuzzle]) -> int:
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


def _attempts(puzzle: str, person: int) -> AnySelect:
    is_it = (puzzle_attempts.c.puzzle == puzzle, puzzle_attempts.c.person == person)
    return select(puzzle_attempts).where(*is_it)


def _parse_attempt(row: "AnyRow | None") -> Attempt | None:
    if row is None:
        return None
    found = Attempt._make(row)
    return found._replace(answer=orjson.loads(str(found.answer)))


def _attempt(connection: Connection, made: Attempt) -> Attempt:
    lock(connection, LOCK)
    puzzle, person = made[:2]
    known = _parse_attempt(connection.execute(_attempts(puzzle, person)).first())
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
        ).where(puzzles.c.id == puzzle, _is_current())
    ).first()
    if row is None or is_guest is None:
        raise StoreError(f"there is no puzzle {puzzle}, or no person {person}")
    if not is_guest:
        made = _rate(connection, made, row.game, Glicko(*row[1:4]), row.attempts, row.solved)
    kept = made._replace(answer=orjson.dumps(made.answer).decode())
    connection.execute(insert(puzzle_attempts).values(kept._asdict()))
    return made


def _rate(
    connection: Connection, made: Attempt, game: str, puzzle: Glicko, attempts: int, solved: int
) -> Attempt:
    """Updates both ratings, and returns the attempt with them. A puzzle's strength does not change,
    so its deviation does not grow with time.
    """
    old = puzzle_rating_table.current(connection, made.person, game, made.at)
    mine, its = glicko.after_match(Glicko(*old[:3]), puzzle, float(made.solved))
    new = PuzzleRating(*mine, old.attempts + 1, old.solved + made.solved, max(made.at, old.at))
    puzzle_rating_table.set(connection, made.person, game, new)
    connection.execute(
        update(puzzles)
        .where(puzzles.c.id == made.puzzle)
        .values(**its._asdict(), attempts=attempts + 1, solved=solved + made.solved)
    )
    return made._replace(
        before=old.rating, after=new.rating, puzzle_before=puzzle.rating, puzzle_after=its.rating
    )
