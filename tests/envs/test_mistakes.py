"""Mistakes in using the environments get one clear line."""

import subprocess
import sys

import numpy as np
import pytest

from holmgang.envs import aec_env, gym_env, parallel_env, vector_env
from holmgang.errors import DuelError, UsageError

WITHOUT = """
import sys
sys.modules["gymnasium"] = sys.modules["gymnasium.vector"] = sys.modules["pettingzoo"] = None
from holmgang.errors import UsageError
try:
    import holmgang.envs.{module}
except UsageError as error:
    print(error)
"""


@pytest.mark.parametrize("module", ["parallel", "single", "vector"])
def test_a_missing_library_is_named_with_its_extra(module):
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(module=module)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "pip install 'holmgang[envs]'" in run.stdout


@pytest.mark.parametrize("module", ["layout", "parallel", "single", "vector"])
def test_a_missing_numpy_is_named_with_its_extra(module):
    code = WITHOUT.replace("import sys\n", "import sys\nsys.modules['numpy'] = None\n")
    run = subprocess.run(
        [sys.executable, "-c", code.format(module=module)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "pip install 'holmgang[envs]'" in run.stdout


def test_a_missing_openspiel_is_named_with_its_extra():
    code = (
        "import sys; sys.modules['pyspiel'] = None\n"
        "from holmgang.errors import UsageError\n"
        "try:\n    import holmgang.envs.openspiel\n"
        "except UsageError as error:\n    print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'holmgang[openspiel]'" in run.stdout


@pytest.mark.parametrize("make", [parallel_env, aec_env, gym_env])
@pytest.mark.parametrize("limit", [0, -1, 1.5, True, 10**9, "many"])
def test_a_wrong_limit_is_refused(make, limit):
    with pytest.raises(UsageError, match="limit must be a whole number from 1 to 1000000"):
        make("bagh", limit=limit)


def test_a_step_before_the_first_game():
    with pytest.raises(UsageError, match="call reset"):
        gym_env("bagh").step(0)


def test_a_step_after_the_end():
    env = gym_env("bagh", limit=1)
    env.reset(seed=1)
    assert env.step(0)[3], "the limit of one round truncates the game"
    with pytest.raises(UsageError, match="call reset"):
        env.step(0)


@pytest.mark.parametrize("actions", [{}, {"red": 0}])
def test_a_missing_action(actions):
    env = parallel_env("bagh")
    env.reset(seed=1)
    with pytest.raises(UsageError, match="of red and of blue"):
        env.step(actions)


def test_each_seat_is_told_of_its_illegal_action():
    env = aec_env("bagh")
    env.reset(seed=1)
    illegal = env.layout.action_space().n - 1
    assert not env.observe("red")["action_mask"][illegal]
    env.step(np.int64(illegal))  # red
    env.step(0)  # blue, after which the round is played
    assert env.infos["red"]["illegal_action"]
    assert "illegal_action" not in env.infos["blue"]
    env.step(0)
    env.step(0)
    assert "illegal_action" not in env.infos["red"]


@pytest.mark.parametrize("action", ["attack", 1.5, None, float("nan"), np.array([0, 1])])
def test_an_action_is_a_whole_number(action):
    env = gym_env("bagh")
    env.reset(seed=1)
    with pytest.raises(UsageError, match="an action is a whole number from 0 to 4; not"):
        env.step(action)
    assert env.step(np.array([0]))[4]["round"] == 2


@pytest.mark.parametrize("make", [parallel_env, aec_env, gym_env])
def test_a_picture_before_the_first_game(make):
    with pytest.raises(UsageError, match="call reset"):
        make("bagh", render_mode="ansi").render()


@pytest.mark.parametrize("wrong", [{"num_envs": -1}, {"num_envs": "x"}, {"autoreset_mode": "No"}])
def test_wrong_arguments_of_many_games(wrong):
    with pytest.raises(
        UsageError, match=r"a batch has from 1 to|autoreset_mode is one of NextStep"
    ):
        vector_env(**{"num_envs": 2, **wrong})


def test_many_games_have_one_option():
    with pytest.raises(UsageError, match="the only option of many games is reset_mask"):
        vector_env(2).reset(options={"start": "3.0.0.0/1.0.0.0"})
    with pytest.raises(DuelError, match="a seed must be"):
        vector_env(2).reset(seed="x")
