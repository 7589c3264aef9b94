"""A PostgreSQL server of the tests' own: in a temporary folder, reached through a socket only.

PostgreSQL refuses to run as root; then it runs as the user nobody.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from tests.patience import PATIENCE

MISSING = (
    "PostgreSQL's initdb and pg_ctl were found neither on PATH nor in /usr/lib/postgresql/*/bin; "
    "Debian, Ubuntu: apt install postgresql"
)
CLEAN_UP = 'read -r _; "$1" -D "$2/data" -w -m immediate stop; rm -rf "$2"'
"""Waits for the end of the tests, whatever it is: then its input ends too."""
SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "16MB",
    "max_connections": "100",
}


def binaries() -> Path | None:
    """The folder with initdb and pg_ctl, of the newest version there is."""
    on_path = shutil.which("pg_ctl")
    found = [Path(on_path).resolve().parent] if on_path else []
    found += sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        key=lambda path: [int(part) for part in path.parent.name.split(".") if part.isdecimal()],
        reverse=True,
    )
    for folder in found:
        if all((folder / name).exists() for name in ("initdb", "pg_ctl", "postgres")):
            return folder
    return None


class Postgres:
    """A server that runs."""

    def __init__(self, folder: Path, programs: Path, user: str | None, *, durable: bool) -> None:
        self.settings = {**SETTINGS, "fsync": "on" if durable else "off"}
        self.folder = folder
        self.data = folder / "data"
        self.programs, self.user = programs, user
        self._numbers = count(1)
        self._run("initdb", "--username=holmgang", "--auth=trust", "--encoding=UTF8", "--no-sync")

    def start(self) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in self.settings.items())
        log = str(self.folder / "log")
        self._run("pg_ctl", "-w", "-l", log, "-o", f"-k {self.folder} {options}", "start")

    def stop(self) -> None:
        """As if it had crashed: no connection is told."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://holmgang@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """The URL of an empty database."""
        import psycopg

        name = f"test{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), "-D", str(self.data), *arguments]
        with (self.folder / "output").open("a+b") as output:
            # Its output goes to a file: the server keeps it open, and a pipe would never end.
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.folder,
                user=self.user,
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "TZ": "UTC"},
                check=False,
                timeout=PATIENCE,
            )
            output.seek(0)
            assert done.returncode == 0, output.read().decode(errors="replace")


@contextmanager
def running_postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """A server; skips the test if PostgreSQL is not installed.

    Tests kill processes and not the machine, so it need not wait for the disk.
    """
    programs = binaries()
    if programs is None:
        pytest.skip(MISSING)
    # A short path, as that of a socket is limited to some 100 characters.
    folder = Path(tempfile.mkdtemp(prefix="holmgang-", dir="/tmp"))
    user = "nobody" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    with subprocess.Popen(
        ["/bin/sh", "-c", CLEAN_UP, "sh", programs / "pg_ctl", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        user=user,
        start_new_session=True,
    ):
        server = Postgres(folder, programs, user, durable=durable)
        server.start()
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server for all tests of this process."""
    with running_postgres() as server:
        yield server
