"""The requests of a user to a server: signing in, the lobby, opening and joining matches."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from holmgang.engine import record as records
from holmgang.engine.frames import Replay, replay_of
from holmgang.errors import ServerError, ServerRefusal, UsageError
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.terminal.online.address import Address, match_path
from holmgang.terminal.online.connection import ServerConnection
from holmgang.terminal.online.identity import TOKEN, Identity, account_identity, guest_identity
from holmgang.terminal.online.session import OnlineSession
from holmgang.terminal.online.view import OnlineView
from holmgang.wire.lists import (
    BotLine,
    Catalogue,
    CatalogueGame,
    Credentials,
    LevelLine,
    LobbyLists,
    Me,
)
from holmgang.wire.match import (
    ChoiceRequest,
    Command,
    DoneFrame,
    ForecastRow,
    ForecastTable,
    Joining,
    Opening,
    SeatGrant,
)
from holmgang.wire.reading import convert

LINK, ANYONE = "link", "anyone"
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

    def opening(self, offers: Catalogue) -> Opening:
        """The request. Raises `UsageError` for a game or an opponent that the server lacks."""
        assert self.ruleset is not None  # noqa: S101 - it is settled
        game = self.ruleset.entry.name
        if game not in names(offers.games):
            raise UsageError(f"the server does not offer {game}")
        request = {
            "ruleset": self.ruleset.text,
            "opponent": parse_opponent(self.opponent or "", offers),
            "seat": self.seat,
            "seconds": self.seconds,
            "on_timeout": self.on_timeout,
            "wins_needed": self.wins,
        }
        return convert(request, Opening)


def parse_opponent(text: str, offers: Catalogue) -> str | dict[str, str]:
    """The opponent as in the protocol. Raises `UsageError`."""
    levels, bots = names(offers.levels), names(offers.bots)
    if text in levels or text in bots:
        return {"level" if text in levels else "bot": text}
    if text in (LINK, ANYONE):
        return "link" if text == LINK else "lobby"
    known = ", ".join(opponents(offers))
    raise UsageError(f"unknown opponent {brief(text)}; the server has {known}")


def opponents(offers: Catalogue) -> list[str]:
    """The names of everyone to play against."""
    return [*names(offers.levels), *names(offers.bots), LINK, ANYONE]


def names(offered: Sequence[CatalogueGame | LevelLine | BotLine]) -> list[str]:
    return [each.name for each in offered]


class Client:
    """A user of a server. It can be used by several threads."""

    def __init__(self, address: Address, identity: Identity) -> None:
        self.address = address
        self.identity = identity
        self.connection = ServerConnection(address, identity)
        self.offers = Catalogue(games=[], levels=[], bots=[])
        self.name: str | None = None
        """Name of the user; None before the first match, which makes a guest."""

    def close(self) -> None:
        """Ends requests of other threads, and refuses further ones."""
        self.connection.close()
        self.identity.close()

    # Identity

    def greet(self) -> None:
        """Asks the server what it offers, and who the user is. Raises `ServerError`."""
        self.offers = self.connection.get("/api/games", Catalogue)
        self.name = self.connection.get("/api/me", Me).name

    def is_signed_in(self, name: str) -> bool:
        """Whether the stored session belongs to that account."""
        return self.name is not None and self.name.casefold() == name.casefold()

    def sign_in(self, name: str, password: str) -> None:
        credentials = Credentials(name=name, password=password)
        self.name = self.connection.post("/api/session", credentials, Me).name

    def register(self, name: str, password: str) -> None:
        """Makes the user an account. Raises `ServerRefusal` if the name is taken."""
        credentials = Credentials(name=name, password=password)
        self.name = self.connection.post("/api/account", credentials, Me).name

    # Matches

    def lobby(self) -> LobbyLists:
        return self.connection.get("/api/lobby", LobbyLists)

    def open(self, wish: MatchWish) -> OnlineSession:
        """Opens a match and takes a seat in it."""
        opening = wish.opening(self.offers)
        return self.session(self._take_seat("/api/matches", opening))

    def join(self, match: str) -> OnlineSession:
        """Joins a match: in the user's own seat or a free one, otherwise as a spectator."""
        view = self._view(match)
        if view.you is not None or view.status != "open" or None not in view.players.values():
            return OnlineSession(self, view)
        try:
            self._take_seat(f"{match_path(match)}/join", Joining())
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
        cancel = Command(id="leave", type="cancel")
        with suppress(ServerError):
            self.connection.post(f"{match_path(match)}/commands", cancel, DoneFrame, match)
            self.identity.forget(match)

    def forecast(self, match: str, word: str) -> list[ForecastRow]:
        """What a choice would do in the open round. Raises `ServerError`."""
        path, choice = f"{match_path(match)}/forecast", ChoiceRequest(choice=word)
        return self.connection.post(path, choice, ForecastTable, match).lines

    def replay(self, match: str, game: int) -> Replay:
        """A finished game. Raises `ServerError` or `RecordError`."""
        content = self.connection.fetch(f"{match_path(match)}/games/{game}/record", match)
        try:
            return replay_of(records.parse(content.decode(), "the record"))
        except UnicodeDecodeError:
            raise ServerError("the server has sent a record that is not text") from None

    def _take_seat(self, path: str, request: Opening | Joining) -> str:
        grant = self.connection.post(path, request, SeatGrant)
        if TOKEN.fullmatch(grant.secret):  # none for somebody who sits there already
            self.identity.remember(grant.match, grant.secret)
        return grant.match

    def _view(self, match: str) -> OnlineView:
        path = match_path(match)
        try:
            view = self.connection.get(path, OnlineView, match)
        except ServerRefusal as refusal:
            if refusal.code == "not yours" and match in self.identity.secrets:
                self.identity.forget(match)
                view = self.connection.get(path, OnlineView, match)
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
