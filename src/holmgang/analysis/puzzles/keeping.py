"""Puzzles in the store: keeping them, finding the next one, and the one of the day."""

import hashlib
import random
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from holmgang.analysis.puzzles.puzzle import Puzzle, PuzzleQuestion, PuzzleSolution
from holmgang.store import NewPuzzle, PuzzleRow, Store

EASY = 600.0  # where somebody without a rating begins
NEAR = 6  # puzzles among which the next one is drawn


def keep(store: Store, found: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, bool]]:
    """Stores puzzles one by one, so that an interruption loses none of those found. Yields each
    with whether it is new.
    """
    for puzzle in found:
        yield puzzle, store.puzzles.add([new_row(puzzle)]) == 1


def new_row(puzzle: Puzzle) -> NewPuzzle:
    """The puzzle as a row for the store."""
    game, solution = puzzle.ruleset.entry.name, puzzle.solution._asdict()
    return NewPuzzle(game=game, solution=solution, **puzzle.question._asdict())


def question_of(row: PuzzleRow) -> PuzzleQuestion:
    return PuzzleQuestion(**{name: getattr(row, name) for name in PuzzleQuestion._fields})


def solved_puzzle(store: Store, row: PuzzleRow) -> Puzzle:
    """The puzzle with its solution."""
    solution = store.puzzles.solution(row.id)
    if solution is None:
        raise AssertionError(f"puzzle {row.id} has no solution")
    return Puzzle(question_of(row), PuzzleSolution(**solution))


def next_puzzle(
    store: Store, game: str | None, person: int | None, skip: str = ""
) -> PuzzleRow | None:
    """A puzzle near the person's rating that they have not attempted, drawn from the nearest ones;
    not `skip` if there is another.
    """
    ratings = {} if person is None else store.puzzles.ratings(person)
    known = [rating.rating for name, rating in ratings.items() if game in (None, name)]
    rating = sum(known) / len(known) if known else EASY
    near = store.puzzles.nearest(game, person, rating, NEAR + 1)
    if near and not known:  # first the easiest, and no mixes while there is something else
        near = sorted(near, key=lambda row: row.kind == "mix")
        near = [row for row in near if row.kind == near[0].kind]
    others = [row for row in near if row.id != skip] or near
    return random.choice(others[:NEAR]) if others else None


def puzzle_of_the_day(store: Store, now: datetime) -> str | None:
    """The id of the choice puzzle of the day (UTC), the same in every process; None if there is
    none. It is drawn from the puzzles that existed when the day began. On the first day of a
    database there were none, so the oldest puzzle is taken.
    """
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    known = store.puzzles.ids("choice")
    before = [id for id, at in known if at < day.timestamp()]  # noqa: A001
    if before:
        return min(before, key=lambda id: drawn(day, id))  # noqa: A006
    return known[0][0] if known else None


def drawn(day: datetime, id: str) -> bytes:  # noqa: A002
    """A number that differs from day to day."""
    return hashlib.sha256(f"{day:%Y-%m-%d} {id}".encode()).digest()


def end_of_day(now: datetime) -> datetime:
    """When the next day begins (UTC)."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day + timedelta(days=1)
