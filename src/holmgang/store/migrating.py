"""Brings a database up to the schema of this version, also when several processes start at once.

An empty database gets the tables of `schema.py` at once, which is several times quicker than all
migrations one after the other. A test compares the two.
"""

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, text

from holmgang.errors import StoreError
from holmgang.store.database import Database
from holmgang.store.schema import alive, metadata

HEAD = "0012"
"""The newest migration, as in `migrations/versions/`: Alembic need not be asked at every start."""
FOLDER = Path(__file__).with_name("migrations")
LOCK = 0x686F6C6D67616E67
"""The number of PostgreSQL's lock for migrations; any number would do."""
VERSION_TABLE = """
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)
"""
"""As Alembic creates it."""


def migrate(database: Database) -> None:
    """Creates or migrates the tables as needed. Raises StoreError if they are of a newer version,
    and what the database raises.
    """
    with database.writing() as connection:
        # On SQLite the transaction itself is the lock.
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        found = version(connection)
        if found is None:
            create(connection)
        elif found != HEAD:
            upgrade(connection, found)


def create(connection: Connection) -> None:
    """Creates the tables of this version, as all migrations together would."""
    metadata.create_all(connection, checkfirst=False)
    connection.execute(insert(alive).values(id=1, at=0))
    connection.execute(text(VERSION_TABLE))
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})


def version(connection: Connection) -> str | None:
    """The last migration of the database; None if it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def upgrade(connection: Connection, found: str | None) -> None:
    """Runs the migrations after `found`, or all, in the transaction of the connection."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise StoreError(
            f"the database belongs to a newer version of Holmgang: its schema is {found}, and this "
            f"version knows up to {HEAD}; update Holmgang, or use another database"
        )
    command.upgrade(config, "head")
