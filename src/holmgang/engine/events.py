"""The events of a duel: everything that has to be stored to continue it elsewhere.

A `Duel` is a fold over these. `as_json` and `parse_event` carry an event to a store and back. They
contain hidden choices and the seed, so no player may see them. A record (`record.py`) has the
public ones: created, revealed and ended are its lines.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from holmgang.errors import HolmgangError, RecordError
from holmgang.games.contract import SEATS, State
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset, load_stored
from holmgang.games.shape import LARGEST, JsonObject, brief


@dataclass(frozen=True)
class Event:
    """One event of a duel."""

    at: float
    """Seconds of play since the duel was created. Time spent in a store does not count."""

    def as_json(self) -> JsonObject:
        values = dict(vars(self))
        if "seats" in values:
            values["seats"] = list(values["seats"])
        return {"event": EVENT_NAMES[type(self)], **values}


@dataclass(frozen=True)
class Created(Event):
    ruleset: Ruleset
    seed: int
    """The seed of the dice and of the choices of levels."""
    start: State
    round_limit: int

    def as_json(self) -> JsonObject:
        ruleset = {"ruleset": self.ruleset.text, "ruleset_hash": self.ruleset.hash}
        return {**super().as_json(), **ruleset, "start": self.start_json()}

    def start_json(self) -> JsonObject | None:
        """The first state; None if it is the start of the rules."""
        is_usual = self.start == self.ruleset.initial()
        return None if is_usual else self.ruleset.format_state(self.start)


@dataclass(frozen=True)
class Chosen(Event):
    """A choice made or changed; only its seat may see it."""

    seat: str
    round: int
    choice: str


@dataclass(frozen=True)
class Withdrawn(Event):
    """A choice withdrawn; only its seat may see it."""

    seat: str
    round: int


@dataclass(frozen=True)
class Revealed(Event):
    """A round that was played, in words."""

    round: int
    red: str | None
    blue: str | None
    chance: JsonObject | None
    ms: dict[str, int]
    state: str
    """The hash of the state after the round."""


@dataclass(frozen=True)
class DrawOffered(Event):
    seat: str


@dataclass(frozen=True)
class DrawDeclined(Event):
    """The opponent's draw offer declined, and the seat's own withdrawn."""

    seat: str


@dataclass(frozen=True)
class Forfeited(Event):
    seat: str


@dataclass(frozen=True)
class TimedOut(Event):
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Disqualified(Event):
    """A disqualification for an invalid answer or a crash. Timeouts are `TimedOut` events."""

    seats: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Ended(Event):
    """The last event of a finished duel. Without a cause before it, the duel was abandoned."""

    outcome: Outcome

    def as_json(self) -> JsonObject:
        return {**super().as_json(), "outcome": self.outcome.as_json()}


EVENT_NAMES: dict[type[Event], str] = {
    Created: "created",
    Chosen: "chosen",
    Withdrawn: "withdrawn",
    Revealed: "revealed",
    DrawOffered: "draw offered",
    DrawDeclined: "draw declined",
    Forfeited: "forfeited",
    TimedOut: "timed out",
    Disqualified: "disqualified",
    Ended: "ended",
}
KINDS = {name: kind for kind, name in EVENT_NAMES.items()}


# Reading


def parse_event(value: object) -> Event:
    """The event described by the JSON. Raises `RecordError`. Unknown fields are ignored.

    >>> parse_event({"event": "draw offered", "at": 1.5, "seat": "red"})
    DrawOffered(at=1.5, seat='red')
    """
    name = value.get("event") if isinstance(value, dict) else value
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None or not isinstance(value, dict):
        raise RecordError(f"an event is one of {', '.join(KINDS)}; not {brief(name)}")
    names = [field.name for field in fields(kind)]
    missing = [key for key in names if key not in value]
    if missing:
        raise RecordError(f"{name}: {', '.join(missing)} is missing")
    read = {key: parse_field(key, value[key], f"{name}: ") for key in names}
    if issubclass(kind, Created):
        read["ruleset"] = parse_ruleset(value)
        read["start"] = parse_start(value, read["ruleset"])
    return kind(**read)


def parse_field(key: str, value: Any, where: str = "") -> Any:
    if key in CHECKS:
        is_right, expected = CHECKS[key]
        if not is_right(value):
            raise RecordError(f"{where}{key} must be {expected}; not {brief(value)}")
    if key == "seats":
        return tuple(value)
    if key == "outcome":
        return Outcome(value["winner"], value["reason"], value.get("points"))
    return value


def parse_ruleset(value: JsonObject) -> Ruleset:
    try:
        return load_stored(value["ruleset"], value.get("ruleset_hash"))
    except HolmgangError as error:
        raise RecordError(f"created: {error}") from None


def parse_start(value: JsonObject, ruleset: Ruleset) -> State:
    try:
        return ruleset.initial() if value["start"] is None else ruleset.parse_json(value["start"])
    except HolmgangError as error:
        raise RecordError(f"created: start: {error}") from None


def is_whole(value: object, least: int = 0, most: int = LARGEST) -> bool:
    return type(value) is int and least <= value <= most


def is_word(value: object) -> bool:
    return isinstance(value, str)


def is_seat(value: object) -> bool:
    return isinstance(value, str) and value in SEATS


def is_outcome(value: object) -> bool:
    if not isinstance(value, dict) or not is_word(value.get("reason")):
        return False
    points = value.get("points", {})
    return value.get("winner", "") in (*SEATS, None) and is_by_seat(points, least=-LARGEST)


def is_by_seat(value: object, least: int = 0) -> bool:
    """Whether a value maps seats to whole numbers that are at least `least`."""
    return isinstance(value, dict) and all(
        is_seat(seat) and is_whole(number, least) for seat, number in value.items()
    )


CHECKS: dict[str, tuple[Callable[[object], bool], str]] = {
    "at": (
        lambda value: (
            isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LARGEST
        ),
        "a number of seconds",
    ),
    "seed": (lambda value: is_whole(value, most=2**64 - 1), "a whole number below 2**64"),
    "round_limit": (is_whole, "a whole number"),
    "round": (lambda value: is_whole(value, least=1), "a whole number from 1 up"),
    "seat": (is_seat, "red or blue"),
    "seats": (
        lambda value: isinstance(value, list | tuple) and all(map(is_seat, value)),
        "a list of seats",
    ),
    "choice": (is_word, "a word"),
    "reason": (is_word, "a word"),
    "red": (lambda value: value is None or is_word(value), "a word or null"),
    "blue": (lambda value: value is None or is_word(value), "a word or null"),
    "chance": (lambda value: value is None or isinstance(value, dict), "a JSON object or null"),
    "ms": (is_by_seat, "milliseconds by seat"),
    "state": (is_word, "the hash of a state"),
    "outcome": (is_outcome, "a winner, a reason and perhaps points"),
}
"""For each field of an event: a check, and what the field must be."""
