"""The requests of a user to a server: signing in, the lobby, opening and joining matches."""

import threading
from contextlib import suppress
from typing import Any, NamedTuple

from holmgang.errors import ServerError, ServerRefusal, UsageError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.terminal.online.address import Address
from holmgang.terminal.online.connection import Connection
from holmgang.terminal.online.identity import TOKEN, Identity, account_identity, guest_identity
from holmgang.terminal.online.session import OnlineSession
from holmgang.terminal.online.threads import LEAVE_SECONDS
from holmgang.terminal.online.view import (
    Fields,
    Lobby,
    MatchView,
    Offers,
    read_lobby,
    read_offers,
    read_view,
)

LINK, ANYONE = "link", "anyone"
TIMES = (None, 15, 60, 86_400)
"""Seconds for a choice."""
ON_TIMEOUT = ("lose", "harmless")


class MatchWish(NamedTuple):
    """A match that the person wants to open. None stands for what still has to be asked."""

    ruleset: Ruleset | None = None
    opponent: str | None = None
    """A level, a hosted bot, `link` or `anyone`."""
    seat: str = "random"
    seconds: int | None = None
    on_timeout: str = "lose"
    wins: int | None = None

    @property
    def is_settled(self) -> bool:
        return self.ruleset is not None and self.opponent is not None

    def as_json(self, offers: Offers) -> dict[str, Any]:
        """The body of the request. Raises `UsageError` for an unknown opponent."""
        assert self.ruleset is not None  # noqa: S101 - it is settled
        if self.ruleset.entry.name not in offers.games:
            raise UsageError(f"the server does not offer {self.ruleset.entry.name}")
        return {
            "ruleset": self.ruleset.text,
            "opponent": parse_opponent(self.opponent or "", offers),
            "seat": self.seat,
            "seconds": self.seconds,
            "on_timeout": self.on_timeout,
            **({} if self.wins is None else {"wins_needed": self.wins}),
        }


def parse_opponent(text: str, offers: Offers) -> str | dict[str, str]:
    """The opponent as in the protocol. Raises `UsageError`."""
    people: dict[str, str] = {LINK: "link", ANYONE: "lobby"}
    if text in people:
        return people[text]
    for kind, names in (("level", list(offers.levels)), ("bot", offers.bots)):
        if text in names:
            return {kind: text}
    known = ", ".join([*offers.levels, *offers.bots, LINK, ANYONE])
    raise UsageError(f"unknown opponent {brief(text)}; the server has {known}")


class Client:
    """A user of a server. It can be used by several threads."""

    def __init__(self, address: Address, identity: Identity) -> None:
        self.address = address
        self.identity = identity
        self.offers = Offers([], {}, [])
        self.name: str | None = None
        """Name of the user; None before the first match, which makes a guest."""
        self._connection = self.connection()
        self._lock = threading.Lock()

    def connection(self) -> Connection:
        """A new connection."""
        return Connection(self.address, self.identity)

    def close(self) -> None:
        """Aborts requests of other threads, and refuses further ones."""
        self._connection.abort()
        if self._lock.acquire(timeout=LEAVE_SECONDS):  # otherwise the thread that has it closes it
            self._connection.close()
            self._lock.release()
        self.identity.close()

    # Identity

    def greet(self) -> None:
        """Asks the server what it offers, and who the user is. Raises `ServerError`."""
        with self._lock:
            games = self._connection.get("/api/games")
            try:
                self.offers = read_offers(games)
            except ServerError:
                raise ServerError(f"{self.address} is not a Holmgang server") from None
            me = Fields(self._connection.get("/api/me"), "who you are")
            self.name = me.optional_text("name")

    def is_signed_in(self, name: str) -> bool:
        """Whether the stored session belongs to that account."""
        return self.name is not None and self.name.casefold() == name.casefold()

    def sign_in(self, name: str, password: str) -> None:
        body = {"name": name, "password": password}
        with self._lock:
            me = Fields(self._connection.post("/api/session", body), "who you are")
        self.name = me.optional_text("name")

    # Matches

    def lobby(self) -> Lobby:
        with self._lock:
            return read_lobby(self._connection.get("/api/lobby"))

    def open(self, wish: MatchWish) -> OnlineSession:
        """Opens a match and takes a seat in it."""
        body = wish.as_json(self.offers)
        with self._lock:
            match = self._take_seat(self._connection.post("/api/matches", body))
        return self.session(match)

    def join(self, match: str) -> OnlineSession:
        """Joins a match: in the user's own seat or a free one, otherwise as a spectator."""
        view = self._view(match)
        is_free = any(view.players[seat] is None for seat in SEATS)
        if view.you is not None or view.status != "open" or not is_free:
            return OnlineSession(self, view)
        with self._lock:
            try:
                answer = self._connection.post(f"/api/matches/{match}/join", {})
                self._take_seat(answer)
            except ServerRefusal as refusal:
                if refusal.code != "closed":  # somebody was quicker
                    raise
        return self.session(match)

    def session(self, match: str) -> OnlineSession:
        """The session of a match in the user's own seat, otherwise as a spectator."""
        return OnlineSession(self, self._view(match))

    def next_session(self, session: OnlineSession) -> OnlineSession:
        """The session of the rematch, in which the user has the same secret."""
        assert session.next_match is not None  # noqa: S101 - it was agreed on
        self.identity.remember(session.next_match, self.identity.secrets.get(session.match, ""))
        self.identity.forget(session.match)
        return self.session(session.next_match)

    def cancel(self, match: str) -> None:
        """Cancels a match in the lobby, if the server can be reached and nobody has joined."""
        path = f"/api/matches/{match}/commands"
        with suppress(ServerError), self._lock:
            self._connection.post(path, {"id": "leave", "type": "cancel"}, match)
            self.identity.forget(match)

    def _take_seat(self, answer: Any) -> str:
        grant = Fields(answer, "a seat")
        match, secret = grant.id("match"), grant.text("secret")
        if TOKEN.fullmatch(secret):  # none for somebody who sits there already
            self.identity.remember(match, secret)
        return match

    def _view(self, match: str) -> MatchView:
        path = f"/api/matches/{match}"
        with self._lock:
            try:
                view = read_view(self._connection.get(path, match))
            except ServerRefusal as refusal:
                if refusal.code == "not yours" and match in self.identity.secrets:
                    self.identity.forget(match)
                    view = read_view(self._connection.get(path, match))
                elif refusal.code == "not found":
                    text = f"there is no match {match} at {self.address}"
                    raise ServerRefusal(refusal.code, text) from None
                else:
                    raise
        player = None if view.you is None else view.players[view.you]
        if player is not None:
            self.name = player.name  # which a new guest has only now
        return view


def connect(address: Address, *, match: str = "", user: str | None = None) -> Client:
    """Connects as a guest, or as an account, signing in if needed. Raises `ServerError`."""
    identity = guest_identity(address, match) if user is None else account_identity(address, user)
    client = Client(address, identity)
    try:
        client.greet()
    except BaseException:
        client.close()
        raise
    return client
