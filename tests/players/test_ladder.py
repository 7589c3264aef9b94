"""The graded levels: ordered, none takes long, none cheats, none loses by its own choice.

`bench/LADDER.md` has the whole ladder. Here the rules of the ladder are checked on a game that is
solved in a second, exactly, and on the stored figures of the others.
"""

import time
from itertools import pairwise
from random import Random

import pytest
from bench.ladder import NAMES, Meetings, has_even_seats, play_plan
from bench.ladder_exact import SolvedGame
from bench.ladder_sampled import Effort, Level, SampledGame, cycle, plans
from tests.patience import PATIENCE

from holmgang.engine.course import Course, Positions
from holmgang.engine.duel import Duel
from holmgang.engine.keys import game_seed
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.finding import load as load_any
from holmgang.games.ruleset import load
from holmgang.players import KINDS, find_level, graded, levels
from holmgang.players.graded import pair_values
from holmgang.players.ladder import GRADED, LADDER, Grade, figures, grade_of, is_luck, ratings
from holmgang.simulation.simulate import played_course
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import build_table

FEW = Effort(0.01, 200)
SOLVED = ("defend-the-city-duel", "examples/oshi_zumo.py:coins=12,size=2")


@pytest.fixture
def unhurried(monkeypatch):
    """On a busy machine, a look-ahead would otherwise reach its time limit."""
    monkeypatch.setattr(graded, "MOST_MS", 1000 * PATIENCE)


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
        climbing = rated[1:] if (game, seat) == ("defend-the-city", "blue") else rated
        # There, weak soldiers hold back on purpose, and `random` does not.
        assert all(above[seat] > below[seat] for below, above in pairwise(climbing))
    assert sum(ratings(game)["beginner"].values()) / 2 == pytest.approx(800, abs=1)
    if has_even_seats(load(game)):
        assert all(each["red"] == each["blue"] for each in rated)


def test_luck_decides_much_where_random_scores_against_perfect():
    assert is_luck("defend-the-city-duel")
    assert is_luck("defend-the-city")
    assert not is_luck("fencing")
    assert not is_luck("a game that was not measured")


@pytest.fixture(scope="module", params=SOLVED)
def meetings(request):
    return Meetings(SolvedGame(load_any(request.param), FEW))


@pytest.fixture(scope="module")
def contenders(meetings):
    return {
        name: grade_of(name, meetings.ruleset)._replace(notices=False) if name in GRADED else name
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
    solved, oracle = SolvedGame(ruleset, FEW), Oracle(ruleset, build=False)
    for text in (None, "12/7", "3/20"):
        state = ruleset.initial()
        if text is not None:
            red, blue = map(int, text.split("/"))
            state = state._replace(
                red=state.red._replace(stamina=red), blue=state.blue._replace(stamina=blue)
            )
        mixes = pair_values(oracle, state).mixes(Grade(0.1, 0.0))
        number, policy = solved.index[state], solved.policy(Grade(0.1, 0.0))
        for mix, shares, starts in (
            (mixes.row, policy.red, solved.numbers.red_starts),
            (mixes.column, policy.blue, solved.numbers.blue_starts),
        ):
            exact = shares[starts[number] : starts[number + 1]]
            assert mix == pytest.approx(list(exact), abs=1e-3)


@pytest.mark.usefixtures("unhurried")
def test_bouts_of_fencers_are_decided_by_points():
    """The bouts are drawn with a fixed seed. A parry may still take the last energy (F9)."""
    game = SampledGame(load("fencing"), Effort(1.0, 1, most_rounds=500), 4)
    for level in ("easy", "medium", "hard"):
        grade = grade_of(level, game.ruleset)
        assert game.play(grade, grade).disqualified == 0


@pytest.mark.usefixtures("unhurried")
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


@pytest.mark.usefixtures("unhurried")
def test_a_level_seldom_parries_where_nobody_can_lunge():
    oracle = Oracle("fencing:league=1", build=False)
    ruleset = oracle.ruleset
    start = ruleset.initial()
    far = start._replace(red=start.red._replace(position=100))  # 200 apart, and a lunge reaches 40
    values = pair_values(oracle, far)
    for level in GRADED:
        mix = dict(
            zip(ruleset.words(far, 0), values.mixes(grade_of(level, ruleset)).row, strict=True)
        )
        assert mix["lunge"] + mix["parry"] < 0.1


@pytest.mark.usefixtures("unhurried")
def test_nobody_gives_up_for_a_draw():
    oracle = Oracle("fencing-codingame", build=False)
    ruleset = oracle.ruleset
    start = ruleset.initial()
    full = start.red._replace(drug_count=ruleset.rules.max_drugs, energy=10)
    behind = start._replace(turn=100, red=full)
    drug = ruleset.parse_choice(behind, 0, "lunge_drug")
    values = pair_values(oracle, behind)
    assert set(values.matrix[drug]) == {0.0}  # at 0-0, one drug too many is a draw
    for level in GRADED:
        assert values.mixes(grade_of(level, ruleset)).row[drug] == 0


def test_weak_soldiers_hold_back_in_many_ways():
    ruleset = load("defend-the-city:soldiers=2,stamina=5")
    game = SolvedGame(ruleset, FEW)
    start, shares = ruleset.initial(), []
    for level in GRADED:
        grade = grade_of(level, ruleset)
        mix = Level(game, grade, BLUE, Random(1)).mix(start, 0)
        held = {
            choice: share
            for choice, share in mix.items()
            if sum(map(int, ruleset.word(choice).split("/"))) <= 2
        }
        assert sum(held.values()) >= grade.timidity
        assert len([share for share in held.values() if share > 0.01]) >= 3
        shares.append(game.play("perfect", grade).score)
        city = Level(game, grade, RED, Random(1)).mix(start, 0)
        bold = Level(game, grade._replace(timidity=0.0), RED, Random(1)).mix(start, 0)
        assert city == bold
    assert shares == sorted(shares, reverse=True)


@pytest.mark.usefixtures("unhurried")
def test_a_level_that_cannot_win_any_more_does_not_exhaust_itself():
    oracle = Oracle("fencing:league=1", build=False)
    ruleset = oracle.ruleset
    late = ruleset.initial()
    late = late._replace(
        turn=198, red=late.red._replace(energy=3), blue=late.blue._replace(score=9)
    )
    lunge = ruleset.parse_choice(late, 0, "lunge")
    for level in GRADED:
        mix = pair_values(oracle, late).mixes(grade_of(level, ruleset)).row
        assert mix[lunge] == pytest.approx(grade_of(level, ruleset).slips)
        assert max(mix) < 0.5


def test_nothing_is_noticed_about_an_opponent_before_it_repeats_itself():
    ruleset = load("defend-the-city-duel")
    game = SolvedGame(ruleset, FEW)
    start, grade = ruleset.initial(), grade_of("hard", ruleset)
    level = Level(game, grade, 0, Random(1))
    blind = Level(game, grade._replace(notices=False), 0, Random(1))
    assert level.mix(start, 0) == pytest.approx(blind.mix(start, 0))


def test_better_levels_answer_what_their_opponent_repeats():
    """In the duel of a city, 5/5 is beaten by the defense of 5, and costs twice as much."""
    ruleset = load("defend-the-city-duel")
    game = SolvedGame(ruleset, FEW)
    always = cycle(ruleset, ["5/5"])
    tired = ruleset.initial()
    level = Level(game, grade_of("medium", ruleset), 0, Random(1))
    before = level.mix(tired, 0)
    for _ in range(2):
        level.note(tired, (always(tired, 0, 0, 0), always(tired, 1, 0, 0)))
    after = level.mix(tired, 0)
    guarding = [choice for choice in before if ruleset.word(choice).endswith("/5")]
    assert sum(after[each] for each in guarding) > sum(before[each] for each in guarding) + 0.2
    easy = Level(game, grade_of("easy", ruleset), 0, Random(1))
    before = easy.mix(tired, 0)
    easy.note(tired, (always(tired, 0, 0, 0), always(tired, 1, 0, 0)))
    assert easy.mix(tired, 0) == before


def test_simple_plans_do_not_beat_medium():
    ruleset = load("defend-the-city-duel")
    meetings = Meetings(SolvedGame(ruleset, FEW))
    medium = grade_of("medium", ruleset)
    for name, pick in plans(ruleset).items():
        assert play_plan(meetings, pick, medium, 0).score < 0.5, name


def test_a_level_tires_in_a_long_duel():
    grade = Grade(0.1, 0.0)
    assert grade.after(99, 1000) == grade
    assert grade.after(120, 1000).temperature == 0.4
    assert grade.after(200, 10_000) == grade


def test_a_player_that_joins_a_duel_has_noticed_its_earlier_rounds():
    """As after a restart of the server."""
    ruleset = load("defend-the-city-duel")
    build_table(ruleset, most_states=10_000)
    positions = Positions(ruleset)
    course = Course(positions, dice=1)
    first = find_level("medium").sit(0, 7)
    while course.outcome is None:
        choices = [NO_CHOICE, NO_CHOICE]
        for seat in (0, 1):
            if course.position.choices[seat]:
                choices[seat] = ruleset.choices(course.position.state, seat)[0]
        if course.position.choices[0]:
            assert first.choose(course) == find_level("medium").sit(0, 7).choose(course)
        course.play(*choices)
        if course.round > 6:
            break


def test_an_interrupted_measurement_continues(tmp_path, monkeypatch):
    progress = tmp_path / "progress.json"
    ruleset = load("defend-the-city-duel")
    game = SolvedGame(ruleset, FEW)
    found = Meetings(game, progress).result("random", "perfect")
    monkeypatch.setattr(game, "play", None)
    assert Meetings(game, progress).result("random", "perfect") == found


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


def test_other_rules_have_the_grades_of_their_game_and_other_games_the_default():
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
