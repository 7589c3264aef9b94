"""`holmgang serve` as a process of its own, which can be killed and started again."""

import os
import signal
import socket
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
from tests import forked
from tests.patience import PATIENCE

START_SECONDS = 60


class Site:
    """A server on one port of this machine, over one SQLite file."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._options = options
        self._process: subprocess.Popen[str] | None = None
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self.database = f"sqlite:///{folder}/site.sqlite3"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Returns when the server answers."""
        command = [
            *("serve", "--no-open", "--no-limits"),
            "--no-tables",  # which would take the processor from the tests
            *("--port", str(self.port)),
            *("--database", self.database),
            *self._options,
        ]
        with self.log.open("a") as log:
            self._process = forked.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert self.address in line, f"the server did not start: {self.log.read_text()}"

    def kill(self) -> None:
        """Ends the server at once, as a power failure would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with process:
            os.kill(process.pid, how)
            process.wait(START_SECONDS)

    def client(self) -> httpx.Client:
        """A visitor without a browser, who keeps cookies and comes from a page of the site."""
        return httpx.Client(
            base_url=self.address, headers={"Origin": self.address}, timeout=PATIENCE
        )


def free_port() -> int:
    """A port that nobody listens on. It is named, not 0, so that a server can come back to it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
