"""The address of a server, and links to its matches."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from holmgang.errors import ServerError, UsageError
from holmgang.games.shape import brief

MATCH = re.compile(r"[A-Za-z0-9]{1,40}")
PORTS = {"http": 80, "https": 443}
LOCAL = ("localhost", "127.0.0.1", "::1")


class Address(NamedTuple):
    scheme: str
    host: str
    port: int

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def is_private(self) -> bool:
        """Whether nobody between client and server can read what is sent."""
        return self.scheme == "https" or self.host in LOCAL

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}"

    def link(self, match: str) -> str:
        """The page of a match."""
        return f"{self}/match/{match}"


def match_path(match: str) -> str:
    """The path of requests about a match. Raises `ServerError` for an invalid id."""
    if not MATCH.fullmatch(match):
        raise ServerError(f"the server has sent {brief(match)} as the id of a match")
    return f"/api/matches/{match}"


def parse_address(text: str) -> Address:
    """The server at a URL; http if it names no scheme. Raises `UsageError`.

    >>> str(parse_address("localhost:8000/")), str(parse_address("https://Example.org:443"))
    ('http://localhost:8000', 'https://example.org')
    """
    address, path = split_url(text)
    if path not in ("", "/"):
        raise UsageError(f"a server's address has nothing after host and port: {address}")
    return address


def parse_match(text: str, server: Address | None) -> tuple[Address, str]:
    """The server and the id of a match, from its link, or from its id and the given server. Raises
    `UsageError`.

    >>> parse_match("http://localhost:8000/match/7Fq2mZk9Rw", None)[1]
    '7Fq2mZk9Rw'
    """
    if MATCH.fullmatch(text):
        if server is None:
            raise UsageError("--join with the id of a match needs --server URL")
        return server, text
    address, path = split_url(text)
    match = path.removeprefix("/match/")
    if match == path or not MATCH.fullmatch(match):
        raise UsageError(f"{brief(text)} is not a link to a match, such as {address}/match/ID")
    if server is not None and server != address:
        raise UsageError(f"the link is to {address}, but --server is {server}")
    return address, match


def split_url(text: str) -> tuple[Address, str]:
    """The address and the path of a URL."""
    whole = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(whole)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.scheme not in PORTS or not host or not is_host(host):
        raise UsageError(f"{brief(text)} is not the address of a server, such as http://HOST:8000")
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError(f"{brief(text)} has more than a host, a port and a path")
    return Address(parts.scheme, host, port or PORTS[parts.scheme]), parts.path


def is_host(host: str) -> bool:
    """Whether the text can be sent in a header and shown in a terminal."""
    return host.isprintable() and not any(sign in host for sign in " \"'<>\\^`{|}%")
