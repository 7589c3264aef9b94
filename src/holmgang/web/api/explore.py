"""Positions to explore: a form to set them up, their choices and their values."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from holmgang.live import exploring
from holmgang.live.exploring import Walk
from holmgang.live.refusal import Refused
from holmgang.web.api import openapi
from holmgang.web.parts import ServerParts, answer_json
from holmgang.wire.study import ExploredPosition, ExploredResults, Preparing
from holmgang.wire.words import LONGEST_CHOICE

ASCII = "^[ -~]*$"
"""All of a query has to fit into the head of a request."""


def text(description: str, longest: int) -> object:
    return Query(description=description, max_length=longest, pattern=ASCII)


@dataclass
class AskedPosition:
    """The position that a request is about: a state, and a line of play from there."""

    ruleset: Annotated[str, text("Such as `bagh` or `bagh:max_boost=4`.", 1_000)] = "bagh"
    state: Annotated[
        str | None, text("As short text or JSON; the game's start if missing.", 1_000)
    ] = None
    line: Annotated[str, text("Rounds from there on, such as `b/a g/h a/g=2`.", 4_000)] = ""
    at: Annotated[
        int | None,
        Query(description="How many rounds of the line to play; all if missing.", ge=0, le=10**6),
    ] = None

    def walk(self) -> Walk:
        return exploring.parse_walk(self.ruleset, self.state, self.line, self.at)


Position = Annotated[AskedPosition, Depends()]
Word = Annotated[str | None, Query(description="A choice.", max_length=LONGEST_CHOICE)]


def router(parts: ServerParts) -> APIRouter:
    """The requests about positions."""
    routes = APIRouter(prefix="/api/explore", tags=["explore"])
    service = parts.service

    @routes.get("", **openapi.position)
    async def see_position(
        request: Request,
        position: Position,
        change: Annotated[
            str | None,
            text(
                "A field of the position to change, such as `red.hp=2`. The resulting position is "
                "a new start, without a line.",
                200,
            ),
        ] = None,
        match: Annotated[
            str | None,
            Query(description="A match, instead of ruleset, state and line.", max_length=40),
        ] = None,
        game: Annotated[
            int, Query(description="A finished game of that match.", ge=1, le=10**6)
        ] = 1,
    ) -> Response:
        """A position: its picture, its fields with their bounds, the choices of both seats, and the
        line that leads there. It comes from a state and a line, or from a finished game.
        """
        parts.check("position", request)
        if match is not None:
            walk = await service.study.walk(match, game, position.at)
            return answer_json(await service.slow_work.run("position", exploring.describe, walk))

        def look() -> ExploredPosition:
            walk = position.walk()
            return exploring.describe(walk if change is None else changed(walk, change))

        return answer_json(await service.slow_work.run("position", look))

    @routes.get("/round", **openapi.results)
    async def see_results(
        request: Request, position: Position, red: Word = None, blue: Word = None
    ) -> Response:
        """The possible results of two choices in a position: every result of the dice with its
        odds.
        """
        parts.check("position", request)

        def look() -> ExploredResults:
            return exploring.describe_results(position.walk(), red, blue)

        return answer_json(await service.slow_work.run("position", look))

    @routes.get("/worth", **openapi.worth)
    async def see_worth(request: Request, position: Position) -> Response:
        """The value of a position: exact where there is a table, otherwise estimated by a search of
        about a second. While that search is being compiled, the answer has the status 202.
        """
        parts.check("worth", request)
        walk = await service.slow_work.run("position", position.walk)
        await parts.check_rules(request, walk.ruleset)
        found = await service.study.worth(walk)
        if found is None:
            return answer_json(Preparing(note=exploring.note_of(walk.ruleset)), status=202)
        return answer_json(found)

    return routes


def changed(walk: Walk, change: str) -> Walk:
    path, _, text = change.partition("=")
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 18):
        raise Refused("bad", "change is a field and a whole number, such as red.hp=2")
    return exploring.edit(walk, path, int(text))
