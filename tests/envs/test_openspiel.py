"""The games in OpenSpiel: its own tests, and its algorithms against ours."""

import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import best_response, cfr, exploitability, value_iteration

import holmgang
from holmgang.envs.openspiel import DuelPolicy, load_game, name_of, policy_of
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE

OSHI_ZUMO = "./examples/oshi_zumo.py:coins=4,size=1"
GOOFSPIEL = "./examples/goofspiel.py:cards=3"
SMALL = "bagh:start_hp=1,max_boost=0,heal_limit=1"
API_TESTS = """
import sys
from importlib.util import find_spec
from absl.testing import absltest
import holmgang.envs.openspiel
from open_spiel.integration_tests import api_test
sys.argv += ["--test_only_games=holmgang"]
absltest.main(module=api_test)
"""


@pytest.mark.parametrize("game", [*CATALOGUE, OSHI_ZUMO, GOOFSPIEL])
def test_random_simulation(game):
    """OpenSpiel's own check of a game: legal actions, chance, clones, returns, and states as text
    unless the ruleset has commas, which mean something else there.
    """
    is_named = game in CATALOGUE
    loaded = pyspiel.load_game(name_of(game)) if is_named else load_game(game)
    pyspiel.random_sim_test(loaded, num_sims=2, serialize=is_named, verbose=False)


def test_api():
    """OpenSpiel's own tests of the API, on all our games."""
    ran = subprocess.run(
        [sys.executable, "-c", API_TESTS], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert "OK" in ran.stderr


@pytest.mark.parametrize("text", [OSHI_ZUMO, GOOFSPIEL])
def test_nash_conv_and_best_responses_agree(text):
    ruleset, game = holmgang.load(text), load_game(text)
    uniform = openspiel_policy.UniformRandomPolicy(game)
    ours = holmgang.exploitability(ruleset, "random")
    assert exploitability.nash_conv(game, uniform) == pytest.approx(ours.value, abs=1e-9)
    for seat, name in enumerate(("red", "blue")):
        theirs = best_response.BestResponsePolicy(game, seat, uniform)
        value = theirs.value(game.new_initial_state())
        response = holmgang.best_response(ruleset, "random", name)
        assert value * (1, -1)[seat] == pytest.approx(response.value, abs=1e-9)


def test_nash_conv_of_a_policy_of_ours():
    ruleset, game = holmgang.load(GOOFSPIEL), load_game(GOOFSPIEL)

    def low(state, seat):
        return ruleset.words(state, int(seat == "blue"))[0]

    theirs = exploitability.nash_conv(game, DuelPolicy(game, low))
    assert theirs == pytest.approx(holmgang.exploitability(ruleset, low).value, abs=1e-9)


@pytest.mark.skipif(find_spec("ecos") is None, reason="ecos has no wheels for Python 3.13")
@pytest.mark.filterwarnings("ignore")  # of cvxpy, about ecos
def test_value_iteration_agrees():
    ruleset, game = holmgang.load(GOOFSPIEL), load_game(GOOFSPIEL)
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-6)
    start = str(game.new_initial_state())
    assert values[start] == pytest.approx(holmgang.solve(ruleset).value, abs=1e-4)


def test_cfr_learns_on_the_turn_based_game():
    """CFR on the conversion to turns: its exploitability falls towards 0."""
    game = load_game(GOOFSPIEL)
    solver = cfr.CFRPlusSolver(pyspiel.convert_to_turn_based(game))
    scores = []
    for rounds in (1, 40):
        for _ in range(rounds):
            solver.evaluate_and_update_policy()
        average = solver.average_policy()
        scores.append(exploitability.exploitability(pyspiel.convert_to_turn_based(game), average))
    assert scores[1] < scores[0] / 4
    assert scores[1] < 0.05


def test_a_policy_of_openspiel_is_scored_exactly():
    ruleset, game = holmgang.load(SMALL), load_game(SMALL, limit=0)
    uniform = openspiel_policy.UniformRandomPolicy(game)
    ours = holmgang.exploitability(ruleset, policy_of(game, uniform)).value
    assert ours == pytest.approx(holmgang.exploitability(ruleset, "random").value, abs=1e-12)


def test_a_wrong_limit_is_refused():
    for limit in (-5, "x", 1.5):
        with pytest.raises(UsageError, match="the round limit is a whole number from 0 up"):
            load_game("bagh", limit=limit)


def test_the_round_limit_and_single_choosers():
    game = load_game("bagh", limit=1)
    state = game.new_initial_state()
    assert state.is_simultaneous_node()
    state.apply_actions([0, 0])
    assert state.is_terminal()
    assert list(state.returns()) == [0, 0]
    turns = load_game("magic-duel").new_initial_state()
    assert turns.current_player() in (0, 1)


def test_observation_tensor():
    game = load_game("bagh")
    state = game.new_initial_state()
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert observer.tensor.shape == (9,)
    assert observer.string_from(state, 0) == str(state)
    assert np.isfinite(observer.tensor).all()
