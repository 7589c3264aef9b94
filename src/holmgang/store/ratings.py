"""Ratings by game. They change in the transaction that appends the end of a rated match, once."""

import time
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, text, update

from holmgang.errors import StoreError
from holmgang.store import glicko
from holmgang.store.glicko import Glicko
from holmgang.store.log import RatedResult
from holmgang.store.people import PERSON, Person
from holmgang.store.schema import people, rating_changes, ratings

RECENTLY = 90 * 86400.0
"""Seconds within which a player of a leaderboard has played."""
REACH = 400.0
"""Points above or below an opponent with a provisional rating that a match can lead to. A player
who is better by as much wins 10 of 11."""
LOCK = 0x686F6C6D72617465
"""The number of PostgreSQL's lock for changes of ratings; any number would do."""


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


RATING = (
    ratings.c.rating,
    ratings.c.deviation,
    ratings.c.volatility,
    ratings.c.matches,
    ratings.c.at,
)
"""The columns of a Rating."""


def lock(connection: Connection) -> None:
    """Makes other processes wait with their ratings until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def apply(
    connection: Connection, match: str, at: float, result: RatedResult
) -> dict[str, list[float]]:
    """Rates the match, unless it has been rated; returns ratings before and after, by seat."""
    if result.red == result.blue:
        raise StoreError(f"match {match} is not rated: person {result.red} has both seats")
    known = changes(connection, match)
    if known is not None:
        return known
    seats = {"red": result.red, "blue": result.blue}
    before = {seat: _current(connection, seats[seat], result.game, at) for seat in seats}
    red, blue = (Glicko(*rating[:3]) for rating in before.values())
    new_red, new_blue = glicko.after_match(red, blue, result.score)
    after = {"red": _bounded(red, new_red, blue), "blue": _bounded(blue, new_blue, red)}
    for seat, person in seats.items():
        old, new = before[seat], after[seat]
        _set(connection, person, result.game, Rating(*new, old.matches + 1, max(at, old.at)))
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


def _current(connection: Connection, person: int, game: str, at: float) -> Rating:
    row = connection.execute(
        select(*RATING).where(ratings.c.person == person, ratings.c.game == game)
    ).first()
    return Rating(*glicko.START, 0, 0.0) if row is None else _aged(Rating._make(row), at)


def _set(connection: Connection, person: int, game: str, rating: Rating) -> None:
    if rating.matches == 1:
        connection.execute(insert(ratings).values(person=person, game=game, **rating._asdict()))
    else:
        of_person = (ratings.c.person == person, ratings.c.game == game)
        connection.execute(update(ratings).where(*of_person).values(**rating._asdict()))


def _aged(rating: Rating, now: float) -> Rating:
    rested = glicko.after_rest(Glicko(*rating[:3]), now - rating.at)
    return rating._replace(deviation=rested.deviation)


def of_person(connection: Connection, person: int) -> dict[str, Rating]:
    """The ratings of a person by game."""
    now = time.time()
    rows = connection.execute(
        select(ratings.c.game, *RATING).where(ratings.c.person == person).order_by(ratings.c.game)
    )
    return {game: _aged(Rating._make(row), now) for game, *row in rows}


def history(connection: Connection, person: int, game: str) -> list[tuple[float, float]]:
    """When the person's rating changed, and to what, in order."""
    rows = connection.execute(
        select(rating_changes.c.at, rating_changes.c.after)
        .where(rating_changes.c.person == person, rating_changes.c.game == game)
        .order_by(rating_changes.c.at, rating_changes.c.match)
    )
    return [(at, after) for at, after in rows]


def changes(connection: Connection, match: str) -> dict[str, list[float]] | None:
    """The ratings before and after the match by seat; None if it was not rated."""
    rows = connection.execute(
        select(rating_changes.c.seat, rating_changes.c.before, rating_changes.c.after).where(
            rating_changes.c.match == match
        )
    )
    found = {seat: [before, after] for seat, before, after in rows}
    return {seat: found[seat] for seat in ("red", "blue")} if found else None


def leaderboard(connection: Connection, game: str, limit: int) -> list[tuple[Person, Rating]]:
    """The best accounts that have played lately and whose rating is not provisional."""
    now = time.time()
    rows = connection.execute(
        select(*PERSON, *RATING)
        .join(ratings, ratings.c.person == people.c.id)
        .where(
            ratings.c.game == game,
            ratings.c.deviation < glicko.PROVISIONAL,
            ratings.c.at > now - RECENTLY,
            people.c.is_guest.is_(False),
        )
        .order_by(ratings.c.rating.desc(), people.c.id)
    )
    best: list[tuple[Person, Rating]] = []
    for row in rows:
        rating = _aged(Rating._make(row[len(PERSON) :]), now)
        if len(best) == limit:
            break
        if not rating.is_provisional:
            best.append((Person._make(row[: len(PERSON)]), rating))
    return best
