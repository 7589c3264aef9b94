"""Requests to a server over HTTP, and reading its answers."""

import http.client
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from email.message import Message as Headers
from typing import TypeVar

import msgspec
import orjson

from holmgang.errors import MessageError, ServerError, ServerRefusal, Unreachable
from holmgang.games.shape import printable
from holmgang.terminal.online.address import Address
from holmgang.terminal.online.identity import TOKEN, Identity
from holmgang.version import VERSION
from holmgang.wire.reading import convert
from holmgang.wire.words import ErrorText, Refusal, Request

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 15.0
MOST_BYTES = 4_000_000
CHUNK = 65_536
LONGEST_TEXT = 2_000
LONGEST_RETRY = 60.0
COOKIES = ("holmgang", "__Host-holmgang")
TRY_AGAIN = (408, 425, 429)
USER_AGENT = f"holmgang/{VERSION}"

Message = TypeVar("Message")


class ServerConnection:
    """Sends requests under one identity. Several threads may use it at the same time."""

    def __init__(self, address: Address, identity: Identity) -> None:
        self.address = address
        self.identity = identity
        self._open: set[http.client.HTTPConnection] = set()
        self._is_closed = False

    def get(self, path: str, kind: type[Message], match: str = "") -> Message:
        """The answer, as the player in the given match. Raises `ServerError`."""
        return read(self.fetch(path, match), kind, self.address)

    def post(self, path: str, body: Request, kind: type[Message], match: str = "") -> Message:
        return read(self.fetch(path, match, msgspec.json.encode(body)), kind, self.address)

    def fetch(self, path: str, match: str = "", body: bytes | None = None) -> bytes:
        """The content of the answer. With a body, the request is a POST."""
        connection = self._connect()
        self._open.add(connection)
        deadline = time.monotonic() + ANSWER_SECONDS
        try:
            connection.connect()
            if self._is_closed:
                raise Unreachable("the connection was closed")
            if connection.sock is not None:
                connection.sock.settimeout(ANSWER_SECONDS)
            method = "GET" if body is None else "POST"
            connection.request(method, path, body, self._headers(match, body))
            with connection.getresponse() as answer:
                content = read_limited(answer, deadline, self.address)
        except (OSError, http.client.HTTPException) as error:
            raise failure(error, self.address) from None
        finally:
            self._open.discard(connection)
            connection.close()
        self.identity.take_cookies(cookies_of(answer.headers))
        check(answer.status, answer.headers, content, self.address)
        return content

    def close(self) -> None:
        """Ends requests that other threads are waiting for, and refuses further ones."""
        self._is_closed = True
        for connection in tuple(self._open):
            waiting = connection.sock
            if waiting is not None:
                with suppress(OSError):  # it may be closed already
                    waiting.shutdown(socket.SHUT_RDWR)

    def _connect(self) -> http.client.HTTPConnection:
        if self._is_closed:
            raise Unreachable("the connection was closed")
        host, port = self.address.host, self.address.port
        if self.address.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(host, port, timeout=CONNECT_SECONDS, context=context)
        return http.client.HTTPConnection(host, port, timeout=CONNECT_SECONDS)

    def _headers(self, match: str, body: bytes | None) -> dict[str, str]:
        return {
            "Host": self.address.netloc,
            "Accept": "application/json",
            "Connection": "close",
            "Origin": str(self.address),  # requests with a cookie have to say where they come from
            "User-Agent": USER_AGENT,
            **({} if body is None else {"Content-Type": "application/json"}),
            **self.identity.headers(match),
        }


def failure(error: Exception, address: Address) -> ServerError:
    """What went wrong with a connection, in words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return Unreachable(f"the certificate of {address} is not valid")
    if isinstance(error, http.client.IncompleteRead):
        return Unreachable(f"{address} sent an incomplete answer")
    if isinstance(error, http.client.HTTPException) and not isinstance(error, OSError):
        return ServerError(f"{address} is not a Holmgang server")
    if isinstance(error, TimeoutError):
        return Unreachable(f"{address} does not answer")
    if isinstance(error, ConnectionError) and not isinstance(error, ConnectionRefusedError):
        return Unreachable(f"the connection to {address} was lost")
    reason = getattr(error, "strerror", None) or type(error).__name__
    return Unreachable(f"{address} cannot be reached: {reason}")


def read_limited(answer: http.client.HTTPResponse, deadline: float, address: Address) -> bytes:
    """The body of an answer, if it is not too large and does not take too long."""
    parts, size, announced = [], 0, answer.length
    while (announced is None or size < announced) and (part := answer.read1(CHUNK)):
        size += len(part)
        if size > MOST_BYTES:
            raise too_large(address)
        if time.monotonic() > deadline:
            raise Unreachable(f"{address} takes too long to answer")
        parts.append(part)
    if announced is not None and size < announced:
        raise Unreachable(f"{address} sent an incomplete answer")
    return b"".join(parts)


def too_large(address: Address) -> ServerError:
    return ServerError(f"{address} sends more than {MOST_BYTES:,} bytes")


def check(status: int, headers: Mapping[str, str] | Headers, content: bytes, at: Address) -> None:
    """Raises `ServerError` unless the request was carried out."""
    if 200 <= status < 300:
        return
    if 300 <= status < 400:
        target = printable(headers.get("Location", "elsewhere")[:LONGEST_TEXT])
        raise ServerError(f"{at} redirects to {target}; if you trust that server, use its address")
    error = None
    with suppress(ServerError):
        error = read(content, Refusal, at).error
    if status in TRY_AGAIN or status >= 500:
        raise Unreachable(
            f"{at} says: {f'status {status}' if error is None else error.message}",
            retry_after(headers.get("Retry-After", "")),
        )
    if error is None:
        raise ServerError(f"{at} is not a Holmgang server")
    raise refusal(error)


def refusal(error: ErrorText) -> ServerRefusal:
    return ServerRefusal(error.code, error.message)


def retry_after(text: str) -> float:
    return min(LONGEST_RETRY, float(text)) if text.isascii() and text.isdigit() else 0.0


def read(content: bytes | str, kind: type[Message], address: Address) -> Message:
    """The message in an answer, with every text in it escaped for a terminal. Raises
    `ServerError`.
    """
    try:
        return convert(cleaned(orjson.loads(content)), kind)
    except (orjson.JSONDecodeError, RecursionError):
        raise ServerError(f"{address} is not a Holmgang server") from None
    except MessageError as error:
        raise misread(error, address) from None


def misread(error: MessageError, address: Address) -> ServerError:
    return ServerError(f"{address} is not a Holmgang server of this version: {error}")


def cleaned(value: object) -> object:
    r"""The value with all texts cut to a reasonable length and escaped.

    >>> cleaned({"name": "\x1b[2J", "rounds": [1, "ok"]})
    {'name': '\\x1b[2J', 'rounds': [1, 'ok']}
    """
    if isinstance(value, str):
        return printable(value[:LONGEST_TEXT])
    if isinstance(value, list):
        return [cleaned(each) for each in value]
    if isinstance(value, dict):
        return {cleaned(key): cleaned(each) for key, each in value.items()}
    return value


def cookies_of(headers: Headers) -> dict[str, str]:
    """The session cookies that an answer sets, by name; empty to end a session."""
    found = {}
    for header in headers.get_all("Set-Cookie", []):
        name, _, value = header.partition(";")[0].strip().partition("=")
        value = value.strip('"')
        if name in COOKIES and (TOKEN.fullmatch(value) or not value):
            found[name] = value
    return found
