"""A ruleset in numbers: what the solver sees of it."""

from itertools import pairwise

import pytest

from holmgang.games.ruleset import load
from holmgang.solver.exact.table import tabulate

TEXTS = ("bagh:max_boost=2,heal_limit=4", "defend-the-city:stamina=4,max_score=2,soldiers=2")


@pytest.fixture(scope="module", params=TEXTS)
def table(request):
    return tabulate(load(request.param))


def successors(numbers, state):
    first, end = (
        numbers.entry_starts[numbers.option_starts[numbers.pair_starts[s]]]
        for s in (state, state + 1)
    )
    return set(numbers.successors[first:end])


def test_nothing_leads_to_a_later_block(table):
    assert [first for first, _ in table.blocks] == [0, *(end for _, end in table.blocks[:-1])]
    assert table.blocks[-1][1] == table.count
    for first, end in table.blocks:
        for state in range(first, end):
            assert max(successors(table.numbers, state), default=0) < end


def test_the_game_starts_in_the_last_state(table):
    ruleset, bound = table.ruleset, table.kernels.bound.kernels
    start = bound["unpack"](table.rows, table.start * table.fields)
    assert start == ruleset.game.rules.initial(ruleset.rules)


def test_states_that_may_follow_themselves_are_marked(table):
    for state in range(table.count):
        assert table.numbers.loops[state] == (state in successors(table.numbers, state))


def test_twins_are_each_others(table):
    twins = table.numbers.twins
    if table.ruleset.game.notation.is_symmetric(table.ruleset.rules):
        assert all(twins[twins[state]] == state for state in range(table.count))
        assert twins[table.start] == table.start
    else:
        assert set(twins) == {-1}


def test_chances_of_an_option_add_up(table):
    """What is decided at once, draws apart, and what goes on: never more than 1."""
    numbers = table.numbers
    for option, (first, end) in enumerate(pairwise(numbers.entry_starts)):
        total = sum(numbers.chances[first:end]) + numbers.decided[option]
        assert total <= 1 + 1e-12
        assert abs(numbers.constants[option]) <= numbers.decided[option] + 1e-12


def test_bagh_has_72_400_states():
    assert tabulate(load("bagh")).count == 72_400
