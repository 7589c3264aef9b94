"""Sharp mixes: they gain from mistakes what others leave, and give nothing away for it."""

import pytest
from bench.exact_levels import Chain, States, seen
from tests.games.standoff import STANDOFF

from holmgang.engine.compiled.native import silent
from holmgang.engine.course import Positions
from holmgang.games import conformance
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.players import find_level
from holmgang.simulation.simulate import played_course
from holmgang.solver.exact import sharpening
from holmgang.solver.exact.solve import TableSolver, solve_whole, sweeping
from holmgang.solver.exact.table import tabulate

STALLING = "defend-the-city:stamina=4,max_score=2,soldiers=2,endless_loses=0"
THREATS = "defend-the-city:stamina=3,max_score=1,overspend=0,soldiers=3,endless_loses=0"
SLOW = "bagh:start_hp=2,max_boost=1,heal_limit=2"


@pytest.fixture
def standoff(monkeypatch):
    monkeypatch.setitem(CATALOGUE, "standoff", STANDOFF)
    return load("standoff")


def both(text, *, mirror=True, interpret=True):
    """The solution before it is sharpened, with its proof, and after. Few states are listed sooner
    than the rules are compiled.
    """
    table = tabulate(load(text), mirror=mirror, interpret=interpret)
    sweeper = TableSolver(table, sweeping(), lambda said: None)
    attempt, proof = sweeper.solve()
    return (attempt, proof), sweeper.sharpened(attempt, proof)


def test_standoff_is_a_game_like_any_other(standoff):
    conformance.check(standoff)


def test_perfect_wins_a_game_that_it_could_draw_for_ever(standoff):
    seated = find_level("perfect"), find_level("random")
    for level in seated:
        level.ready(standoff, silent, wait=True)
    courses = (played_course(Positions(standoff), seed, seated, 1000) for seed in range(100))
    wins = sum(course.outcome is not None and course.outcome.winner == "red" for course in courses)
    assert wins >= 90


def test_perfect_cannot_be_beaten_in_that_game(standoff):
    solution = solve_whole(standoff)
    assert solution.worst_exploitability < 1e-9


@pytest.mark.thorough
@pytest.mark.parametrize("text", [STALLING, THREATS, SLOW, "defend-the-city-duel:stamina=6"])
def test_the_guarantee_is_kept_in_every_state(text):
    """Also where a duel can go round in circles, and where a tiny threat is needed."""
    (_, before), (_, after) = both(text)
    for one, other in ((before.lows, after.lows), (after.highs, before.highs)):
        assert max(a - b for a, b in zip(one, other, strict=True)) <= 1e-8


@pytest.mark.thorough
def test_against_random_it_scores_no_less():
    solution = solve_whole("defend-the-city-duel", mirror=False)
    states, start = States(solution), solution.table.start
    (attempt, _), _ = both("defend-the-city-duel", mirror=False, interpret=False)
    plain = states.perfect._replace(red=seen(attempt.red_mixes), blue=seen(attempt.blue_mixes))
    sharp, before = (
        (Chain(states, mixes, states.at_random).values()[start],
         -Chain(states, states.at_random, mixes).values()[start])
        for mixes in (states.perfect, plain)
    )  # fmt: skip
    assert sharp[0] > before[0] + 0.005
    assert sharp[1] > before[1] + 0.005


def test_mixes_that_give_something_away_are_not_taken(monkeypatch):
    """Whatever is proposed has to be proven: here, to make any choice at all."""

    def careless(kernels, table, values, red_mixes, blue_mixes, *rest):
        numbers = table.numbers
        return tuple(
            type(mixes)("d", (1 / size for size in sizes for _ in range(size)))
            for mixes, sizes in ((red_mixes, numbers.reds), (blue_mixes, numbers.blues))
        )

    monkeypatch.setattr(sharpening, "sharp_mixes", careless)
    (_, before), (_, after) = both(STALLING)
    assert after.worst <= before.worst + 1e-8
