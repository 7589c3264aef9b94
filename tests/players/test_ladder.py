"""The graded levels: each beats the one below in every game, none takes long, none cheats.

`python -m bench.ladder` measures the ladder with 400 games for each pair; here the pairs are played
with fixed seeds, by tables where they are small, so the games are always the same.
"""

import time
from itertools import pairwise

import pytest
from bench.ladder import meet

from holmgang.engine.duel import Duel
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.players import KINDS, find_level, levels
from holmgang.players.ladder import ANYTHING, LADDER, figures, mistakes_of, ratings
from holmgang.solver.tables import build_table


def test_the_ladder_is_the_first_levels():
    assert tuple(KINDS)[: len(LADDER)] == LADDER
    assert all(entry.opponent == LADDER[0] for entry in CATALOGUE.values())


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_level_errs_less_than_the_one_below_and_is_rated_higher(game):
    shares = [sum(mistakes_of(level, load(game)).values()) for level in LADDER[:-1]]
    assert shares == sorted(shares, reverse=True)
    rated = [ratings(game)[level] for level in LADDER]
    assert rated[0] == 800
    for below, level in pairwise(rated):
        assert level - below >= 70  # what a score of 60 % implies


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_habit_is_a_choice_of_the_game(game):
    ruleset = load(game)
    words = {ANYTHING, *ruleset.words(ruleset.initial(), 0)}
    for level in LADDER[:-1]:
        mistakes = mistakes_of(level, ruleset)
        assert set(mistakes) <= words
        assert 0 < sum(mistakes.values()) <= 1


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["fencing", "fencing-codingame", "magic-duel"])
def test_each_level_beats_the_one_below(game):
    for below, level in pairwise(LADDER[:-1]):
        met = meet(load(game), level, below, 24, seed=3)
        assert met.score > 0.5, (level, met)


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("game", ["bagh", "bagh-advantage", "defend-the-city"])
def test_each_level_beats_the_one_below_by_table(game):
    for below, level in pairwise(LADDER):
        met = meet(load(game), level, below, 60, seed=3)
        assert met.score > 0.5, (level, met)


@pytest.mark.thorough
def test_each_level_beats_the_one_below_in_a_small_game():
    for below, level in pairwise(LADDER):
        met = meet(load("defend-the-city-duel"), level, below, 60, seed=3)
        assert met.score > 0.5, (level, met)


@pytest.mark.parametrize("level", LADDER)
@pytest.mark.parametrize("game", ["bagh", "fencing", "defend-the-city", "magic-duel"])
def test_a_level_answers_within_a_second_on_a_cold_machine(game, level, monkeypatch):
    """While nothing is compiled and there is no table, as on a server that has just begun."""
    monkeypatch.setattr("holmgang.solver.search.dispatch.is_preparing", lambda ruleset: True)
    monkeypatch.setattr("holmgang.solver.oracle.find_table", lambda ruleset: None)
    ruleset = load(game)
    player = find_level(level, build=False).sit(0, 7)
    course = Duel(game, seed=1).course
    started = time.thread_time()
    word = ruleset.word(player.choose(course))
    assert time.thread_time() - started < 1
    assert ruleset.is_legal(ruleset.initial(), 0, ruleset.parse_choice(ruleset.initial(), 0, word))


def test_a_game_that_is_not_in_the_ladder_has_graded_levels_too():
    ruleset = load("bagh:max_boost=1,heal_limit=4")
    assert mistakes_of("hard", ruleset) == mistakes_of("hard", load("bagh"))
    usual = figures()["mistakes"][ANYTHING]
    assert 0 < usual["hard"][ANYTHING] < usual["beginner"][ANYTHING] <= 1


def test_a_graded_game_is_a_function_of_its_seed():
    ruleset = load("defend-the-city-duel")
    build_table(ruleset, most_states=10_000)
    first, again = (meet(ruleset, "hard", "easy", 6, seed=9) for _ in range(2))
    assert first == again


def test_the_strongest_search_leaves_time_to_answer_within_a_second():
    assert levels.STRONGEST_MS <= 900
