"""Policies of several forms, and how they play in simulations."""

import pytest

import holmgang
from holmgang.errors import ChoiceError, UsageError

SMALL = "bagh:start_hp=2,max_boost=1,heal_limit=2"


def careful(state, seat):
    return {"guard": 1, "attack": 2}


@pytest.mark.parametrize("level", ["perfect", "beginner", "greedy"])
def test_a_function_plays_a_level(level):
    done = holmgang.simulate(SMALL, 300, seed=1, red=careful, blue=level)
    again = holmgang.simulate(SMALL, 300, seed=1, red=careful, blue=level)
    assert done.games == 300
    assert (done.red_wins, done.blue_wins) == (again.red_wins, again.blue_wins)


def test_simulated_results_agree_with_the_exact_value():
    exact = holmgang.value_against(SMALL, careful, "perfect").value
    done = holmgang.simulate(SMALL, 3000, seed=2, red=careful, blue="perfect")
    assert abs((done.red_wins - done.blue_wins) / 3000 - exact) < 0.1


def test_weights_and_policies_play_levels():
    policy = holmgang.Policy(SMALL, {"attack": 1})
    for red in (policy, {"attack": 1}, holmgang.best_response(SMALL, "random")):
        assert holmgang.simulate(SMALL, 20, seed=1, red=red, blue="easy").games == 20


def test_wrong_policies_are_refused():
    with pytest.raises(ChoiceError):
        holmgang.simulate("bagh", 1, red=lambda state, seat: "fly", blue="random")
    with pytest.raises(UsageError, match="a policy is weights by choice"):
        holmgang.simulate("bagh", 1, red=3, blue="random")
