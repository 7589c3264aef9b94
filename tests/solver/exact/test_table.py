"""A ruleset in numbers: what the solver sees of it."""

from collections import Counter
from itertools import pairwise, product

import pytest

from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.solver.exact.table import (
    MOST_MIB,
    MOST_STATES,
    TableWriter,
    is_tiny,
    tabulate,
    writing,
)

TEXTS = ("bagh:max_boost=2,heal_limit=4", "defend-the-city:stamina=4,max_score=2,soldiers=2")


@pytest.fixture(scope="module", params=TEXTS)
def table(request):
    return tabulate(load(request.param))


def successors(table, state):
    """The states that may follow, those listed for mirror images in their place."""
    numbers = table.numbers
    pair = numbers.pair_starts[state]
    end = pair + numbers.reds[state] * numbers.blues[state]
    entries = slice(*(numbers.entry_starts[numbers.option_starts[p]] for p in (pair, end)))
    return set(numbers.successors[entries])


def test_nothing_leads_to_a_later_block(table):
    assert [first for first, _ in table.blocks] == [0, *(end for _, end in table.blocks[:-1])]
    assert table.blocks[-1][1] == table.count
    for first, end in table.blocks:
        for state in range(first, end):
            assert all(after % table.count < end for after in successors(table, state))


def test_the_game_starts_in_the_last_state(table):
    ruleset = table.ruleset
    assert table.state(table.start) == ruleset.initial()


def test_states_that_may_follow_themselves_are_marked(table):
    for state in range(table.count):
        assert table.numbers.loops[state] == (state in successors(table, state))


def test_one_of_two_mirror_images_is_listed(table):
    ruleset, states = table.ruleset, {state for _, state in table}
    mirror = ruleset.game.notation.mirror
    assert len(states) == table.count
    assert table.mirrored == (table.count if ruleset.is_symmetric else 0)
    if table.mirrored:
        images = {state: mirror(ruleset.rules, state) for state in states}
        level = {state for state, image in images.items() if state == image}
        assert states & set(images.values()) == level
        assert {table.state(n) for n, own in enumerate(table.numbers.levels) if own} == level
    assert table.states == tabulate(ruleset, mirror=False).count


def test_a_pair_leads_where_the_rules_lead(table):
    """All faces of the die, of which the table merges those with the same result."""
    ruleset, numbers = table.ruleset, table.numbers
    game, rules = ruleset.game.rules, ruleset.rules
    every = {state: number for number, state in table}
    for state, image in ((state, ruleset.game.notation.mirror(rules, state)) for state in [*every]):
        if table.mirrored:
            every.setdefault(image, every[state] + table.mirrored)
    for number in range(0, table.count, 7):
        state = table.state(number)
        menus = [ruleset.choices(state, seat) or [-1] for seat in (0, 1)]
        for place, (red, blue) in enumerate(product(*menus)):
            pair = numbers.pair_starts[number] + place
            if numbers.deciders[pair]:
                continue
            option, faces = numbers.option_starts[pair], game.chance(rules, state, red, blue)
            expected, constant = Counter(), 0.0
            for face in range(faces):
                after = game.resolve(rules, state, red, blue, face)
                ended = game.outcome(rules, after)
                if ended.reason:
                    constant += (1, -1, 0)[ended.winner] / faces
                else:
                    expected[every[after]] += 1 / faces
            entries = slice(*numbers.entry_starts[option : option + 2])
            found = dict(zip(numbers.successors[entries], numbers.chances[entries], strict=True))
            assert found == pytest.approx(dict(expected))
            assert numbers.constants[option] == pytest.approx(constant)


def test_chances_of_an_option_add_up(table):
    """What is decided at once, draws apart, and what goes on: never more than 1."""
    numbers = table.numbers
    for option, (first, end) in enumerate(pairwise(numbers.entry_starts)):
        total = sum(numbers.chances[first:end]) + numbers.decided[option]
        assert total <= 1 + 1e-12
        assert abs(numbers.constants[option]) <= numbers.decided[option] + 1e-12


def test_bagh_has_72_400_states():
    assert tabulate(load("bagh")).states == 72_400


def test_what_needs_too_much_memory_is_refused():
    """Before the memory is taken: it is told from the part that is written."""
    with pytest.raises(UsageError, match="needs more than 64 MiB of memory"):
        tabulate(load("defend-the-city"), most_mib=64)


@pytest.mark.parametrize("text", TEXTS)
def test_compiled_and_interpreted_kernels_write_the_same_table(text):
    ruleset = load(text)
    compiled, interpreted = (
        TableWriter(
            ruleset,
            writing(ruleset, interpret=interpret),
            False,
            MOST_STATES,
            MOST_MIB,
            folds=False,
        )
        for interpret in (False, True)
    )
    for writer in (compiled, interpreted):
        writer.write([ruleset.initial()])
    assert compiled.rows == interpreted.rows
    assert compiled.numbers == interpreted.numbers


def test_a_large_game_is_not_tiny():
    assert not is_tiny(load("bagh"))
