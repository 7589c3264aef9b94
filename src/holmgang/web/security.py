"""Checks that every request has to pass, and the headers that every answer has.

- A request that changes something and relies on the session cookie has to come from a page of this
  server: browsers say so in `Sec-Fetch-Site` or `Origin`. A request with the secret of a seat needs
  no such header: its cookie does not count, so it can do nothing that any program could not.
- A body that a form of another site could send is not accepted with a cookie.
- Bodies are limited in size and in the time they take to arrive.
"""

import asyncio
import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holmgang.live.slow_work import client
from holmgang.web.limits import Limits, address_key, address_of
from holmgang.web.refusals import TooMany, reading, refuse, refuse_error
from holmgang.web.sessions import bearer, has_cookie
from holmgang.web.settings import ServerSettings

MOST_BODY = 16 * 1024
MOST_UPLOAD = 1_000_000
MOST_FRAME = 8 * 1024
API = "/api/"
UPLOADS = "/api/records"
OF_A_SEAT = re.compile(r"/api/matches/[^/]+/(?!join$)[^/]+")
"""Requests for which the secret of a seat is used."""
BODY_SECONDS = 15.0
PAUSE_SECONDS = 0.5
"""Delay before a client is told that it sent too many requests, so that it cannot retry at once."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})
FORM_TYPES = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})

OTHER_HOST = (
    "this server answers only as localhost; to use another name, start it with --host or "
    "--behind-proxy"
)
OTHER_ORIGIN = (
    "this request does not come from a page of this server; programs have to send the secret "
    "of their seat, or the server's address as Origin"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
PARTS = (b"text/css", b"text/javascript")
OF_PARTS = (b"x-content-type-options", b"cross-origin-resource-policy", b"cache-control")
"""Headers for scripts and style sheets."""
JSON = b"application/json"
JSON_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
"""What JSON has besides: nothing in it is loaded or run, even if it is opened as a document."""
STANDALONE_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"
)
"""Policy for a page that is meant to be saved: all in one file, and without an origin, so that it
has no access to anything of this server."""


def content_policy(script_hashes: Iterable[str] = ()) -> str:
    """The Content-Security-Policy of all pages. Scripts are files of ours, or one of the inline
    scripts with these hashes.
    """
    scripts = " ".join(["'self'", *(f"'sha256-{digest}'" for digest in script_hashes)])
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        "manifest-src 'self'"
    )


class SecurityHeaders:
    """Adds the headers of this module to every answer that does not set its own. Scripts, style
    sheets and JSON get only the relevant ones: the rest is for documents, and would make up a fifth
    of the bytes of the first page.
    """

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self.app = app
        headers = {**HEADERS, "Content-Security-Policy": policy, "Cache-Control": "no-store"}
        self._defaults = [
            (name.lower().encode(), value.encode()) for name, value in headers.items()
        ]
        self._of_parts = [header for header in self._defaults if header[0] in OF_PARTS]
        own = (*OF_PARTS, b"referrer-policy")
        self._of_json = [*(header for header in self._defaults if header[0] in own), JSON_POLICY]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                own = message["headers"]
                given = dict(own)
                kind = given.get(b"content-type", b"")
                defaults = self._defaults
                if kind.startswith(PARTS):
                    defaults = self._of_parts
                elif kind.startswith(JSON):
                    defaults = self._of_json
                message["headers"] = [
                    *own,
                    *(header for header in defaults if header[0] not in given),
                ]
            await send(message)

        await self.app(scope, receive, send_with_headers)


class Guard:
    """Refuses requests that come from another site or too often, or whose body has the wrong type
    or size.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings, limits: Limits) -> None:
        self.app = app
        self._settings, self._limits = settings, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        problem = self.problem(scope, headers)
        if problem is not None:
            code, message, status = problem
            await refuse(code, message, status)(scope, receive, send)
            return
        address = address_key(address_of(scope))
        if self._limits.is_on:
            client.set(address)
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        action = "request" if scope["path"].startswith(API) else "page"
        try:
            self._limits.check(action, address)
            if action == "request":
                self._limits.check_data(address)
                send = self._charging(address, send)
        except TooMany as error:
            await asyncio.sleep(PAUSE_SECONDS)
            await refuse_error(error)(scope, receive, send)
            return
        if scope["method"] == "HEAD":  # uvicorn leaves out the body
            read = {**scope, "method": reading("HEAD")}
            await self.app(read, receive, send)
            scope.update(read, method="HEAD")  # with what the route has noted for the log
            return
        if scope["method"] in READING:
            await self.app(scope, receive, send)
            return
        await self.serve_with_body(scope, headers, receive, send)

    def _charging(self, address: str, send: Send) -> Send:
        """Sends, and counts what the address is sent."""

        async def charge_and_send(message: Message) -> None:
            if message["type"] == "http.response.body":
                self._limits.charge_data(address, len(message.get("body", b"")))
            await send(message)

        return charge_and_send

    def problem(self, scope: Scope, headers: Headers) -> tuple[str, str, int] | None:
        """Why the request is refused: code, message and status."""
        if self._settings.is_local and not is_this_machine(headers.get("host", "")):
            return "origin", OTHER_HOST, 421
        changes = scope["type"] == "websocket" or scope["method"] not in READING
        if not changes:
            return None
        if bearer(headers) is not None and OF_A_SEAT.fullmatch(scope["path"]):
            return None
        if not is_same_site(headers, needs_proof=has_cookie(scope, headers)):
            return "origin", OTHER_ORIGIN, 403
        if scope["type"] == "websocket":
            return None
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if has_cookie(scope, headers) and has_body(headers):
            if scope["path"] == UPLOADS and kind in FORM_TYPES:
                return "bad", "send the record itself, as text/plain or application/x-ndjson", 415
            if scope["path"] != UPLOADS and kind != "application/json":
                return "bad", "send the body as application/json", 415
        return None

    async def serve_with_body(
        self, scope: Scope, headers: Headers, receive: Receive, send: Send
    ) -> None:
        most = MOST_UPLOAD if scope["path"] == UPLOADS else MOST_BODY
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await read_body(headers, receive, most)
        except ClientDisconnect:
            return
        except TimeoutError:
            answer = refuse("bad", "the body took too long to arrive", 408, {"Connection": "close"})
            await answer(scope, receive, send)
            return
        if body is None:
            message = f"the body is larger than {most:,} bytes"
            await refuse("too large", message, headers={"Connection": "close"})(
                scope, receive, send
            )
            return
        if body and scope["path"] != UPLOADS:  # as by curl -d, which calls it a form
            MutableHeaders(scope=scope)["content-type"] = "application/json"
        unread = [body]

        async def receive_again() -> Message:
            if unread:
                return {"type": "http.request", "body": unread.pop(), "more_body": False}
            return await receive()

        await self.app(scope, receive_again, send)


async def read_body(headers: Headers, receive: Receive, most: int) -> bytes | None:
    """The whole body; None if it is too large. Raises `ClientDisconnect` if it is incomplete."""
    announced = headers.get("content-length", "0")
    if announced.isascii() and announced.isdigit() and int(announced[:18]) > most:
        return None
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def is_same_site(headers: Headers, *, needs_proof: bool) -> bool:
    """Whether a request comes from a page of this server, or from no page at all; with
    `needs_proof`, whether it declares that it comes from such a page.

    Browsers send `Sec-Fetch-Site` to https and to localhost, and `Origin` everywhere.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return not needs_proof
    return origin_host(origin) == headers.get("host", "").lower() != ""


def origin_host(origin: str) -> str | None:
    """The host and port of an origin as a Host header has them.

    >>> origin_host("https://example.org"), origin_host("http://[::1]:8000"), origin_host("null")
    ('example.org', '[::1]:8000', None)
    """
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") else None


def is_this_machine(host: str) -> bool:
    """Whether a Host header names this machine, which rules out that another site has led a browser
    here by pointing its own name to our address.

    >>> is_this_machine("localhost:8000"), is_this_machine("[::1]"), is_this_machine("example.org")
    (True, True, False)
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name == "localhost" or name.endswith(".localhost") or is_loopback(name)


def is_loopback(address: str | None) -> bool:
    """Whether it is an address that only this machine has.

    >>> is_loopback("127.0.0.1"), is_loopback("::ffff:127.0.0.1"), is_loopback("203.0.113.9")
    (True, True, False)
    """
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback
