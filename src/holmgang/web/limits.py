"""Rate limits per address and per account: token buckets, in bounded memory.

Each process has its own limits: with several processes, each allows as much.
"""

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

from starlette.types import Scope

from holmgang.web.refusals import TooMany

MOST_KEYS = 20_000


class Rate(NamedTuple):
    """A burst, and after that a number per second."""

    burst: int
    per_second: float


class Allowance(NamedTuple):
    """The limits of one kind of action."""

    address: Rate
    person: Rate | None
    what: str
    """Name in the plural, for the message."""


# A school or an office may share one address, so an address is allowed more than a person.
ALLOWANCES: Mapping[str, Allowance] = {
    "request": Allowance(Rate(300, 50), None, "requests"),
    "data": Allowance(Rate(20_000, 2_000), None, "kilobytes"),
    "page": Allowance(Rate(3000, 200), None, "pages and files"),
    "open": Allowance(Rate(60, 1), Rate(20, 0.25), "new matches"),
    "command": Allowance(Rate(400, 100), Rate(60, 15), "commands"),
    "forecast": Allowance(Rate(60, 10), Rate(30, 5), "forecasts"),
    "attempt": Allowance(Rate(120, 2), Rate(30, 0.5), "attempts at puzzles"),
    "upload": Allowance(Rate(20, 0.1), Rate(10, 0.05), "uploads"),
    "upload data": Allowance(Rate(20_000, 0.2), Rate(5_000, 0.05), "kilobytes of uploads"),
    "replay page": Allowance(Rate(30, 0.5), None, "replay pages"),
    "guest": Allowance(Rate(40, 0.2), None, "new guests"),
    "account": Allowance(Rate(10, 0.02), None, "new accounts"),
    # The account is counted for each address, and for all together: see devices.py.
    "sign in": Allowance(Rate(20, 0.2), Rate(10, 0.05), "attempts to sign in"),
    "sign in anywhere": Allowance(Rate(100, 0.05), None, "attempts to sign in to this account"),
    "position": Allowance(Rate(200, 20), None, "positions"),
    "new lesson": Allowance(Rate(20, 0.1), None, "lessons for changed rules"),
    "preview": Allowance(Rate(60, 2), None, "pictures for link previews"),
    "worth": Allowance(Rate(60, 2), None, "evaluations"),
    "new rules": Allowance(Rate(20, 0.02), None, "rulesets that have to be compiled"),
    "preview of rules": Allowance(Rate(40, 0.5), None, "rulesets to solve"),
    "analysis": Allowance(Rate(20, 0.2), None, "analyses"),
    "coach": Allowance(Rate(60, 4), Rate(30, 2), "questions to the coach"),
}
MOST_SOCKETS = 100
"""Simultaneous sockets of one address, including requests that wait for a change."""
MOST_CONNECTIONS = 400
"""Simultaneous connections of one address, whether they are used or not."""


class Buckets:
    """A token bucket for each key. It is stored as one number, the time at which it will be full
    again, so full buckets need not be stored.
    """

    def __init__(
        self, rate: Rate, most: int = MOST_KEYS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._interval = 1 / rate.per_second
        self._room = self._interval * rate.burst
        self._most = most
        self._clock = clock
        self._full_at: OrderedDict[object, float] = OrderedDict()

    def take(self, key: object, tokens: float = 1) -> float:
        """Takes tokens and returns 0; if there are too few, returns the seconds until there are
        enough.
        """
        now = self._clock()
        full_at = max(now, self._full_at.get(key, now)) + self._interval * tokens
        if full_at - now > self._room * (1 + 1e-9):
            return full_at - now - self._room
        self.charge(key, tokens)
        return 0.0

    def charge(self, key: object, tokens: float) -> None:
        """Takes tokens, more than there are if need be."""
        now = self._clock()
        self._full_at[key] = max(now, self._full_at.get(key, now)) + self._interval * tokens
        self._full_at.move_to_end(key)
        if len(self._full_at) > self._most:
            self._full_at.popitem(last=False)

    def wait(self, key: object) -> float:
        """The seconds until there is a token again."""
        now = self._clock()
        return max(0.0, self._full_at.get(key, now) - now - self._room)

    def __len__(self) -> int:
        return len(self._full_at)


class Limits:
    """The buckets of all kinds of action, and the number of open sockets of each address."""

    def __init__(
        self,
        *,
        is_on: bool = True,
        behind_proxy: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Behind a proxy, all connections come from its address, so their number is not limited."""
        self.is_on = is_on
        self._counts_connections = is_on and not behind_proxy
        self._connections: Counter[str] = Counter()
        self._addresses = {
            action: Buckets(allowed.address, clock=clock) for action, allowed in ALLOWANCES.items()
        }
        self._persons = {
            action: Buckets(allowed.person, clock=clock)
            for action, allowed in ALLOWANCES.items()
            if allowed.person is not None
        }
        self._sockets: Counter[str] = Counter()
        self.refused = 0

    def check(self, action: str, address: str, person: object = None, *, tokens: float = 1) -> None:
        """Counts an action of an address and, if it is known, of a person. Raises `TooMany`."""
        if not self.is_on:
            return
        wait = self._addresses[action].take(address, tokens)
        if not wait and person is not None and action in self._persons:
            wait = self._persons[action].take(person, tokens)
        self._refuse_for(wait, action)

    def charge_data(self, address: str, size: int) -> None:
        """Counts bytes that the address is sent."""
        if self.is_on:
            self._addresses["data"].charge(address, size / 1000)

    def check_data(self, address: str) -> None:
        """Raises `TooMany` if the address was sent too much."""
        if self.is_on:
            self._refuse_for(self._addresses["data"].wait(address), "data")

    def _refuse_for(self, wait: float, action: str) -> None:
        if wait:
            self.refused += 1
            seconds = math.ceil(wait)
            raise TooMany(f"too many {ALLOWANCES[action].what}; try again in {seconds} s", seconds)

    def connect(self, address: str) -> None:
        """Counts a connection of the address until `disconnect`. Raises `TooMany`."""
        self._count(self._connections, address, MOST_CONNECTIONS, self._counts_connections)

    def disconnect(self, address: str) -> None:
        uncount(self._connections, address)

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """Counts an open socket of the address within the context. Raises `TooMany`."""
        self._count(self._sockets, address, MOST_SOCKETS, self.is_on)
        try:
            yield
        finally:
            uncount(self._sockets, address)

    def _count(self, counts: Counter[str], address: str, most: int, is_limited: bool) -> None:
        if is_limited and counts[address] >= most:
            self.refused += 1
            raise TooMany("too many open connections from your address", 10)
        counts[address] += 1


def uncount(counts: Counter[str], address: str) -> None:
    """Counts one less; an address without any is forgotten."""
    counts[address] -= 1
    if not counts[address]:
        del counts[address]


def address_of(scope: Scope) -> str | None:
    client = scope.get("client")
    return client[0] if client else None


@lru_cache(10_000)
def address_key(address: str | None) -> str:
    """The key for the limits of an address: itself, or for IPv6 its /64 network, as one subscriber
    has it.

    >>> address_key("203.0.113.9"), address_key("2001:db8:1:2:3::4"), address_key(None)
    ('203.0.113.9', '2001:db8:1:2::', 'local')
    """
    if address is None:
        return "local"
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    network = ipaddress.ip_network((parsed.packed[:8] + bytes(8), 64))
    return str(network.network_address)
