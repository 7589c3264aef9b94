"""Making puzzles: what they claim is true, none comes twice, and a seed gives the same ones."""

import dataclasses
from collections import Counter
from itertools import islice

import pytest
from tests.analysis.puzzles.samples import SAMPLES

from holmgang.analysis.position import Assessor
from holmgang.analysis.puzzles import make
from holmgang.analysis.puzzles.explain import explain
from holmgang.analysis.puzzles.make import Variety, choice_puzzle, in_percent, make_puzzles
from holmgang.analysis.puzzles.natural import natural_choices
from holmgang.analysis.puzzles.positions import of_duel, positions
from holmgang.analysis.puzzles.puzzle import Puzzle, puzzle_id
from holmgang.analysis.puzzles.situation import Situation
from holmgang.analysis.puzzles.verdict import verdict_on
from holmgang.engine.compiled.native import can_compile
from holmgang.engine.duel import Duel
from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import load
from holmgang.solver.matrix import solve_matrix
from holmgang.solver.oracle import Oracle
from holmgang.solver.search.dispatch import search
from holmgang.solver.tables import build_table

pytestmark = pytest.mark.skipif(
    not can_compile(), reason="needs numba: pip install 'holmgang[fast]'"
)

BAGH, CITY = load("bagh"), load("defend-the-city-duel")
COUNT = 20


def oracle_with_table(ruleset):
    build_table(ruleset, most_states=100_000)
    return Oracle(ruleset, build=False)


@pytest.fixture(scope="module")
def oracle():
    return oracle_with_table(BAGH)


@pytest.fixture(scope="module")
def made(oracle):
    return list(make_puzzles(oracle, COUNT, seed=1))


TRIFLE = 1e-6


def costs_of(values):
    """The least that each row loses against any optimal mix of the columns, by another method: the
    change of the value if a trifle of that row's pay-off is taken from the whole matrix.
    """
    value = solve_matrix(values).value
    for row in values:
        less = [
            [each - TRIFLE * its for each, its in zip(other, row, strict=True)] for other in values
        ]
        yield value - (value - solve_matrix(less).value) / TRIFLE


def shares_of(values):
    """The largest share of each row in any optimal mix of the rows: the change of the value if that
    row is paid a trifle more.
    """
    value = solve_matrix(values).value
    for place, row in enumerate(values):
        more = [*values[:place], [each + TRIFLE for each in row], *values[place + 1 :]]
        yield (solve_matrix(more).value - value) / TRIFLE


def prove(oracle, puzzle):
    """Checks a puzzle by its whole matrix game, solved anew: no mix of the table is used."""
    question, solution = puzzle.question, puzzle.solution
    ruleset, state = oracle.ruleset, puzzle.state
    assert oracle.evaluate(state).is_exact
    reds, blues, values = Assessor(oracle).assess(state).payoffs
    rows, columns = reds, blues
    if puzzle.seat == BLUE:
        rows, columns = blues, reds
        values = [[-row[place] for row in values] for place in range(len(blues))]
    words = [ruleset.word(choice) for choice in rows]
    assert list(solution.mine) == words
    solved = solve_matrix(values)
    assert solution.value == pytest.approx(solved.value, abs=2e-6)
    # Neither mix of the solution can be exploited.
    mine = [solution.mine[word] for word in words]
    theirs = [solution.theirs.get(ruleset.word_or_none(choice), 1.0) for choice in columns]
    worst = min(
        sum(x * row[j] for x, row in zip(mine, values, strict=True)) for j in range(len(columns))
    )
    against = [sum(y * value for y, value in zip(theirs, row, strict=True)) for row in values]
    assert worst == pytest.approx(solved.value, abs=2e-6)
    assert max(against) == pytest.approx(solved.value, abs=2e-6)
    costs = dict(zip(words, costs_of(values), strict=True))
    assert {word: solution.cost(word) for word in words} == pytest.approx(costs, abs=1e-4)
    if question.kind == "choice":
        right = {w for w, share in zip(words, shares_of(values), strict=True) if share > 1e-4}
        wrong = {word for word, cost in costs.items() if cost > 0.019}
        assert right == set(puzzle.right)
        assert len(right) == question.right_count >= 1
        assert right | wrong == set(words)
        assert solution.natural in wrong
        assert solution.cost(solution.natural) >= make.COSTLY
        assert right >= {word for word, share in solution.mine.items() if share > 1e-6}
    else:
        for word, row in zip(words, values, strict=True):
            replies = [ruleset.word(choice) for choice in columns]
            assert solution.payoffs[word] == pytest.approx(dict(zip(replies, row, strict=True)))
        assert all(solved.value - min(row) >= make.PURE_COST - 1e-6 for row in values)
        assert sum(share > 0 for share in solution.mine.values()) > 1


def test_every_puzzle_is_proven_by_its_matrix(oracle, made):
    assert len(made) == COUNT
    for puzzle in made:
        prove(oracle, puzzle)


def test_the_samples_are_proven(oracle):
    oracles = {"bagh": oracle, "defend-the-city-duel": oracle_with_table(CITY)}
    for puzzle in SAMPLES.values():
        prove(oracles[puzzle.question.ruleset], puzzle)
        again = puzzle_id(puzzle.ruleset, puzzle.state, puzzle.seat)
        assert puzzle.question.id == again


def is_easy(puzzle):
    return puzzle.question.rating <= make.HARDEST


def test_easy_puzzles_come_first_and_end_the_game(made):
    easy = [puzzle for puzzle in made if is_easy(puzzle)]
    assert 4 <= len(easy) <= make.EASY_FIRST
    assert easy == made[: len(easy)]
    for puzzle in easy:
        assert make.EASIEST <= puzzle.question.rating <= make.HARDEST
        [right] = puzzle.right
        assert right != puzzle.solution.natural
        assert all(
            puzzle.solution.cost(word) >= make.COSTLY
            for word in puzzle.solution.mine
            if word != right
        )
        told = " ".join(explain(puzzle, right, verdict_on(puzzle, right)))
        assert told.startswith(f"{right.capitalize()} is right")
        assert "wins:" in told or "Draw:" in told


def test_the_natural_choice_is_that_of_a_level(made):
    for puzzle in made:
        if puzzle.question.kind == "choice" and not is_easy(puzzle):
            seen = search(BAGH, puzzle.state, depth=1)
            greedy = seen.red if puzzle.seat == RED else seen.blue
            natural = natural_choices(BAGH, puzzle.state, puzzle.seat, greedy)
            assert BAGH.parse_word(puzzle.solution.natural) in natural


def test_the_same_seed_gives_the_same_puzzles_and_a_larger_count_adds_some(oracle, made):
    assert list(make_puzzles(oracle, 10, seed=1)) == made[:10]
    assert list(make_puzzles(oracle, 5, seed=2)) != made[:5]


def test_no_puzzle_comes_twice_nor_as_its_mirror_image(made):
    assert len({puzzle.question.id for puzzle in made}) == COUNT
    seen = {(puzzle.state, puzzle.seat) for puzzle in made}
    assert not seen & {
        (BAGH.mirror(state), 1 - seat) for state, seat in seen if state != BAGH.mirror(state)
    }
    mirrored = made[3]
    image = BAGH.mirror(mirrored.state)
    assert puzzle_id(BAGH, image, 1 - mirrored.seat) == mirrored.question.id
    assert puzzle_id(BAGH, image, mirrored.seat) != mirrored.question.id


def test_puzzles_differ_in_what_they_ask_and_in_difficulty(made):
    kinds = [puzzle.question.kind for puzzle in made]
    assert 0.15 < kinds.count("mix") / COUNT < 0.5
    asked = {(puzzle.solution.natural, *puzzle.right) for puzzle in made}
    assert len(asked) > 5
    ratings = [puzzle.question.rating for puzzle in made]
    assert max(ratings) - min(ratings) > 400
    assert all(600 <= rating < 2200 for rating in ratings)


def test_few_puzzles_have_the_same_answer(made):
    choices = [puzzle for puzzle in made if puzzle.question.kind == "choice"]
    answers = Counter((is_easy(puzzle), *puzzle.right) for puzzle in choices)
    most = {True: make.SAME_EASY_ANSWER[0], False: 1 + COUNT / 6}
    assert all(count <= most[answer[0]] for answer, count in answers.items())


@pytest.mark.parametrize("name", SAMPLES)
def test_nearly_the_same_figures_are_accepted_once(name, monkeypatch):
    """As a puzzle with another id, and without the limits of shares, so that only figures tell."""
    for limit in ("SAME_ANSWER", "SAME_EASY_ANSWER", "MIXES"):
        monkeypatch.setattr(make, limit, (9, 0.0))
    puzzle = SAMPLES[name]
    near, far = (moved(puzzle, change) for change in (make.SIMILAR / 2, 3 * make.SIMILAR))
    for other, is_new in ((near, False), (far, True)):
        variety = Variety()
        assert variety.accepts(puzzle)
        assert variety.accepts(other) == is_new


def moved(puzzle, change):
    """The puzzle with another id, and one of its figures changed by this much."""
    question = puzzle.question._replace(id="another")
    solution = puzzle.solution
    word = min(solution.worth, key=solution.worth.get)
    worth = {**solution.worth, word: solution.worth[word] - change}
    rows = {name: dict(row) for name, row in solution.payoffs.items()}
    if rows:
        reply = next(iter(rows[word]))
        rows[word][reply] -= change
    solution = solution._replace(worth=worth, payoffs=rows)
    return dataclasses.replace(puzzle, question=question, solution=solution)


@pytest.mark.thorough
def test_no_puzzle_is_nearly_the_same_as_another():
    """The campaign of Defend The City has no mirror images, but its encounters are nearly the same
    for both seats: red at 6 v 3 has the question of blue at 3 v 6.
    """
    campaign = oracle_with_table(load("defend-the-city"))
    asked = {}
    for puzzle in make_puzzles(campaign, COUNT, seed=1):
        state, seat = puzzle.state, puzzle.seat
        stamina = state.red.stamina, state.blue.stamina
        asked.setdefault(stamina[seat] - 100 * stamina[1 - seat], []).append(puzzle)
    assert asked
    assert all(len(same) == 1 for same in asked.values())


def test_a_choice_that_only_some_optimal_mixes_favour_is_neither_right_nor_wrong():
    """At 6 v 1, 3/5 loses nothing against the mix of the table, but is in no equilibrium."""
    duel = oracle_with_table(CITY)
    state = CITY.parse_state("6/1/0")
    situation = Situation(duel, state, RED, duel.evaluate(state))
    given = CITY.parse_word("3/5")
    assert situation.cost(given) < 1e-5
    assert situation.most_cost(given) > 1e-3
    assert choice_puzzle(situation, "table") is None


def test_the_same_puzzle_is_accepted_once(made):
    variety = Variety()
    assert variety.accepts(made[0])
    assert not variety.accepts(made[0])
    assert variety.count == 1


def test_played_positions_come_first(oracle):
    duel = Duel(BAGH, seed=3)
    for red, blue in (("boost", "heal"), ("attack", "boost")):
        duel.choose("red", red)
        duel.choose("blue", blue)
        duel.reveal()
    states = list(of_duel(duel))
    assert len(states) == 3
    found = list(islice(positions(oracle, 1, states), 8))
    assert [state for state, source in found[:3]] == states
    assert [source for _, source in found] == ["duel"] * 3 + ["table"] * 5
    assert len({state for state, _ in found}) == 8


def test_a_game_without_a_table_has_no_puzzles():
    for name in ("fencing", "magic-duel"):
        assert list(make_puzzles(Oracle(name, build=False), 3, seed=1)) == []


def test_a_table_that_is_not_exact_proves_nothing(oracle, monkeypatch):
    monkeypatch.setattr(make, "EXACT", 1e-15)
    assert list(make_puzzles(oracle, 1, seed=1)) == []


def test_a_puzzle_survives_json(made):
    for puzzle in made:
        assert Puzzle.from_json(puzzle.as_json()) == puzzle


def test_sliders_can_set_every_mix():
    assert in_percent({1: 1 / 3, 2: 1 / 3, 3: 1 / 3}) == {1: 0.34, 2: 0.33, 3: 0.33}
    assert sum(in_percent({1: 0.996, 2: 0.002, 3: 0.002}).values()) == 1
