"""Requests to a server, one by one over one connection."""

import http.client
import json
import socket
import ssl
import time
from contextlib import suppress
from typing import Any

import orjson

from holmgang.errors import ServerError, ServerRefusal, Unreachable
from holmgang.games.shape import printable
from holmgang.terminal.online.address import Address
from holmgang.terminal.online.identity import TOKEN, Identity
from holmgang.version import VERSION

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 15.0
KEPT_SECONDS = 20.0
"""Seconds for which an idle connection is reused; the server closes older ones."""
MOST_BYTES = 4_000_000
CHUNK = 65_536
LONGEST_TEXT = 2_000
LONGEST_RETRY = 60.0
COOKIES = ("holmgang", "__Host-holmgang")
TRY_AGAIN = (408, 425, 429)


class Connection:
    """Sends requests under one identity. Only one thread at a time may use it."""

    def __init__(self, address: Address, identity: Identity) -> None:
        self.address = address
        self.identity = identity
        self._http: http.client.HTTPConnection | None = None
        self._used_at = 0.0
        self._was_dropped = False  # while it was idle, as the last request has found
        self._is_aborted = False

    def get(self, path: str, match: str = "", *, wait: float = 0.0) -> Any:
        """The JSON of an answer, as the player in the given match. `wait` is the extra time that
        the server may take. Raises `ServerError`.
        """
        return parse(self.get_bytes(path, match, wait=wait), self.address)

    def get_bytes(self, path: str, match: str = "", *, wait: float = 0.0) -> bytes:
        try:
            return self._request("GET", path, None, match, wait)
        except Unreachable:
            if not self._was_dropped:
                raise
        return self._request("GET", path, None, match, wait)

    def post(self, path: str, body: Any, match: str = "", *, again: bool = False) -> Any:
        """The same for a request that changes something. `again` says that it may be sent twice;
        otherwise it uses a new connection, which the server cannot have closed yet.
        """
        if not again:
            self.close()
        return parse(self._request("POST", path, body, match, 0.0), self.address)

    def close(self) -> None:
        if self._http is not None:
            self._http.close()
            self._http = None

    def abort(self) -> None:
        """Ends the request that another thread is waiting for, and refuses further ones. That
        thread closes the connection.
        """
        self._is_aborted = True
        waiting = self._http.sock if self._http is not None else None
        if waiting is not None:
            with suppress(OSError):  # it may be closed already
                waiting.shutdown(socket.SHUT_RDWR)

    def _request(self, method: str, path: str, body: Any, match: str, wait: float) -> bytes:
        if self._is_aborted:
            raise Unreachable("the connection was closed")
        if self._http is None or time.monotonic() - self._used_at > KEPT_SECONDS:
            self.close()
            self._http = self._connect()
        is_used = self._http.sock is not None
        self._was_dropped = False
        deadline = time.monotonic() + wait + ANSWER_SECONDS
        content = None if body is None else json.dumps(body).encode()
        try:
            if self._http.sock is None:
                self._http.timeout = CONNECT_SECONDS
                self._http.connect()
            if self._is_aborted:  # while it connected, when there was nothing to shut down yet
                raise Unreachable("the connection was closed")
            if self._http.sock is not None:
                self._http.sock.settimeout(wait + ANSWER_SECONDS)
            self._http.request(method, path, content, self._headers(match, content))
            with self._http.getresponse() as answer:
                content = read_limited(answer, deadline, self.address)
        except (OSError, http.client.HTTPException, ServerError) as error:
            self.close()
            self._was_dropped = is_used and isinstance(error, ConnectionError)
            raise self._failure(error) from None
        self._used_at = time.monotonic()
        self.identity.take_cookies(cookies_of(answer))
        if answer.will_close:
            self.close()
        check(answer, content, self.address)
        return content

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self.address.host, self.address.port
        if self.address.scheme == "https":
            return http.client.HTTPSConnection(
                host, port, timeout=CONNECT_SECONDS, context=ssl.create_default_context()
            )
        return http.client.HTTPConnection(host, port, timeout=CONNECT_SECONDS)

    def _headers(self, match: str, content: bytes | None) -> dict[str, str]:
        headers = {
            "Host": self.address.netloc,
            "Accept": "application/json",
            "Origin": str(self.address),  # requests with a cookie have to say where they come from
            "User-Agent": f"holmgang/{VERSION}",
        }
        if content is not None:
            headers["Content-Type"] = "application/json"
        if self.identity.cookie is not None:
            headers["Cookie"] = self.identity.cookie
        if match in self.identity.secrets:
            headers["Authorization"] = f"Bearer {self.identity.secrets[match]}"
        return headers

    def _failure(self, error: Exception) -> ServerError:
        if isinstance(error, ServerError):
            return error
        if isinstance(error, ssl.SSLCertVerificationError):
            return Unreachable(f"the certificate of {self.address} is not valid")
        if isinstance(error, http.client.HTTPException) and not isinstance(error, OSError):
            if isinstance(error, http.client.IncompleteRead):
                return Unreachable(f"{self.address} sent an incomplete answer")
            return ServerError(f"{self.address} is not a Holmgang server")
        if isinstance(error, TimeoutError):
            return Unreachable(f"{self.address} does not answer")
        if isinstance(error, ConnectionError) and not isinstance(error, ConnectionRefusedError):
            return Unreachable(f"the connection to {self.address} was lost")
        reason = getattr(error, "strerror", None) or type(error).__name__
        return Unreachable(f"{self.address} cannot be reached: {reason}")


def read_limited(answer: http.client.HTTPResponse, deadline: float, address: Address) -> bytes:
    """The body of an answer, if it is not too large and does not take too long."""
    parts, size, announced = [], 0, answer.length
    while (announced is None or size < announced) and (part := answer.read1(CHUNK)):
        size += len(part)
        if size > MOST_BYTES:
            raise ServerError(f"{address} sends more than {MOST_BYTES:,} bytes")
        if time.monotonic() > deadline:
            raise Unreachable(f"{address} takes too long to answer")
        parts.append(part)
    if announced is not None and size < announced:
        raise Unreachable(f"{address} sent an incomplete answer")
    return b"".join(parts)


def check(answer: http.client.HTTPResponse, content: bytes, address: Address) -> None:
    """Raises `ServerError` unless the request was carried out."""
    status = answer.status
    if 200 <= status < 300:
        return
    if 300 <= status < 400:
        target = printable(answer.getheader("Location", "elsewhere")[:LONGEST_TEXT])
        raise ServerError(
            f"{address} redirects to {target}; if you trust that server, use its address"
        )
    code, message = refusal_of(content)
    if status in TRY_AGAIN or status >= 500:
        raise Unreachable(
            f"{address} says: {message or f'status {status}'}",
            retry_after(answer.getheader("Retry-After", "")),
        )
    if not code:
        raise ServerError(f"{address} is not a Holmgang server")
    raise ServerRefusal(code, message)


def refusal_of(content: bytes) -> tuple[str, str]:
    """The code and the message of a refusal; empty if the answer is not one of the protocol."""
    try:
        found = orjson.loads(content)["error"]
        code, message = found["code"], found["message"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return "", ""
    if not isinstance(code, str) or not isinstance(message, str):
        return "", ""
    return code, printable(message[:LONGEST_TEXT])


def retry_after(text: str) -> float:
    return min(LONGEST_RETRY, float(text)) if text.isascii() and text.isdigit() else 0.0


def parse(content: bytes, address: Address) -> Any:
    """The JSON of an answer, with every text in it escaped for a terminal."""
    try:
        return cleaned(orjson.loads(content))
    except orjson.JSONDecodeError:
        raise ServerError(f"{address} is not a Holmgang server") from None


def cleaned(value: Any) -> Any:
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


def cookies_of(answer: http.client.HTTPResponse) -> dict[str, str]:
    """The session cookies that an answer sets, by name; empty to end a session."""
    found = {}
    for header in answer.headers.get_all("Set-Cookie", []):
        name, _, value = header.partition(";")[0].strip().partition("=")
        value = value.strip('"')
        if name in COOKIES and (TOKEN.fullmatch(value) or not value):
            found[name] = value
    return found
