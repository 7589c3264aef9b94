"""Periods in which no server was running, so that clocks can be credited with that time.

The beats of each process are in `presence.py`; here is the last one of any process.
"""

import time
from concurrent.futures import Future

from sqlalchemy import Connection, insert, select, update

from holmgang.store import presence
from holmgang.store.schema import alive, outages
from holmgang.store.substore import Substore

LONGEST_SILENCE = 3.0
"""Seconds without a beat that do not count as an outage."""


class OutageStore(Substore):
    def begin(self, now: float) -> None:
        """Records that a server starts. If no server was alive for more than 3 seconds, that time
        becomes an outage.
        """

        def change(connection: Connection) -> None:
            last = connection.scalar(select(alive.c.at).with_for_update())
            if last and now - last > LONGEST_SILENCE:
                connection.execute(insert(outages).values(began=last, ended=now))
            presence.forget_if_alone(connection, now - LONGEST_SILENCE)
            _beat(connection, now)

        self._write(change)

    def beat(self, now: float | None = None) -> Future[None]:
        """Records that a server is alive. The future resolves when that is durable."""
        at = time.time() if now is None else now
        return self._submit(lambda connection: _beat(connection, at))

    def all(self) -> list[tuple[float, float]]:
        """All outages as (began, ended), in order."""
        query = select(outages.c.began, outages.c.ended).order_by(outages.c.began)
        return [(began, ended) for began, ended in self._rows(query)]


def _beat(connection: Connection, now: float) -> None:
    connection.execute(update(alive).where(alive.c.at < now).values(at=now))
