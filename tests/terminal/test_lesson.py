"""`holmgang learn` as people call it."""

import os
import subprocess
import sys

import pytest


def learn(*arguments, given=""):
    return subprocess.run(
        [sys.executable, "-m", "holmgang", "learn", *arguments],
        input=given,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("game", "typed", "last"),
    [
        ("bagh", "g\nb\na\n", "Red wins: Blue is down."),
        ("fencing", "w\nl\np\n", "Red wins: Blue is out of energy and disqualified."),
        ("defend-the-city", "25\nk\n50\n", "A soldier falls: 4 of 5."),
        ("magic-duel", "p\nh5\nn0\n", "Red wins: Blue is dead."),
    ],
)
def test_a_lesson_in_lines(game, typed, last):
    told = learn(game, given=typed)
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""
    assert last in told.stdout
    assert "Not the best here" not in told.stdout
    assert "That was the lesson" in told.stdout
    assert max(map(len, told.stdout.splitlines())) <= 80


def test_wrong_choices_skipping_and_leaving():
    told = learn("bagh", given="dance\nh\ns\nq\n")
    assert told.returncode == 0, told.stderr
    assert "That is not a choice here." in told.stdout
    assert "Not the best here. Blue attacks: try Guard." in told.stdout
    assert "Round 2 of 3" in told.stdout
    assert "Round 3 of 3" not in told.stdout


def test_an_unknown_game_is_one_line():
    told = learn("chess")
    assert told.returncode == 2
    assert len(told.stderr.splitlines()) == 1
    assert "chess" in told.stderr
