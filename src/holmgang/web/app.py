"""The web application: all routes, and the middleware around them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response

from holmgang.games.shape import JsonObject
from holmgang.games.svg import page_style
from holmgang.live.service import Service
from holmgang.store import Store
from holmgang.version import VERSION
from holmgang.web import refusals
from holmgang.web.api import (
    explore,
    games,
    lessons,
    lobby,
    matches,
    openapi,
    people,
    pictures,
    puzzles,
    records,
)
from holmgang.web.front import Front
from holmgang.web.health import Health
from holmgang.web.limits import Limits, address_of
from holmgang.web.metrics import CONTENT_TYPE, Metrics
from holmgang.web.pages import PAGES, Pages
from holmgang.web.parts import ServerParts
from holmgang.web.passwords import Passwords
from holmgang.web.previews import default, origin, preview_of, tags
from holmgang.web.refusals import refuse
from holmgang.web.security import Guard, SecurityHeaders, content_policy, is_loopback
from holmgang.web.sessions import Sessions
from holmgang.web.settings import ServerSettings


def create_app(
    service: Service,
    store: Store,
    settings: ServerSettings,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> FastAPI:
    """The application. It starts and closes the service with itself; the store stays open. `clock`
    is for the rate limits.
    """
    limits = Limits(is_on=settings.has_limits, behind_proxy=settings.behind_proxy, clock=clock)
    parts = ServerParts(
        service=service,
        store=store,
        settings=settings,
        sessions=Sessions(store),
        passwords=Passwords(),
        limits=limits,
        metrics=Metrics(service, store, limits),
        pages=Pages(board_style=page_style()),
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            await service.start()
        except Exception as error:
            app.state.problem = error  # uvicorn logs it and exits; see server.py
            raise
        checking = asyncio.create_task(parts.sessions.check_watched())
        try:
            yield
        finally:
            checking.cancel()
            await service.close()
            parts.passwords.close()

    app = FastAPI(
        title="Holmgang",
        version=VERSION,
        summary="Duels with hidden simultaneous choice: open, join, play and watch matches.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages would load scripts from elsewhere
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
        lifespan=lifespan,
        redirect_slashes=False,
        middleware=[
            Middleware(SecurityHeaders, policy=content_policy(parts.pages.script_hashes)),
            Middleware(Front, settings=settings, metrics=parts.metrics),
            Middleware(Guard, settings=settings, limits=limits),
        ],
    )
    app.state.limits = limits
    refusals.add_handlers(app, lambda request: missing_page(parts, request))
    for module in (pictures, games, matches, explore, lessons, puzzles, records, lobby, people):
        app.include_router(module.router(parts))
    add_operations(app, parts)
    add_pages(app, parts)
    describe = app.openapi

    @cache
    def describe_with_security() -> JsonObject:
        described = describe()
        described["components"] = {
            "schemas": openapi.components(),
            "securitySchemes": openapi.SECURITY_SCHEMES,
        }
        return described

    app.openapi = describe_with_security  # type: ignore[method-assign] # FastAPI's way to extend it
    return app


def add_operations(app: FastAPI, parts: ServerParts) -> None:
    """Adds /health and /metrics, for people who run the server."""

    async def metrics(request: Request) -> Response:
        # A player alone with an opponent on a server could count how often that one changes a
        # choice.
        if not is_loopback(address_of(request.scope)):
            return refuse("not yours", "metrics are served to localhost only")
        return Response(parts.metrics.page(), headers={"Content-Type": CONTENT_TYPE})

    app.add_route("/health", Health(parts.store).answer, include_in_schema=False)
    app.add_route("/metrics", metrics, include_in_schema=False)


def add_pages(app: FastAPI, parts: ServerParts) -> None:
    """Adds the pages and files of the browser client."""

    async def page(request: Request) -> Response:
        return parts.pages.index(request.headers, preview=await preview_of(parts, request))

    async def static(request: Request) -> Response:
        found = parts.pages.answer(request.path_params["path"], request.headers)
        if found is None:
            raise HTTPException(404)
        return found

    for path in PAGES:
        app.add_route(path, page, include_in_schema=False)
    app.add_route("/static/{path:path}", static, include_in_schema=False)


def missing_page(parts: ServerParts, request: Request) -> Response | None:
    """The client, which shows that the page does not exist, if a browser asks for a page."""
    is_page = not request.url.path.startswith(("/api/", "/static/"))
    if is_page and "text/html" in request.headers.get("accept", ""):
        return parts.pages.index(request.headers, 404, tags(default(), origin(request)))
    return None
