"""Tournaments: plans, folders, resuming, tables; as a library and from the command line."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.arena.folders import bot_folder
from tests.arena.results import played, result, won_by
from tests.arena.stage import holmgang, interrupted, refused
from tests.patience import PATIENCE

from holmgang.arena.counting.results import read_results
from holmgang.arena.counting.standings import standings
from holmgang.arena.events.entrant import parse_entrant
from holmgang.arena.events.executor import PlayedBatch
from holmgang.arena.events.schedule import RoundRobin
from holmgang.arena.events.tournament import FORMATS, ContestPlan, Tournament
from holmgang.arena.fixture import pair, parse_fixture
from holmgang.arena.task import JudgeSettings, SeatReport
from holmgang.engine import record
from holmgang.errors import UsageError
from holmgang.games.ruleset import load

BAGH = load("bagh")
ENTRANTS = tuple(parse_entrant(f"{name}=random", BAGH) for name in ("ann", "bob", "cid", "dan"))
PLAN = ContestPlan("bagh", "round-robin", ENTRANTS, 4, 1, JudgeSettings())


class Instant:
    """Workers that know the results: the bot that is first in the alphabet wins."""

    slots = 1

    def submit(self, tasks):
        from concurrent.futures import Future

        games = []
        for task in tasks:
            fixture = parse_fixture(task.id)
            games.append(result(fixture, "red" if fixture.red < fixture.blue else "blue"))
        future = Future()
        future.set_result(PlayedBatch(games, 1.0))
        return future

    def is_loss(self, error):
        return False

    def renew(self):
        pass

    def close(self):
        pass


def no_workers():
    pytest.fail("there was nothing to play")


# Plans and folders


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_is_played_to_its_end_and_the_best_is_first(format_, tmp_path):
    tournament = Tournament(replace(PLAN, format=format_), tmp_path)
    assert tournament.play(Instant) > 0
    table = tournament.standings()
    assert table.missing == 0
    assert table.rows[0].bot == "ann"
    assert table.games == len(read_results(tmp_path / "results.jsonl"))
    assert Tournament(replace(PLAN, format=format_), tmp_path).play(no_workers) == 0


def test_points_and_rounds_give_the_places_where_a_format_has_them(tmp_path):
    swiss = Tournament(replace(PLAN, format="swiss"), tmp_path / "swiss")
    swiss.play(Instant)
    assert swiss.standings().as_json()["bots"][0]["points"] == 8.0
    knockout = Tournament(replace(PLAN, format="knockout"), tmp_path / "knockout")
    knockout.play(Instant)
    assert [bot["survived"] for bot in knockout.standings().as_json()["bots"]] == [2, 1, 0, 0]


def test_more_games_can_be_asked_for_later(tmp_path):
    Tournament(PLAN, tmp_path).play(Instant)
    more = Tournament(replace(PLAN, games=10), tmp_path)
    assert more.play(Instant) == 6 * 6
    assert more.standings().games == 60
    assert PLAN.hash == more.plan.hash


def test_the_games_of_a_plan_are_always_the_same(tmp_path):
    tasks = [
        Tournament(PLAN, tmp_path / name).task(pair("ann", "bob", 1)[0]) for name in ("one", "two")
    ]
    assert tasks[0].seed == tasks[1].seed
    other = Tournament(replace(PLAN, seed=2), tmp_path / "three").task(pair("ann", "bob", 1)[0])
    assert other.seed != tasks[0].seed


def test_without_a_seed_a_random_one_is_kept_in_the_folder(tmp_path):
    asked = replace(PLAN, seed=None)
    first, again = (Tournament(asked, tmp_path / "one") for _ in range(2))
    assert first.seed == again.seed == first.plan.seed
    assert json.loads((tmp_path / "one" / "tournament.json").read_text())["seed"] == first.seed
    assert Tournament(asked, tmp_path / "two").seed != first.seed
    assert Tournament(replace(PLAN, seed=first.seed), tmp_path / "one").seed == first.seed


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 2}, "seed was 1 and is now 2"),
        ({"games": 2}, "games was 4 and is now 2"),
        ({"format": "swiss"}, "format was round-robin and is now swiss"),
        ({"ruleset": "bagh-advantage"}, "ruleset was bagh and is now bagh-advantage"),
        ({"settings": JudgeSettings(turn_ms=99)}, "turn_ms was 50.0 and is now 99"),
        ({"entrants": ENTRANTS[:3]}, "entrants were ann, bob, cid, dan and are now ann, bob, cid"),
        (
            {"entrants": (*ENTRANTS[:3], ENTRANTS[3]._replace(fingerprint="other"))},
            "the bot dan has changed since",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_another_tournament_in_the_same_folder_is_refused(changes, said, tmp_path):
    Tournament(PLAN, tmp_path)
    with pytest.raises(UsageError, match=said):
        Tournament(replace(PLAN, **changes), tmp_path)
    Tournament(PLAN, tmp_path)  # and the old one is still there


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "lottery"}, "no format 'lottery'; there are round-robin, gauntlet"),
        ({"entrants": ENTRANTS[:1]}, "two bots"),
        ({"games": 3}, "must be even"),
        ({"rounds": 2}, "for the format swiss only"),
        ({"format": "swiss", "rounds": 4}, "without meeting twice"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_plans_that_cannot_be(changes, said):
    with pytest.raises(UsageError, match=said):
        replace(PLAN, **changes)


def test_a_tournament_in_the_folder_of_a_league_is_refused(tmp_path):
    (tmp_path / "league.json").write_text("{}")
    with pytest.raises(UsageError, match="holds a league; choose another --out"):
        Tournament(PLAN, tmp_path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is damaged"),
        (b"null", "is damaged"),
        (b"[]", "is damaged"),
        (b"[" * 100_000, "is damaged"),
        (b"\xff", "is damaged"),
        (b"{}", "holds other games"),
        (b'{"games": "4"}', "holds other games"),
        (b'{"seed": {}}', "holds other games"),
    ],
)
def test_a_damaged_plan_is_refused(content, said, tmp_path):
    (tmp_path / "tournament.json").write_bytes(content)
    with pytest.raises(UsageError, match=said):
        Tournament(PLAN, tmp_path)


def test_a_plan_with_a_number_of_games_that_is_none_is_refused(tmp_path):
    Tournament(PLAN, tmp_path)
    path = tmp_path / "tournament.json"
    path.write_text(path.read_text().replace('"games": 4', '"games": "4"'))
    with pytest.raises(UsageError, match="games was 4 and is now 4"):
        Tournament(PLAN, tmp_path)


def test_results_without_a_plan_are_refused(tmp_path):
    Tournament(PLAN, tmp_path).play(Instant)
    (tmp_path / "tournament.json").unlink()
    with pytest.raises(UsageError, match=r"no tournament\.json"):
        Tournament(PLAN, tmp_path)


# Tables


def table_of(entries, bots=("ann", "bob", "cid")):
    return standings(bots, entries, title="test", ruleset="bagh")


def test_the_table_adds_up():
    results, _ = played(RoundRobin(["ann", "bob", "cid"], 5), lambda each: min(each[:2]))
    table = table_of(results.values())
    assert [row.bot for row in table.rows] == ["ann", "bob", "cid"]
    assert [tuple(row.counts) for row in table.rows] == [(20, 0, 0), (10, 0, 10), (0, 0, 20)]
    assert [share.bot for share in table.support] == ["ann"]
    told = table.as_json()
    assert told["payoffs"]["games"][0] == [0, 10, 10]
    assert told["payoffs"]["scores"][0] == [None, 1.0, 1.0]
    assert json.loads(json.dumps(told)) == told
    rows = list(csv.DictReader(io.StringIO(table.as_csv())))
    assert [row["name"] for row in rows] == ["ann", "bob", "cid"]
    assert float(rows[0]["rating_low"]) < float(rows[0]["rating"]) < float(rows[0]["rating_high"])
    assert table.payoffs_csv().splitlines()[1] == "ann,,1.0,1.0"


def test_misconduct_is_counted_by_kind_and_never_merged():
    kinds = ["timeout", "timeout", "invalid", "crash", "forfeit"]
    entries = [
        replace(
            result(pair("ann", "bob", number)[0], "blue"), red=SeatReport(kind, f"it was {kind}")
        )
        for number, kind in enumerate(kinds)
    ]
    table = table_of(entries, ("ann", "bob"))
    ann = next(row for row in table.as_json()["bots"] if row["name"] == "ann")
    assert [ann[key] for key in ("timeouts", "invalid", "crashes", "forfeits")] == [2, 1, 1, 1]
    assert "ann, last trouble: it was forfeit" in table.notes


def test_it_says_when_groups_cannot_be_compared():
    entries = [won_by(each, each.red) for bots in ("ab", "cd") for each in pair(*bots, 0)]
    table = table_of(entries, tuple("abcd"))
    assert any("No games connect these groups" in note for note in table.notes)
    connected = [*entries, won_by(pair("a", "c", 0)[0], "a")]
    assert not any("connect" in note for note in table_of(connected, tuple("abcd")).notes)


def test_who_has_not_played_is_last_and_has_no_rating():
    entries = [won_by(each, "ann") for each in pair("ann", "cid", 0)]
    table = table_of(entries)
    assert [row.bot for row in table.rows] == ["ann", "cid", "bob"]
    assert table.notes == ["No games yet, so no rating: bob."]


def test_it_says_when_many_games_are_likely_one():
    same = [won_by(each, "ann") for number in range(8) for each in pair("ann", "bob", number)]
    assert any("same result" in note for note in table_of(same).notes)
    various = [replace(each, rounds=number) for number, each in enumerate(same)]
    assert not any("same result" in note for note in table_of(various).notes)


def test_a_table_without_games():
    table = table_of([])
    assert table.games == 0
    assert all(row.score is None for row in table.rows)
    assert table.as_csv().count("\n") == 4


# As people and programs use it


def test_a_tournament_from_the_command_line_and_again(tmp_path):
    attack = bot_folder(tmp_path / "attack", "attack")
    command = ("tournament", "bagh", attack, "random", "--games", 10, "--trust", "--seed", 1)
    command = (*command, "--out", tmp_path / "cup")
    shown = holmgang(*command).stdout
    assert "Round-robin of 2 bots: bagh, 10 games" in shown
    assert "No bot beats this mix on average" in shown
    before = (tmp_path / "cup" / "results.jsonl").read_bytes()
    told = json.loads(holmgang(*command, "--json").stdout)
    assert (tmp_path / "cup" / "results.jsonl").read_bytes() == before
    assert told["games"] == 10
    assert told["bots"][0]["name"] == "attack"
    names = ("index.html", "payoffs.csv", "records", "table.csv", "table.json")
    assert all((tmp_path / "cup" / name).exists() for name in names)
    assert len(list((tmp_path / "cup" / "records").glob("*.jsonl"))) == 10
    more = json.loads(holmgang(*command, "--json", "--games", "14").stdout)
    assert more["games"] == 14


def test_records_call_the_bots_as_the_table_does(tmp_path):
    ann = bot_folder(tmp_path / "ann", "attack")
    command = ("tournament", "bagh", ann, f"bob={ann}", "--games", 2, "--trust", "--workers", 1)
    holmgang(*command, "--out", tmp_path / "cup")
    seats = record.read(tmp_path / "cup" / "records" / "bob--ann--0.jsonl").header["seats"]
    assert (seats["red"]["name"], seats["blue"]["name"]) == ("bob", "ann")


def test_without_a_folder_it_is_kept_among_your_data(tmp_path):
    command = ("tournament", "bagh", "a=random", "b=random", "--games", 2, "--json")
    first = json.loads(holmgang(*command, XDG_DATA_HOME=str(tmp_path)).stdout)
    assert first["folder"].startswith(str(tmp_path / "holmgang" / "tournaments" / "bagh-"))
    assert json.loads(holmgang(*command, XDG_DATA_HOME=str(tmp_path)).stdout) == first
    kept = json.loads((Path(first["folder"]) / "tournament.json").read_text())
    assert kept["seed"] == first["seed"]


def test_ctrl_c_says_how_to_go_on_and_going_on_finishes(tmp_path):
    command = ["tournament", "bagh", "a=random", "b=random", "--games", "1000"]
    command += ["--out", str(tmp_path / "my cup")]
    with subprocess.Popen(
        [sys.executable, "-m", "holmgang", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        until = time.monotonic() + PATIENCE
        while not read_results(tmp_path / "my cup" / "results.jsonl"):
            assert time.monotonic() < until
            time.sleep(0.02)
        os.killpg(running.pid, signal.SIGINT)
        shown, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert f"holmgang {' '.join(command[:-1])} '{command[-1]}'" in said
    assert "to go" in shown.splitlines()[0]
    assert "No bot beats this mix on average" in shown
    assert "Traceback" not in said
    have = len(read_results(tmp_path / "my cup" / "results.jsonl"))
    assert 0 < have < 1000
    assert json.loads(holmgang(*command, "--json").stdout)["games"] == 1000


@pytest.mark.parametrize("verb", ["tournament", "better"])
def test_ctrl_c_with_json_tells_what_there_is_so_far(verb, tmp_path):
    games = {"tournament": ("--games", 100_000), "better": ("--elo1", 0.1)}[verb]
    log = tmp_path / "cup" / "results.jsonl"
    command = (verb, "bagh", "a=random", "b=random", *games, "--json", "--out", log.parent)
    done = interrupted(*command, when=lambda: bool(read_results(log)))
    assert sum(bot["games"] for bot in json.loads(done.stdout)["bots"]) == 2 * len(
        read_results(log)
    )
    assert f"Resume with:\n  holmgang {verb} bagh" in done.stderr


@pytest.mark.thorough
def test_better_from_the_command_line(tmp_path):
    attack, boost = (bot_folder(tmp_path / name, name) for name in ("attack", "boost"))
    command = ("better", "bagh", attack, boost, "--elo1", "100", "--trust", "--workers", 1)
    told = json.loads(holmgang(*command, "--json", "--out", tmp_path / "test").stdout)
    assert told["verdict"] == "better"
    assert told["games"] == 2 * sum(told["pairs"].values())
    assert told["score"] > 0.9
    page = (tmp_path / "test" / "index.html").read_text()
    assert "<h1>Is attack better than boost?</h1>" in page
    assert "attack is better than boost." in page
    assert any("same result" in note for note in told["notes"])  # honest about it
    shown = holmgang(*command, "--out", tmp_path / "test").stdout
    assert "attack is better than boost." in shown
    assert "error rates: alpha 5 %, beta 5 %" in " ".join(shown.split())


def test_better_of_equals(tmp_path):
    command = ("better", "bagh", "new=random", "old=random", "--elo1", "60", "--json", "--seed", 1)
    told = json.loads(holmgang(*command, "--out", tmp_path / "test").stdout)
    assert (told["verdict"], told["seed"]) == ("not better", 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tournament", "bagh", "random"), "two bots"),
        (("tournament", "bagh", "random", "random"), "two bots have the name random"),
        (("tournament", "chess", "a=random", "b=random"), "chess"),
        (("tournament", "bagh", "a=random", "b=random", "--games", "3"), "must be even"),
        (("tournament", "bagh", "a=random", "b=random", "--format", "x"), "no format"),
        (("tournament", "bagh", "a=random", "b=random", "--hard-ms", "9"), "--hard-ms"),
        (("better", "bagh", "a=random", "b=random", "--elo1", "-5"), "elo0 must be less"),
        (("better", "bagh", "a=random", "b=random", "--alpha", "2"), "alpha must be"),
    ],
    ids=lambda value: " ".join(value[-2:]) if isinstance(value, tuple) else "",
)
def test_refusals(arguments, said, tmp_path):
    assert said in refused(*arguments, XDG_DATA_HOME=str(tmp_path))


def test_a_level_with_a_setting_takes_part(tmp_path):
    command = ("tournament", "bagh:start_hp=1", "search:1", "random", "--games", 2)
    told = json.loads(holmgang(*command, "--out", tmp_path / "cup", "--json").stdout)
    assert {bot["name"] for bot in told["bots"]} == {"search-1", "random"}
