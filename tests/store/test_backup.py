"""Backups while the store is used."""

import stat
import threading

import pytest
from tests.store.rows import OPEN, event

from holmgang.store import Store, StoreError
from holmgang.store.backup import backup
from holmgang.store.database import Database, parse_url


def test_a_backup_made_under_load_is_a_whole_store(sqlite_url, tmp_path):
    copy = tmp_path / "backup"
    stop = threading.Event()
    written = []

    def write(store: Store) -> None:
        while not stop.is_set():
            seq = len(written)
            store.append("m", seq, [event(seq + 1)], OPEN).result()
            written.append(seq + 1)

    with Store.open(sqlite_url) as store:
        guest = store.people.new_guest()
        writing = threading.Thread(target=write, args=[store])
        writing.start()
        while not written:
            assert writing.is_alive()
        least = len(written)
        backup(Database(parse_url(sqlite_url)), copy)
        stop.set()
        writing.join()
    with Store.open(f"sqlite:///{copy}") as restored:
        events = restored.read("m")
        assert least <= len(events) <= len(written)
        assert events == [event(n + 1) for n in range(len(events))]
        assert restored.matches.row("m").last_seq == len(events)
        assert restored.people.by_name(guest.name) == guest
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "holmgang.sqlite3"]


def test_a_backup_overwrites_nothing(sqlite_url, tmp_path):
    (tmp_path / "backup").write_text("precious")
    Store.open(sqlite_url).close()
    with pytest.raises(StoreError, match=r"cannot write the backup .*/backup: the file exists"):
        backup(Database(parse_url(sqlite_url)), tmp_path / "backup")
    assert (tmp_path / "backup").read_text() == "precious"


def test_a_backup_that_cannot_be_written_leaves_nothing(sqlite_url, tmp_path):
    (tmp_path / "file").touch()
    Store.open(sqlite_url).close()
    with pytest.raises(StoreError, match="cannot write the backup"):
        backup(Database(parse_url(sqlite_url)), tmp_path / "file" / "backup")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "holmgang.sqlite3"]


def test_for_postgresql_the_command_is_named(postgres_url, tmp_path):
    with pytest.raises(StoreError) as caught:
        backup(Database(parse_url(postgres_url)), tmp_path / "copy")
    assert f"pg_dump --format=custom --file={tmp_path}/copy 'postgresql://" in str(caught.value)
