"""Puzzles: the next one, the one of the day, and attempts to solve them.

Nothing here reads a solution before the sender of the request has attempted the puzzle.
"""

import asyncio
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from holmgang.analysis.puzzles import keeping
from holmgang.analysis.puzzles.explain import explain, label, question_text
from holmgang.analysis.puzzles.puzzle import NO_COST
from holmgang.analysis.puzzles.verdict import Answer, parse_answer, verdict_on
from holmgang.errors import ChoiceError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import Scene
from holmgang.games.ruleset import load
from holmgang.live.menus import menu_of
from holmgang.live.refusal import Refused
from holmgang.live.round_log import encode
from holmgang.solver.tables import can_be_tabled
from holmgang.store import Attempt, PuzzleRating, PuzzleRow
from holmgang.store.glicko import PROVISIONAL
from holmgang.web.api import openapi
from holmgang.web.pages import compressed_json
from holmgang.web.parts import ServerParts, answer_json, read_json
from holmgang.wire.match import ChoiceRequest
from holmgang.wire.study import (
    AttemptRequest,
    JudgedChoice,
    JudgedReply,
    PuzzleGame,
    PuzzleOverview,
    PuzzleRatingLine,
    PuzzleResult,
    PuzzleView,
    RatingChange,
)

Id = Annotated[str, Path(description="The id of a puzzle.", max_length=40)]


def router(parts: ServerParts) -> APIRouter:
    """The requests about puzzles."""
    routes = APIRouter(prefix="/api/puzzles", tags=["puzzles"])
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

        def describe() -> PuzzleView:
            made = None if person is None else store.puzzles.attempt_of(row.id, person.id)
            return describe_puzzle(parts, row, made)

        body = encode(await asyncio.to_thread(describe))
        return compressed_json(body, request.headers)

    @routes.get("", **openapi.puzzles)
    async def see_puzzles(request: Request) -> Response:
        """Number of puzzles by game, the puzzle of the day, and your own ratings."""
        person = await parts.sessions.person(request)

        def read() -> PuzzleOverview:
            counts = store.puzzles.counts()
            own = {} if person is None else store.puzzles.ratings(person.id)
            return PuzzleOverview(
                games=[describe_game(name, counts.get(name, 0)) for name in CATALOGUE],
                daily=daily.find(),
                ratings={game: rating_line(rating) for game, rating in own.items()},
            )

        return answer_json(await asyncio.to_thread(read))

    @routes.get("/next", **openapi.puzzle)
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

    @routes.get("/daily", **openapi.puzzle)
    async def see_daily(request: Request) -> Response:
        """The puzzle of the day, which begins at midnight UTC."""
        puzzle = await asyncio.to_thread(daily.find)
        if puzzle is None:
            raise Refused("not found", "there are no puzzles yet")
        return await show(request, await find(puzzle))

    @routes.get("/{id}", **openapi.puzzle)
    async def see_puzzle(request: Request, id: Id) -> Response:  # noqa: A002
        """A puzzle."""
        return await show(request, await find(id))

    @routes.post("/{id}/attempt", **openapi.attempting)
    async def attempt(request: Request, id: Id) -> Response:  # noqa: A002
        """Answers a puzzle. Only the first answer counts; later ones return the result of the
        first. Answers of accounts are rated.
        """
        row = await find(id)
        answer = read_answer(row, await read_json(request, AttemptRequest))
        person, token = await parts.person_or_guest(request)
        parts.check("attempt", request, person.id)

        def settle() -> PuzzleView:
            puzzle = keeping.solved_puzzle(store, row)
            solved = verdict_on(puzzle, answer).is_solved
            made = store.puzzles.attempt(row.id, person.id, answer, solved=solved)
            return describe_puzzle(parts, store.puzzles.row(row.id) or row, made)

        return answer_json(await asyncio.to_thread(settle), request, token)

    @routes.post("/{id}/forecast", **openapi.forecasting_puzzle)
    async def forecast(request: Request, id: Id) -> Response:  # noqa: A002
        """What a choice would do in the position, against every choice of the other seat."""
        asked = await read_json(request, ChoiceRequest)
        person = await parts.sessions.person(request)
        parts.check("forecast", request, None if person is None else person.id)
        row = await find(id)
        ruleset = load(row.ruleset)
        state = ruleset.parse_json(row.state)
        return answer_json(
            await parts.service.study.forecast_of(ruleset, state, row.seat, asked.choice)
        )

    return routes


class Daily:
    """The puzzle of the day, looked up once a day."""

    def __init__(self, parts: ServerParts) -> None:
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


def read_answer(row: PuzzleRow, body: AttemptRequest) -> Answer:
    """The answer in a request. Raises `Refused` if it is not one for this puzzle."""
    given, other = (body.choice, body.mix) if row.kind == "choice" else (body.mix, body.choice)
    if given is None or other is not None:
        raise Refused("bad", f"the answer to this puzzle is a {row.kind}, and nothing else")
    try:
        return parse_answer(keeping.question_of(row), given)
    except ChoiceError as error:
        raise Refused("illegal", str(error)) from None


# For clients


def describe_game(name: str, count: int) -> PuzzleGame:
    title, note = CATALOGUE[name].title, ""
    if not count:
        note = (
            "Puzzles are being prepared."
            if can_be_tabled(load(name))
            else "No exact table exists, so no answer can be proven."
        )
    return PuzzleGame(name=name, title=title, puzzles=count, note=note)


def describe_puzzle(parts: ServerParts, row: PuzzleRow, made: Attempt | None) -> PuzzleView:
    """The puzzle; with its solution if it was attempted."""
    ruleset = load(row.ruleset)
    state = ruleset.parse_json(row.state)
    menu = menu_of(ruleset, state, row.seat)
    assert menu is not None  # noqa: S101 - a puzzle asks for a choice
    return PuzzleView(
        puzzle=row.id,
        game_name=row.game,
        title=ruleset.entry.title,
        ruleset=row.ruleset,
        kind=row.kind,
        seat=row.seat,
        question=question_text(keeping.question_of(row), len(menu.options)),
        right_count=row.right_count,
        tolerance=row.tolerance,
        source=row.source,
        rating=round(row.rating),
        provisional=row.deviation >= PROVISIONAL,
        attempts=row.attempts,
        solved=row.solved,
        state=row.state,
        text=ruleset.format_text(state),
        picture=ruleset.picture(state, Scene(has_style=False)),
        menu=menu,
        result=None if made is None else describe_result(parts, row, made),
    )


def describe_result(parts: ServerParts, row: PuzzleRow, made: Attempt) -> PuzzleResult:
    puzzle = keeping.solved_puzzle(parts.store, row)
    solution, verdict = puzzle.solution, verdict_on(puzzle, made.answer)
    return PuzzleResult(
        answer=made.answer,
        solved=made.solved,
        cost=verdict.cost,
        value=solution.value,
        natural=solution.natural or None,
        reply=verdict.reply or None,
        story=explain(puzzle, made.answer, verdict),
        choices=[
            JudgedChoice(
                word=word,
                label=label(puzzle, word),
                share=share,
                worth=solution.worth[word],
                cost=solution.cost(word),
                right=solution.cost(word) < NO_COST,
            )
            for word, share in solution.mine.items()
        ],
        replies=[
            JudgedReply(word=word, label=label(puzzle, word, is_other=True), share=share)
            for word, share in solution.theirs.items()
        ],
        rating=change_of(made.before, made.after),
        puzzle_rating=change_of(made.puzzle_before, made.puzzle_after),
    )


def change_of(before: float | None, after: float | None) -> RatingChange | None:
    if before is None or after is None:
        return None
    return RatingChange(before=round(before), after=round(after))


def rating_line(rating: PuzzleRating) -> PuzzleRatingLine:
    return PuzzleRatingLine(
        rating=round(rating.rating),
        deviation=round(rating.deviation),
        provisional=rating.is_provisional,
        attempts=rating.attempts,
        solved=rating.solved,
    )
