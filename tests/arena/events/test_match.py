"""`holmgang match`: pairs of games, what is counted, and what is printed."""

import json
import re
import signal
import subprocess
import sys
import time

import pytest
from tests.arena.folders import bot_folder
from tests.arena.stage import BOTS, bot, holmgang, needs_bubblewrap

from holmgang.arena.events.match import Standing, Tally, match_tasks, percentiles
from holmgang.arena.task import GameResult, SeatReport
from holmgang.engine import record


def test_seats_are_exchanged_and_every_game_has_a_seed_of_its_own():
    tasks = match_tasks("bagh", "a", "b", 5, seed=9)
    assert [(task.red, task.blue) for task in tasks] == [("a", "b"), ("b", "a")] * 2 + [("a", "b")]
    assert len({task.seed for task in tasks}) == len({task.id for task in tasks}) == 5
    assert tasks == match_tasks("bagh", "a", "b", 5, seed=9)
    assert tasks[0].seed not in {task.seed for task in match_tasks("bagh", "a", "b", 5)}


def test_without_swap_the_first_is_red():
    tasks = match_tasks("bagh", "a", "b", 4, swap=False)
    assert {(task.red, task.blue) for task in tasks} == {("a", "b")}
    assert len({task.seed for task in tasks}) == 4


def test_what_is_counted():
    standing = Standing("bagh", 0, True, (Tally("a"), Tally("b")))
    late = SeatReport("timeout", "too late", (1.0, 60.0), (1.0, 61.0))
    fine = SeatReport("ok", "", (2.0,), (2.0,))
    for winner, red, blue in (("blue", late, fine), ("red", fine, fine), (None, fine, fine)):
        standing.add(GameResult("", "bagh", 0, winner, "x", 2, red, blue))
    first, second = standing.as_json()["bots"]
    assert (first["wins"], first["losses"], first["draws"], first["timeouts"]) == (0, 2, 1, 1)
    assert (second["wins"], second["losses"], second["draws"], second["timeouts"]) == (2, 0, 1, 0)
    assert first["latency_ms"]["max"] == 60.0
    assert first["answers"] == 4


def test_percentiles():
    assert percentiles([]) == {"p50": None, "p90": None, "p99": None, "max": None}
    hundred = percentiles(map(float, range(100)))
    assert hundred == {"p50": 50.0, "p90": 90.0, "p99": 99.0, "max": 99.0}


@needs_bubblewrap
def test_json(tmp_path):
    command = bot("player")
    done = holmgang(
        *("match", "bagh", command, "random", "--games", "4", "--json"),
        *("--seed", "3", "--records", str(tmp_path / "records")),
    )
    told = json.loads(done.stdout)
    assert done.stderr == ""
    assert (told["games"], told["swap"], told["seed"], told["ruleset"]) == (4, True, 3, "bagh")
    first, second = told["bots"]
    assert (first["name"], second["name"]) == (command, "random")
    assert first["wins"] == second["losses"]
    assert first["wins"] + first["losses"] + first["draws"] == 4
    for key in ("timeouts", "invalid", "crashes"):
        assert first[key] == 0
    assert set(first["latency_ms"]) == {"p50", "p90", "p99", "max"}
    assert len(told["records"]) == 4
    headers = [record.read(path).header for path in told["records"]]
    assert [header["seats"]["red"]["player"] for header in headers] == [command, "random"] * 2
    for path in told["records"]:
        assert record.replay(path).outcome is not None


@needs_bubblewrap
def test_bots_have_the_names_that_were_given(tmp_path):
    folder = bot_folder(tmp_path / "ann", "attack")
    records = tmp_path / "records"
    told = json.loads(
        holmgang(
            *("match", "bagh", f"new={folder}", str(folder), "--games", "2"),
            *("--json", "--records", str(records)),
        ).stdout
    )
    assert [each["name"] for each in told["bots"]] == ["new", str(folder)]
    seats = [record.read(path).header["seats"] for path in told["records"]]
    names = [(each["red"]["name"], each["blue"]["name"]) for each in seats]
    assert names == [("new", "ann"), ("ann", "new")]


def counted(endings, status="ok"):
    standing = Standing("bagh", 0, True, (Tally("a"), Tally("b")))
    report = SeatReport(status, "" if status == "ok" else "why")
    for number, (winner, rounds) in enumerate(endings):
        standing.add(
            GameResult("", "bagh", 0, winner, "hp", rounds, report, report, f"{number}.jsonl")
        )
    return standing


def test_it_says_when_all_games_are_likely_one():
    mirrored = [("red", 7), ("blue", 7)] * 3
    assert any("count for one" in note for note in counted(mirrored).as_json()["notes"])
    assert counted(mirrored[:4]).notes == []
    assert counted([*mirrored, ("red", 8)]).notes == []
    assert counted(mirrored, status="timeout").notes == []


def test_the_first_game_that_a_lost_is_found():
    assert counted([("red", 7), ("blue", 7)]).lost is None
    assert counted([("red", 7), (None, 7), ("red", 7), ("red", 7)]).lost == "3.jsonl"


def test_ctrl_c_tells_what_there_is_so_far(tmp_path):
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "holmgang",
            "match",
            "bagh",
            "random",
            "random",
            "--games",
            "30000",
            "--seed",
            "0",
            "--records",
            ".",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as running:
        until = time.monotonic() + 60
        while not (tmp_path / "bagh-seed0-9.jsonl").exists():
            assert time.monotonic() < until
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        shown, said = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "wins  draws  losses" in shown
    assert re.search(r"Stopped after \d+ of 30,000 games\.", said)
    assert "Traceback" not in said


def test_for_people():
    done = holmgang("match", "bagh", bot("player", "illegal"), "random", "--games", "2", "--trust")
    assert "A  " in done.stdout
    assert "100.00 %" in done.stdout
    assert "'surrender' is not a choice" in done.stdout
    assert "ended by: invalid 2" in done.stdout


def test_a_first_game_that_takes_its_time_is_told_of_and_why():
    done = holmgang("match", "bagh", "sleep 60", "random", "--games", "1", "--trust")
    assert done.stderr == "0 of 1 games  A 0, B 0, drawn 0\n"
    assert "no answer within 5000 ms; is every line flushed?" in done.stdout


def test_json_where_codingames_protocol_is_spoken():
    done = holmgang("match", "fencing", bot("player"), "random", "--games", "2", "--trust")
    assert "ended by: crash 2" in done.stdout
    assert "if the bot speaks JSON, write json: before it" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("bagh", "random", "rndom"), "no level 'rndom'"),
        (("bahg", "random", "random"), "did you mean bagh?"),
        (("bagh", "random", "no-such-bot --fast"), "no program 'no-such-bot'"),
        (("bagh", "random", str(BOTS / "player.py")), "name what runs it, such as 'python3 "),
        (("bagh", "random", "random", "--hard-ms", "10"), "--hard-ms"),
        (("bagh", "codingame:true x", "random"), "for fencing"),
    ],
)
def test_refusals(arguments, told):
    assert told in holmgang("match", *arguments, code=2).stderr


def test_records_are_not_overwritten(tmp_path):
    arguments = ("bagh", "random", "random", "--games", "2", "--seed", "1", "--records", tmp_path)
    holmgang("match", *arguments)
    assert "is there already" in holmgang("match", *arguments, code=2).stderr


@needs_bubblewrap
def test_fencing_as_it_was_published():
    told = json.loads(
        holmgang(
            "match", "fencing", bot("fencer", "PARRY"), "random", "--games", "2", "--json"
        ).stdout
    )
    assert told["bots"][0]["invalid"] == 0
    assert told["bots"][0]["answers"] > 0
