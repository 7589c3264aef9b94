"""The PettingZoo environments: its own tests, and ours where its tests look too little."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

from holmgang import envs
from holmgang.envs.parallel import DuelAECEnv, DuelParallelEnv
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE

EXAMPLES = ["./examples/goofspiel.py:cards=5", "./examples/oshi_zumo.py:coins=6"]
GAMES = [*CATALOGUE, *EXAMPLES]


@pytest.fixture(params=GAMES)
def ruleset(request):
    return request.param


def played(env, seed, rng):
    """Everything that a game gives, with legal choices at random."""
    observations, infos = env.reset(seed=seed)
    yield observations, infos
    while env.agents:
        actions = {
            agent: rng.choice(np.flatnonzero(observations[agent]["action_mask"]))
            for agent in env.agents
        }
        observations, rewards, terminations, truncations, infos = env.step(actions)
        yield actions, observations, rewards, terminations, truncations, infos


def test_parallel_api(ruleset):
    parallel_api_test(envs.parallel_env(ruleset), num_cycles=300)


def test_aec_api(ruleset):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="pettingzoo")  # it advises on observations
        api_test(envs.aec_env(ruleset), num_cycles=300)


def test_seeds(ruleset):
    parallel_seed_test(lambda: envs.parallel_env(ruleset), num_cycles=50)
    seed_test(lambda: envs.aec_env(ruleset), num_cycles=50)


class Limited:
    """What `max_cycles_test` expects of a module."""

    def __init__(self, ruleset):
        self.parallel_env = lambda max_cycles: DuelParallelEnv(ruleset, limit=max_cycles)
        self.env = lambda max_cycles: DuelAECEnv(ruleset, limit=max_cycles)


def test_illegal_actions_do_not_raise():
    """It samples all actions. A player with 99 hp cannot lose within its four rounds."""
    max_cycles_test(Limited("bagh:start_hp=99,max_boost=0"))


@pytest.mark.parametrize("game", ["bagh", "fencing", "magic-duel"])
def test_render(game):
    render_test(lambda render_mode=None: DuelAECEnv(game, render_mode=render_mode))


def test_pictures_are_pixels_and_change():
    env = envs.parallel_env("bagh", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step({"red": 1, "blue": 0})
    after = env.render()
    assert before.dtype == np.uint8
    assert before.shape[2] == 3
    assert before.std() > 10
    assert before.shape == after.shape
    assert (before != after).any()


def test_long_determinism(ruleset):
    """Twenty games in a row from one seed, twice, equal in every detail."""
    runs = []
    for _ in range(2):
        env, rng = envs.parallel_env(ruleset), np.random.default_rng(4)
        runs.append([list(played(env, None if n else 4, rng)) for n in range(20)])
    np.testing.assert_equal(runs[0], runs[1])


def test_games_of_a_seed_differ():
    env, rng = envs.parallel_env("bagh"), np.random.default_rng(1)
    seeds = set()
    for number in range(20):
        list(played(env, None if number else 5, rng))
        seeds.add(env._table.seed)
    assert len(seeds) == 20


def test_the_other_seat_does_not_see_a_choice_before_the_reveal():
    seen = []
    for action in range(4):
        env = envs.aec_env("bagh")
        env.reset(seed=1)
        assert env.agent_selection == "red"
        env.step(action)
        assert env.agent_selection == "blue"
        observation, reward, *_, info = env.last()
        seen.append((observation, reward, info, env.state()))
    for other in seen[1:]:
        np.testing.assert_equal(seen[0], other)


def test_turns_alternate_where_the_game_has_turns():
    env, asked, rng = envs.aec_env("magic-duel"), [], np.random.default_rng(1)
    env.reset(seed=1)
    for agent in env.agent_iter(60):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        asked.append(agent)
        assert observation["action_mask"][-1] == 0  # a seat that is asked never passes
        env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
    assert set(asked) == {"red", "blue"}


def test_rewards_truncation_and_starts():
    env = envs.parallel_env("bagh", limit=1)
    env.reset(seed=1)
    _, rewards, terminations, truncations, infos = env.step({"red": 0, "blue": 0})
    assert rewards == {"red": 0.0, "blue": 0.0}
    assert terminations == {"red": False, "blue": False}
    assert truncations == {"red": True, "blue": True}
    assert infos["red"]["outcome"]["reason"] == "limit"
    env = envs.parallel_env("bagh")
    env.reset(seed=1, options={"start": "3.0.0.0/1.0.0.0"})
    _, rewards, terminations, *_ = env.step({"red": 1, "blue": 0})
    assert rewards == {"red": 1.0, "blue": -1.0}
    assert terminations == {"red": True, "blue": True}
    assert env.agents == []


def test_an_illegal_action_is_replaced_and_told():
    env = envs.parallel_env("bagh")
    env.reset(seed=1)
    *_, infos = env.step({"red": 4, "blue": 1})
    assert infos["red"]["illegal_action"]
    assert "illegal_action" not in infos["blue"]


def test_a_wrong_mode_is_refused():
    with pytest.raises(UsageError, match="render_mode is one of human, ansi, rgb_array"):
        envs.parallel_env("bagh", render_mode="svg")


@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium"])
def test_a_direct_import_names_the_missing_extra(library):
    code = (
        f"import sys; sys.modules[{library!r}] = None\n"
        "from holmgang.errors import UsageError\n"
        "try:\n    import holmgang.envs.parallel\n"
        "except UsageError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'holmgang[envs]'" in done.stdout, done.stderr
