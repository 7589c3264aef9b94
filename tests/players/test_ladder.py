"""The graded levels: ordered, none takes long, none cheats, none loses by its own choice.

`bench/LADDER.md` has the whole ladder. Here the rules of the ladder are checked on a game that is
solved in a second, exactly, and on the stored figures of the others.
"""

import time
from itertools import pairwise

import pytest
from bench.ladder import NAMES, Meetings, grade, has_even_seats
from bench.ladder_exact import SolvedGame
from bench.ladder_sampled import SampledGame
from tests.games.one_file import forgetting, outside  # noqa: F401 - a fixture

from holmgang.engine.course import Positions
from holmgang.engine.duel import Duel
from holmgang.engine.keys import game_seed
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.finding import load as load_any
from holmgang.games.ruleset import load
from holmgang.players import KINDS, find_level, levels
from holmgang.players.graded import pair_values
from holmgang.players.ladder import GRADED, LADDER, Grade, figures, grade_of, is_luck, ratings
from holmgang.simulation.simulate import played_course
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import build_table

SOLVED = ("defend-the-city-duel", "examples/oshi_zumo.py:coins=12,size=2")


def test_the_ladder_is_the_first_levels():
    assert tuple(KINDS)[: len(LADDER)] == LADDER
    assert all(entry.opponent == LADDER[0] for entry in CATALOGUE.values())


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_level_is_colder_than_the_one_below(game):
    temperatures = [grade_of(level, load(game)).temperature for level in GRADED]
    assert all(above < below for below, above in pairwise(temperatures))
    assert [grade_of(level, load(game)).slips > 0 for level in GRADED] == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize("game", figures()["ratings"])
def test_measured_levels_are_rated_above_the_one_below_and_random(game):
    rated = [ratings(game)[level] for level in ("random", *LADDER)]
    for seat in ("red", "blue"):
        assert all(above[seat] > below[seat] for below, above in pairwise(rated))
    assert sum(rated[1].values()) / 2 == pytest.approx(800, abs=1)
    if has_even_seats(load(game)):
        assert all(each["red"] == each["blue"] for each in rated)


def test_luck_decides_much_where_random_scores_against_perfect():
    assert is_luck("defend-the-city-duel")
    assert not is_luck("a game that was not measured")


@pytest.fixture(scope="module", params=SOLVED)
def meetings(request):
    with forgetting():
        yield Meetings(SolvedGame(load_any(request.param)))


@pytest.fixture(scope="module")
def contenders(meetings):
    return {
        name: grade(grade_of(name, meetings.ruleset).temperature, name) if name in GRADED else name
        for name in NAMES
    }


def test_levels_are_ordered_against_all_others(meetings, contenders):
    """In a game that is not calibrated, neighbours may be equally strong against `greedy`."""
    is_calibrated = meetings.ruleset.text in figures()["temperatures"]
    for below, above in pairwise(("random", *LADDER)):
        for name, other in contenders.items():
            slack = 0.005 if name == "greedy" and not is_calibrated else 0.0
            better, worse = (meetings.as_red(contenders[each], other) for each in (above, below))
            assert better > worse - slack, (above, below, name)


def test_games_of_a_level_have_an_ordinary_length_and_variety(meetings, contenders):
    usual = meetings.result("perfect", "perfect")
    for level in GRADED:
        own = meetings.result(contenders[level], contenders[level])
        assert usual.rounds / 2 < own.rounds < usual.rounds * 2
        assert own.unfinished < 0.01
        assert max(own.picks[0].values()) < 0.6


def test_a_player_has_the_mixes_of_the_exact_calculation():
    ruleset = load("defend-the-city-duel")
    build_table(ruleset, most_states=10_000)
    solved, oracle = SolvedGame(ruleset), Oracle(ruleset, build=False)
    for text in (None, "12/7", "3/20"):
        state = ruleset.initial()
        if text is not None:
            red, blue = map(int, text.split("/"))
            state = state._replace(
                red=state.red._replace(stamina=red), blue=state.blue._replace(stamina=blue)
            )
        mixes = pair_values(oracle, state).mixes(Grade(0.1, 0.0))
        exact = solved.mixes(Grade(0.1, 0.0), state)
        assert mixes.row == pytest.approx(list(exact[0].values()), abs=1e-3)
        assert mixes.column == pytest.approx(list(exact[1].values()), abs=1e-3)


def test_a_fencer_is_not_disqualified_by_its_own_choice():
    """The games are drawn with a fixed seed."""
    game = SampledGame(load("fencing"), 1, 4)
    for level in ("easy", "medium", "hard"):
        grade = grade_of(level, game.ruleset)
        assert game.play(grade, grade).disqualified == 0


def test_a_choice_that_loses_at_once_is_a_slip_of_beginners():
    oracle = Oracle("fencing", build=False)
    ruleset = oracle.ruleset
    tired = ruleset.initial()
    tired = tired._replace(red=tired.red._replace(energy=3), blue=tired.blue._replace(energy=3))
    values = pair_values(oracle, tired)
    costly = [
        ruleset.parse_choice(tired, 0, word) for word in ("lunge", "double_walk", "walk_drug")
    ]
    for level in GRADED:
        mix = values.mixes(grade_of(level, ruleset)).row
        assert all(mix[choice] < 0.003 for choice in costly)
        assert all((mix[choice] > 0) == (level == "beginner") for choice in costly)


@pytest.mark.parametrize("level", LADDER)
@pytest.mark.parametrize("game", ["bagh", "fencing", "defend-the-city", "magic-duel"])
def test_a_level_answers_within_a_second_on_a_cold_machine(game, level, monkeypatch):
    """While nothing is compiled and there is no table, as on a server that has just begun."""
    monkeypatch.setattr("holmgang.solver.search.dispatch.is_preparing", lambda ruleset: True)
    monkeypatch.setattr("holmgang.solver.oracle.find_table", lambda ruleset: None)
    monkeypatch.setattr(
        "holmgang.engine.compiled.native.NumberKernels.is_cached", lambda kernels, name: False
    )
    ruleset = load(game)
    player = find_level(level, build=False).sit(0, 7)
    course = Duel(game, seed=1).course
    started = time.thread_time()
    word = ruleset.word(player.choose(course))
    assert time.thread_time() - started < 1
    assert ruleset.is_legal(ruleset.initial(), 0, ruleset.parse_choice(ruleset.initial(), 0, word))


def test_other_rules_have_the_grades_of_their_game_and_other_games_the_default(outside):  # noqa: F811
    assert grade_of("hard", load("bagh:max_boost=1")) == grade_of("hard", load("bagh"))
    other = load_any("examples/oshi_zumo.py")
    assert grade_of("hard", other).temperature == figures()["temperatures"][""]["hard"]


def test_a_graded_game_is_a_function_of_its_seed():
    ruleset = load("defend-the-city-duel")
    build_table(ruleset, most_states=10_000)
    positions = Positions(ruleset)
    seated = [find_level("hard"), find_level("easy")]
    first, again = (played_course(positions, game_seed(9, 1), seated, 100) for _ in range(2))
    assert [(s.red, s.blue, s.face) for s in first.steps] == (
        [(s.red, s.blue, s.face) for s in again.steps]
    )


def test_the_strongest_search_leaves_time_to_answer_within_a_second():
    assert levels.STRONGEST_MS <= 900
