"""Every command with a game in a file of its own, in a folder that nobody else knows."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
from tests import forked
from tests.games.one_file import STANDOFF

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mine")
    (folder / "standoff.py").write_text(STANDOFF)
    return folder


@pytest.fixture(scope="module")
def holmgang(folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HOLMGANG")}
    environment = {**kept, "XDG_DATA_HOME": str(folder / "data"), "COLUMNS": "80"}

    def run(*words, given="", code=0):
        done = forked.run(
            [*words],
            cwd=folder,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


@pytest.fixture(scope="module")
def record(holmgang, folder):
    holmgang("simulate", "./standoff.py", "--games", "2", "--seed", "2", "--records", "kept")
    return str(min((folder / "kept").iterdir()))


def test_play_in_the_terminal(holmgang):
    words = ("play", "./standoff.py", "--vs", "beginner", "--plain", "--seed", "1")
    told = holmgang(*words, given="reload\nshoot\nquit\n")
    assert "Standoff: Red (you) against Blue (beginner)" in told
    assert "Red chooses reload" in told
    assert "Watch:    holmgang --games standoff.py replay " in told


def test_play_to_the_end(holmgang):
    words = ("play", "./standoff.py:lives=1", "--vs", "random", "--plain", "--seed", "1")
    assert "Draw: shot." in holmgang(*words, given="reload\nshoot\n" * 50)  # with this seed


def test_rules_and_pictures(holmgang, folder):
    assert "most rounds in the gun" in holmgang("rules", "./standoff.py")
    holmgang("draw", "./standoff.py", "2.1/1.3", "--svg", "board.svg")
    assert (folder / "board.svg").read_text().startswith("<svg")


def test_step(holmgang):
    asked = json.dumps({"game": "standoff", "ask": "start"}) + "\n"
    answered = holmgang("--games", "standoff.py", "step", given=asked)
    assert json.loads(answered)["state"]["red"] == {"lives": 2, "ammo": 0}


def test_solve_and_value(holmgang):
    assert "64 reachable states solved" in holmgang("solve", "./standoff.py")
    told = holmgang("value", "./standoff.py", "--after", "r/r h/r")
    assert "from a table" in told


def test_records_open_where_the_game_is_given(holmgang, record):
    told = holmgang("replay", record, "--verify", code=2)
    assert re.search(r"line 1: no game 'standoff'; there are bagh, .* loaded with --games$", told)
    assert holmgang("--games", ".", "replay", record, "--verify").startswith("ok: standoff, ")
    assert "round" in holmgang("--games", "./standoff.py", "analyse", record)


def test_bots_and_contests(holmgang, folder):
    told = holmgang("new-bot", "./standoff.py", "egil", "--lang", "python")
    assert "holmgang match ./standoff.py egil random --games 100" in told
    assert f"{folder}/standoff.py" in (folder / "egil" / "README.md").read_text()
    trusted = ("--trust", "--games", "2")
    assert "sound" in holmgang("check", "egil", "./standoff.py", *trusted)
    words = ("./standoff.py", "egil", "random", "beginner", "--games", "2", "--out", "cup")
    assert "beginner" in holmgang("tournament", *words, "--trust", "-j", "1")
    told = holmgang("match", "./standoff.py", "egil", "random", *trusted)
    assert "A  egil" in told


def test_games_of_the_environment(folder, record, tmp_path):
    """Also in processes that work in another folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HOLMGANG")}
    environment = {**kept, "HOLMGANG_GAMES": "standoff.py", "XDG_DATA_HOME": str(tmp_path)}
    told = forked.run(
        ["replay", record, "--verify"],
        cwd=folder, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.startswith("ok: standoff, ")


def test_a_watched_game_is_checked_after_each_save(tmp_path):
    path = tmp_path / "standoff.py"
    path.write_text(STANDOFF)
    words = (sys.executable, "-m", "holmgang", "check-game", "./standoff.py", "--watch")
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True)

    def told():
        lines = []
        while (line := process.stdout.readline()) != "\n":
            assert line, "it has ended"
            lines.append(line)
        assert re.fullmatch(r"Checked in \d+\.\d s\. Waiting .*\n", lines.pop())
        return lines[-1]

    try:
        assert told() == "standoff: no mistakes in all 117 states and 484 rounds\n"
        path.write_text(STANDOFF.replace("me.ammo - cost)", "me.amo - cost)"))
        assert "AttributeError: 'Fighter' object has no attribute 'amo'" in told()
        path.write_text(STANDOFF.replace("me.ammo - cost)", "me.ammo - cost"))
        assert "'(' was never closed" in told()
        path.write_text(STANDOFF.replace("lives at", "the lives at"))
        assert told() == "standoff: no mistakes in all 117 states and 484 rounds\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    finally:
        process.kill()
        process.communicate()


def test_puzzles(holmgang):
    holmgang("solve", "./standoff.py")
    assert "standoff: 2 puzzles" in holmgang("puzzles", "make", "./standoff.py", "--count", "2")
    assert len(holmgang("--games", ".", "puzzles", "list").splitlines()) == 2
    told = "Puzzle 1 of 2, rated"
    assert told in holmgang("puzzles", "solve", "./standoff.py", given="q\n")
    for words in (("list",), ("list", "standoff")):
        assert re.fullmatch(
            r"Not shown: 2 puzzles of standoff, a game that is not loaded. Name its file: \S+"
            r" --games PATH puzzles list\n",
            holmgang("puzzles", *words),
        )
    listed = json.loads(holmgang("puzzles", "list", "--json"))
    assert listed == {"puzzles": [], "hidden": {"standoff": 2}}
    assert "others are loaded with --games" in holmgang("puzzles", "solve", "standoff", code=2)


def test_puzzles_of_earlier_rules(holmgang, tmp_path):
    holmgang("puzzles", "make", "./standoff.py", "--count", "1")
    changed = tmp_path / "standoff.py"
    changed.write_text(STANDOFF.replace("me.lives - (1 if hit", "me.lives - (2 if hit"))
    told = holmgang("puzzles", "list", str(changed))
    assert re.match(r"Not shown: \d puzzles? of standoff, made from other rules\. Make new", told)


def test_a_league(holmgang):
    holmgang("league", "init", "liga", "./standoff.py")
    holmgang("league", "add", "liga", "random", code=2)  # its game is not given
    holmgang("--games", ".", "league", "add", "liga", "random", "beginner")


def test_a_lesson(holmgang):
    told = holmgang("learn", "./standoff.py", given="q\n")
    assert told.endswith(
        "Play it:   holmgang play ./standoff.py\nThe rules: holmgang rules ./standoff.py\n"
    )
