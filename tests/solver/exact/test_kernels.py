"""The solver's kernels, which are compiled without bounds checks: checked here, over games made up
at random, whose values are compared with plain value iteration, and over one that once crashed.
"""

import os
import random
from itertools import combinations

import pytest
from tests.games import blast, generated
from tests.solver.exact.checked import solve_checked
from tests.solver.exact.responses import check_bounds, components, states_of

from holmgang.games.assembling import assemble
from holmgang.games.catalogue import CATALOGUE, Entry
from holmgang.games.ruleset import load
from holmgang.solver.exact.solve import solve_table, sweeping
from holmgang.solver.exact.table import sort_states, sorting, tabulate

COUNT = int(os.environ.get("HOLMGANG_GENERATED", "60"))
SHAPES = [f"nodes={6 + n % 20},symmetric={n % 2},stops={n // 2 % 2}" for n in range(COUNT)]
ENDLESS = [f"nodes={6 + n % 20},endless={1 + n % 2}" for n in range(COUNT // 2)]
GENERATED = [f"generated:seed={n},{shape}" for n, shape in enumerate((*SHAPES, *ENDLESS))]
REPORTED = "bagh:heal_amount=0,max_boost=1,start_hp=2"  # 0 / 0 without a compiler
SMALL = (
    "bagh-advantage:start_hp=2,max_boost=1,heal_limit=2",
    "defend-the-city:stamina=2,max_score=1,soldiers=2",
    "defend-the-city:stamina=2,max_score=1,soldiers=2,endless_loses=0",
    "defend-the-city-duel:stamina=3,max_score=2",
    "blast",
    "blast:bullets=2,lives=2",
)
TWICE = (pytest.param(REPORTED, marks=pytest.mark.thorough), *SMALL, *GENERATED[4::8])
TABLED = ("bagh", "bagh-advantage", "defend-the-city", "defend-the-city-duel")


@pytest.fixture(autouse=True)
def made_up(monkeypatch):
    for module in (blast, generated):
        name = module.__name__.rpartition(".")[2]
        monkeypatch.setitem(CATALOGUE, name, Entry(name, name, "", assemble(name, module)))


# Components


def successors(numbers, state):
    pair = numbers.pair_starts[state]
    pairs = (pair, pair + numbers.reds[state] * numbers.blues[state])
    entries = slice(*(numbers.entry_starts[numbers.option_starts[p]] for p in pairs))
    return set(numbers.successors[entries])


def components_of(graph):
    """The sets of places that can reach each other, by what each can reach (Warshall)."""
    reach = [1 << place | sum(1 << after for after in follow) for place, follow in enumerate(graph)]
    for middle in range(len(graph)):
        for place in range(len(graph)):
            if reach[place] >> middle & 1:
                reach[place] |= reach[middle]
    return {
        frozenset(
            other
            for other in range(len(graph))
            if reach[place] >> other & 1 and reach[other] >> place & 1
        )
        for place in range(len(graph))
    }


def check_components(table):
    """They are those of the graph, and nothing leads to a later one."""
    graph = [
        {after % table.count for after in successors(table.numbers, state)}
        for state in range(table.count)
    ]
    assert {frozenset(range(*part)) for part in table.components} == components_of(graph)
    for first, end in table.components:
        assert all(after < end for state in range(first, end) for after in graph[state])


@pytest.mark.parametrize("text", [*GENERATED, *SMALL])
def test_components(text):
    check_components(tabulate(load(text), interpret=True))


@pytest.mark.thorough
@pytest.mark.parametrize("text", TABLED)
def test_components_of_the_catalogue(text):
    """By a search from each side (Kosaraju), as there are too many states for a matrix."""
    table = tabulate(load(text))
    graph = [
        {after % table.count for after in successors(table.numbers, state)}
        for state in range(table.count)
    ]
    found = {frozenset(part) for part in components(dict(enumerate(graph)))}
    assert {frozenset(range(*part)) for part in table.components} == found
    for first, end in table.components:
        assert all(after < end for state in range(first, end) for after in graph[state])


@pytest.mark.parametrize("seed", range(40))
def test_components_of_a_random_graph(seed):
    """In the place of a game's own successors. All can be reached from 0, in a tree of halves; or,
    every other time, from several states, as beyond a table.
    """
    draws = random.Random(seed)
    table = tabulate(load("blast"), interpret=True)
    numbers, count = table.numbers, table.count
    for state in range(count):
        pair = numbers.pair_starts[state]
        pairs = (pair, pair + numbers.reds[state] * numbers.blues[state])
        first, end = (numbers.entry_starts[numbers.option_starts[p]] for p in pairs)
        assert end - first >= 2
        for entry in range(first, end):
            below = 2 * state + 1 + entry - first
            if entry >= first + 2 or below >= count or (seed % 2 and draws.random() < 0.2):
                is_back = draws.random() < 0.01 * (seed % 4)
                least = max(0, state - 20) if is_back else state
                below = draws.randint(least, min(count - 1, least + 20))
            numbers.successors[entry] = below
    table.mirrored = 0
    sort_states(table, sorting(interpret=True))
    check_components(table)


# Bounds and values


def matrix_value(rows):
    """By trying every square part (Shapley and Snow), to 1e-9."""
    columns = list(zip(*rows, strict=True))
    secured = max(min(row) for row in rows)
    limited = min(max(column) for column in columns)
    for size in range(2, min(len(rows), len(columns)) + 1):
        for some in combinations(range(len(rows)), size):
            for others in combinations(range(len(columns)), size):
                if limited - secured < 1e-12:
                    return secured
                part = [[rows[row][column] for column in others] for row in some]
                mix = levelling(part)
                if mix is not None:
                    worths = [
                        sum(share * rows[row][n] for share, row in zip(mix, some, strict=True))
                        for n in range(len(columns))
                    ]
                    secured = max(secured, min(worths))
                mix = levelling([list(column) for column in zip(*part, strict=True)])
                if mix is not None:
                    worths = [
                        sum(share * row[n] for share, n in zip(mix, others, strict=True))
                        for row in rows
                    ]
                    limited = min(limited, max(worths))
    assert limited - secured < 1e-9
    return secured


def levelling(rows):
    """The mix of the rows that makes all columns equal, if there is one."""
    size = len(rows)
    system = [[rows[row][column] for row in range(size)] + [-1.0, 0.0] for column in range(size)]
    system.append([1.0] * size + [0.0, 1.0])
    for pivot in range(size + 1):
        best = max(range(pivot, size + 1), key=lambda row: abs(system[row][pivot]))
        if abs(system[best][pivot]) < 1e-12:
            return None
        system[pivot], system[best] = system[best], system[pivot]
        for row in range(size + 1):
            if row != pivot:
                factor = system[row][pivot] / system[pivot][pivot]
                for column in range(pivot, size + 2):
                    system[row][column] -= factor * system[pivot][column]
    mix = [system[row][-1] / system[row][row] for row in range(size)]
    return mix if min(mix) >= -1e-12 else None


def iterated(ruleset, rounds):
    """What every state is worth if so many rounds are left and what follows counts as endless
    play; or sooner, once nothing changes.
    """
    states = states_of(ruleset)
    pairs = {}
    for state in states:
        menus = [ruleset.choices(state, seat) or [-1] for seat in (0, 1)]
        pairs[state] = [
            [entries(ruleset, state, red, blue) for blue in menus[1]] for red in menus[0]
        ]
    values = dict.fromkeys(states, ruleset.endless_utility)
    for _ in range(rounds):
        new = {
            state: matrix_value(
                [
                    [
                        constant + sum(share * values[after] for after, share in follow)
                        for constant, follow in row
                    ]
                    for row in pairs[state]
                ]
            )
            for state in states
        }
        change = max(abs(new[state] - values[state]) for state in states)
        values = new
        if change < 1e-13:
            break
    return values


def entries(ruleset, state, red, blue):
    """What ends at once is worth, and what may follow with its chance."""
    faces, constant, follow = ruleset.chance(state, red, blue), 0.0, []
    for face in range(faces):
        after = ruleset.resolve(state, red, blue, face)
        worth = ruleset.utility(after)
        if worth is None:
            follow.append((after, 1 / faces))
        else:
            constant += worth / faces
    return constant, follow


@pytest.mark.parametrize("text", GENERATED)
def test_no_kernel_leaves_its_arrays_and_the_solution_is_right(text, monkeypatch, tmp_path):
    """Bounds are proven in another way, and where every round may be the last, values are those of
    plain value iteration; where duels may be endless, that can stand still at other values.
    """
    ruleset = load(text)
    solution = solve_checked(ruleset, monkeypatch)
    check_bounds(solution, tmp_path / "a.table")
    if ruleset.rules.stops:
        expected = iterated(ruleset, 1000)
        for number, state in solution.table:
            assert solution.values[number] == pytest.approx(expected[state], abs=1e-8)
        assert solution.worst_exploitability < 1e-8


@pytest.mark.thorough
@pytest.mark.parametrize("text", ["blast:bullets=4,blast=3", REPORTED, *SMALL])
def test_no_kernel_leaves_its_arrays_in_larger_games(text, monkeypatch):
    """Blast with three lives ended the process, or came to an index beyond an array."""
    solution = solve_checked(load(text), monkeypatch)
    assert solution.worst_exploitability < 1e-8


@pytest.mark.parametrize("text", TWICE)
def test_compiled_and_interpreted_kernels_give_the_same_table(text):
    """Also where an extrapolation has nothing to go by: 0 / 0 is an error in Python only."""
    tables = [tabulate(load(text), interpret=True) for _ in range(2)]
    compiled, interpreted = (
        solve_table(table, sweeping(interpret=interpret))
        for table, interpret in zip(tables, (False, True), strict=True)
    )
    for name in ("values", "lows", "highs", "decided", "red_mixes", "blue_mixes"):
        one, other = (list(getattr(solution, name)) for solution in (compiled, interpreted))
        assert one == pytest.approx(other, abs=1e-12), name
