"""The terms that a match is opened with, and the players in its seats."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Any

from holmgang.engine.keys import new_seed
from holmgang.engine.seal import commitment, new_salt
from holmgang.errors import HolmgangError
from holmgang.games.contract import SEATS, State
from holmgang.games.editing import possible
from holmgang.games.ruleset import Ruleset, load, load_stored
from holmgang.games.shape import brief
from holmgang.live.refusal import Refused
from holmgang.players.levels import KINDS

RECORD_MARK = " (record)"
DAY = 86_400
TIMES = (None, 15, 60, DAY)
"""Seconds for a choice."""
ON_TIMEOUT = ("lose", "harmless")
MOST_WINS = 99
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
"""Characters of ids, without letters and digits that look alike."""
ID = re.compile(f"[{ALPHABET}]{{10}}")
FIELDS = ("ruleset", "opponent", "seat", "seconds", "on_timeout", "wins_needed", "start")


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


def parse_request(value: Any) -> MatchRequest:
    """The request in a JSON object. Raises `Refused`.

    >>> parse_request({"ruleset": "bagh", "opponent": {"level": "greedy"}}).opponent_name
    'greedy'
    """
    if not isinstance(value, dict):
        raise Refused("bad", f"a match is opened with a JSON object; not {brief(value)}")
    unknown = [key for key in value if key not in FIELDS]
    if unknown:
        raise Refused(
            "bad", f"unknown field {brief(unknown[0])}; the fields are {', '.join(FIELDS)}"
        )
    try:
        ruleset = load(value.get("ruleset", "bagh"))
    except HolmgangError as error:
        raise Refused("bad", str(error)) from None
    kind, name = parse_opponent(value.get("opponent", "lobby"))
    wins = value.get("wins_needed")
    if wins is not None and not (type(wins) is int and 1 <= wins <= MOST_WINS):
        raise Refused("bad", f"wins_needed is a number from 1 to {MOST_WINS}; not {brief(wins)}")
    start = parse_start(ruleset, value.get("start"))
    if start is not None and kind not in ("level", "link"):
        raise Refused("bad", "a match from a position is against a level, or by link")
    return MatchRequest(
        ruleset,
        kind,
        name,
        one_of("seat", value.get("seat", "random"), (*SEATS, "random")),
        one_of("seconds", value.get("seconds"), TIMES),
        one_of("on_timeout", value.get("on_timeout", "lose"), ON_TIMEOUT),
        1 if wins is None and start is not None else wins,
        start,
    )


def parse_start(ruleset: Ruleset, value: Any) -> State | None:
    """The state to begin in, as JSON or as short text; None if it is the game's own."""
    if value is None:
        return None
    if not isinstance(value, str | dict):
        raise Refused("bad", f"start is a state as JSON or as short text; not {brief(value)}")
    try:
        start: State = possible(ruleset, ruleset.parse_state(value))
        ruleset.check_undecided(start)
    except HolmgangError as error:
        raise Refused("bad", f"start: {error}") from None
    return None if start == ruleset.initial() else start


def parse_opponent(value: Any) -> tuple[str, str]:
    if value in ("link", "lobby") and isinstance(value, str):
        return value, ""
    if isinstance(value, dict) and len(value) == 1:
        kind, name = next(iter(value.items()))
        if kind == "bot" and isinstance(name, str):
            return "bot", name
        if kind == "level":
            return "level", one_of("level", name, tuple(KINDS))
    raise Refused(
        "bad",
        'opponent is "link", "lobby", {"level": NAME} or {"bot": NAME}; not ' + brief(value),
    )


def one_of(field: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    if not isinstance(value, bool) and isinstance(value, str | int | None) and value in allowed:
        return value
    shown = ", ".join("null" if each is None else str(each) for each in allowed)
    raise Refused("bad", f"{field} is one of {shown}; not {brief(value)}")


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

    def as_json(self) -> dict[str, Any]:
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
    def from_json(cls, body: dict[str, Any]) -> "Terms":
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

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "person": self.person,
            "rating": self.rating,
            "provisional": self.provisional,
            "secret": self.secret,
        }

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> "SeatedPlayer":
        fields = {key: body[key] for key in cls.__dataclass_fields__}
        # Older versions stored the names of uploaded records without the mark.
        return cls(**{**fields, "name": shown_name(body["name"], body["kind"])})

    def public(self) -> dict[str, Any]:
        """The public fields."""
        return {
            "name": self.name,
            "kind": self.kind,
            "rating": self.rating,
            "provisional": self.provisional,
        }
