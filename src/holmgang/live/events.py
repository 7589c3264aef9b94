"""The events of a match: its own, and those of its games (`engine/events.py`) with their number.

A `LiveMatch` is a fold over these. The log has them as JSON (`as_stored`, `parse_stored`); what
older versions wrote can still be read.
"""

from dataclasses import replace
from typing import NamedTuple

from msgspec import Struct, convert, to_builtins

from holmgang.engine.events import Chosen, Event, parse_event
from holmgang.games.shape import JsonObject
from holmgang.live.commands import Cause
from holmgang.live.terms import SeatedPlayer, Terms, shown_name
from holmgang.store import StoredEvent


class Opened(NamedTuple):
    terms: Terms


class InGame(NamedTuple):
    """An event of a game."""

    game: int
    event: Event
    late: tuple[str, ...] = ()
    """The seats whose time was up and that had a choice made for them."""


class PlainEvent(Struct, frozen=True, tag_field="event", omit_defaults=True):
    """An event whose fields are those of its JSON."""


class Joined(PlainEvent, frozen=True, tag="joined"):
    seat: str
    player: SeatedPlayer
    unrated: str | None = None
    """Why the match is not rated although it could be."""


class Uploaded(PlainEvent, frozen=True, tag="uploaded"):
    """The only game of a match that was played elsewhere."""

    record: str
    """Packed."""


class Paused(PlainEvent, frozen=True, tag="paused"):
    """The open round is given more time."""

    seconds: float


class RematchOffered(PlainEvent, frozen=True, tag="rematch offered"):
    seat: str


class RematchAgreed(PlainEvent, frozen=True, tag="rematch agreed"):
    match: str
    """The id of the rematch."""


class Over(PlainEvent, frozen=True, tag="over"):
    winner: str | None
    reason: str
    unrated: str | None = None


class Cancelled(PlainEvent, frozen=True, tag="cancelled"):
    reason: str = "cancelled"


OwnEvent = Joined | Uploaded | Paused | RematchOffered | RematchAgreed | Over | Cancelled
MatchEvent = InGame | Opened | OwnEvent


class LogEntry(NamedTuple):
    """An event in the log."""

    seq: int
    at: float
    event: MatchEvent
    cause: Cause | None = None


def as_stored(entry: LogEntry) -> StoredEvent:
    body = as_json(entry.event)
    if entry.cause is not None:
        seat, command, digest = entry.cause
        body |= {"by": seat, "command": command, "digest": digest}
    return StoredEvent(entry.seq, entry.at, body)


def parse_stored(stored: StoredEvent) -> LogEntry:
    """Raises `RecordError` for an event of a game that is not possible by its rules."""
    body, cause = stored.body, None
    if "command" in body:
        cause = Cause(body["by"], body["command"], body.get("digest"))
    return LogEntry(stored.seq, stored.at, parse_body(body), cause)


def as_json(event: MatchEvent) -> JsonObject:
    if isinstance(event, InGame):
        body = {"game": event.game, **event.event.as_json()}
        if event.late:
            is_choice = isinstance(event.event, Chosen)
            body |= {"missed": True} if is_choice else {"late": list(event.late)}
        return body
    if isinstance(event, Opened):
        return {"event": "opened", **event.terms.as_json()}
    return to_builtins(event)  # type: ignore[no-any-return]


def parse_body(body: JsonObject) -> MatchEvent:
    if "game" in body:
        late = (body["seat"],) if body.get("missed") else tuple(body.get("late", ()))
        return InGame(body["game"], parse_event(body), late)
    if body["event"] == "opened":
        return Opened(Terms.from_json(body))
    event: OwnEvent = convert(body, OwnEvent)
    if isinstance(event, Joined):
        # Older versions stored the names of uploaded records without the mark.
        name = shown_name(event.player.name, event.player.kind)
        return Joined(event.seat, replace(event.player, name=name), event.unrated)
    return event
