"""Skill and luck of duels: the parts add up, no error is negative, perfect play makes none."""

import json
import math
import random
import re
import statistics
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analysis.duels import (
    CITY,
    CITY_DUEL,
    SMALL,
    TURNS,
    check,
    lost_to_mixes,
    mixed_duel,
    random_duel,
)
from tests.solver.layered.test_layers import SYMMETRIC

import holmgang
from holmgang.analysis.analyse import analyse
from holmgang.analysis.grade import grade_round, mark_of
from holmgang.analysis.matrix_game import MatrixGame, Values
from holmgang.analysis.points import cost_text
from holmgang.engine import record as records
from holmgang.engine.duel import Duel
from holmgang.errors import RecordError, ReplayError, StateError
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import load
from holmgang.solver.matrix import solve_matrix
from holmgang.solver.oracle import oracle_of
from holmgang.solver.tables import find_table, solve

TABLED = (SMALL, CITY, CITY_DUEL)
TOP = {
    "ruleset": str, "title": str, "players": dict, "exact": bool, "errors_exact": bool,
    "source": str, "depth": int,
    "start_value": float, "end_value": float, "result": float, "reason": str, "accuracy": dict,
    "summary": list, "turning_points": list, "rounds": list, "totals": dict,
}  # fmt: skip
ROUND = {
    "round", "red", "blue", "value_before", "value_after", "red_error", "blue_error",
    "meeting_luck", "dice_luck", "red_mix", "blue_mix", "worth", "red_mark", "blue_mark", "win",
    "draw", "loss", "exact", "errors_exact", "worths_exact", "depth",
}  # fmt: skip


# What is always true


@settings(max_examples=60)
@given(st.sampled_from(TABLED), st.integers(0, 2**32))
def test_parts_add_up_and_no_error_is_negative(solved, ruleset, seed):
    analysis = analyse(random_duel(ruleset, seed))
    check(analysis)
    assert analysis.is_exact
    assert analysis.source.value == "table"


@settings(max_examples=5)
@given(st.integers(0, 2**32))
@pytest.mark.parametrize("ruleset", ["bagh:max_boost=5", TURNS])
def test_the_same_holds_for_estimates(ruleset, seed):
    analysis = analyse(random_duel(ruleset, seed, round_limit=6), budget_ms=200)
    check(analysis)
    assert all(graded.dice_luck == 0 for graded in analysis.rounds if ruleset == TURNS)


@pytest.mark.thorough
def test_the_same_holds_for_layers(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    solve(SYMMETRIC)
    sources = set()
    for seed in range(3):
        analysis = analyse(random_duel(SYMMETRIC, seed))
        check(analysis)
        sources.add(analysis.source.value)
    assert sources == {"layers"}


def test_a_round_without_dice_has_no_luck_of_dice(solved):
    for seed in range(20):
        duel = random_duel(CITY_DUEL, seed)
        for graded, step in zip(analyse(duel).rounds, duel.course.steps, strict=True):
            faces = duel.ruleset.chance(step.before.state, step.red, step.blue)
            assert faces > 1 or graded.dice_luck == 0


def test_a_seat_that_only_watches_makes_no_error_and_meets_nobody(solved):
    answers = 0
    for seed in range(20):
        for graded in analyse(random_duel(CITY_DUEL, seed)).rounds:
            if NO_CHOICE in (graded.red, graded.blue):
                answers += 1
                watching = graded.blue_error if graded.blue == NO_CHOICE else graded.red_error
                assert watching == 0
                assert graded.meeting_luck == pytest.approx(0, abs=1e-12)
    assert answers > 10


# Perfect and random play


@pytest.mark.thorough
def test_perfect_play_makes_no_error(solved):
    for seed in range(25):
        analysis = analyse(mixed_duel(SMALL, seed, "red", "blue"))
        errors = [error for each in analysis.rounds for error in (each.red_error, each.blue_error)]
        assert max(errors, default=0.0) <= 1e-8
        assert analysis.turning_points == []
        assert analysis.accuracy(0) == pytest.approx(100, abs=1e-4)


@pytest.mark.thorough
def test_random_play_loses_to_perfect_mixes_what_its_value_against_them_says(solved):
    """Its errors are what it would lose to any optimal mix; the rest is luck of the match-up."""
    ruleset, games = load(SMALL), 200
    analyses = [analyse(mixed_duel(SMALL, seed, "red")) for seed in range(games)]
    lost = [lost_to_mixes(analysis, BLUE) for analysis in analyses]
    implied = value_against_perfect(ruleset)
    near = 3.5 * statistics.stdev(lost) / math.sqrt(games)
    assert statistics.mean(lost) == pytest.approx(implied - analyses[0].start_value, abs=near)
    errors = [analysis.totals["blue_error"] for analysis in analyses]
    assert all(error <= loss + 1e-9 for error, loss in zip(errors, lost, strict=True))
    luck = [
        each.totals["meeting_luck"] + each.totals["dice_luck"] + error - loss
        for each, error, loss in zip(analyses, errors, lost, strict=True)
    ]
    assert abs(statistics.mean(luck)) <= 3.5 * statistics.stdev(luck) / math.sqrt(games)
    assert near < 0.2 < implied


def value_against_perfect(ruleset):
    """What red's mixes of the table are worth against uniform choices, by iterating the value."""
    oracle, initial = oracle_of(ruleset, build=False), ruleset.initial()
    follows, left = {}, [initial]
    while left:
        state = left.pop()
        if state in follows or ruleset.utility(state) is not None:
            continue
        chances = {}
        blues = ruleset.choices(state, 1)
        for red, share in oracle.evaluate(state).red.items():
            for blue in blues:
                throws = ruleset.throws(state, red, blue)
                faces = sum(weight for _, weight in throws)
                for face, weight in throws:
                    after = ruleset.resolve_unchecked(state, red, blue, face)
                    chance = share / len(blues) * weight / faces
                    chances[after] = chances.get(after, 0.0) + chance
                    if chance > 0:
                        left.append(after)
        follows[state] = chances
    values = dict.fromkeys(follows, 0.0)
    for _ in range(400):
        change = 0.0
        for state, chances in follows.items():
            value = sum(
                chance * (values[after] if after in values else ruleset.utility(after) or 0.0)
                for after, chance in chances.items()
                if chance > 0
            )
            change = max(change, abs(value - values[state]))
            values[state] = value
        if change < 1e-10:
            break
    return values[initial]


@pytest.mark.parametrize("ruleset", TABLED)
def test_the_size_of_an_error_does_not_depend_on_which_optimal_mix_is_stored(solved, ruleset):
    """Solved with the choices in reverse, a state can have other mixes. What a choice loses to them
    may differ; its cost may not.
    """
    oracle, table = oracle_of(ruleset, build=False), find_table(load(ruleset))
    values, rng, differing = Values(oracle, {}), random.Random(1), 0
    for _ in range(150):
        state = table.state(rng.randrange(table.count))
        stored = oracle.evaluate(state)
        if not (stored.red and stored.blue):
            continue
        game = MatrixGame(values, state, stored)
        reds, blues, entries = game.payoffs()
        other = solve_matrix([row[::-1] for row in entries[::-1]])
        red = dict(zip(reds[::-1], other.row_mix, strict=True))
        blue = dict(zip(blues[::-1], other.column_mix, strict=True))
        one = game.solve()
        two = MatrixGame(values, state, replace(stored, red=red, blue=blue)).solve()
        for seat in (RED, BLUE):
            assert two.costs(seat) == pytest.approx(one.costs(seat), abs=1e-4)
            differing += sum(
                abs(one.cost_against_mix(seat, each) - two.cost_against_mix(seat, each)) > 0.01
                for each in one.costs(seat)
            )
    assert differing > 5


# How a duel ends


def test_a_forfeit_is_a_part_of_its_own(solved):
    duel = Duel(SMALL, seed=1)
    duel.choose("red", "attack")
    duel.choose("blue", "boost")
    duel.reveal()
    duel.forfeit("red")
    analysis = analyse(duel)
    assert analysis.result == -1
    assert analysis.ending == pytest.approx(-1 - analysis.end_value)
    assert analysis.summary[1].startswith("The ending by forfeit decided it: it gave Blue ")
    check(analysis)


def test_an_unfinished_duel_has_no_result(solved):
    duel = Duel(SMALL, seed=1)
    duel.choose("red", "attack")
    duel.choose("blue", "boost")
    duel.reveal()
    told = analyse(duel).as_json()
    assert told["result"] is None
    assert told["totals"]["ending"] == 0
    assert told["end_value"] == told["rounds"][-1]["value_after"]
    duel.abandon()
    assert analyse(duel).as_json() == {**told, "reason": "abandoned"}


def test_the_limit_of_rounds_is_a_draw(solved):
    analysis = analyse(random_duel(SMALL, seed=3, round_limit=1))
    assert analysis.result == 0
    assert analysis.ending == -analysis.end_value
    check(analysis)


def test_a_duel_without_rounds(solved):
    told = analyse(Duel(SMALL, seed=1)).as_json()
    assert told["rounds"] == []
    assert told["start_value"] == told["end_value"]
    assert told["accuracy"] == {"red": 100.0, "blue": 100.0}
    assert told["summary"] == ["No round was played."]


# What is told


def test_the_shape_of_the_json(solved):
    told = json.loads(json.dumps(analyse(random_duel(SMALL, seed=8)).as_json()))
    assert {name: type(value) for name, value in told.items()} == TOP
    assert len(told["summary"]) == 3
    assert set(told["totals"]) == {
        "red_error",
        "blue_error",
        "meeting_luck",
        "dice_luck",
        "ending",
    }
    for number, played in enumerate(told["rounds"], start=1):
        assert set(played) == ROUND
        assert played["round"] == number
        assert sum(played["red_mix"].values()) == pytest.approx(1)
        assert played["win"] + played["draw"] + played["loss"] == pytest.approx(1)
        worth = played["worth"]["red"][played["red"]]
        assert played["value_before"] - worth == pytest.approx(played["red_error"])
        worth = played["worth"]["blue"][played["blue"]]
        assert worth - played["value_before"] == pytest.approx(played["blue_error"])


def test_errors_are_marked_and_told_by_what_happens(solved):
    duel = Duel(SMALL, seed=1, start="2.0.0.1/2.0.0.0")
    duel.choose("red", "attack")
    duel.choose("blue", "heal")
    duel.reveal()
    analysis = analyse(duel, players={"red": "Ann", "blue": "Bess"})
    (point,) = analysis.turning_points
    assert (point.round, point.seat) == (1, "blue")
    assert point.mark == mark_of(point.cost)
    assert point.cost == pytest.approx(analysis.rounds[0].blue_error)
    assert point.sentence.startswith("round 1: Bess’ heal ")
    assert point.why == "against attack, Blue's heal is lost and Blue falls from 2 to 1 hp"
    assert f" cost {cost_text(point.cost)}: {point.why}. Better: {point.better}" in point.sentence
    cost = cost_text(point.cost)
    assert analysis.summary == [
        f"Ann played better: Bess lost {cost} by errors, Ann lost nothing.",
        f"The largest error was in round 1: {point.text}.",
        f"Next time, Bess: {point.better} instead of heal (round 1).",
    ]


def test_marks():
    errors = [0.0, 0.0899, 0.0901, 0.1899, 0.1901, 0.2899, 0.2901, 2.0]
    assert [mark_of(error) for error in errors] == [
        *(None, None), *("?!", "?!"), *("?", "?"), *("??", "??"),
    ]  # fmt: skip


@given(st.floats(0, 2))
def test_marks_agree_with_the_printed_points(error):
    printed = re.match(r"(under )?(\d+)", cost_text(error))
    points = 0 if printed[1] else int(printed[2])
    marks = [mark for least, mark in ((15, "??"), (10, "?"), (5, "?!")) if points >= least]
    assert mark_of(error) == (marks[0] if marks else None)


def test_estimates_say_that_they_are(solved):
    duel = random_duel("bagh:max_boost=5", seed=5, round_limit=3)
    analysis = analyse(duel, budget_ms=200)
    told = analysis.as_json()
    assert told["exact"] is False
    assert told["source"] == "search"
    assert told["depth"] >= 1
    assert any(played["win"] is None for played in told["rounds"])
    assert told["summary"][0].startswith("By a search’s estimate, ")
    assert told["accuracy"] == {"red": None, "blue": None}


def test_estimates_accuse_nobody():
    """None is marked, however large an error it looks."""
    largest = 0.0
    for seed in range(3):
        told = analyse(
            random_duel("bagh:max_boost=5", seed, round_limit=6), budget_ms=200
        ).as_json()
        searched = [played for played in told["rounds"] if not played["errors_exact"]]
        assert all(played["red_mark"] is played["blue_mark"] is None for played in searched)
        errors = (max(each["red_error"], each["blue_error"]) for each in searched)
        largest = max(largest, *errors)
    assert largest >= 0.1


def test_advice_from_estimates_says_so_and_names_the_round():
    duel = Duel(load("bagh:max_boost=5"), seed=1)
    for red, blue in (("guard", "boost"), ("heal", "boost"), ("boost", "attack")):
        duel.choose("red", red)
        duel.choose("blue", blue)
        duel.reveal()
    analysis = analyse(duel, budget_ms=200)
    errors = [graded.red_error for graded in analysis.rounds]
    largest = errors.index(max(errors))
    assert mark_of(errors[largest]) is not None
    advice = analysis.summary[2]
    assert re.match(r"Next time, by the estimate, .*?: \w+.* instead of \w+ \(round \d\)", advice)
    assert f"(round {largest + 1})" in advice


def test_an_error_that_bounds_prove_is_marked_without_a_table():
    """In MagicDuel one seat chooses at a time, and the search proves most values."""
    analysis = analyse(random_duel(TURNS, seed=4), budget_ms=400)
    check(analysis)
    told = analysis.as_json()
    (point,) = told["turning_points"]
    played = told["rounds"][point["round"] - 1]
    assert (point["seat"], point["mark"], played["red_mark"]) == ("red", "??", "??")
    assert played["value_before"] - played["value_after"] == pytest.approx(point["cost"]) == 1
    assert played["errors_exact"]
    assert not played["worths_exact"]  # of its other choices
    assert f"in move {point['round']}" in told["summary"][1]  # the seats take turns
    assert told["accuracy"] == {"red": None, "blue": None}


def test_a_single_round_is_graded_as_in_its_duel(solved):
    duel = random_duel(SMALL, seed=12)
    for step, graded in zip(duel.course.steps, analyse(duel).rounds, strict=True):
        alone = grade_round(SMALL, step.before.state, step.red, step.blue, step.after.state)
        for part in ("value_after", "red_error", "blue_error", "meeting_luck", "dice_luck"):
            assert getattr(alone, part) == pytest.approx(getattr(graded, part), abs=1e-7)


def test_choices_that_no_menu_lists_are_graded():
    duel = Duel(TURNS, seed=1)
    duel.choose(duel.waiting_for[0], "heal 777")
    duel.reveal()
    (graded,) = analyse(duel, budget_ms=100).rounds
    assert "heal 777" in graded.as_json()["worth"]["red"]
    assert graded.red_error >= 0


# What is given


def changed(line, key):
    return json.dumps({**json.loads(line), key: "nonsense"})


def test_records_paths_and_duels_give_the_same(solved, tmp_path):
    duel = random_duel(SMALL, seed=8)
    path = records.save(duel, tmp_path / "duel.jsonl", {"red": {"name": "Ann"}})
    from_path = holmgang.analyse(path).as_json()
    assert from_path["players"] == {"red": "Ann", "blue": "Blue"}
    assert holmgang.analyse(str(path)).as_json() == from_path
    assert holmgang.analyse(holmgang.read_record(path)).as_json() == from_path
    unnamed = holmgang.analyse(duel).as_json()
    assert unnamed["players"] == {"red": "Red", "blue": "Blue"}
    assert unnamed["rounds"] == from_path["rounds"]


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (lambda lines: [], RecordError),
        (lambda lines: ["{"], RecordError),
        (lambda lines: [lines[0], lines[2], *lines[3:]], RecordError),
        (lambda lines: [lines[0], changed(lines[1], "state"), *lines[2:]], ReplayError),
        (lambda lines: [lines[0], changed(lines[1], "red"), *lines[2:]], ReplayError),
        (lambda lines: [*lines[:-1], lines[-1].replace("hp", "flood")], ReplayError),
    ],
)
def test_unsound_records_are_refused(solved, tmp_path, damage, error):
    path = records.save(random_duel(SMALL, seed=8), tmp_path / "duel.jsonl")
    lines = damage(path.read_text("utf-8").splitlines())
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with pytest.raises(error):
        analyse(path)


def test_a_position_is_assessed_from_any_form_of_its_state(solved):
    found = holmgang.assess(SMALL, "3.0.0.0/1.0.0.0")
    told = found.as_json()
    assert told == holmgang.assess(SMALL, told["state"]).as_json()
    assert told["exact"] is True
    assert told["matrix"]["red"] == ["boost", "attack", "guard", "heal"]
    for row, red in zip(told["matrix"]["values"], told["matrix"]["red"], strict=True):
        worth = sum(
            share * value for share, value in zip(told["blue_mix"].values(), row, strict=True)
        )
        assert worth <= told["worth"]["red"][red] + 1e-9
    assert min(told["cost"]["red"].values()) == pytest.approx(0, abs=1e-9)
    with pytest.raises(StateError):
        holmgang.assess(SMALL, "3.0.0.0/0.0.0.0")


@pytest.mark.timed
def test_forty_rounds_are_analysed_within_a_second(solved):
    duel = Duel(SMALL, seed=1)
    while len(duel.rounds) < 40:  # both guard and heal, and nobody is hurt
        duel.choose("red", "guard")
        duel.choose("blue", "heal" if len(duel.rounds) % 2 else "guard")
        duel.reveal()
    analyse(duel)
    started = time.process_time()
    analyse(duel)
    assert time.process_time() - started < 1


def test_progress_is_told(solved):
    told = []
    duel = random_duel(SMALL, seed=8)
    analyse(duel, progress=told.append)
    assert told == list(range(1, len(duel.rounds) + 1))


def test_a_start_that_no_table_has_is_searched(solved):
    analysis = analyse(random_duel(SMALL, seed=2, start="2.1.0.0/2.1.9.0"), budget_ms=200)
    check(analysis)
    duel = Duel(SMALL, seed=1, start="3.0.0.0/0.0.0.0")  # over before it begins
    told = analyse(duel).as_json()
    assert (told["result"], told["start_value"], told["exact"]) == (1, 1, True)
