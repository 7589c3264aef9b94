"""The terms that a match is opened with, and the players in its seats."""

import hashlib
import re
import secrets
from dataclasses import dataclass

from holmgang.engine.keys import new_seed
from holmgang.engine.seal import commitment, new_salt
from holmgang.errors import HolmgangError
from holmgang.games.contract import State
from holmgang.games.editing import possible
from holmgang.games.ruleset import Ruleset, load, load_stored
from holmgang.games.shape import JsonObject, brief
from holmgang.live.refusal import Refused
from holmgang.players.levels import KINDS
from holmgang.wire.match import ComputerOpponent, Opening, SeatPlayer

RECORD_MARK = " (record)"
DAY = 86_400
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
"""Characters of ids, without letters and digits that look alike."""
MATCH_ID = re.compile(f"[{ALPHABET}]{{10}}")


def new_id() -> str:
    """The id of a match: nobody can guess it, so a link is an invitation."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def derived_id(secret: bytes) -> str:
    """An id derived from a secret, so that repeating the call gives the same id."""
    number = int.from_bytes(hashlib.sha256(secret).digest(), "big")
    digits = []
    for _ in range(10):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(digits)


def secret_hash(secret: str) -> str:
    """The hash of a seat's secret, which is stored in its place."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True)
class MatchRequest:
    """A request to open a match."""

    ruleset: Ruleset
    opponent: str
    """`link`, `lobby`, `level` or `bot`."""
    opponent_name: str = ""
    """Name of the level or bot."""
    seat: str = "random"
    seconds: int | None = None
    on_timeout: str = "lose"
    wins_needed: int | None = None
    start: State | None = None
    """The state that every game begins in; None for the game's own."""

    @property
    def visibility(self) -> str:
        return self.opponent if self.opponent in ("link", "lobby") else "solo"


def parse_opening(asked: Opening) -> MatchRequest:
    """The request with its ruleset, opponent and start looked up. Raises `Refused`.

    >>> parse_opening(Opening(opponent=ComputerOpponent(level="greedy"))).opponent_name
    'greedy'
    """
    try:
        ruleset = load(asked.ruleset)
    except HolmgangError as error:
        raise Refused("bad", str(error)) from None
    kind, name = parse_opponent(asked.opponent)
    wins, start = asked.wins_needed, parse_start(ruleset, asked.start)
    if start is not None and kind not in ("level", "link"):
        raise Refused("bad", "a match from a position is against a level, or by link")
    return MatchRequest(
        ruleset,
        kind,
        name,
        asked.seat,
        asked.seconds,
        asked.on_timeout,
        1 if wins is None and start is not None else wins,
        start,
    )


def parse_start(ruleset: Ruleset, value: str | JsonObject | None) -> State | None:
    """The state to begin in, as JSON or as short text; None if it is the game's own."""
    if value is None:
        return None
    try:
        start: State = possible(ruleset, ruleset.parse_state(value))
        ruleset.check_undecided(start)
    except HolmgangError as error:
        raise Refused("bad", f"start: {error}") from None
    return None if start == ruleset.initial() else start


def parse_opponent(asked: str | ComputerOpponent) -> tuple[str, str]:
    """The kind of the opponent, and the name of a level or bot."""
    if isinstance(asked, str):
        return asked, ""
    match asked.level, asked.bot:
        case str(level), None:
            if level not in KINDS:
                raise Refused("bad", f"level is one of {', '.join(KINDS)}; not {brief(level)}")
            return "level", level
        case None, str(bot):
            return "bot", bot
    raise Refused("bad", 'opponent is "link", "lobby", {"level": NAME} or {"bot": NAME}')


def can_be_rated(visibility: str, ruleset: str, game: str, seconds: int | None) -> bool:
    """Whether a match between two accounts on these terms is rated: between people, by a game's own
    rules. A time limit is required: without one, a player who is about to lose would simply never
    choose again.
    """
    return visibility in ("link", "lobby") and ruleset == game and seconds is not None


@dataclass(frozen=True)
class Terms:
    """The terms of a match, stored in its first event."""

    ruleset: Ruleset
    wins_needed: int
    seconds: int | None
    on_timeout: str
    visibility: str
    seed: int
    """Seed of the match; the seeds of its games are derived from it. Secret until the end."""
    salt: bytes | None
    """None for a match that was not sealed: an uploaded record."""
    start: State | None = None
    """The state that every game begins in; None for the game's own."""
    waits: bool = False
    """Whether the first game waits until both players are there."""

    @classmethod
    def agreed(cls, request: MatchRequest) -> "Terms":
        """The terms for a request, with a new seed. With a day for each choice, players need not
        be there at the same time.
        """
        ruleset = request.ruleset
        wins = ruleset.entry.wins_needed if request.wins_needed is None else request.wins_needed
        return cls(
            ruleset,
            wins,
            request.seconds,
            request.on_timeout,
            request.visibility,
            new_seed(),
            new_salt(),
            request.start,
            request.visibility != "solo" and (request.seconds or DAY) < DAY,
        )

    @property
    def can_be_rated(self) -> bool:
        """Whether a match between two accounts is rated: from the game's own start, if
        `can_be_rated` says so.
        """
        text, game = self.ruleset.text, self.ruleset.entry.name
        return self.start is None and can_be_rated(self.visibility, text, game, self.seconds)

    @property
    def first_state(self) -> State:
        return self.ruleset.initial() if self.start is None else self.start

    @property
    def commitment(self) -> str | None:
        return None if self.salt is None else commitment(self.seed, self.salt)

    def as_json(self) -> JsonObject:
        return {
            "ruleset": self.ruleset.text,
            "ruleset_hash": self.ruleset.hash,
            "wins_needed": self.wins_needed,
            "seconds": self.seconds,
            "on_timeout": self.on_timeout,
            "visibility": self.visibility,
            "seed": self.seed,
            "salt": None if self.salt is None else self.salt.hex(),
            "start": None if self.start is None else self.ruleset.format_state(self.start),
            "waits": self.waits,
        }

    @classmethod
    def from_json(cls, body: JsonObject) -> "Terms":
        ruleset = load_stored(body["ruleset"], body["ruleset_hash"])
        salt = body["salt"]
        start = body.get("start")  # logs of older versions have none
        return cls(
            ruleset,
            body["wins_needed"],
            body["seconds"],
            body["on_timeout"],
            body["visibility"],
            body["seed"],
            None if salt is None else bytes.fromhex(salt),
            None if start is None else ruleset.parse_json(start),
            body.get("waits", False),
        )


def shown_name(name: str, kind: str) -> str:
    """The name of a player as everyone sees it: one from an uploaded record is marked, because
    anyone can write anything there. No account can have such a name.

    >>> shown_name("Ann", "record"), shown_name("Ann (record)", "record")
    ('Ann (record)', 'Ann (record)')
    """
    return name if kind != "record" or name.endswith(RECORD_MARK) else name + RECORD_MARK


@dataclass(frozen=True)
class SeatedPlayer:
    """The player in a seat."""

    name: str
    kind: str
    """`guest`, `account`, `level`, `bot` or `record`."""
    person: int | None = None
    rating: int | None = None
    """When the match began, if it has one."""
    provisional: bool = False
    secret: str = ""
    """The hash of the secret that the seat can be played with."""

    @property
    def is_computer(self) -> bool:
        return self.kind in ("level", "bot")

    @property
    def is_level(self) -> bool:
        return self.kind == "level"

    @property
    def is_person(self) -> bool:
        return self.kind in ("guest", "account")

    def public(self) -> SeatPlayer:
        """The public fields."""
        return SeatPlayer(
            name=self.name, kind=self.kind, rating=self.rating, provisional=self.provisional
        )
