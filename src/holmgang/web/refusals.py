"""Errors as clients see them: one shape, `{"error": {"code": …, "message": …}}`, for every refusal.

Codes and their statuses are in docs/live-protocol.md.
"""

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from holmgang.errors import HolmgangError
from holmgang.games.shape import printable
from holmgang.live.refusal import Refused
from holmgang.store import StoreError
from holmgang.wire.words import REFUSALS, ErrorText, Refusal

HTTP_STATUSES: Mapping[str, int] = {code: status for code, (status, _) in REFUSALS.items()}
LONGEST_MESSAGE = 500
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

FAILED = "something went wrong on the server; it has been logged"
UNAVAILABLE = "the database cannot be used at the moment; try again"

log = logging.getLogger(__name__)


class TooMany(Refused):
    """Too many requests of a kind; `retry_after` is when to try again, in seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__("too many", message)
        self.retry_after = retry_after


def error_text(code: str, message: str) -> ErrorText:
    return ErrorText(code=code, message=printable(message[:LONGEST_MESSAGE]))


def refuse(
    code: str, message: str, status: int | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """The answer to a refused request."""
    return Response(
        msgspec.json.encode(Refusal(error=error_text(code, message))),
        status_code=status or HTTP_STATUSES[code],
        headers=dict(headers or {}),
        media_type="application/json",
    )


def refuse_error(error: HolmgangError) -> Response:
    """The answer for one of our own errors."""
    if isinstance(error, StoreError):
        log.error("the database cannot be used: %s", error)
    headers = {}
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(error.retry_after)
    elif isinstance(error, StoreError):
        headers["Retry-After"] = "1"
    return refuse(*code_and_message(error), headers=headers)


def code_and_message(error: HolmgangError) -> tuple[str, str]:
    if isinstance(error, Refused):
        return error.code, str(error)
    if isinstance(error, StoreError):
        return "unavailable", UNAVAILABLE  # its own message may name files or hosts
    return "bad", str(error)


def add_handlers(app: FastAPI, missing_page: Callable[[Request], Response | None]) -> None:
    """Makes all errors of the app answer in this shape. `missing_page` may answer differently to a
    request for a page that does not exist.
    """

    @app.exception_handler(HolmgangError)
    async def holmgang_error(_: Request, error: HolmgangError) -> Response:
        return refuse_error(error)

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        status = error.status_code
        headers = dict(error.headers or {})
        if status == HTTPStatus.NOT_FOUND:
            nothing = refuse("not found", f"there is nothing at {request.url.path}")
            return missing_page(request) or nothing
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            allowed = ", ".join(sorted(allowed_methods(request)))
            message = f"{request.method} is not allowed here; use {allowed}"
            return refuse("bad", message, 405, {"Allow": allowed})
        return refuse("bad", str(error.detail), status, headers)

    @app.exception_handler(RequestValidationError)
    async def validation_error(_: Request, error: RequestValidationError) -> Response:
        return refuse("bad", first_problem(error))


def allowed_methods(request: Request) -> set[str]:
    """All methods that the request's path supports."""
    return {
        method
        for method in METHODS
        for route in request.app.routes
        if route.matches({**request.scope, "method": reading(method)})[0] is Match.FULL
    }


def reading(method: str) -> str:
    """The method whose route answers a request: a HEAD is a GET whose body is not sent."""
    return "GET" if method == "HEAD" else method


def first_problem(error: RequestValidationError) -> str:
    """The first problem of a request and its place, in one line. The value sent is not repeated: it
    may be a password.
    """
    found = error.errors()[0]
    where = ".".join(str(part) for part in found["loc"] if part not in ("body", "query", "path"))
    if found["type"] == "json_invalid":
        return "the body is not JSON"
    said = str(found["msg"])
    said = said[:1].lower() + said[1:]
    return f"{where}: {said}" if where else said
