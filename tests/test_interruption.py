"""Ctrl-C while the command is loaded, and when these tests themselves run in the background."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("module", ["inspect", "typer.core", "holmgang.games.contract"])
def test_ctrl_c_while_the_command_is_loaded_shows_no_traceback(module):
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "holmgang", "step"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        for line in running.stderr:
            if line.split()[-1] == module:
                break
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode in (-signal.SIGINT, 130)  # a shell shows 130 for both
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said


def test_the_tests_of_ctrl_c_pass_where_it_is_ignored():
    tests = ["tests/terminal/test_step.py", "tests/terminal/test_plain_in_a_terminal.py"]
    pytest_command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", *pytest_command, "-k", "ctrl_c"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout
