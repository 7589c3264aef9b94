"""Mistakes in using the environments get one clear line."""

import subprocess
import sys

import numpy as np
import pytest

from holmgang.envs import aec_env, gym_env, parallel_env
from holmgang.errors import UsageError

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
