"""Which players are there: connected to a server process, in the seat of a match.

Each process notes its own. What it has noted is valid while its last note is recent, so nobody is
left over from a process that was killed.
"""

from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select, update

from holmgang.store.schema import presence, presence_notes

VALID = 5.0
"""Seconds for which the note of a process is valid."""
FORGOTTEN = 3600.0
"""Seconds after which the rows of a process that has ended are removed."""

SeatKey = tuple[str, str]
"""A match and a seat."""


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
    """Removes the note of a process that stops."""
    forget(connection, presence_notes.c.process == process)


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
