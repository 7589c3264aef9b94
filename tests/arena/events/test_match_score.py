"""`holmgang match`: pairs of games, what is counted, workers, resuming, and what is printed."""

import json
import re

import pytest
from tests.arena.folders import bot_folder
from tests.arena.results import result
from tests.arena.stage import BOTS, bot, holmgang, interrupted, needs_bubblewrap, refused

from holmgang.arena.counting.results import Results, read_results
from holmgang.arena.events.match_score import MatchScore, PlayerScore
from holmgang.arena.events.schedule import Series
from holmgang.arena.task import GameResult, SeatReport
from holmgang.engine import record
from holmgang.terminal.progress import STARTING


def standing(games=3):
    return MatchScore("bagh", 0, True, (PlayerScore("a"), PlayerScore("b")), games)


def test_games_come_in_pairs_with_seats_exchanged():
    fixtures = Series("a", "b", 5).fixtures()
    assert [(each.red, each.blue) for each in fixtures] == [("a", "b"), ("b", "a")] * 2 + [
        ("a", "b")
    ]
    assert len({each.id for each in fixtures}) == 5
    assert Series("a", "b", 8).fixtures()[:5] == fixtures  # more games leave the first as they are


def test_without_swap_the_first_is_red_and_every_game_has_its_own_chance():
    fixtures = Series("a", "b", 4, swap=False).fixtures()
    assert {(each.red, each.blue) for each in fixtures} == {("a", "b")}
    assert len({each.seed(9) for each in fixtures}) == 4


def test_what_is_counted():
    counted = standing()
    late = SeatReport("timeout", "too late", latencies_ms=[1.0, 60.0], wall_ms=[1.0, 61.0])
    fine = SeatReport(latencies_ms=[2.0], wall_ms=[2.0])
    for number, (winner, red, blue) in enumerate(
        (("blue", late, fine), ("red", fine, fine), (None, fine, fine))
    ):
        game = GameResult("", "bagh", 0, winner, "x", 2, red, blue)
        counted.add(game, is_swapped=number == 1)
    first, second = counted.as_json()["bots"]
    assert (first["wins"], first["losses"], first["draws"], first["timeouts"]) == (0, 2, 1, 1)
    assert (second["wins"], second["losses"], second["draws"], second["timeouts"]) == (2, 0, 1, 0)
    assert first["latency_ms"]["max"] == 60.0
    assert first["answers"] == 4


def test_games_count_in_the_order_of_the_plan_not_in_that_of_their_arrival():
    series, counted = Series("a", "b", 6), []
    for order in (1, -1):
        results = Results()
        results.add(
            result(fixture, "red", record=f"{fixture.id}.jsonl")
            for fixture in series.fixtures()[:5][::order]
        )
        counted.append(standing(6))
        counted[-1].count(series, results)
    assert counted[0] == counted[1]
    assert counted[0].lost == "b--a--0.jsonl"
    assert counted[0].as_json()["missing"] == 1


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
    found = standing(len(endings))
    report = SeatReport(status, "" if status == "ok" else "why")
    for number, (winner, rounds) in enumerate(endings):
        game = GameResult("", "bagh", 0, winner, "hp", rounds, report, report, f"{number}.jsonl")
        found.add(game, is_swapped=number % 2 == 1)
    return found


def test_it_says_when_all_games_are_likely_one():
    mirrored = [("red", 7), ("blue", 7)] * 3
    assert any("count as one" in note for note in counted(mirrored).as_json()["notes"])
    assert counted(mirrored[:4]).notes == []
    assert counted([*mirrored, ("red", 8)]).notes == []
    assert counted(mirrored, status="timeout").notes == []


def test_the_first_game_that_a_lost_is_found():
    assert counted([("red", 7), ("blue", 7)]).lost is None
    assert counted([("red", 7), (None, 7), ("red", 7), ("red", 7)]).lost == "3.jsonl"


# Workers, folders, and Ctrl-C


def without_times(told):
    bots = [
        {name: value for name, value in each.items() if name not in ("latency_ms", "wall_ms")}
        for each in told["bots"]
    ]
    return {**told, "bots": bots}


@pytest.mark.thorough
@pytest.mark.parametrize("pairing", [("random", "random"), ("random", "exploiter")])
def test_the_number_of_workers_changes_nothing(pairing, tmp_path):
    """Not even for a level that learns: it forgets one game before the next."""
    told = []
    for workers in (1, 2):
        command = ("match", "bagh:start_hp=2", *pairing, "--games", 31, "--seed", 5, "--json")
        done = holmgang(*command, "-j", workers, "--records", tmp_path / str(workers))
        told.append(without_times(json.loads(done.stdout)))
        names = [path.rpartition("/")[2] for path in told[-1].pop("records")]
        told[-1]["states"] = [
            [line["state"] for line in record.read(tmp_path / str(workers) / name).rounds]
            for name in names
        ]
    assert told[0] == told[1]
    assert told[0]["games"] == 31


def test_a_match_leaves_nothing_behind_unless_it_is_given_a_folder(tmp_path):
    holmgang("match", "bagh", "random", "random", XDG_DATA_HOME=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_tells_what_there_is_so_far(tmp_path):
    done = interrupted(
        *("match", "bagh", "random", "random", "--games", "30000", "--records", "."),
        when=(tmp_path / "random--random-2--9.jsonl").exists,
        cwd=tmp_path,
    )
    assert "wins  draws  losses" in done.stdout
    assert re.search(r"Stopped after [\d,]+ of 30,000 games\. With --out FOLDER,", done.stderr)


def test_ctrl_c_with_json_tells_what_there_is_so_far(tmp_path):
    done = interrupted(
        *("match", "bagh", "random", "random", "--games", "30000", "--json", "--records", "."),
        when=(tmp_path / "random--random-2--9.jsonl").exists,
        cwd=tmp_path,
    )
    told = json.loads(done.stdout)
    assert told["games"] > 0
    assert told["games"] + told["missing"] == 30_000
    assert sum(told["reasons"].values()) == told["games"]


@pytest.mark.thorough
def test_a_match_in_a_folder_is_resumed_and_comes_out_the_same(tmp_path):
    command = ("match", "bagh", "random", "dice=random", "--games", "600", "--seed", "5", "--json")
    log = tmp_path / "my match" / "results.jsonl"
    done = interrupted(*command, "--out", log.parent, when=lambda: bool(read_results(log)))
    stopped = json.loads(done.stdout)
    assert "Resume with:\n  holmgang match bagh random dice=random" in done.stderr
    assert f"--out '{log.parent}'" in done.stderr
    assert 0 < stopped["games"] == len(read_results(log)) < 600
    told = json.loads(holmgang(*command, "--out", log.parent).stdout)
    assert (told["games"], told["missing"], told["folder"]) == (600, 0, str(log.parent))
    assert len(told["records"]) == 600
    assert record.replay(told["records"][-1]).outcome is not None
    at_once = json.loads(holmgang(*command, "--out", tmp_path / "again").stdout)
    kept = ("games", "rounds", "reasons", "notes")
    assert [told[key] for key in kept] == [at_once[key] for key in kept]
    assert without_times(told)["bots"] == without_times(at_once)["bots"]
    more = json.loads(holmgang(*command, "--out", log.parent, "--games", "603").stdout)
    assert more["games"] == 603
    again = json.loads(holmgang(*command, "--out", log.parent, "--games", "603").stdout)
    assert again == more  # with the times of all answers
    assert again["bots"][0]["answers"] > 0


def test_a_folder_of_another_match_is_refused(tmp_path):
    command = ("match", "bagh", "random", "random", "--games", "2", "--out", tmp_path / "cup")
    holmgang(*command, "--seed", "0")
    assert "swap was True and is now False" in holmgang(*command, "--no-swap", code=2).stderr
    assert "seed was 0 and is now 1" in holmgang(*command, "--seed", "1", code=2).stderr
    said = holmgang(*command, "--records", tmp_path, code=2).stderr
    assert "--out already keeps the records" in said


def test_a_damaged_line_of_the_log_is_told_and_its_game_played_again(tmp_path):
    command = ("match", "bagh", "random", "dice=random", "--games", "6", "--out", tmp_path)
    whole = json.loads(holmgang(*command, "--json").stdout)
    lines = (tmp_path / "results.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_bytes(b"".join([lines[0], b"?\n", *lines[2:]]))
    told = json.loads(holmgang(*command, "--json").stdout)
    assert told["games"] == 6
    assert told["rounds"] == whole["rounds"]
    assert "results.jsonl, line 2: JSON is malformed" in told["notes"][0]
    assert "Note: A line of the log is damaged" in holmgang(*command).stdout


def test_for_people():
    done = holmgang("match", "bagh", bot("player", "illegal"), "random", "--games", "2", "--trust")
    assert "A  " in done.stdout
    assert "100.00 %" in done.stdout
    assert "'surrender' is not a choice" in done.stdout
    assert "ended by: invalid 2" in done.stdout


def test_a_first_game_that_takes_its_time_is_told_of_and_why():
    done = holmgang("match", "bagh", "sleep 60", "random", "--games", "1", "--trust")
    assert done.stderr == f"0 of 1 games  {STARTING}\n"
    assert "no answer within 5000 ms; is every line flushed?" in done.stdout


def test_json_where_codingames_protocol_is_spoken():
    done = holmgang("match", "fencing", bot("player"), "random", "--games", "2", "--trust")
    assert "ended by: crash 2" in done.stdout
    assert "if the bot speaks JSON, write json: before it" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("bagh", "random", "rndom"), "unknown player 'rndom'"),
        (("bahg", "random", "random"), "did you mean bagh?"),
        (("bagh", "random", "no-such-bot --fast"), "no program 'no-such-bot'"),
        (("bagh", "random", str(BOTS / "player.py")), "name its interpreter, such as 'python3 "),
        (("bagh", "random", "random", "--hard-ms", "10"), "--hard-ms"),
        (("bagh", "codingame:true x", "random"), "for fencing"),
    ],
)
def test_refusals(arguments, told):
    assert told in refused("match", *arguments)


def test_records_are_not_overwritten(tmp_path):
    arguments = ("bagh", "random", "random", "--games", "2", "--seed", "1", "--records", tmp_path)
    holmgang("match", *arguments)
    assert "already exists" in holmgang("match", *arguments, code=2).stderr


@needs_bubblewrap
def test_fencing_as_it_was_published():
    told = json.loads(
        holmgang(
            "match", "fencing", bot("fencer", "PARRY"), "random", "--games", "2", "--json"
        ).stdout
    )
    assert told["bots"][0]["invalid"] == 0
    assert told["bots"][0]["answers"] > 0
