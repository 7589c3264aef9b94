"""Which players are there: connected to a server process, in the seat of a match.

Each process notes its own. What it has noted is valid while its last note is recent, so nobody is
left over from a process that was killed.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select, update

from holmgang.store.schema import matches, presence, presence_notes

VALID = 5.0
"""Seconds for which the note of a process is valid."""
FORGOTTEN = 3600.0
"""Seconds after which the rows of a process that has ended are removed."""

SeatKey = tuple[str, str]
"""A match and a seat."""


class Served(NamedTuple):
    """A player who is or was connected to a process."""

    process: str
    seat: str
    at: float
    """The last successful beat of the process."""


def note(
    connection: Connection, process: str, now: float, here: Collection[SeatKey] | None
) -> None:
    """Replaces what a process has noted; None if it is the same as before."""
    changed = connection.execute(
        update(presence_notes).where(presence_notes.c.process == process).values(at=now)
    )
    if not changed.rowcount:
        forget(connection, presence_notes.c.at < now - FORGOTTEN)
        connection.execute(insert(presence_notes).values(process=process, at=now))
    if here is None:
        return
    rows = connection.execute(
        select(presence.c.match, presence.c.seat).where(presence.c.process == process)
    )
    known, wanted = {(match, seat) for match, seat in rows}, set(here)
    for match, seat in known - wanted:
        connection.execute(
            delete(presence).where(
                presence.c.process == process, presence.c.match == match, presence.c.seat == seat
            )
        )
    if new := wanted - known:
        connection.execute(
            insert(presence),
            [{"process": process, "match": match, "seat": seat} for match, seat in new],
        )


def forget(connection: Connection, condition: ColumnElement[bool]) -> None:
    """Removes the notes of the processes to which the condition applies."""
    ended = select(presence_notes.c.process).where(condition)
    connection.execute(delete(presence).where(presence.c.process.in_(ended)))
    connection.execute(delete(presence_notes).where(condition))


def end(connection: Connection, process: str) -> None:
    """Ends the note of a process that stops. The players of open rounds with a time limit stay
    known: until they reconnect, `connections` has them as those of a process that is down.
    """
    is_its = presence.c.process == process
    timed = select(matches.c.id).where(
        matches.c.status == "playing", matches.c.deadline.is_not(None)
    )
    connection.execute(delete(presence).where(is_its, presence.c.match.not_in(timed)))
    connection.execute(
        update(presence_notes)
        .where(presence_notes.c.process == process)
        .values(at=presence_notes.c.at - VALID)
    )


def connections(connection: Connection, match: str) -> list[Served]:
    """The players of a match by the process that they are, or were last, connected to."""
    rows = connection.execute(
        select(presence.c.process, presence.c.seat, presence_notes.c.at)
        .join(presence_notes, presence_notes.c.process == presence.c.process)
        .where(presence.c.match == match)
    )
    return [Served._make(row) for row in rows]


def disconnect(connection: Connection, match: str, processes: Collection[str]) -> None:
    """Removes the players of a match from processes that are down."""
    connection.execute(
        delete(presence).where(presence.c.match == match, presence.c.process.in_(processes))
    )


def is_alive(connection: Connection, since: float, apart_from: str) -> bool:
    """Whether another process has beaten since then."""
    found = connection.scalar(
        select(presence_notes.c.process)
        .where(presence_notes.c.at > since, presence_notes.c.process != apart_from)
        .limit(1)
    )
    return found is not None


def forget_if_alone(connection: Connection, since: float) -> None:
    """Removes the notes of all processes if none has beaten since then."""
    if not is_alive(connection, since, ""):
        forget(connection, presence_notes.c.at <= since)


def seats(
    connection: Connection, asked: Collection[str], now: float, apart_from: str
) -> dict[str, list[str]]:
    """The seats of these matches whose players are there, in any process apart from one."""
    rows = connection.execute(
        select(presence.c.match, presence.c.seat)
        .join(presence_notes, presence_notes.c.process == presence.c.process)
        .where(
            presence.c.match.in_(asked),
            presence.c.process != apart_from,
            presence_notes.c.at > now - VALID,
        )
        .distinct()
        .order_by(presence.c.match, presence.c.seat.desc())
    )
    found: dict[str, list[str]] = defaultdict(list)
    for match, seat in rows:
        found[match].append(seat)
    return dict(found)


def attended(now: float) -> Select[tuple[str]]:
    """The ids of matches with a player who is there."""
    return (
        select(presence.c.match)
        .join(presence_notes, presence_notes.c.process == presence.c.process)
        .where(presence_notes.c.at > now - VALID)
    )
