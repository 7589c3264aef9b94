"""Uploaded records: their space is limited, and they are deleted when nobody looks at them."""

from sqlalchemy import Connection, delete, func, insert, select, update

from holmgang.errors import UploadsFull
from holmgang.store.log import Append
from holmgang.store.schema import events, matches, uploads

SEEN_EVERY = 86_400.0
"""Seconds after which a look is noted again."""
MOST_DELETED = 100
"""Uploads deleted in one transaction."""


def add(connection: Connection, append: Append, most_bytes: int) -> None:
    """Stores the match of an upload. Raises `UploadsFull`."""
    size = sum(len(row[3]) for row in append.rows)
    used = connection.scalar(select(func.coalesce(func.sum(uploads.c.size), 0))) or 0
    if used + size > most_bytes:
        raise UploadsFull(f"uploaded records take {used:,} bytes already")
    row = (append.match, append.last_seq, append.rows[0][2], append.at, *append.summary)
    connection.execute(insert(matches).values(dict(zip(matches.c.keys(), row, strict=True))))
    names = events.c.keys()
    connection.execute(insert(events), [dict(zip(names, row, strict=True)) for row in append.rows])
    connection.execute(insert(uploads).values(match=append.match, size=size, seen_at=append.at))


def see(connection: Connection, match: str, now: float) -> None:
    """Notes that somebody looks at an upload."""
    is_due = (uploads.c.match == match, uploads.c.seen_at < now - SEEN_EVERY)
    connection.execute(update(uploads).where(*is_due).values(seen_at=now))


def delete_unseen(connection: Connection, since: float) -> list[str]:
    """Deletes uploads that nobody has looked at since then, and returns their ids."""
    unseen = select(uploads.c.match).where(uploads.c.seen_at < since).limit(MOST_DELETED)
    ids = list(connection.scalars(unseen))
    if ids:
        for match in (events.c.match, uploads.c.match, matches.c.id):
            connection.execute(delete(match.table).where(match.in_(ids)))
    return ids
