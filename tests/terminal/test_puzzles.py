"""`holmgang puzzles` as people and programs call it."""

import json
import os

import pytest
from tests import forked
from tests.analysis.puzzles.samples import SAMPLES, fill
from tests.web.running import running_server

from holmgang.analysis.puzzles.positions import of_duel
from holmgang.engine import record
from holmgang.engine.compiled.native import can_compile
from holmgang.engine.duel import Duel
from holmgang.games.ruleset import load
from holmgang.live.played import played_duels
from holmgang.store import Store

SMALL = "bagh:max_boost=1"


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/puzzles.sqlite3"


def holmgang(*arguments, given=""):
    return forked.run(
        ["puzzles", *arguments],
        input=given,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not can_compile(), reason="needs numba: pip install 'holmgang[fast]'")
def test_making_again_adds_what_is_missing(url, tmp_path):
    """Also from records: one that does not replay is named and left out."""
    duel = Duel(load(SMALL), seed=1)
    for red, blue in (("boost", "boost"), ("attack", "heal")):
        duel.choose("red", red)
        duel.choose("blue", blue)
        duel.reveal()
    (tmp_path / "records").mkdir()
    record.save(duel, tmp_path / "records" / "duel.jsonl")
    (tmp_path / "records" / "broken.jsonl").write_text("{}\n")
    records = ("--records", str(tmp_path / "records"))
    made = holmgang("make", SMALL, "--count", "4", "--database", url, *records)
    assert made.returncode == 0, made.stderr
    assert made.stdout == f"{SMALL}: 4 puzzles, 4 of them new\n"
    assert "skipped: " in made.stderr
    assert "broken.jsonl" in made.stderr
    again = holmgang("make", SMALL, "--count", "6", "--database", url, *records, "--json")
    assert json.loads(again.stdout) == {
        "seed": 1,
        "games": [{"ruleset": SMALL, "puzzles": 6, "new": 2}],
    }
    assert again.stderr == ""
    with Store.open(url) as store:
        kept = {row.id: row for row in store.puzzles.find()}
        assert len(kept) == 6
        assert "duel" in {row.source for row in kept.values()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["make", "fencing"], "fencing cannot have puzzles: no exact table exists"),
        (["make", "bagh", "--records", "/no/such/folder"], "there is no folder /no/such/folder"),
        (["make", "bagh", "--count", "0"], "count"),
        (["list", "chess"], "no game 'chess'; there are bagh, "),
        (["solve", "fencing"], "fencing cannot have puzzles: no exact table exists"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_line(url, arguments, message):
    done = holmgang(*arguments, "--database", url)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_list_tells_nothing_of_solutions(url):
    assert holmgang("list", "--database", url).stdout.startswith("There are no puzzles")
    with Store.open(url) as store:
        fill(store)
    listed = holmgang("list", "bagh", "--database", url)
    assert len(listed.stdout.splitlines()) == 5
    puzzles = json.loads(holmgang("list", "--database", url, "--json").stdout)["puzzles"]
    assert {puzzle["id"] for puzzle in puzzles} == set(SAMPLES)
    assert all("solution" not in puzzle for puzzle in puzzles)


def test_solving_in_lines(url, tmp_path, monkeypatch):
    """Mixes come last, and what was solved is not asked again."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with Store.open(url) as store:
        fill(store)
        rows = store.puzzles.find("bagh")
    choices = [row for row in rows if row.kind == "choice"]
    answers = [SAMPLES[row.id].right[0] for row in choices[1:]]
    mix = "nonsense\nboost 30\nattack 43, boost 27, guard 30\n"
    given = "\n".join(["heal", *answers, mix])
    done = holmgang("solve", "bagh", "--database", url, given=given)
    assert done.returncode == 0, done.stderr
    said = done.stdout
    assert f"Puzzle 1 of {len(rows)}, rated {choices[0].rating:.0f}" in said
    assert "You are Red. Two of your 4 choices are right. A tempting one is wrong." in said
    assert "Heal, the tempting choice, costs 11 points of 100." in said
    assert "A mix is choices with percentages: attack 40, guard 60." in said
    assert "The percentages have to sum to 100; these sum to 30." in said
    assert "Blue’s best reply to your mix is" in said
    assert "q quits" in said
    again = holmgang("solve", "bagh", "--database", url, given="q\n")
    assert again.returncode == 0
    assert f"of {len(rows)} puzzles." in again.stdout
    assert again.stdout.count("Puzzle 1 of") == 1
    assert f"Puzzle 1 of {len(rows)}," not in again.stdout


def test_positions_come_from_finished_matches(tmp_path):
    with running_server(tmp_path, has_limits=False) as server:
        grants = [server.open_match(opponent="link", seat="red", wins_needed=1)]
        match = grants[0]["match"]
        with server.program() as program:
            grants.append(program.post(f"/api/matches/{match}/join", json={}).json())
        for grant, choice in zip(grants, ("boost", "guard"), strict=True):
            with server.program(grant["secret"]) as program:
                command = {"id": "1", "type": "choose", "game": 1, "round": 1, "choice": choice}
                program.post(f"/api/matches/{match}/commands", json=command)
        bagh = load("bagh")
        assert list(played_duels(server.store, bagh)) == []  # it goes on
        with server.program(grants[0]["secret"]) as program:
            program.post(f"/api/matches/{match}/commands", json={"id": "f", "type": "forfeit"})
        [duel] = played_duels(server.store, bagh)
        start, after = of_duel(duel)
        assert start == bagh.initial()
        assert after.red.boost == 1
        assert list(played_duels(server.store, load(SMALL))) == []
