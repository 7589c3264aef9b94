"""Exact solutions: values derived by hand, and best responses that gain nothing."""

import subprocess
import sys

import pytest

from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.solver.exact.certificate import evaluate
from holmgang.solver.exact.solve import solve_whole, sweeping

SMALL = ("bagh:max_boost=2,heal_limit=4", "defend-the-city-duel:stamina=6,max_score=3,die=3")


@pytest.fixture(scope="module", params=SMALL)
def solution(request):
    return solve_whole(request.param)


def test_nobody_gains_by_leaving_it(solution):
    assert solution.exploitability < 1e-8
    assert solution.worst_exploitability < 1e-8


def test_values_are_values(solution):
    assert all(-1 - 1e-9 <= value <= 1 + 1e-9 for value in solution.values)
    assert all(
        abs(value) <= decided + 1e-8
        for value, decided in zip(solution.values, solution.decided, strict=True)
    )


def test_mixes_are_distributions(solution):
    table = solution.table
    for mixes, starts in (
        (solution.red_mixes, table.numbers.red_starts),
        (solution.blue_mixes, table.numbers.blue_starts),
    ):
        for index in range(table.count):
            mix = mixes[starts[index] : starts[index + 1]]
            assert min(mix) >= 0
            assert sum(mix) == pytest.approx(1)


def test_a_symmetric_game_is_worth_nothing_at_its_start(solution):
    ruleset = solution.ruleset
    if ruleset.is_symmetric:
        assert solution.values[solution.table.start] == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # One blow kills, a guard gains nothing but time, healing is interrupted: attacking is
        # never worse than anything else, and attack against attack is a draw.
        ("bagh:start_hp=1,max_boost=0,heal_limit=1", 0.0),
    ],
)
def test_values_derived_by_hand(text, value):
    solution = solve_whole(text)
    assert solution.values[solution.table.start] == pytest.approx(value, abs=1e-8)


def test_interpreted_it_is_the_same():
    text = "bagh:start_hp=1,max_boost=0,heal_limit=1"
    compiled, interpreted = solve_whole(text), solve_whole(text, interpret=True)
    assert list(compiled.values) == pytest.approx(list(interpreted.values), abs=1e-12)


def test_a_winning_side_does_not_put_it_off_for_ever():
    """A spent opponent is beaten for certain, and the mixes really do it: 0/0 would be as good in
    value and would never end.
    """
    solution = solve_whole(SMALL[1])
    ruleset, table = solution.ruleset, solution.table
    state = ruleset.parse_state("-1/6/0")
    index = next(number for number, listed in table if listed == state)
    assert solution.values[index] == pytest.approx(-1)
    assert solution.decided[index] == pytest.approx(1)
    assert solution.blue_mixes[table.numbers.blue_starts[index]] == 0  # the choice 0/0


def test_the_most_choices_that_a_game_has():
    """49 a side: more than 40 once wrote beyond the arrays and ended the process."""
    solution = solve_whole("defend-the-city-duel:stamina=6,max_score=6")
    assert max(solution.table.numbers.reds) == 49
    assert solution.worst_exploitability < 1e-8


def test_the_value_is_that_of_the_mixes_and_within_its_bounds():
    """Also where the bounds are not close to each other: it was once halfway between them."""
    solution = solve_whole("bagh:start_hp=3,max_boost=1,heal_limit=1")
    values, lows, highs = solution.values, solution.lows, solution.highs
    wide = [s for s in range(solution.table.count) if highs[s] - lows[s] > 1e-8]
    assert 0 < len(wide) < solution.table.count  # every state has bounds of its own
    worth, _ = evaluate(
        sweeping(),
        solution.table,
        solution.guides,
        solution.red_mixes,
        solution.blue_mixes,
    )
    for state in range(solution.table.count):
        assert lows[state] <= values[state] <= highs[state]
        assert values[state] == pytest.approx(worth[state], abs=1e-8)


@pytest.mark.parametrize(
    ("rules", "choice", "value"),
    [
        pytest.param("", "1/0", -0.686472, id="D9"),
        pytest.param(",endless_loses=0", "0/0", 0, id="D9: endless_loses=0"),
    ],
)
def test_red_attacks_a_spent_soldier_unless_endless_play_is_a_draw(rules, choice, value):
    solution = solve_whole(f"defend-the-city:stamina=2,max_score=1,soldiers=2{rules}")
    ruleset, starts = solution.ruleset, solution.table.numbers.red_starts
    state = ruleset.parse_state("2/0/0")
    place = next(number for number, listed in solution.table if listed == state)
    mix = solution.red_mixes[starts[place] : starts[place + 1]]
    words = [ruleset.word(each) for each in ruleset.choices(state, 0)]
    assert dict(zip(words, mix, strict=True))[choice] == 1
    assert solution.values[place] == pytest.approx(value, abs=1e-6)


def test_too_many_states_are_refused():
    with pytest.raises(UsageError, match="more than 1,000 states"):
        solve_whole(load("magic-duel"), most_states=1000)


def test_kernels_from_the_cache_run_without_numba():
    """In a process that compiles nothing, what compiled code calls of C's must be known too. The
    first process compiles what no other test has compiled before.
    """
    code = (
        "import sys\n"
        "from holmgang.solver.exact.solve import solve_whole\n"
        "solution = solve_whole('bagh:max_boost=2,heal_limit=4')\n"
        "print(solution.exploitability < 1e-8, 'numba' in sys.modules)\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert told[0][0] == "True"
    assert told[1] == ["True", "False"]
