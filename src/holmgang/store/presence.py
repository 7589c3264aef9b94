"""Which players are present: connected to a server process, in the seat of a match.

Each process records its own players. Its entry is valid while its last beat is recent, so the
players of a killed process do not stay present.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select, update

from holmgang.store.schema import matches, presence, presence_notes
from holmgang.store.substore import Substore

VALID = 5.0
"""Seconds for which the last beat of a process is valid."""
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


class PresenceStore(Substore):
    def note(self, process: str, now: float, here: Collection[SeatKey] | None) -> None:
        """Records a beat of a process and the players connected to it; None if they have not
        changed.
        """
        self._write(lambda connection: _note(connection, process, now, here))

    def end(self, process: str) -> None:
        """Records that a process stops. The players of open rounds with a time limit stay known:
        until they reconnect, `connections` lists them as those of a process that is down.
        """

        def change(connection: Connection) -> None:
            timed = select(matches.c.id).where(
                matches.c.status == "playing", matches.c.deadline.is_not(None)
            )
            connection.execute(
                delete(presence).where(
                    presence.c.process == process, presence.c.match.not_in(timed)
                )
            )
            connection.execute(
                update(presence_notes)
                .where(presence_notes.c.process == process)
                .values(at=presence_notes.c.at - VALID)
            )

        self._write(change)

    def connections(self, match: str) -> list[Served]:
        """The players of a match by the process that they are, or were last, connected to."""
        query = (
            select(presence.c.process, presence.c.seat, presence_notes.c.at)
            .join(presence_notes, presence_notes.c.process == presence.c.process)
            .where(presence.c.match == match)
        )
        return [Served._make(row) for row in self._rows(query)]

    def disconnect(self, match: str, processes: Collection[str]) -> None:
        """Removes the players of a match from processes that are down."""
        gone = (presence.c.match == match, presence.c.process.in_(processes))
        self._write(lambda connection: connection.execute(delete(presence).where(*gone)))

    def is_served(self, since: float, *, apart_from: str) -> bool:
        """Whether another process has been alive since then."""
        return self._first(_alive(since).where(presence_notes.c.process != apart_from)) is not None

    def seats(
        self, asked: Collection[str], now: float, *, apart_from: str = ""
    ) -> dict[str, list[str]]:
        """The seats of these matches whose players are connected to any process but one."""
        query = (
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
        for match, seat in self._rows(query):
            found[match].append(seat)
        return dict(found)


def _note(
    connection: Connection, process: str, now: float, here: Collection[SeatKey] | None
) -> None:
    changed = connection.execute(
        update(presence_notes).where(presence_notes.c.process == process).values(at=now)
    )
    if not changed.rowcount:
        _forget(connection, presence_notes.c.at < now - FORGOTTEN)
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


def _forget(connection: Connection, condition: ColumnElement[bool]) -> None:
    """Removes the entries of the processes to which the condition applies."""
    ended = select(presence_notes.c.process).where(condition)
    connection.execute(delete(presence).where(presence.c.process.in_(ended)))
    connection.execute(delete(presence_notes).where(condition))


def forget_if_alone(connection: Connection, since: float) -> None:
    """Removes the entries of all processes if none has been alive since then."""
    if connection.scalar(_alive(since)) is None:
        _forget(connection, presence_notes.c.at <= since)


def _alive(since: float) -> Select[str]:
    return select(presence_notes.c.process).where(presence_notes.c.at > since).limit(1)


def attended(now: float) -> Select[str]:
    """The ids of matches with a player who is present."""
    return (
        select(presence.c.match)
        .join(presence_notes, presence_notes.c.process == presence.c.process)
        .where(presence_notes.c.at > now - VALID)
    )
