"""One oracle of each ruleset in a process, whatever thread asks; its answers are in numbers."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

import holmgang
from holmgang.analysis.position import Assessor, assess
from holmgang.games.contract import NO_CHOICE, RED
from holmgang.games.ruleset import load
from holmgang.players import find_level
from holmgang.solver import background, tables
from holmgang.solver.evaluation import Evaluation, Source
from holmgang.solver.matrix import solve_matrix
from holmgang.solver.oracle import Oracle, oracle_of
from holmgang.solver.tables import build_table, find_table, reject, table_path
from holmgang.terminal.value import value_json

SMALL = "bagh:max_boost=1,heal_limit=4"
CITY = "defend-the-city-duel:stamina=6,max_score=3,die=3"
THREADS = 8


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    return tmp_path


@pytest.fixture
def hasty():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def solutions(monkeypatch):
    """The rulesets that are solved."""
    solved, solve = [], tables.solve_whole
    monkeypatch.setattr(
        tables, "solve_whole", lambda *args, **more: solved.append(args[0]) or solve(*args, **more)
    )
    return solved


def all_states(ruleset):
    states, left = {ruleset.initial()}, [ruleset.initial()]
    while left:
        state = left.pop()
        pairs = product(*(ruleset.choices(state, seat) or [NO_CHOICE] for seat in (0, 1)))
        for red, blue in pairs:
            for face in range(ruleset.chance(state, red, blue)):
                after = ruleset.resolve_unchecked(state, red, blue, face)
                if after not in states and ruleset.utility(after) is None:
                    states.add(after)
                    left.append(after)
    return sorted(states)


def test_all_threads_have_the_same_oracle_and_table(folder, hasty, solutions):
    ruleset = load(SMALL)

    def ask(_):
        build_table(ruleset, most_states=10_000)
        oracle = oracle_of(SMALL)
        return oracle, oracle.evaluate(), find_table(ruleset)

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(ask, range(THREADS)))
    oracle, evaluation, table = answers[0]
    assert solutions == [ruleset]
    assert all(answer[0] is oracle and answer[2] is table for answer in answers)
    assert all(answer[1] == evaluation for answer in answers)
    assert [path.name for path in folder.iterdir()] == [table_path(ruleset).name]


def test_async_callers_have_the_same_oracle(folder):
    build_table(load(SMALL), most_states=10_000)

    async def ask():
        return await asyncio.to_thread(lambda: oracle_of(SMALL).evaluate())

    async def ask_all():
        return await asyncio.gather(*(ask() for _ in range(THREADS)))

    evaluations = asyncio.run(ask_all())
    assert evaluations == [oracle_of(SMALL).evaluate()] * THREADS


def test_many_games_of_perfect_start_one_build(folder, hasty, monkeypatch):
    started = []

    class Started:
        is_running, has_failed, seconds = True, False, 0.0

        def __init__(self, ruleset):
            started.append(ruleset)

    monkeypatch.setattr(background, "BackgroundBuild", Started)
    monkeypatch.setattr(background, "_builds", {})
    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(3):
            list(pool.map(lambda _: oracle_of(SMALL), range(THREADS)))
    assert started == [load(SMALL)]


@pytest.mark.parametrize("level", ["perfect", "exploiter"])
def test_levels_use_the_shared_oracle(folder, level, monkeypatch):
    build_table(load(SMALL), most_states=10_000)
    opened, open_table = [], tables.open_table
    monkeypatch.setattr(
        tables, "open_table", lambda *args: opened.append(args) or open_table(*args)
    )
    for seed in range(3):
        duel = holmgang.Duel(SMALL, seed=seed)
        choice = find_level(level).sit(RED, seed).choose(duel.course)
        assert choice in duel.ruleset.choices(duel.ruleset.initial(), RED)
    assert len(opened) == 1


@pytest.mark.parametrize("text", [SMALL, CITY])
def test_look_ups_of_several_threads_do_not_mix(folder, hasty, text):
    ruleset = load(text)
    build_table(ruleset, most_states=10_000)
    table, states = find_table(ruleset), all_states(ruleset)[:500]
    expected = [table.evaluate(state) for state in states]
    with ThreadPoolExecutor(THREADS) as pool:
        for found in pool.map(lambda _: [table.evaluate(state) for state in states], range(16)):
            assert found == expected


def test_a_table_is_found_when_it_has_been_built_since(folder):
    oracle = oracle_of(SMALL, build=False)
    assert oracle.evaluate(budget_ms=5).source is Source.SEARCH
    build_table(load(SMALL), most_states=10_000)
    assert oracle.evaluate(budget_ms=5).source is Source.TABLE


def test_a_changed_file_is_opened_again(folder):
    path = build_table(load(SMALL), most_states=10_000)
    before = find_table(load(SMALL))
    assert find_table(load(SMALL)) is before
    path.with_suffix(".copy").write_bytes(path.read_bytes())
    path.with_suffix(".copy").replace(path)
    after = find_table(load(SMALL))
    assert after is not before
    reject(after)
    assert find_table(load(SMALL)) is None


@pytest.mark.parametrize("text", [SMALL, CITY])
def test_payoffs_are_the_matrix_game_of_the_state(folder, text):
    build_table(load(text), most_states=10_000)
    oracle = Oracle(text, build=False)
    for state in all_states(oracle.ruleset)[::20]:
        reds, blues, values = Assessor(oracle).assess(state).payoffs
        evaluation = oracle.evaluate(state)
        assert set(evaluation.red or [NO_CHOICE]) == set(reds)
        assert set(evaluation.blue or [NO_CHOICE]) == set(blues)
        assert solve_matrix(values).value == pytest.approx(evaluation.value, abs=1e-7)


def test_the_words_are_those_of_the_command(folder):
    build_table(load(SMALL), most_states=10_000)
    oracle = Oracle(SMALL, build=False)
    state = oracle.ruleset.parse_state("3.0.0.0/1.0.0.0")
    evaluation = oracle.evaluate(state)
    told = evaluation.as_json(oracle.ruleset)
    assert list(told["red"]) == ["boost", "attack", "guard", "heal"]
    assert told["red"]["attack"] == evaluation.red[1]
    shown = value_json(assess(SMALL, state))
    assert shown["worth"]["blue"].keys() == shown["blue"].keys()
    assert shown["worths_exact"] is True
    assert shown["value"] == pytest.approx(told["value"], abs=1e-9)
    assert shown.keys() - told.keys() == {"worth", "worths_exact"}


def test_chances_are_told_only_where_they_are_known():
    evaluation = Evaluation(0.25, -1.0, 1.0, {0: 1.0}, {1: 1.0}, None, Source.SEARCH, 3)
    assert evaluation.win is evaluation.draw is evaluation.loss is None
    known = Evaluation(0.25, 0.25, 0.25, {0: 1.0}, {1: 1.0}, 0.75, Source.TABLE)
    assert (known.win, known.draw, known.loss) == (0.5, 0.25, 0.25)
    seen = known.mirrored()
    assert (seen.value, seen.win, seen.draw, seen.loss) == (-0.25, 0.25, 0.25, 0.5)
    assert (seen.red, seen.blue) == (known.blue, known.red)


def test_proven_bounds_decide_what_is_exact():
    loose = Evaluation(0.5, 0.5 - 1e-5, 0.5, {}, {}, None, Source.TABLE)
    assert not loose.is_exact
    assert Evaluation(0.5, 0.5 - 1e-7, 0.5, {}, {}, None, Source.TABLE).is_exact
