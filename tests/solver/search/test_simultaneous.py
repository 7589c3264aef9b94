"""Search where both choose at once, against the same thing done plainly: every choice, every face,
a whole matrix at every node, straight from the rules.
"""

import random
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from importlib import import_module

import pytest

from holmgang.errors import StateError, UsageError
from holmgang.games.conformance import playout
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import load
from holmgang.solver.exact.solve import solve_whole
from holmgang.solver.matrix import solve_matrix
from holmgang.solver.search.simultaneous import (
    FIRST_CELLS,
    MOST_DEPTH,
    PART,
    ClockPace,
    SearchBoards,
    search_simultaneous,
)

COMPILED = [
    ("bagh", 3),
    ("fencing:league=1", 3),
    ("defend-the-city:max_score=2,stamina=4,die=2", 2),
]
INTERPRETED = [
    ("bagh-advantage:start_hp=2", 2),
    ("fencing:league=2", 1),
    ("fencing", 1),
    ("fencing:league=1,turns=4,points_to_win=2", 2),
    ("defend-the-city:max_score=1,stamina=3,die=2,overspend=0", 2),
    ("defend-the-city-duel:max_score=2,stamina=4,die=3", 1),
]
"""Rulesets, and how deep the plain way is quick enough."""


# The plain way


def plain_matrix(ruleset, state, depth, is_answer=False):
    """What every pair of choices is worth, by rows of red's."""
    game, rules = ruleset.game.rules, ruleset.rules
    menus = [ruleset.choices(state, seat) or [NO_CHOICE] for seat in (RED, BLUE)]
    matrix = []
    for red in menus[RED]:
        row = []
        for blue in menus[BLUE]:
            faces = game.chance(rules, state, red, blue)
            total = sum(
                plain_value(ruleset, game.resolve(rules, state, red, blue, face), depth, is_answer)
                for face in range(faces)
            )
            row.append(total / faces)
        matrix.append(row)
    return matrix


@cache
def plain_value(ruleset, state, depth, is_answer):
    """A state that `depth` rounds, counted with the one before it, have led to."""
    ended = ruleset.outcome(state)
    if ended is not None:
        return {"red": 1.0, "blue": -1.0, None: 0.0}[ended.winner]
    menus = [ruleset.choices(state, seat) for seat in (RED, BLUE)]
    answers = not is_answer and not all(menus) and 0 < len(menus[RED] + menus[BLUE]) <= 2
    left = depth if answers else depth - 1
    if left == 0:
        estimates = import_module(f"holmgang.games.{ruleset.game.folder}.estimate")
        return estimates.estimate(ruleset.rules, state)
    return solve_matrix(plain_matrix(ruleset, state, left, answers)).value


def random_states(ruleset, count, seed=1):
    """Undecided states that random play comes to."""
    dice = random.Random(seed)
    return [dice.choice([step.before for step in playout(ruleset, dice)]) for _ in range(count)]


def gap(matrix, red, blue):
    """What the best replies to both mixes gain together."""
    best = max(sum(share * cell for share, cell in zip(blue, row, strict=True)) for row in matrix)
    columns = zip(*matrix, strict=True)
    worst = min(sum(share * cell for share, cell in zip(red, col, strict=True)) for col in columns)
    return best - worst


def start(text):
    ruleset = load(text)
    return ruleset, ruleset.initial()


# The same values, and mixes that are sure of them


@pytest.mark.parametrize(
    ("text", "most", "interpret"),
    [(*case, False) for case in COMPILED] + [(*case, True) for case in INTERPRETED],
)
def test_finds_what_the_plain_way_finds(text, most, interpret):
    ruleset = load(text)
    for state in random_states(ruleset, 3 if interpret else 5):
        for depth in range(1, most + 1):
            matrix = plain_matrix(ruleset, state, depth)
            for is_full in (False, True):
                found = search_simultaneous(
                    ruleset, state, depth=depth, is_full=is_full, interpret=interpret
                )
                assert found.value == pytest.approx(solve_matrix(matrix).value, abs=1e-9)
                mixes = [list(mix.values()) or [1.0] for mix in (found.red, found.blue)]
                assert gap(matrix, *mixes) < 1e-9
                for seat, mix in ((RED, found.red), (BLUE, found.blue)):
                    assert list(mix) == ruleset.choices(state, seat)
                    assert not mix or sum(mix.values()) == pytest.approx(1)
                assert found.depth == depth or found.is_exact


@pytest.mark.parametrize("interpret", [False, True])
def test_the_most_choices_that_a_game_has(interpret):
    ruleset, state = start("defend-the-city-duel:max_score=6,stamina=6,die=2")
    found = search_simultaneous(ruleset, state, depth=1, interpret=interpret)
    assert len(found.red) == len(found.blue) == 49
    matrix = plain_matrix(ruleset, state, 1)
    assert gap(matrix, found.red.values(), found.blue.values()) < 1e-9


@pytest.mark.parametrize(("text", "depth"), [("bagh", 5), ("fencing:league=1", 5)])
def test_what_is_pruned_does_not_matter(text, depth):
    ruleset = load(text)
    for state in random_states(ruleset, 10, seed=2):
        pruned = search_simultaneous(ruleset, state, depth=depth)
        full = search_simultaneous(ruleset, state, depth=depth, is_full=True)
        assert pruned.value == pytest.approx(full.value, abs=1e-9)
        assert (pruned.depth, pruned.is_exact) == (full.depth, full.is_exact)


@pytest.mark.parametrize("text", ["bagh", "fencing:league=1"])
def test_interpreted_is_compiled(text):
    ruleset = load(text)
    for state in random_states(ruleset, 3, seed=3):
        compiled = search_simultaneous(ruleset, state, depth=2)
        interpreted = search_simultaneous(ruleset, state, depth=2, interpret=True)
        assert interpreted.value == pytest.approx(compiled.value, abs=1e-12)
        assert interpreted.red == pytest.approx(compiled.red, abs=1e-9)
        assert interpreted.blue == pytest.approx(compiled.blue, abs=1e-9)


@pytest.mark.thorough
def test_only_what_knows_the_rules_is_compiled_for_each_ruleset(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_CACHE", str(tmp_path))
    said = []
    for text in ("bagh", "bagh:max_boost=3"):
        searcher = SearchBoards(load(text), interpret=False)
        searcher.make_ready(lambda sentence: said.append(sentence) or nullcontext())
    assert said == [
        f"Compiling {what}: a few seconds, once."
        for what in (
            "search, look_ahead",
            "bagh, play_faces",
            "search, solve",
            "bagh:max_boost=3, play_faces",
        )
    ]


@pytest.mark.parametrize("text", ["bagh", "fencing:league=1"])
def test_the_seats_exchanged_find_the_same(text):
    ruleset = load(text)
    for state in random_states(ruleset, 10, seed=4):
        found = search_simultaneous(ruleset, state, depth=3)
        mirrored = ruleset.mirror(state)
        turned = search_simultaneous(ruleset, mirrored, depth=3)
        assert turned.value == -found.value
        assert (turned.red, turned.blue) == (found.blue, found.red)
        assert (turned.low, turned.high) == (-found.high, -found.low)


@pytest.mark.parametrize("text", ["bagh", "fencing:league=1"])
def test_a_state_that_is_its_own_mirror_image_is_level(text):
    ruleset, state = start(text)
    found = search_simultaneous(ruleset, state, depth=3)
    assert found.value == 0
    assert found.red == found.blue


# Ends


def test_a_win_in_one_is_taken_and_proven():
    ruleset = load("fencing:league=1")
    state = ruleset.parse_state("50/240.20.19/260.0.17")
    found = search_simultaneous(ruleset, state, depth=3)
    assert (found.value, found.low, found.high) == (1, 1, 1)
    assert found.red[3] == pytest.approx(1)  # a lunge; blue cannot pay for a parry
    assert found.depth == 1


def test_what_rests_on_estimates_proves_nothing():
    ruleset, state = start("bagh")
    found = search_simultaneous(ruleset, state, depth=2)
    assert (found.low, found.high) == (-1, 1)
    assert not found.is_exact


def test_the_last_turns_are_exact():
    ruleset = load("fencing:league=1")
    state = ruleset.parse_state("197/240.9.3/280.6.3")
    found = search_simultaneous(ruleset, state, depth=9)
    assert found.depth == 3
    assert found.low == found.value == found.high
    assert found.value == pytest.approx(
        solve_matrix(plain_matrix(ruleset, state, 4)).value, abs=1e-9
    )


def test_what_is_exact_is_what_the_whole_solution_says():
    text = "fencing:league=1,turns=3,red_start=240,blue_start=260,start_energy=5"
    solution = solve_whole(text, interpret=True)
    kernels, table = solution.table.kernels, solution.table
    mixed = 0
    for index in range(table.count):
        state = kernels.bound.kernels["unpack"](table.rows, index * len(kernels.layout.names))
        found = search_simultaneous(solution.ruleset, state, depth=3, interpret=True)
        assert found.is_exact
        assert found.value == pytest.approx(solution.values[index], abs=1e-9)
        mixed += abs(found.value) not in (0, 1)
    assert mixed


def test_one_seat_that_answers_picks_the_better():
    ruleset = load("defend-the-city:max_score=2,stamina=4,die=2")
    state = next(
        step.before
        for seed in range(100)
        for step in playout(ruleset, random.Random(seed))
        if step.before.phase == 1
    )
    found = search_simultaneous(ruleset, state, depth=1)
    answering = found.red or found.blue
    assert sorted(answering.values()) == [0, 1]
    assert not (found.red and found.blue)


def test_a_duel_that_is_over_is_refused():
    ruleset = load("bagh")
    state = ruleset.initial()
    state = state._replace(red=state.red._replace(hp=0))
    with pytest.raises(StateError, match="over"):
        search_simultaneous(ruleset, state, depth=1)


@pytest.mark.parametrize("limits", [{}, {"depth": 0}, {"depth": MOST_DEPTH + 1}])
def test_a_search_needs_a_limit_that_it_can_keep(limits):
    ruleset, state = start("bagh")
    with pytest.raises(UsageError, match=r"a search needs|depth must be from 1 to 31"):
        search_simultaneous(ruleset, state, **limits)


# Time


@pytest.mark.timed
def test_a_budget_is_kept_while_others_compute():
    ruleset, state = start("fencing:league=1")
    search_simultaneous(ruleset, state, depth=1)
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    late = []
    try:
        for _ in range(15):
            started = time.perf_counter()
            search_simultaneous(ruleset, state, budget_ms=60)
            late.append(1000 * (time.perf_counter() - started) - 60)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    assert min(late) < 10
    assert sorted(late)[7] < 60  # besides them, the machine may have much else to do


def test_a_pace_leaves_room_for_the_delays_it_met(monkeypatch):
    now = [10.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    pace = ClockPace(until=11.0)
    assert pace.cells(0) == FIRST_CELLS
    now[0] += 0.1
    assert pace.cells(1000) == pytest.approx(PART * 0.9 * 10_000, abs=1)  # of 0.9 s, 1000 in 0.1 s
    now[0] += PART * 0.9 + 0.2  # late by 0.2 s
    late = pace.cells(3000)
    assert late == pytest.approx(PART * (11.0 - now[0] - 0.2) * 3000 / (now[0] - 10.0), abs=1)
    now[0] = 10.95
    assert pace.cells(4000) == 0  # it would be late once more


def test_more_time_looks_deeper():
    ruleset, state = start("fencing:league=1")
    assert search_simultaneous(ruleset, state, budget_ms=0).depth == 1
    budgets_ms = (100, 1000, 10_000)  # on a busy machine the first may be over at once
    assert any(search_simultaneous(ruleset, state, budget_ms=each).depth > 2 for each in budgets_ms)


def test_searches_in_threads_do_not_disturb_each_other():
    ruleset = load("fencing:league=1")
    states = random_states(ruleset, 8, seed=5)
    alone = [search_simultaneous(ruleset, state, depth=4) for state in states]
    together = {}

    def look(index):
        for _ in range(5):
            together[index] = search_simultaneous(ruleset, states[index], depth=4)

    threads = [threading.Thread(target=look, args=(index,)) for index in range(len(states))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[index] for index in range(len(states))] == alone


def test_a_game_without_an_estimate_still_sees_the_end():
    """Whoever strikes first with 1 hp against 1 wins the priority; nothing else is known."""
    ruleset = load("bagh:start_hp=1")
    entry = ruleset.entry._replace(game=ruleset.game._replace(estimate=None))
    bare = replace(ruleset, entry=entry)
    state = ruleset.parse_state("1.0.1.0/1.0.0.1")
    found = search_simultaneous(bare, state, depth=1, interpret=True)
    assert found.value > 0
    assert sum(found.red.values()) == pytest.approx(1)
