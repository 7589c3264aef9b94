"""The outermost middleware: finds the client, logs every request, and always answers."""

import ipaddress
import logging
import time
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holmgang.web.limits import address_of
from holmgang.web.metrics import Metrics
from holmgang.web.refusals import FAILED, refuse
from holmgang.web.settings import ServerSettings

QUIET = ("/static/", "/metrics", "/health")
"""Paths whose requests are not logged."""
UNKNOWN_ROUTE = "other"

log = logging.getLogger(__name__)
access = logging.getLogger("holmgang.access")


class Front:
    """Logs and measures every request, and answers those that failed."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: Metrics) -> None:
        self.app = app
        self._settings, self._metrics = settings, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if self._settings.behind_proxy:
            believe_proxy(scope)
        started = time.perf_counter()
        status = 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except Exception:
            # No request may end a connection without an answer, or a server with a traceback.
            log.exception("a request failed", extra={"event": event(scope, 500)})
            if status == 0:
                await refuse("failed", FAILED)(scope, receive, send_and_note)
            elif scope["type"] == "websocket":
                with suppress(OSError, RuntimeError):  # it may be closed already
                    await send({"type": "websocket.close", "code": 1011, "reason": ""})
        finally:
            self.note(scope, status, time.perf_counter() - started)

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        if scope["type"] == "http" and not scope.get("holmgang.waited"):
            route = getattr(scope.get("route"), "path", UNKNOWN_ROUTE)
            method = scope["method"] if route != UNKNOWN_ROUTE else UNKNOWN_ROUTE
            self._metrics.count_request(method, route, status, seconds)
        if access.isEnabledFor(logging.INFO) and not scope["path"].startswith(QUIET):
            access.info(
                "request",
                extra={"event": {**event(scope, status), "ms": round(seconds * 1000, 1)}},
            )


def event(scope: Scope, status: int) -> dict[str, object]:
    """The logged values of a request: nothing from its query, headers or body."""
    return {
        "method": scope.get("method", "WS"),
        "path": scope["path"][:200],
        "status": status,
        "address": address_of(scope),
    }


def believe_proxy(scope: Scope) -> None:
    """Takes address and scheme of a request from the headers of our proxy, which has appended the
    address it saw to X-Forwarded-For. Anyone may have written the addresses before that.
    """
    headers = Headers(scope=scope)
    forwarded = headers.getlist("x-forwarded-for")
    if forwarded:
        last = forwarded[-1].rpartition(",")[2].strip()
        with suppress(ValueError):
            scope["client"] = (str(ipaddress.ip_address(last)), 0)
    protocol = headers.get("x-forwarded-proto", "").strip().lower()
    if protocol in ("http", "https"):
        is_socket = scope["type"] == "websocket"
        scope["scheme"] = {"http": "ws", "https": "wss"}[protocol] if is_socket else protocol
