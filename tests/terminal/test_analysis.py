"""`holmgang analyse` as people and programs call it."""

import json
import os
import re

import pytest
from tests import forked
from tests.analysis.duels import CITY_DUEL, SMALL, random_duel
from tests.patience import PATIENCE

from holmgang.analysis.analyse import analyse
from holmgang.engine import record as records
from holmgang.engine.duel import Duel
from holmgang.games.ruleset import load
from holmgang.solver.tables import MOST_BY_THE_WAY, build_table

SEATS = {"red": {"name": "Ann"}, "blue": {"name": "Bob \x1b[31m"}}


@pytest.fixture(scope="module")
def saved(tables, tmp_path_factory):
    for text in (SMALL, CITY_DUEL):
        build_table(load(text), most_states=MOST_BY_THE_WAY)
    folder = tmp_path_factory.mktemp("records")
    return [
        records.save(random_duel(SMALL, seed), folder / f"{seed}.jsonl", SEATS)
        for seed in (7, 8, 9)
    ]


def holmgang(*arguments):
    return forked.run(
        ["analyse", *map(str, arguments)],
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def test_a_table_of_the_rounds(saved):
    analysis = analyse(saved[0])
    done = holmgang(saved[0])
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith("BAGH: Ann (red) against Bob")
    assert "\x1b" not in done.stdout
    assert lines[1].endswith("All values are exact.")
    rows = [line.split() for line in lines if line[:5].strip().isdecimal()]
    assert [int(row[0]) for row in rows] == list(range(1, len(analysis.rounds) + 1))
    (total,) = (line.split()[1:] for line in lines if line.startswith("total"))
    parts = list(analysis.totals.values())[:4]
    shown = [float(each.replace("−", "-")) for each in total]
    assert shown == pytest.approx([50 * each for each in parts], abs=0.06)
    told = " ".join(done.stdout.split())
    for sentence in (*analysis.summary, *(each.sentence for each in analysis.turning_points)):
        assert sentence in told


def test_json_of_each_record(saved):
    done = holmgang(*saved, "--json")
    assert done.returncode == 0
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told == [analyse(path).as_json() for path in saved]


def test_the_tendencies_of_a_player(saved):
    done = holmgang(*saved, "--player", "Ann")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Ann in {SMALL}\n3 duels, ")
    assert "should be" in done.stdout
    told = json.loads(holmgang(*saved, "--player", "Ann", "--json").stdout)
    assert told["duels"] == 3
    assert sum(kind["rounds"] for kind in told["kinds"]) == told["rounds"]


def test_a_page(saved, tmp_path):
    target = tmp_path / "page.html"
    assert holmgang(saved[0], "--html", target).returncode == 0
    assert target.read_text("utf-8").startswith("<!doctype html>")
    assert holmgang(saved[0], "--html", "-").stdout == target.read_text("utf-8")


def test_every_estimated_figure_says_so(tmp_path):
    duel = random_duel("fencing", seed=3, round_limit=5)
    path = records.save(duel, tmp_path / "duel.jsonl")
    done = holmgang(path, "--ms", "100")
    assert done.returncode == 0, done.stderr
    assert "only proven errors are marked" in done.stdout
    assert "Accuracy" not in done.stdout
    table = done.stdout[done.stdout.index("start ") : done.stdout.index("Points of 100")]
    figures = re.findall(r"\S*\d\.\d+", table)
    assert len(figures) > 5
    assert [figure for figure in figures if not figure.startswith("≈")] == ["100.0"]  # the end
    assert not re.search(r"\?[?!]|\?\s", table)
    page = holmgang(path, "--ms", "100", "--html", "-").stdout
    costs = re.findall(r'<td class="number">([^<]*\d\.\d)</td>', page)
    assert len(costs) > 5
    assert [cost for cost in costs if not cost.startswith("≈")] == ["100.0"]
    told = json.loads(holmgang(path, "--ms", "100", "--player", "red", "--json").stdout)
    assert told["accuracy"] is None
    assert not told["exact"]


def test_estimates_are_marked(tmp_path):
    path = records.save(random_duel("magic-duel", 3, round_limit=8), tmp_path / "duel.jsonl")
    done = holmgang(path, "--ms", "300")
    assert done.returncode == 0, done.stderr
    analysis = analyse(path, budget_ms=300)
    assert ("≈" in done.stdout) == (not (analysis.is_exact and analysis.has_exact_errors))


@pytest.mark.parametrize("options", [[], ["--json"], ["--html", "-"], ["--player", "red"]])
def test_a_record_without_rounds(tmp_path, options):
    duel = Duel("fencing", seed=1)
    duel.forfeit("blue")
    path = records.save(duel, tmp_path / "duel.jsonl")
    done = holmgang(path, "--ms", "50", *options)
    assert done.returncode == 0, done.stderr
    assert not options or options[0] == "--player" or "No round was played." in done.stdout
    assert options or "start" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.jsonl"], "cannot read missing.jsonl"),
        (["FIRST", "SECOND", "--html", "x.html"], "--html needs a single record"),
        (["FIRST", "--json", "--html", "x.html"], "--html needs a single record"),
        (["FIRST", "--player", "Eve"], "no record has a player called 'Eve'; the players are Ann"),
        (["BROKEN"], "not JSON"),
        (["FALSE"], "the record has state"),
    ],
)
def test_refusals(saved, tmp_path, arguments, said):
    broken, false = tmp_path / "broken.jsonl", tmp_path / "false.jsonl"
    broken.write_text("{\n", "utf-8")
    header, first, *rest = saved[0].read_text("utf-8").splitlines(keepends=True)
    line = json.dumps({**json.loads(first), "state": "0" * 16})
    false.write_text(f"{header}{line}\n{''.join(rest)}", "utf-8")
    paths = {"FIRST": saved[0], "SECOND": saved[1], "BROKEN": broken, "FALSE": false}
    done = holmgang(*(paths.get(each, each) for each in arguments))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
