"""Games for the tests of the arena to look at."""

import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

import pytest
from msgspec.structs import replace
from tests import forked
from tests.patience import PATIENCE

from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameResult, GameTask, JudgeSettings
from holmgang.cli.main import main

BOTS = Path(__file__).parent / "bots"
PATIENT = JudgeSettings(first_ms=60_000, turn_ms=60_000, hard_ms=60_000, start_ms=60_000)
"""For games that are no test of speed."""
TRUSTED = replace(PATIENT, trust=True)

needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="bubblewrap is not installed: apt install bubblewrap"
)


def holmgang(
    *arguments: object, code: int = 0, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The command, run as a person would without a terminal; it has ended as it should."""
    done = forked.run(
        [*map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "80", **environment},
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done


def refused(*arguments: object, **environment: str) -> str:
    """The message with which the command refuses. It runs in this process, which is quicker."""
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with (
        mock.patch.object(sys, "argv", ["holmgang", *map(str, arguments)]),
        mock.patch.dict(os.environ, {"COLUMNS": "80", **environment}),
        redirect_stderr(said),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    assert ended.value.code == 2
    said.seek(0)
    return said.read()


def interrupted(
    *arguments: object, when: Callable[[], bool], cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """The command, stopped by Ctrl-C as soon as that is so. It has ended as it should."""
    with forked.Popen(
        [*map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=cwd,
        start_new_session=True,
    ) as running:
        until = time.monotonic() + PATIENCE
        while not when():
            assert running.poll() is None, running.communicate()
            assert time.monotonic() < until
            time.sleep(0.02)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all of them
        shown, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, said
    assert "Traceback" not in shown + said
    return subprocess.CompletedProcess(arguments, 130, shown, said)


def bot(name: str, *arguments: str, protocol: str = "") -> str:
    """A bot of ours as a command line."""
    words = [sys.executable, str(BOTS / f"{name}.py"), *arguments]
    return f"{protocol}{shlex.join(words)}"


def play(
    red: str, blue: str = "random", ruleset: str = "bagh", seed: int = 1, settings=TRUSTED
) -> GameResult:
    [result] = play_games([GameTask("game", ruleset, red, blue, seed, settings)])
    return result


def mark() -> str:
    """A word that no other process has in its command line."""
    return f"mark={uuid.uuid4().hex}"


def processes_with(word: str) -> list[int]:
    """The processes that have the word in their command line, this one apart."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                said = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if word.encode() in said:
                found.append(int(folder.name))
    return found


def groups_of(pid: int) -> list[Path]:
    """The control groups that a judge with this process number has made."""
    root, name = Path("/sys/fs/cgroup"), f"holmgang-*-{pid}-*"
    return [*root.glob(name), *root.glob(f"*/{name}")]
