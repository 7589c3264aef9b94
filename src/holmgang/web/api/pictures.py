"""Pictures of boards: small ones for lists, and those of link previews."""

import asyncio
import re
from collections import OrderedDict
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from holmgang.engine.picture import rasterise
from holmgang.engine.sample import sample_of
from holmgang.errors import UsageError
from holmgang.games import svg
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import Scene, State
from holmgang.games.ruleset import Ruleset, load
from holmgang.live.refusal import Refused
from holmgang.live.samples import board
from holmgang.live.service import Viewer
from holmgang.web.api import openapi
from holmgang.web.api.explore import Position
from holmgang.web.api.puzzles import describe_puzzle
from holmgang.web.pages import answer, make_file
from holmgang.web.parts import ServerParts

PREVIEW_WIDTH, PREVIEW_HEIGHT = 1200, 630
MOST_KEPT = 200
SHOWN_SECONDS = 300
"""How long a picture may be cached by others; matches go on."""
Id = Annotated[str, Path(max_length=40)]


def router(parts: ServerParts) -> APIRouter:
    """The requests for pictures."""
    routes = APIRouter(prefix="/api", tags=["pictures"])
    service = parts.service

    async def preview(request: Request, picture: str) -> Response:
        """A picture as PNG. What was drawn before costs nothing."""
        content = _drawn.get(picture)
        if content is None:
            parts.check("preview", request)
            content = await service.slow_work.run("page", draw_preview, picture)
            if content is None:
                raise Refused("not found", "this server cannot draw PNG pictures")
        keep(picture, content)
        headers = {
            "Cache-Control": f"public, max-age={SHOWN_SECONDS}",
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        return Response(content, headers=headers, media_type="image/png")

    @routes.get("/matches/{id}/board.svg", **openapi.small_board)
    async def see_board(
        request: Request,
        id: Id,  # noqa: A002
        theme: Annotated[Literal["light", "dark", ""], Query()] = "",
    ) -> Response:
        """A small board of a match, as everyone may see it."""
        try:
            drawn = svg.small(await service.board(id), theme)
        except Refused as error:
            if error.code != "closed":
                raise
            # Its log can no longer be read, as after a change of the rules.
            drawn = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{svg.SMALL_BOX}"/>'
        return answer(make_file("board.svg", drawn.encode()), request.headers)

    @routes.get("/matches/{id}/preview.png", **openapi.preview)
    async def preview_match(request: Request, id: Id) -> Response:  # noqa: A002
        """The board of a match with its players, for the preview of a link."""
        view = await service.view(id, Viewer(None))
        names = [
            seat.capitalize() if player is None else player.name
            for seat, player in view.players.items()
        ]
        drawn = svg.labelled(await service.board(id), (names[0], names[1]), view.title)
        return await preview(request, drawn)

    @routes.get("/games/{name}/preview.png", **openapi.preview)
    async def preview_game(request: Request, name: Id) -> Response:
        """The board of a game after some rounds."""
        if name not in CATALOGUE:
            raise Refused("not found", "there is no such game")

        def draw() -> str:
            sample = sample_of(load(name))
            return svg.labelled(
                board(sample, len(sample.rounds), has_style=True), caption=CATALOGUE[name].title
            )

        return await preview(request, await asyncio.to_thread(draw))

    @routes.get("/explore/preview.png", **openapi.preview)
    async def preview_position(request: Request, position: Position) -> Response:
        """The board of a position."""
        parts.check("position", request)

        def draw() -> str:
            walk = position.walk()
            last = walk.rounds[walk.at - 1] if walk.at else None
            return svg.labelled(
                walk.ruleset.picture(walk.state, Scene(last)), caption=walk.ruleset.entry.title
            )

        return await preview(request, await service.slow_work.run("position", draw))

    @routes.get("/puzzles/{id}/preview.png", **openapi.preview)
    async def preview_puzzle(request: Request, id: Id) -> Response:  # noqa: A002
        """The board of a puzzle."""
        question = await question_of(parts, id)
        drawn = question.ruleset.picture(question.state)
        return await preview(request, svg.labelled(drawn, caption=question.title))

    return routes


class PuzzleCaption(NamedTuple):
    """What a puzzle asks."""

    title: str
    text: str
    ruleset: Ruleset
    state: State


async def question_of(parts: ServerParts, puzzle: str) -> PuzzleCaption:
    """The question of a puzzle, without its answer. Raises `Refused`."""

    def read() -> PuzzleCaption:
        row = parts.store.puzzles.row(puzzle)
        if row is None:
            raise Refused("not found", "there is no such puzzle")
        view, ruleset = describe_puzzle(parts, row, None), load(row.ruleset)
        return PuzzleCaption(view.title, view.question, ruleset, ruleset.parse_json(row.state))

    return await asyncio.to_thread(read)


_drawn: OrderedDict[str, bytes] = OrderedDict()
"""Pictures as PNG, the last one that was asked for at the end."""


def keep(picture: str, content: bytes) -> None:
    _drawn[picture] = content
    _drawn.move_to_end(picture)
    if len(_drawn) > MOST_KEPT:
        _drawn.popitem(last=False)


def draw_preview(picture: str) -> bytes | None:
    """The board in the middle of a picture of the usual shape, as PNG; None if it cannot be drawn
    on this machine.
    """
    width = round(svg.HEIGHT * PREVIEW_WIDTH / PREVIEW_HEIGHT)
    left = (svg.WIDTH - width) // 2
    wide = re.sub(r'viewBox="[^"]*"', f'viewBox="{left} 0 {width} {svg.HEIGHT}"', picture, count=1)
    ground = f'<rect class="f-paper" x="{left}" width="{width}" height="{svg.HEIGHT}"/><defs>'
    try:
        return rasterise(wide.replace("<defs>", ground, 1), width=PREVIEW_WIDTH)
    except UsageError:
        return None
