"""`holmgang solve` and `holmgang value` as people and programs call them."""

import json
import os
import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from tests import forked
from tests.solver.layered.test_layers import SYMMETRIC
from tests.solver.test_oracle import all_states

from holmgang import assess, solve
from holmgang.games.ruleset import load
from holmgang.solver.checksum import checksum
from holmgang.solver.tables import MOST_BY_THE_WAY, build_table
from holmgang.terminal.value import how_known, value_json

FRESH = {"hp": 3, "boost": 0, "priority": 0, "shield_damage": 0}
SMALL = "bagh:max_boost=1,heal_limit=4"


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A folder that no other test writes to: two cannot solve the same layers at once."""
    return tmp_path_factory.mktemp("value")


def holmgang(tables, *arguments, given=""):
    return forked.run(
        [*arguments],
        input=given,
        env={**os.environ, "HOLMGANG_TABLES": str(tables), "XDG_DATA_HOME": str(tables)},
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
    )


def test_solve_value_and_check(tables):
    solved = json.loads(holmgang(tables, "solve", SMALL, "--json").stdout)
    assert solved["exploitability"] < 1e-6
    assert solved["bytes"] > 0
    checked = holmgang(tables, "solve", "--check", solved["file"])
    assert checked.returncode == 0
    assert checked.stdout.startswith(f"ok: {SMALL}")
    assert checked.stdout.endswith("every state proven again\n")
    told = json.loads(holmgang(tables, "value", SMALL, "3.0.0.0/1.0.0.0", "--json").stdout)
    assert told["exact"] is True
    assert told["value"] > 0.5
    assert sum(told["red"].values()) == pytest.approx(1)
    assert set(told["worth"]["blue"]) == {"boost", "attack", "guard", "heal"}
    shown = holmgang(tables, "value", SMALL).stdout
    assert "value to red +0.000000  exact to" in shown
    assert "attack" in shown
    assert "-0.000000" not in shown


@pytest.mark.parametrize("game", [SMALL, SYMMETRIC])
def test_the_command_prints_what_the_function_returns(tables, tmp_path, game):
    told = json.loads(holmgang(tables, "solve", game, "--json").stdout)
    found = solve(game, out=tmp_path / Path(told["file"]).name)
    assert abs(found.as_json()["bytes"] - told["bytes"]) < 10  # the time it took is in the file
    assert found.as_json() == {
        **told,
        "file": str(found.path),
        "bytes": found.as_json()["bytes"],
        "compute_seconds": found.compute_seconds,
    }
    assert found.path.stat().st_size == found.bytes
    shown = holmgang(tables, "solve", game).stdout
    counted = "reachable states" if game == SMALL else "states (every place at every score and turn"
    assert f"{found.states:,} {counted}" in shown
    assert told["counted"] == ("reachable" if game == SMALL else "all places")
    assert f"value to red from the start: {found.value:+.9f}\n" in shown
    assert f"exploitability <= {found.exploitability:.1e} from the start\n" in shown


def test_a_table_that_could_not_be_solved_well_says_so(tables, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tables))
    build_table(load(SMALL), most_states=MOST_BY_THE_WAY)
    found = assess(SMALL)
    rough = replace(found, evaluation=replace(found.evaluation, low=-1.0, high=0.5))
    assert value_json(rough)["exact"] is False
    assert how_known(rough) == "from a table that is not exact; proven: from -1 to +0.5"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("solve",), "give a game to solve"),
        (("solve", "chess"), "no game 'chess'"),
        (("solve", "--check", "no/such/file"), "cannot read"),
        (("value", SMALL, "nonsense"), "a state as text is"),
        (("value", SMALL, "{nonsense"), "neither JSON nor"),
        (("value", SMALL, "0.0.0.0/3.0.0.0"), "the duel is over"),
        (("value", SMALL, "--stdin", "3.0.0.0/3.0.0.0"), "not both"),
        (("value", SMALL, "--after", "a/x"), "round 1, 'a/x': blue: 'x' is not a choice"),
        (("value", SMALL, "--ms", "0"), "Invalid value for '--ms'"),
        (("solve", "magic-duel", "--most-states", "1000"), "more than 1,000 states"),
        (("solve", "magic-duel", "--most-mib", "5"), "needs more than 5 MiB of memory"),
        (("solve", SMALL, "--out", "/proc/no/such"), "cannot write"),
        (("solve", SMALL, "--out", ""), "it is a folder"),
        (("solve", SYMMETRIC, "--out", "/proc/no/such"), "cannot write"),
    ],
)
def test_a_refusal_is_a_line_and_exit_code_2(tables, arguments, said):
    run = holmgang(tables, *arguments)
    assert run.returncode == 2
    assert said in run.stderr
    assert "Traceback" not in run.stderr


def test_many_states_are_answered_line_by_line(tables):
    lines = [
        json.dumps(dict.fromkeys(("red", "blue"), FRESH)),
        '"3.0.0.0/1.0.0.0"',
        "3.0.0.0/1.0.0.0",
        "nonsense",
        "{",
        "",
        "0.0.0.0/3.0.0.0",
        '"',
        "\udcff",  # a byte that is no text
    ]
    run = holmgang(tables, "value", SMALL, "--stdin", given="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 0
    assert answers[0]["value"] == 0
    assert answers[1] == answers[2]
    assert answers[1]["win"] - answers[1]["loss"] == pytest.approx(answers[1]["value"])
    assert [list(answer) for answer in answers[3:]] == [["error"]] * 6


def test_a_state_outside_the_table_is_solved(tables):
    """More stamina than anybody has: the same as in the ruleset that starts with it."""
    game = "defend-the-city-duel:stamina=4,max_score=2,die=3"
    larger = game.replace("stamina=4", "stamina=6")
    told, expected = (
        json.loads(holmgang(tables, "value", text, "6/5/0", "--json").stdout)
        for text in (game, larger)
    )
    assert (told["exact"], told["depth"]) == (True, 0)
    assert told["value"] == pytest.approx(expected["value"], abs=1e-8)
    assert abs(told["value"]) > 0.01


def test_the_rounds_since_are_played(tables):
    after, there = (
        json.loads(holmgang(tables, "value", SMALL, *given, "--json").stdout)
        for given in (("--after", "a/h"), ("3.0.0.0/2.0.0.0",))
    )
    assert after == there


@pytest.mark.parametrize("game", ["fencing", "magic-duel"])
def test_what_has_no_table_is_searched(tables, game):
    told = json.loads(holmgang(tables, "value", game, "--ms", "50", "--json").stdout)
    assert told["depth"] >= 1
    assert -1 <= told["low"] <= told["value"] <= told["high"] <= 1
    assert told["exact"] is (game == "magic-duel")  # docs/magic-duel-value.md
    assert told["worths_exact"] is False
    if game == "magic-duel":
        assert (told["win"], told["draw"], told["loss"]) == (0, 1, 0)
    else:
        assert told["win"] is told["draw"] is told["loss"] is None
    shown = holmgang(tables, "value", game, "--ms", "50").stdout
    value, *worths = re.findall(r"\S*\d\.\d{6}", shown)
    assert worths
    assert all(worth.startswith("≈") for worth in worths)
    assert value.startswith("≈") is (game == "fencing")
    assert ("a draw 100.0%" in shown) is (game == "magic-duel")
    assert ("red wins" in shown) is (game == "magic-duel")


def test_a_game_with_a_clock_is_solved_by_layers(tables):
    text = SYMMETRIC
    solved = json.loads(holmgang(tables, "solve", text, "--json").stdout)
    assert solved["value"] == pytest.approx(0, abs=1e-9)
    assert solved["exploitability"] < 1e-6
    assert holmgang(tables, "solve", "--check", solved["file"]).returncode == 0
    told = json.loads(holmgang(tables, "value", text, "--json").stdout)
    assert told["exact"] is True
    assert told["depth"] == 0
    assert 0 < told["draw"] < 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("value", SMALL, "--json"), '"exact": true'),
        (("simulate", SMALL, "--red", "perfect", "--games", "3", "--json"), '"games":'),
        (("play", SMALL, "--vs", "perfect", "--plain"), "BAGH"),
    ],
)
def test_a_damaged_table_is_rebuilt_and_reported_on_one_line(tmp_path, arguments, expected):
    assert holmgang(tmp_path, "solve", SMALL).returncode == 0
    (table,) = tmp_path.glob("*.table")
    content = bytearray(table.read_bytes())
    content[-1000] ^= 1
    table.write_bytes(content)
    run = holmgang(tmp_path, *arguments)
    assert run.returncode == 0
    assert run.stderr.count(f"{table} is damaged") == 1
    assert expected in run.stdout
    assert "is damaged" not in run.stdout


def rewritten(path, alter):
    """The file altered, with a checksum as if that were right."""
    first, body = path.read_bytes().split(b"\n", 1)
    header, body = json.loads(first), bytearray(body)
    alter(header, body)
    header["checksum"] = checksum(header, body)
    path.write_bytes(json.dumps(header).encode().ljust(len(first)) + b"\n" + body)


def boost_whatever_happens(header, body):
    count = header["stored_states"]
    for state in range(count):
        struct.pack_into("<4d", body, 8 * (2 * count + 4 * state), 1, 0, 0, 0)


def raise_a_draw_chance(header, body):
    at = 8 * (header["stored_states"] + 5)
    struct.pack_into("<d", body, at, struct.unpack_from("<d", body, at)[0] - 0.01)


def claim_more(header, body):
    header["exploitability"] = 0.0


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (boost_whatever_happens, "has bounds that are off by"),
        (raise_a_draw_chance, "has chances that are off by 1.0e-02 from those of its mixes"),
        (claim_more, "claims exploitability 0.0e+00"),
    ],
)
def test_a_table_that_claims_what_is_not_proven_is_found_out(tables, tmp_path, alter, said):
    out = tmp_path / "bent.table"
    solved = json.loads(holmgang(tables, "solve", SMALL, "--out", str(out), "--json").stdout)
    assert solved["file"] == str(out)
    rewritten(out, alter)
    checked = holmgang(tables, "solve", "--check", str(out))
    assert checked.returncode == 1
    assert said in checked.stderr
    assert checked.stderr.count("\n") == 1
    assert not checked.stdout


def test_layers_that_claim_what_is_not_proven_are_found_out(tables, tmp_path):
    out = tmp_path / "bent.layers"
    holmgang(tables, "solve", SYMMETRIC, "--out", str(out))
    rewritten(out, lambda header, _: header["start"].update(value=0.1))
    checked = holmgang(tables, "solve", "--check", str(out))
    assert checked.returncode == 1
    assert "start in its header is" in checked.stderr


def test_worths_are_those_of_an_analysis(tables, monkeypatch):
    """Also where a side has several optimal mixes: a choice costs the least that it can."""
    monkeypatch.setenv("HOLMGANG_TABLES", str(tables))
    build_table(load(SMALL), most_states=MOST_BY_THE_WAY)
    states = [load(SMALL).format_text(state) for state in all_states(load(SMALL))[::7]]
    told = holmgang(tables, "value", SMALL, "--stdin", given="\n".join(states)).stdout
    for state, line in zip(states, map(json.loads, told.splitlines()), strict=True):
        found = assess(SMALL, state).as_json()
        for seat in ("red", "blue"):
            assert line["worth"][seat] == found["worth"][seat]
            assert line[seat] == found[f"{seat}_mix"]
        assert line["value"] == found["value"]


def test_no_choice_of_a_searched_state_is_worth_more_than_its_value(tables):
    told = json.loads(holmgang(tables, "value", "fencing", "--ms", "200", "--json").stdout)
    assert told["exact"] is False
    assert max(told["worth"]["red"].values()) == pytest.approx(told["value"], abs=1e-9)
    assert min(told["worth"]["blue"].values()) == pytest.approx(told["value"], abs=1e-9)
