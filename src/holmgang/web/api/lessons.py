"""Lessons: the guided rounds of a game."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from holmgang.engine.lesson import is_ready, lesson_of
from holmgang.games.ruleset import Ruleset
from holmgang.live import learning
from holmgang.live.round_log import encode
from holmgang.web.api import openapi
from holmgang.web.pages import compressed_json
from holmgang.web.parts import ServerParts, answer_json
from holmgang.wire.words import LONGEST_CHOICE

Rules = Annotated[str, Query(description="Such as `bagh` or `fencing:league=1`.", max_length=1_000)]


def router(parts: ServerParts) -> APIRouter:
    """The requests about lessons. They need no session: progress belongs to the client."""
    routes = APIRouter(prefix="/api/lessons", tags=["lessons"])
    slow_work = parts.service.slow_work

    async def find(request: Request, text: str) -> Ruleset:
        """The ruleset of the lesson, once that is ready. Raises `Refused`."""
        parts.check("position", request)
        ruleset = learning.taught(text)
        if not is_ready(ruleset):
            parts.check("new lesson", request)
            await slow_work.run("lesson", lesson_of, ruleset)
        return ruleset

    @routes.get("", **openapi.lesson)
    async def see_lesson(request: Request, ruleset: Rules = "bagh") -> Response:
        """The lesson of a game: positions, what to try, and the announced choice of blue."""
        found = await find(request, ruleset)
        view = await slow_work.run("position", learning.describe_lesson, found)
        return compressed_json(encode(view), request.headers)

    @routes.get("/round", **openapi.lesson_round)
    async def play_round(
        request: Request,
        choice: Annotated[str, Query(description="A choice.", max_length=LONGEST_CHOICE)],
        number: Annotated[int, Query(description="The round of the lesson.", ge=1, le=100)] = 1,
        ruleset: Rules = "bagh",
    ) -> Response:
        """What a choice in a round of the lesson leads to, and why it is right or what to try."""
        found = await find(request, ruleset)
        return answer_json(
            await slow_work.run("position", learning.play_lesson, found, number, choice)
        )

    return routes
