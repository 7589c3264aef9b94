"""A consistent copy of the database while it is used."""

import os
import shlex
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from holmgang.errors import StoreError
from holmgang.store.database import PATIENCE, Database, make_file


def backup(database: Database, path: Path) -> None:
    """Writes the copy to a new file, whole or not at all. Raises StoreError."""
    if not database.is_sqlite:
        url = database.url.set(drivername="postgresql").render_as_string(hide_password=True)
        command = shlex.join(["pg_dump", "--format=custom", f"--file={path}", url])
        raise StoreError(f"PostgreSQL makes its own backups: {command}")
    if path.exists():
        raise StoreError(f"cannot write the backup {path}: the file exists")
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        make_file(draft)
        with (
            closing(sqlite3.connect(database.path, timeout=PATIENCE)) as source,
            closing(sqlite3.connect(draft)) as target,
        ):
            source.backup(target)  # in one step: writers do not disturb it, nor it them
        draft.rename(path)
    except (OSError, sqlite3.Error, StoreError) as error:
        with suppress(OSError):
            draft.unlink()
        told = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"cannot write the backup {path}: {told}") from error
