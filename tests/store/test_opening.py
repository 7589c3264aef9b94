"""Opening a database: addresses, files, migrations."""

import os
import re
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from operator import itemgetter

import psycopg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, insert, inspect, text
from tests.patience import PATIENCE
from tests.store.rows import OPEN, event

from holmgang.store import NameTaken, Store, StoreError
from holmgang.store.database import Database, parse_url
from holmgang.store.migrating import FOLDER, HEAD, create, upgrade
from holmgang.store.schema import metadata

BEFORE_FOLDING = "0006"
BEFORE_THREAD_STATES = "0009"


def test_the_migrated_schema_is_that_of_schema_py(url):
    database = Database(parse_url(url))
    with database.writing() as connection:
        upgrade(connection, None)
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    database.close()


def test_a_new_database_is_like_one_with_all_migrations(url):
    """In everything that can be asked for: types, defaults, keys, indexes, checks, and rows."""
    database = Database(parse_url(url))
    found = []
    for make in (create, lambda connection: upgrade(connection, None)):
        with suppress(UndoError), database.writing() as connection:
            make(connection)
            found.append(described(connection))
            raise UndoError
    database.close()
    assert len(found[0]) > 15
    assert found[0] == found[1]


class UndoError(Exception):
    """Rolls a transaction back."""


def described(connection):
    """Each table: all that the database knows of it, and its rows."""
    inspector = inspect(connection)
    return {
        name: {
            "columns": {
                column["name"]: {**column, "type": str(column["type"])}
                for column in inspector.get_columns(name)
            },
            "key": inspector.get_pk_constraint(name),
            "foreign keys": by_name(inspector.get_foreign_keys(name)),
            "indexes": by_name(inspector.get_indexes(name)),
            "unique": by_name(inspector.get_unique_constraints(name)),
            "checks": by_name(inspector.get_check_constraints(name)),
            "rows": connection.execute(text(f'SELECT * FROM "{name}"')).all(),  # noqa: S608
        }
        for name in sorted(inspector.get_table_names())
    }


def by_name(constraints):
    return sorted(constraints, key=itemgetter("name"))


def test_closing_waits_for_reads_in_other_threads(url):
    """Their connections would stay open until they are collected as garbage."""
    Store.open(url).close()
    database = Database(parse_url(url))
    with ThreadPoolExecutor(1) as threads:
        with database.reading():
            closing = threads.submit(database.close)
            with pytest.raises(TimeoutError):
                closing.result(0.2)
        closing.result(PATIENCE)


def test_head_is_the_newest_migration():
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_a_database_of_a_newer_version_is_refused_and_left_alone(url):
    with Store.open(url) as store:
        store.append("m", 0, [event(1)], OPEN).result()
    execute(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="newer version of Holmgang: its schema is 9999"):
        Store.open(url)
    execute(url, f"UPDATE alembic_version SET version_num = '{HEAD}'")  # noqa: S608
    with Store.open(url) as store:
        assert store.read("m") == [event(1)]


def test_migrations_use_no_code_that_may_change():
    """They are run on old databases, long after the rest of the code has changed."""
    versions = sorted((FOLDER / "versions").glob("v*.py"))
    assert len(versions) == int(HEAD)
    pattern = re.compile(r"^\s*(from|import) holmgang", re.MULTILINE)
    assert [path.name for path in versions if pattern.search(path.read_text("utf-8"))] == []


def test_accounts_whose_names_read_alike_survive_the_migration(url):
    database = Database(parse_url(url))
    with database.writing() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(FOLDER))
        command.upgrade(config, BEFORE_FOLDING)
    database.close()
    for name in ("Ann Lee", "AnnLee", "ANN-LEE", "Bob"):
        execute(
            url,
            "INSERT INTO people (name, name_key, is_guest, password_hash, created_at) "  # noqa: S608
            f"VALUES ('{name}', '{name.lower()}', false, 'hash of {name}', 1.0)",
        )
    with Store.open(url) as store:
        for name in ("Ann Lee", "AnnLee", "ANN-LEE", "Bob"):
            person, password = store.people.password_hash(name)
            assert (person.name, password) == (name, f"hash of {name}")
        for name in ("annlee", "ann_lee", "B0b"):
            with pytest.raises(NameTaken):
                store.people.claim(store.people.new_guest().id, name, "hash")


def test_threads_that_were_lost_are_forbidden_after_the_migration(url):
    database = Database(parse_url(url))
    with database.writing() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(FOLDER))
        command.upgrade(config, BEFORE_THREAD_STATES)
        tables = MetaData()
        tables.reflect(connection, only=["matches", "discord_duels"])
        for match, is_lost in (("kept", False), ("lost", True)):
            summary = OPEN._asdict() | {"created_at": 1.0, "updated_at": 1.0, "last_seq": 1}
            connection.execute(insert(tables.tables["matches"]).values(id=match, **summary))
            duel = {"match": match, "guild": 1, "channel": 2, "game": 1, "round": 0}
            duels = insert(tables.tables["discord_duels"])
            connection.execute(duels.values(**duel, stage="playing", is_lost=is_lost))
    database.close()
    with Store.open(url) as store:
        states = {match: store.discord.duel(match).thread_state for match in ("kept", "lost")}
    assert states == {"kept": "open", "lost": "forbidden"}


def test_a_migration_that_fails_leaves_nothing_behind(url):
    """A table of someone else is in the way of one of ours."""
    execute(url, "CREATE TABLE sessions (id INTEGER)")
    with pytest.raises(StoreError, match="already exists"):
        Store.open(url)
    execute(url, "DROP TABLE sessions")
    with Store.open(url) as store:
        assert store.people.new_guest().id


@pytest.mark.thorough
def test_many_processes_open_a_new_database_at_once(url):
    code = (
        "import sys; from holmgang.store import Store; sys.stdin.readline()\n"
        "with Store.open(sys.argv[1]) as store: print(store.people.new_guest().name)"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    with ThreadPoolExecutor(4) as pool:
        told = list(
            pool.map(lambda process: process.communicate("go\n", timeout=PATIENCE), processes)
        )
    assert [error for _, error in told] == [""] * 4
    assert {name for name, _ in told} == {f"guest {number}\n" for number in range(1, 5)}


def test_threads_open_a_new_database_at_once(url):
    with ThreadPoolExecutor(8) as pool:
        for store in list(pool.map(Store.open, [url] * 8)):
            store.close()


def test_the_default_is_a_file_in_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Store.open() as store:
        assert store.url == f"sqlite:///{tmp_path}/holmgang/holmgang.sqlite3"
    assert (tmp_path / "holmgang" / "holmgang.sqlite3").exists()


def test_the_file_is_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        with Store.open(f"sqlite:///{tmp_path}/new/folder/h.sqlite3") as store:
            store.people.new_guest()
            files = list((tmp_path / "new" / "folder").iterdir())
            assert len(files) == 3  # with its log and the index of that
            assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    finally:
        os.umask(before)


def test_sqlite_writes_through(sqlite_url):
    database = Database(parse_url(sqlite_url))
    for connect in (database.reading, database.writing):
        with connect() as connection:
            found = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
        assert found == ["wal", 2, 1]
    database.close()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("holmgang.sqlite3", "not the address of a database: 'holmgang.sqlite3'; use sqlite:///"),
        ("", "not the address of a database: ''"),
        ("postgresql://host:port/x", "not the address of a database"),
        ("mysql://host/x", "no such kind of database: 'mysql'; use sqlite:///PATH"),
        ("sqlite://", "an SQLite database has to be a file"),
        ("sqlite:///:memory:", "an SQLite database has to be a file"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(url, message):
    with pytest.raises(StoreError, match=message):
        Store.open(url)


def test_what_is_no_database_is_refused(tmp_path):
    (tmp_path / "text").write_text("no database " * 1000)
    with pytest.raises(StoreError, match=r"cannot open the database .*: file is not a database"):
        Store.open(f"sqlite:///{tmp_path}/text")
    with pytest.raises(StoreError, match=f"cannot open the database {tmp_path}: Is a directory"):
        Store.open(f"sqlite:///{tmp_path}")
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"cannot open the database .*/file/h: File exists"):
        Store.open(f"sqlite:///{tmp_path}/file/h")


def test_a_server_that_is_not_there_is_named_without_the_password(tmp_path):
    with pytest.raises(StoreError) as caught:
        Store.open(f"postgresql://me:secret@/x?host={tmp_path}")
    assert str(caught.value).startswith("cannot open the database postgresql+psycopg://me:***@/x")
    assert "secret" not in str(caught.value)


def execute(url: str, statement: str) -> None:
    """As some other program would."""
    if url.startswith("sqlite"):
        connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    else:
        connection = psycopg.connect(url)
    connection.execute(statement)
    connection.commit()
    connection.close()
