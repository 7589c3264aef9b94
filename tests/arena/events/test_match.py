"""`holmgang match`: pairs of games, what is counted, and what is printed."""

import json

import pytest
from tests.arena.stage import bot, holmgang, needs_bubblewrap

from holmgang.arena.events.match import Standing, Tally, match_tasks, percentiles
from holmgang.arena.task import GameResult, SeatReport
from holmgang.engine import record


def test_games_come_in_pairs_of_the_same_chance_with_seats_exchanged():
    tasks = match_tasks("bagh", "a", "b", 5, seed=9)
    assert [(task.red, task.blue) for task in tasks] == [("a", "b"), ("b", "a")] * 2 + [("a", "b")]
    seeds = [task.seed for task in tasks]
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3] != seeds[4]
    assert len({task.id for task in tasks}) == 5


def test_without_swap_the_first_is_red_and_every_game_has_its_own_chance():
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


def test_for_people():
    done = holmgang("match", "bagh", bot("player", "illegal"), "random", "--games", "2", "--trust")
    assert "A  " in done.stdout
    assert "100.00 %" in done.stdout
    assert "'surrender' is not a choice" in done.stdout
    assert "ended by: invalid 2" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("bagh", "random", "rndom"), "no level 'rndom'"),
        (("bahg", "random", "random"), "did you mean bagh?"),
        (("bagh", "random", "no-such-bot --fast"), "no program 'no-such-bot'"),
        (("bagh", "random", "random", "--hard-ms", "10"), "--hard-ms"),
        (("bagh", "codingame:true x", "random"), "for fencing"),
    ],
)
def test_refusals(arguments, told):
    assert told in holmgang("match", *arguments, code=2).stderr


def test_records_are_not_overwritten(tmp_path):
    arguments = ("bagh", "random", "random", "--games", "2", "--records", str(tmp_path))
    holmgang("match", *arguments)
    assert "File exists" in holmgang("match", *arguments, code=2).stderr


@needs_bubblewrap
def test_fencing_as_it_was_published():
    told = json.loads(
        holmgang(
            "match", "fencing", bot("fencer", "PARRY"), "random", "--games", "2", "--json"
        ).stdout
    )
    assert told["bots"][0]["invalid"] == 0
    assert told["bots"][0]["answers"] > 0
