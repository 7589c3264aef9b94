"""`holmgang serve` as a real process of the tests."""

import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager

from tests import forked

ADDRESS = re.compile(r"Holmgang is at (http://\S+:\d+)")


class Serving:
    """A process of `holmgang serve`."""

    def __init__(self, process):
        self.process = process
        self.address = None
        self.errors = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.errors.append(line)

    def wait_until_ready(self):
        line = self.process.stdout.readline()
        found = ADDRESS.search(line)
        assert found, f"{line!r} {self.errors}"
        self.address = found[1]
        return self

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        code = self.process.wait(30)
        self._reader.join()
        return code

    @property
    def log(self):
        return "".join(self.errors)


@contextmanager
def serving(folder, *options, ready=True, before=(), opening=("--no-open",), **environment):
    """Serves in a process with its data in the folder."""
    words = ["serve", *opening, *options]
    start, command = (
        (subprocess.Popen, [*before, sys.executable, "-m", "holmgang", *words])
        if before
        else (forked.Popen, words)
    )
    process = start(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **{name: value for name, value in os.environ.items() if name != "DISPLAY"},
            "XDG_DATA_HOME": str(folder),
            **environment,
        },
        start_new_session=True,
    )
    running = Serving(process)
    try:
        yield running.wait_until_ready() if ready else running
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(30)
        running._reader.join()
        process.stdout.close()
        process.stderr.close()
