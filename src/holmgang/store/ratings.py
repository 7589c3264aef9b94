"""Ratings of people by game. A rated match changes them in the transaction that appends its end.

`RatingTable` also serves the ratings at puzzles, which `puzzles.py` changes.
"""

import time
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, Select, Table, insert, select, update

from holmgang.errors import StoreError
from holmgang.store import glicko
from holmgang.store.glicko import Glicko
from holmgang.store.log import RatedResult
from holmgang.store.people import PERSON, Person
from holmgang.store.schema import people, puzzle_ratings, rating_changes, ratings
from holmgang.store.substore import AnySelect, Substore

RECENTLY = 90 * 86400.0
"""Seconds: players whose last rated match is older are not on the leaderboard."""
REACH = 400.0
"""A match against an opponent with a provisional rating cannot move a rating further than this from
the opponent's. A player who is better by as much wins 10 of 11."""
LOCK = 0x686F6C6D72617465
"""Arbitrary number of PostgreSQL's lock for changes of ratings."""


class Rating(NamedTuple):
    """A rating as it is now: the deviation grows while the person does not play."""

    rating: float
    deviation: float
    volatility: float
    matches: int
    at: float
    """When the last rated match ended."""

    @property
    def is_provisional(self) -> bool:
        return self.deviation >= glicko.PROVISIONAL


class PuzzleRating(NamedTuple):
    """A rating at the puzzles of a game as it is now."""

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


AnyRating = TypeVar("AnyRating", Rating, PuzzleRating)


class RatingTable(Generic[AnyRating]):
    """Ratings by person and game in one table."""

    def __init__(self, table: Table, start: AnyRating) -> None:
        self._table = table
        self._start: AnyRating = start
        self.columns = tuple(table.c[name] for name in start._fields)

    def of_person(self, person: int) -> AnySelect:
        table = self._table
        query = select(table.c.game, *self.columns).where(table.c.person == person)
        return query.order_by(table.c.game)

    def parse(self, row: Sequence[float], now: float) -> AnyRating:
        """The rating of a row of `columns`, as it is now: its deviation grows with time."""
        rating: AnyRating = type(self._start)._make(row)
        rested = glicko.after_rest(Glicko(*rating[:3]), now - rating.at)
        return rating._replace(deviation=rested.deviation)

    def current(self, connection: Connection, person: int, game: str, at: float) -> AnyRating:
        """A person's rating; that of a beginner if there is none."""
        of_game = self.of_person(person).where(self._table.c.game == game)
        row = connection.execute(of_game).first()
        return self._start if row is None else self.parse(row[1:], at)

    def set(self, connection: Connection, person: int, game: str, rating: AnyRating) -> None:
        row = {"person": person, "game": game}
        is_its = (self._table.c[name] == value for name, value in row.items())
        changed = update(self._table).where(*is_its).values(rating._asdict())
        if not connection.execute(changed).rowcount:
            connection.execute(insert(self._table).values(row | rating._asdict()))


match_rating_table = RatingTable(ratings, Rating(*glicko.START, 0, 0.0))
puzzle_rating_table = RatingTable(puzzle_ratings, PuzzleRating(*glicko.START, 0, 0, 0.0))


class RatingStore(Substore):
    def of_person(self, person: int) -> dict[str, Rating]:
        """The ratings of a person by game, as they are now."""
        now, table = time.time(), match_rating_table
        return {game: table.parse(row, now) for game, *row in self._rows(table.of_person(person))}

    def history(self, person: int, game: str) -> list[tuple[float, float]]:
        """Times of rated matches and the ratings after them, in order."""
        query = (
            select(rating_changes.c.at, rating_changes.c.after)
            .where(rating_changes.c.person == person, rating_changes.c.game == game)
            .order_by(rating_changes.c.at, rating_changes.c.match)
        )
        return [(at, after) for at, after in self._rows(query)]

    def changes(self, match: str) -> dict[str, list[float]] | None:
        """The ratings before and after the match, by seat; None if it was not rated."""
        return _by_seat(self._rows(_changes(match)))

    def leaderboard(self, game: str, limit: int = 50) -> list[tuple[Person, Rating]]:
        """The best accounts that played in the last 90 days and whose rating is not provisional."""
        now = time.time()
        query = (
            select(*PERSON, *match_rating_table.columns)
            .join(ratings, ratings.c.person == people.c.id)
            .where(
                ratings.c.game == game,
                ratings.c.deviation < glicko.PROVISIONAL,
                ratings.c.at > now - RECENTLY,
                people.c.is_guest.is_(False),
            )
            .order_by(ratings.c.rating.desc(), people.c.id)
        )
        best = (
            (Person._make(row[: len(PERSON)]), match_rating_table.parse(row[len(PERSON) :], now))
            for row in self._rows(query)
        )
        return [each for each in best if not each[1].is_provisional][:limit]


def apply(
    connection: Connection, match: str, at: float, result: RatedResult
) -> dict[str, list[float]]:
    """Rates the match unless it has been rated; returns the ratings before and after, by seat."""
    if result.red == result.blue:
        raise StoreError(f"match {match} is not rated: person {result.red} has both seats")
    known = _by_seat(connection.execute(_changes(match)).all())
    if known is not None:
        return known
    seats = {"red": result.red, "blue": result.blue}
    before = {
        seat: match_rating_table.current(connection, seats[seat], result.game, at) for seat in seats
    }
    red, blue = (Glicko(*rating[:3]) for rating in before.values())
    new_red, new_blue = glicko.after_match(red, blue, result.score)
    after = {"red": _bounded(red, new_red, blue), "blue": _bounded(blue, new_blue, red)}
    for seat, person in seats.items():
        old, new = before[seat], after[seat]
        rating = Rating(*new, old.matches + 1, max(at, old.at))
        match_rating_table.set(connection, person, result.game, rating)
        connection.execute(
            insert(rating_changes).values(
                match=match,
                seat=seat,
                person=person,
                game=result.game,
                before=old.rating,
                after=new.rating,
                at=at,
            )
        )
    return {seat: [before[seat].rating, after[seat].rating] for seat in seats}


def _bounded(old: Glicko, new: Glicko, opponent: Glicko) -> Glicko:
    """The new rating, but if the opponent's is provisional, no further from it than `REACH`:
    otherwise a handful of new accounts could lift a player to any rating.
    """
    if opponent.deviation < glicko.PROVISIONAL:
        return new
    lowest = min(old.rating, opponent.rating - REACH)
    highest = max(old.rating, opponent.rating + REACH)
    return new._replace(rating=min(max(new.rating, lowest), highest))


def _changes(match: str) -> "Select[str, float, float]":
    columns = rating_changes.c
    return select(columns.seat, columns.before, columns.after).where(columns.match == match)


def _by_seat(rows: "Sequence[Row[str, float, float]]") -> dict[str, list[float]] | None:
    found = {seat: [before, after] for seat, before, after in rows}
    return {seat: found[seat] for seat in ("red", "blue")} if found else None
