"""`holmgang backup` while a server runs, and restoring as docs/operations.md says."""

import shutil

import httpx
import pytest
from tests import forked
from tests.web.processes import serving


def back_up(folder, *arguments):
    return forked.run(
        ["backup", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_backup_of_a_running_server_can_be_restored(tmp_path):
    database = tmp_path / "own.sqlite3"
    address = f"sqlite:///{database}"
    with serving(tmp_path, "--port", "0", "--database", address) as running:
        grant = httpx.post(f"{running.address}/api/matches", json={"opponent": "link"}).json()
        done = back_up(tmp_path, "copy.sqlite3", "--database", address)
        assert (done.returncode, done.stderr) == (0, "")
        later = httpx.post(f"{running.address}/api/matches", json={"opponent": "link"}).json()
        running.process.kill()  # so that -wal and -shm are left behind
        running.process.wait(30)
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy.sqlite3", database)
    with serving(tmp_path, "--port", "0", "--database", address) as running:
        headers = {"Authorization": f"Bearer {grant['secret']}"}
        seen = httpx.get(f"{running.address}/api/matches/{grant['match']}", headers=headers).json()
        assert seen["you"] == grant["seat"]
        gone = httpx.get(f"{running.address}/api/matches/{later['match']}")
        assert gone.status_code == 404


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("copy", "--database", "sqlite:///nothing.sqlite3"), "there is no database"),
        (("copy", "--database", "postgresql://a:secret@b/c"), "pg_dump --format=custom"),
        (("copy", "--database", "nonsense"), "not the address of a database"),
    ],
)
def test_what_cannot_be_backed_up(tmp_path, arguments, said):
    done = back_up(tmp_path, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "secret" not in done.stderr
    assert not (tmp_path / "copy").exists()
    assert not (tmp_path / "nothing.sqlite3").exists()
