"""`holmgang simulate` as people and programs call it."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests import forked

from holmgang.engine.record import replay


def holmgang(*arguments):
    return forked.run(arguments, capture_output=True, text=True, check=False)


def test_the_report():
    run = holmgang("simulate", "bagh", "--games", "500", "--seed", "3")
    assert run.returncode == 0
    for said in ("500 games, seed 3", "red wins", "95 %", "rounds per game", "attack", "compiled"):
        assert said in run.stdout


def test_json_is_one_object_and_nothing_else():
    run = holmgang("simulate", "magic-duel", "--games", "50", "--json", "--threads", "1")
    told = json.loads(run.stdout)
    assert run.stderr == ""
    assert told["games"] == 50
    assert {"ruleset", "rounds", "red", "blue", "draws", "compute_seconds"} <= told.keys()


def test_records_are_the_games_that_were_counted(tmp_path):
    arguments = ("bagh", "--games", "6", "--red", "search:1", "--records", str(tmp_path))
    counted = json.loads(holmgang("simulate", *arguments, "--json").stdout)
    played = [replay(record) for record in tmp_path.iterdir()]
    assert len(played) == 6
    assert sum(len(duel.rounds) for duel in played) == counted["rounds"]
    assert sum(duel.outcome.winner == "red" for duel in played) == counted["red"]


def test_records_replay(tmp_path):
    arguments = ("simulate", "bagh", "--games", "20", "--records", str(tmp_path), "--keep", "3")
    arguments += ("--seed", "1")
    assert holmgang(*arguments).returncode == 0
    records = sorted(tmp_path.iterdir())
    assert len(records) == 3
    assert all(replay(record).is_over for record in records)
    again = holmgang(*arguments)
    assert (again.returncode, again.stdout) == (2, "")
    assert "already exists" in again.stderr


def test_few_games_are_all_kept(tmp_path):
    run = holmgang("simulate", "bagh", "--games", "3", "--records", str(tmp_path))
    assert run.returncode == 0
    assert len(list(tmp_path.iterdir())) == 3


def test_a_full_disk_is_told_in_a_line():
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "holmgang", "simulate", "bagh", "--games", "5", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert run.returncode == 1
    assert run.stderr == "holmgang: [Errno 28] No space left on device\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("simulate", "chess"), "no game 'chess'"),
        (("simulate", "bagh:max_boost=x"), "max_boost must be a whole number"),
        (("simulate", "bagh", "--red", "deep-blue"), "unknown player 'deep-blue'"),
        (("simulate", "bagh", "--games", "0"), "--games"),
        (("simulate", "bagh", "--games", "2", "--records", "x", "--keep", "5"), "--keep 5"),
        (("simulate", "bagh", "--keep", "5"), "--keep needs --records"),
        (("simulate", "bagh", "--records", "/dev/null/x"), "cannot write records"),
        (("replay", "\x1b[2J"), "cannot read \\x1b[2J"),
    ],
)
def test_a_refusal_is_a_line_and_exit_code_2(arguments, said):
    run = holmgang(*arguments)
    assert run.returncode == 2
    assert said in run.stderr
    assert "Traceback" not in run.stderr


def test_an_interruption_leaves_no_traceback():
    command = [sys.executable, "-m", "holmgang", "simulate", "bagh", "--games", "1000000000"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        while "of 1,000,000,000 games" not in run.stderr.readline():
            assert run.poll() is None
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
    assert run.returncode == 130
    assert "Traceback" not in err
    assert out == ""
