from collections import Counter

import pytest
from tests.engine.duels import random_duel, replayed_alike

from holmgang.engine.duel import Duel
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load
from holmgang.players import KINDS, find_level, levels
from holmgang.solver.tables import build_table

SOLVED = ("bagh:max_boost=1,heal_limit=4", "defend-the-city-duel:stamina=6,max_score=3,die=3")


def test_levels_are_found_by_name():
    for name, kind in KINDS.items():
        level = find_level(name)
        assert level.name == level.sit(0, 1).name == name
        assert level.line == kind.line
    assert find_level("search:50").name == "search:50"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("grandmaster", "unknown level 'grandmaster'; the levels are beginner, easy"),
        ("", "unknown level ''"),
        ("random:5", "the level random takes no setting"),
        ("search:", "search must be a number above 0"),
        ("search:fast", "milliseconds per choice"),
        ("search:-5", "search must be a number above 0"),
        ("search:nan", "search must be a number above 0"),
        ("search:1e99", "at most 3,600,000 "),
        ("exploiter:3", "at most 2 (the value it may risk"),
        ("exploiter:", "or match, or both: exploiter:0.2:match"),
        ("exploiter:0:match", "a number above 0"),
        ("search:match", "search must be a number above 0"),
        ("perfect:match", "the level perfect takes no setting"),
    ],
)
def test_a_level_that_is_none_is_refused(text, said):
    with pytest.raises(UsageError) as raised:
        find_level(text)
    assert said in str(raised.value)


def play(name, red, blue, *, seed=5, limit=50):
    duel = Duel(name, seed=seed, round_limit=limit)
    players = {"red": red.sit(0, duel.key("red")), "blue": blue.sit(1, duel.key("blue"))}
    while not duel.is_over:
        for seat in list(duel.waiting_for):
            duel.choose(seat, duel.ruleset.word(players[seat].choose(duel.course)))
        duel.reveal()
    return duel


@pytest.mark.parametrize("level", ["random", "greedy", "search:3", "beginner", "hard"])
@pytest.mark.parametrize("name", ["bagh", "fencing", "defend-the-city", "magic-duel"])
def test_a_level_makes_legal_choices_in_every_game(name, level):
    assert play(name, find_level(level), find_level(level), limit=20).rounds


@pytest.mark.parametrize("level", ["easy", "medium", "perfect", "exploiter", "exploiter:0.5"])
@pytest.mark.parametrize("name", SOLVED)
def test_levels_that_use_tables(name, level):
    build_table(load(name), most_states=10_000)
    assert play(name, find_level(level), find_level("random")).rounds
    assert play(name, find_level("random"), find_level(level)).rounds


@pytest.mark.parametrize("name", ["fencing", "magic-duel"])
def test_perfect_searches_where_there_is_no_table(name, monkeypatch):
    monkeypatch.setattr(levels, "STRONGEST_MS", 10)
    assert play(name, find_level("perfect"), find_level("random"), limit=10).rounds


def test_perfect_play_depends_on_nothing_but_the_seed():
    build_table(load(SOLVED[0]), most_states=10_000)
    perfect = find_level("perfect")
    first, again = (play(SOLVED[0], perfect, perfect, seed=8) for _ in range(2))
    assert replayed_alike(first, again)


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_duel_of_random_players_is_a_function_of_the_seed(name):
    assert replayed_alike(random_duel(name, 7), random_duel(name, 7))
    assert random_duel(name, 7).story != random_duel(name, 8).story


def test_random_picks_every_choice_equally_often():
    course = Duel("bagh", seed=1).course
    picked = Counter(find_level("random").sit(0, seed).choose(course) for seed in range(4000))
    assert picked.keys() == set(range(4))
    assert all(900 < times < 1100 for times in picked.values())


def test_random_players_of_one_duel_do_not_copy_each_other():
    duel = Duel("bagh", seed=11)
    players = [find_level("random").sit(seat, duel.key(SEATS[seat])) for seat in (0, 1)]
    same = 0
    for _ in range(200):
        red, blue = (player.choose(duel.course) for player in players)
        same += red == blue
        duel.choose("red", "guard")
        duel.choose("blue", "guard")
        duel.reveal()
    assert 25 < same < 75


@pytest.mark.parametrize(
    ("state", "accepts"),
    [("1.0.0.0/3.3.0.0", True), ("3.3.0.0/1.0.0.0", False), ("3.0.0.0/3.0.0.0", False)],
)
@pytest.mark.parametrize(
    "level", ["beginner", "hard", "greedy", "search:5", "perfect", "exploiter"]
)
def test_a_level_takes_a_draw_if_it_stands_worse(level, state, accepts):
    build_table(load("bagh:start_hp=3,max_boost=3"), most_states=100_000)
    duel = Duel("bagh:start_hp=3,max_boost=3", seed=1, start=state)
    assert find_level(level).sit(0, 1).accepts_draw(duel.course) is accepts


def test_random_declines_draws():
    duel = Duel("bagh", seed=1, start="1.0.0.0/3.3.0.0")
    assert not find_level("random").sit(0, 1).accepts_draw(duel.course)
