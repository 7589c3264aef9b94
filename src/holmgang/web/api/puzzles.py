"""Puzzles: the next one, the one of the day, and attempts to solve them.

Nothing here reads a solution before the sender of the request has attempted the puzzle.
"""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from holmgang.analysis.puzzles import keeping
from holmgang.analysis.puzzles.explain import explain, label, question_text
from holmgang.analysis.puzzles.puzzle import NOTHING
from holmgang.analysis.puzzles.verdict import Answer, parse_answer, verdict_on
from holmgang.engine.menu import controls
from holmgang.errors import ChoiceError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import Scene
from holmgang.games.ruleset import load
from holmgang.live.refusal import Refused
from holmgang.solver.tables import can_be_tabled
from holmgang.store import Attempt, PuzzleRating, PuzzleRow
from holmgang.store.glicko import PROVISIONAL
from holmgang.web.api import schemas
from holmgang.web.api.reading import JsonRoute
from holmgang.web.pages import compressed_json
from holmgang.web.parts import Parts, answer_json

Id = Annotated[str, Path(description="The id of a puzzle.", max_length=40)]


def router(parts: Parts) -> APIRouter:
    """The requests about puzzles."""
    routes = APIRouter(prefix="/api/puzzles", tags=["puzzles"], route_class=JsonRoute)
    store = parts.store
    daily = Daily(parts)

    async def find(puzzle: str) -> PuzzleRow:
        row = await asyncio.to_thread(store.puzzles.row, puzzle)
        if row is None:
            raise Refused("not found", "there is no such puzzle")
        return row

    async def show(request: Request, row: PuzzleRow) -> Response:
        """The puzzle; with the result if its sender has attempted it."""
        person = await parts.sessions.person(request)

        def describe() -> dict[str, Any]:
            made = None if person is None else store.puzzles.attempt_of(row.id, person.id)
            return describe_puzzle(parts, row, made)

        body = orjson.dumps(await asyncio.to_thread(describe))
        return compressed_json(body, request.headers)

    @routes.get("", **schemas.puzzles)
    async def see_puzzles(request: Request) -> Response:
        """Number of puzzles by game, the puzzle of the day, and your own ratings."""
        person = await parts.sessions.person(request)

        def read() -> dict[str, Any]:
            counts = store.puzzles.counts()
            own = {} if person is None else store.puzzles.ratings(person.id)
            return {
                "games": [describe_game(name, counts.get(name, 0)) for name in CATALOGUE],
                "daily": daily.find(),
                "ratings": {game: rating_json(rating) for game, rating in own.items()},
            }

        return answer_json(await asyncio.to_thread(read))

    @routes.get("/next", **schemas.puzzle)
    async def see_next(
        request: Request,
        game: Annotated[str | None, Query(max_length=40)] = None,
        skip: Annotated[str, Query(max_length=40)] = "",
    ) -> Response:
        """A puzzle near your rating that you have not attempted: of one game or of any, and not the
        one to skip.
        """
        person = await parts.sessions.person(request)
        number = None if person is None else person.id
        row = await asyncio.to_thread(keeping.next_puzzle, store, game, number, skip)
        if row is None:
            raise Refused("not found", "there are no puzzles left that you have not tried")
        return await show(request, row)

    @routes.get("/daily", **schemas.puzzle)
    async def see_daily(request: Request) -> Response:
        """The puzzle of the day, which begins at midnight UTC."""
        puzzle = await asyncio.to_thread(daily.find)
        if puzzle is None:
            raise Refused("not found", "there are no puzzles yet")
        return await show(request, await find(puzzle))

    @routes.get("/{id}", **schemas.puzzle)
    async def see_puzzle(request: Request, id: Id) -> Response:  # noqa: A002
        """A puzzle."""
        return await show(request, await find(id))

    @routes.post("/{id}/attempt", **schemas.attempting)
    async def attempt(
        request: Request,
        id: Id,  # noqa: A002
        body: schemas.Attempting,
    ) -> Response:
        """Answers a puzzle. Only the first answer counts; later ones return the result of the
        first. Answers of accounts are rated.
        """
        row = await find(id)
        answer = read_answer(row, body)
        person, token = await parts.person_or_guest(request)
        parts.check("attempt", request, person.id)

        def settle() -> dict[str, Any]:
            puzzle = keeping.solved_puzzle(store, row)
            solved = verdict_on(puzzle, answer).is_solved
            made = store.puzzles.attempt(row.id, person.id, answer, solved=solved)
            return describe_puzzle(parts, store.puzzles.row(row.id) or row, made)

        return answer_json(await asyncio.to_thread(settle), request, token)

    @routes.post("/{id}/forecast", **schemas.forecasting_puzzle)
    async def forecast(
        request: Request,
        id: Id,  # noqa: A002
        body: schemas.Forecasting,
    ) -> Response:
        """What a choice would do in the position, against every choice of the other seat."""
        person = await parts.sessions.person(request)
        parts.check("forecast", request, None if person is None else person.id)
        row = await find(id)
        ruleset = load(row.ruleset)
        state = ruleset.parse_json(row.state)
        return answer_json(
            await parts.service.study.forecast_of(ruleset, state, row.seat, body.choice)
        )

    return routes


class Daily:
    """The puzzle of the day, looked up once a day."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._known: tuple[datetime, str] | None = None

    def find(self) -> str | None:
        now = datetime.now(UTC)
        if self._known is None or now >= self._known[0]:
            found = keeping.puzzle_of_the_day(self._parts.store, now)
            if found is None:
                return None
            self._known = keeping.end_of_day(now), found
        return self._known[1]


def read_answer(row: PuzzleRow, body: schemas.Attempting) -> Answer:
    """The answer in a request. Raises `Refused` if it is not one for this puzzle."""
    given, other = (body.choice, body.mix) if row.kind == "choice" else (body.mix, body.choice)
    if given is None or other is not None:
        raise Refused("bad", f"the answer to this puzzle is a {row.kind}, and nothing else")
    try:
        return parse_answer(keeping.question_of(row), given)
    except ChoiceError as error:
        raise Refused("illegal", str(error)) from None


# As JSON


def describe_game(name: str, count: int) -> dict[str, Any]:
    title, note = CATALOGUE[name].title, ""
    if not count:
        note = (
            "Puzzles are being prepared."
            if can_be_tabled(load(name))
            else "No exact table exists, so no answer can be proven."
        )
    return {"name": name, "title": title, "puzzles": count, "note": note}


def describe_puzzle(parts: Parts, row: PuzzleRow, made: Attempt | None) -> dict[str, Any]:
    """The puzzle; with its solution if it was attempted."""
    ruleset = load(row.ruleset)
    state = ruleset.parse_json(row.state)
    menu = controls(ruleset, state, row.seat)
    return {
        "puzzle": row.id,
        "game_name": row.game,
        "title": ruleset.entry.title,
        "ruleset": row.ruleset,
        "kind": row.kind,
        "seat": row.seat,
        "question": question_text(keeping.question_of(row), len(menu["options"]) if menu else 0),
        "right_count": row.right_count,
        "tolerance": row.tolerance,
        "source": row.source,
        "rating": round(row.rating),
        "provisional": row.deviation >= PROVISIONAL,
        "attempts": row.attempts,
        "solved": row.solved,
        "state": row.state,
        "text": ruleset.format_text(state),
        "picture": ruleset.picture(state, Scene(has_style=False)),
        "menu": menu,
        "result": None if made is None else describe_result(parts, row, made),
    }


def describe_result(parts: Parts, row: PuzzleRow, made: Attempt) -> dict[str, Any]:
    puzzle = keeping.solved_puzzle(parts.store, row)
    solution, verdict = puzzle.solution, verdict_on(puzzle, made.answer)
    return {
        "answer": made.answer,
        "solved": made.solved,
        "cost": verdict.cost,
        "value": solution.value,
        "natural": solution.natural or None,
        "reply": verdict.reply or None,
        "story": explain(puzzle, made.answer, verdict),
        "choices": [
            {
                "word": word,
                "label": label(puzzle, word),
                "share": share,
                "worth": solution.worth[word],
                "cost": solution.cost(word),
                "right": solution.cost(word) < NOTHING,
            }
            for word, share in solution.mine.items()
        ],
        "replies": [
            {"word": word, "label": label(puzzle, word, is_other=True), "share": share}
            for word, share in solution.theirs.items()
        ],
        "rating": change_json(made.before, made.after),
        "puzzle_rating": change_json(made.puzzle_before, made.puzzle_after),
    }


def change_json(before: float | None, after: float | None) -> dict[str, int] | None:
    return (
        None
        if before is None or after is None
        else {"before": round(before), "after": round(after)}
    )


def rating_json(rating: PuzzleRating) -> dict[str, Any]:
    return {
        "rating": round(rating.rating),
        "deviation": round(rating.deviation),
        "provisional": rating.is_provisional,
        "attempts": rating.attempts,
        "solved": rating.solved,
    }
