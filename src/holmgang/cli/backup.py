"""The command `holmgang backup`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import DatabaseUrl, need_web


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write; must not exist.")],
    database: DatabaseUrl = None,
) -> None:
    """Copy the server's database, even while the server is running."""
    need_web()
    from holmgang.errors import UsageError
    from holmgang.store.backup import backup as copy
    from holmgang.store.database import Database, parse_url

    # Not through Store.open, which would create the database or bring it up to date.
    source = Database(parse_url(database))
    if source.is_sqlite and not source.path.is_file():
        raise UsageError(f"there is no database {source.path}")
    copy(source, file)
    source.close()
    typer.echo(f"The database was copied to {file}.")
