from collections import Counter

import pytest
from tests.engine.duels import random_duel, replayed_alike

from holmgang.engine.duel import Duel
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.players import LEVELS, find_level


def test_levels_are_found_by_name():
    for name, level in LEVELS.items():
        assert find_level(name) is level
        assert level.name == level.seat(1).name == name
        assert level.line
    with pytest.raises(UsageError, match="no level 'grandmaster'; there are random"):
        find_level("grandmaster")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", CATALOGUE)
def test_a_level_makes_legal_choices_in_every_game(name, level):
    duel = Duel(name, seed=5, round_limit=50)
    players = {seat: find_level(level).seat(duel.seed) for seat in ("red", "blue")}
    while not duel.is_over:
        for seat in list(duel.waiting_for):
            duel.choose(seat, players[seat].choose(duel.view(seat)))
        duel.reveal()
    assert duel.rounds


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_duel_of_random_players_is_a_function_of_the_seed(name):
    assert replayed_alike(random_duel(name, 7), random_duel(name, 7))
    assert random_duel(name, 7).story != random_duel(name, 8).story


def test_random_picks_every_choice_equally_often():
    view = Duel("bagh", seed=1).view("red")
    picked = Counter(find_level("random").seat(seed).choose(view) for seed in range(4000))
    assert picked.keys() == {"boost", "attack", "guard", "heal"}
    assert all(900 < times < 1100 for times in picked.values())


def test_random_players_of_one_duel_do_not_copy_each_other():
    duel = Duel("bagh", seed=11)
    player = find_level("random").seat(duel.seed)
    same = 0
    for _ in range(200):
        red, blue = (player.choose(duel.view(seat)) for seat in ("red", "blue"))
        same += red == blue
        duel.choose("red", "guard")
        duel.choose("blue", "guard")
        duel.reveal()
    assert 25 < same < 75
