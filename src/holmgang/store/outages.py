"""When no server was running, so that clocks can be credited with that time.

The beats of each process are in `presence.py`; here is the last one of any.
"""

from sqlalchemy import Connection, insert, select, update

from holmgang.store import presence
from holmgang.store.schema import alive, outages

LONGEST_SILENCE = 3.0
"""Seconds without a beat that are no outage yet."""


def beat(connection: Connection, now: float) -> None:
    """Notes that a server is alive."""
    connection.execute(update(alive).where(alive.c.at < now).values(at=now))


def begin(connection: Connection, now: float) -> None:
    """Notes that a server starts, and that none was running since the last beat."""
    last = connection.scalar(select(alive.c.at).with_for_update())
    if last and now - last > LONGEST_SILENCE:
        connection.execute(insert(outages).values(began=last, ended=now))
    presence.forget_if_alone(connection, now - LONGEST_SILENCE)
    beat(connection, now)


def listed(connection: Connection) -> list[tuple[float, float]]:
    """All outages, in order."""
    rows = connection.execute(select(outages.c.began, outages.c.ended).order_by(outages.c.began))
    return [(began, ended) for began, ended in rows]
