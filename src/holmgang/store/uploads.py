"""Uploaded records: their total size is limited, and those that nobody views are deleted."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, insert, select, update

from holmgang.errors import UploadsFull
from holmgang.store.log import MatchSummary, StoredEvent, parse_append
from holmgang.store.schema import events, matches, uploads
from holmgang.store.substore import Substore

SEEN_EVERY = 86_400.0
"""Seconds for which a recorded view is not updated."""
MOST_DELETED = 100
"""Uploads deleted in one transaction."""


class UploadStore(Substore):
    def add(
        self, match: str, given: Sequence[StoredEvent], summary: MatchSummary, most_bytes: int
    ) -> None:
        """Stores the match of an uploaded record. Raises UploadsFull if all uploads together
        would exceed `most_bytes`.
        """
        append = parse_append(match, 0, given, summary, None)
        size = sum(len(row[3]) for row in append.rows)
        row = (match, append.last_seq, append.rows[0][2], append.at, *summary)

        def change(connection: Connection) -> None:
            used = connection.scalar(select(func.coalesce(func.sum(uploads.c.size), 0))) or 0
            if used + size > most_bytes:
                raise UploadsFull(f"uploaded records take {used:,} bytes already")
            connection.execute(
                insert(matches).values(dict(zip(matches.c.keys(), row, strict=True)))
            )
            names = events.c.keys()
            rows = [dict(zip(names, row, strict=True)) for row in append.rows]
            connection.execute(insert(events), rows)
            connection.execute(insert(uploads).values(match=match, size=size, seen_at=append.at))

        self._write(change)

    def see(self, match: str, now: float) -> None:
        """Records that somebody views an upload, at most once a day."""
        is_due = (uploads.c.match == match, uploads.c.seen_at < now - SEEN_EVERY)
        self._write(lambda c: c.execute(update(uploads).where(*is_due).values(seen_at=now)))

    def delete_unseen(self, since: float) -> list[str]:
        """Deletes uploads that nobody has viewed since then, and returns their ids."""

        def change(connection: Connection) -> list[str]:
            unseen = select(uploads.c.match).where(uploads.c.seen_at < since).limit(MOST_DELETED)
            ids = list(connection.scalars(unseen))
            if ids:
                for match in (events.c.match, uploads.c.match, matches.c.id):
                    connection.execute(delete(match.table).where(match.in_(ids)))
            return ids

        return self._write(change)
