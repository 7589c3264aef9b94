"""States outside a table: solved as a game that ends in the table, and proven like it."""

from array import array
from dataclasses import replace

import pytest

from holmgang.analysis.position import Assessor
from holmgang.games.ruleset import load
from holmgang.solver.evaluation import Source
from holmgang.solver.exact import extension
from holmgang.solver.exact.extension import extend
from holmgang.solver.exact.solve import solve_table, solve_whole, sweeping
from holmgang.solver.exact.table import KnownStates, tabulate_beyond
from holmgang.solver.exact.tablebase import Tablebase, write
from holmgang.solver.oracle import Oracle
from holmgang.solver.search.dispatch import SearchNeededError, instantly
from holmgang.solver.tables import find_table, table_path

BAGH = "bagh:max_boost=2,heal_limit=4"
DUEL = "defend-the-city-duel:stamina=4,max_score=2,die=3"
LARGER = {
    BAGH: f"{BAGH},start_hp=5",
    DUEL: DUEL.replace("stamina=4", "stamina=6"),
}


@pytest.fixture(scope="module")
def solutions():
    return {text: solve_whole(text) for texts in LARGER.items() for text in texts}


@pytest.fixture
def oracle(request, solutions, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    write(solutions[request.param], table_path(load(request.param)))
    return Oracle(request.param, budget_ms=20, build=False)


def extensions(oracle):
    return find_table(oracle.ruleset).extensions


@pytest.mark.parametrize("oracle", LARGER, indirect=True)
def test_every_state_of_a_larger_game_is_as_that_game_has_it(oracle, solutions):
    """Where both have the same rules but for the start."""
    larger = solutions[LARGER[oracle.ruleset.text]]
    outside = 0
    for number, state in reversed(list(larger.table)):
        outside += not find_table(oracle.ruleset).has(state)
        found = oracle.evaluate(state)
        assert found.source is Source.TABLE
        assert found.high >= larger.lows[number]
        assert found.low <= larger.highs[number]
        assert found.is_exact
        assert found.low <= found.value <= found.high
        assert found.decided == pytest.approx(larger.decided[number], abs=1e-4) or found.value == 0
        for mix, seat in ((found.red, 0), (found.blue, 1)):
            assert list(mix) == oracle.ruleset.choices(state, seat)
            assert sum(mix.values()) == pytest.approx(1 if mix else 0)
    assert 0 < outside <= 2
    assert len(extensions(oracle)) == outside


@pytest.mark.parametrize("state", ["6/5/0", "4/7/1", "7/0/0", "0/6/0"])
def test_joined_to_the_table_it_is_as_without_it(state, tmp_path):
    """Also where endless play is lost, not drawn."""
    solution = solve_whole("defend-the-city:soldiers=2,stamina=4,max_score=2")
    ruleset = solution.ruleset
    state = ruleset.parse_state(state)
    with Tablebase(write(solution, tmp_path / "city.table")) as table:
        assert extend(table, state, can_wait=True)
        joined, few = table.evaluate(state), table.extensions[0].count
        table.extensions.clear()
    nothing = KnownStates(array("q"), array("d"), array("d"), array("d"))
    states, _ = tabulate_beyond(ruleset, [state], nothing, mirror=False, most_states=1000)
    alone = solve_table(states, sweeping())
    place = next(number for number, listed in states if listed == state)
    assert few < states.count
    assert joined.value == pytest.approx(alone.values[place], abs=1e-9)
    assert joined.decided == pytest.approx(alone.decided[place], abs=1e-9)
    assert joined.high - joined.low < 1e-8


@pytest.mark.parametrize("oracle", [BAGH], indirect=True)
def test_worths_and_payoffs_of_such_a_state_are_exact_too(oracle):
    state = oracle.ruleset.parse_state("6.0.0.0/5.1.0.0")
    found, assessed = oracle.evaluate(state), Assessor(oracle).assess(state)
    payoffs, (reds, blues) = assessed.payoffs, assessed.solution.against_mixes
    assert max(reds.values()) == pytest.approx(found.value, abs=1e-6)
    assert min(blues.values()) == pytest.approx(found.value, abs=1e-6)
    for red, row in zip(payoffs.reds, payoffs.values, strict=True):
        shares = zip(payoffs.blues, row, strict=True)
        mean = sum(found.blue[blue] * worth for blue, worth in shares)
        assert mean == pytest.approx(reds[red], abs=1e-12)


@pytest.mark.parametrize("oracle", [DUEL], indirect=True)
def test_an_answer_outside_the_table_is_worked_out(oracle, solutions):
    """Both have more stamina left than this game begins with, and red answers."""
    state = oracle.ruleset.parse_state("5.1.0/6.2.1/0")
    assert len(oracle.ruleset.choices(state, 0)) == 2
    assert not find_table(oracle.ruleset).has(state)
    found = oracle.evaluate(state)
    larger = Oracle(LARGER[DUEL], build=False)
    write(solutions[LARGER[DUEL]], table_path(larger.ruleset))
    expected = larger.evaluate(larger.ruleset.parse_state("5.1.0/6.2.1/0"))
    assert (found.is_exact, expected.is_exact) == (True, True)
    assert found.value == pytest.approx(expected.value, abs=1e-8)
    assert found.red == expected.red


@pytest.mark.parametrize("oracle", [BAGH], indirect=True)
def test_a_state_is_solved_once(oracle, monkeypatch):
    solved, solve = [], extension.solve_table
    monkeypatch.setattr(extension, "solve_table", lambda *a: solved.append(a) or solve(*a))
    state = oracle.ruleset.parse_state("7.0.0.0/4.0.0.0")
    assert oracle.evaluate(state) == oracle.evaluate(state)
    oracle.evaluate("6.0.0.0/4.0.0.0")  # it may follow
    assert len(solved) == 1


@pytest.mark.parametrize("oracle", [BAGH], indirect=True)
def test_too_many_states_are_searched_and_not_called_exact(oracle, monkeypatch):
    tried, tabulate = [], extension.tabulate_beyond
    monkeypatch.setattr(extension, "MOST_STATES", 10)
    monkeypatch.setattr(
        extension, "tabulate_beyond", lambda *a, **b: tried.append(a) or tabulate(*a, **b)
    )
    for _ in range(2):
        found = oracle.evaluate("8.0.0.0/8.1.0.0")
        assert (found.source, found.is_exact) == (Source.SEARCH, False)
    assert len(tried) == 1
    assert not extensions(oracle)


@pytest.mark.parametrize("oracle", [BAGH], indirect=True)
def test_nothing_is_compiled_unless_somebody_can_wait(oracle, monkeypatch):
    monkeypatch.setattr(extension.NumberKernels, "is_cached", lambda self, name: False)
    table = find_table(oracle.ruleset)
    state = oracle.ruleset.parse_state("6.0.0.0/5.0.0.0")
    assert not extend(table, state)


@pytest.mark.parametrize("oracle", [BAGH], indirect=True)
def test_nothing_is_solved_where_an_instant_answer_is_needed(oracle):
    with instantly():
        assert oracle.evaluate("3.0.0.0/2.0.0.0").is_exact
        with pytest.raises(SearchNeededError):
            oracle.evaluate("6.0.0.0/5.0.0.0")


def test_an_error_in_the_table_widens_the_bounds(solutions, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    exact = solutions[BAGH]
    wide = replace(
        exact,
        lows=array("d", (low - 4e-8 for low in exact.lows)),
        highs=array("d", (high + 4e-8 for high in exact.highs)),
    )
    write(wide, table_path(exact.ruleset))
    found = Oracle(BAGH, build=False).evaluate("5.0.0.0/3.0.0.0")
    assert found.source is Source.TABLE
    assert 8e-8 < found.high - found.low < 1e-6


@pytest.mark.parametrize("oracle", [BAGH], indirect=True)
def test_extensions_do_not_grow_without_end(oracle, monkeypatch):
    monkeypatch.setattr(extension, "MOST_KEPT", 1)
    for hp in range(5, 9):
        assert oracle.evaluate(f"{hp}.0.0.0/3.0.0.0").source is Source.TABLE
        assert len(extensions(oracle)) == 1
