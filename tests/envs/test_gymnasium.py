"""The Gymnasium environments: `check_env`, opponents, and many games at once."""

import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import holmgang
from holmgang import envs
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE

GAMES = [*CATALOGUE, "./examples/goofspiel.py:cards=5", "./examples/oshi_zumo.py:coins=6"]
SMALL = "bagh:start_hp=2,max_boost=1,heal_limit=2"
BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"name": "first", "author": "us", "protocol": 1}), flush=True)
    elif message["type"] == "choose":
        answer = {"id": message["id"], "choice": message["choices"][0]}
        print(json.dumps(answer), flush=True)
"""


def masked(rng, mask):
    return rng.choice(np.flatnonzero(mask))


def random_game(env, seed=None):
    """The rewards of one game with legal choices at random."""
    rng = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        action = masked(rng, observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        rewards.append(reward)
        over = terminated or truncated
        assert "illegal_action" not in info
    return rewards, info


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", ["red", "blue"])
@pytest.mark.filterwarnings("ignore:.*Box observation space:UserWarning")
def test_check_env(game, seat):
    env = gymnasium.make("holmgang/duel-v0", ruleset=game, seat=seat)
    check_env(env.unwrapped, skip_render_check=game != "bagh")


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_ruleset_is_registered(game):
    rewards, info = random_game(gymnasium.make(f"holmgang/{game}-v0"), 1)
    assert rewards[-1] in (-1, 0, 1)
    assert set(rewards[:-1]) <= {0}
    assert "outcome" in info


@pytest.mark.parametrize("opponent", ["random", "greedy", "perfect", "beginner", "exploiter"])
def test_levels(opponent):
    rewards, info = random_game(envs.gym_env(SMALL, opponent=opponent), 3)
    assert rewards[-1] == {"red": 1, "blue": -1, None: 0}[info["outcome"]["winner"]]


def test_a_function_is_an_opponent():
    env = envs.gym_env("bagh", opponent=lambda state, seat: "boost" if seat == "blue" else "guard")
    env.reset(seed=1)
    observation, *_ = env.step(2)
    assert observation["observation"][env.layout.fields.index("blue.boost")] == 1


def test_a_bot_is_an_opponent(tmp_path):
    """A bot in another process, which plays several games, and one that crashes and so loses."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    env = envs.gym_env("bagh", opponent=f"{sys.executable} {bot}", trust=True)
    for seed in range(3):
        _, info = random_game(env, seed)
        assert "failure" not in info
    env.close()
    broken = envs.gym_env("bagh", opponent=f"{sys.executable} -c 'raise SystemExit'", trust=True)
    broken.reset(seed=1)
    _, reward, terminated, _, info = broken.step(0)
    assert (reward, terminated) == (1.0, True)
    assert info["failure"]
    broken.close()


def test_people_are_refused():
    with pytest.raises(UsageError, match="human cannot play here"):
        envs.gym_env("bagh", opponent="human")


# Many at once


def steps(mode, places, count, seed):
    """Random legal play in one of the autoreset modes."""
    env = envs.vector_env(places, SMALL, autoreset_mode=mode)
    observations, _ = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(count):
        actions = np.array([masked(rng, mask) for mask in observations["action_mask"]])
        given = env.step(actions)
        yield given
        observations = given[0]
        if mode == "Disabled" and (given[2] | given[3]).any():
            observations, _ = env.reset(options={"reset_mask": given[2] | given[3]})


@pytest.mark.parametrize("game", GAMES)
def test_the_vector_environment_has_the_same_spaces(game):
    one = gymnasium.make("holmgang/duel-v0", ruleset=game)
    many = gymnasium.make_vec(
        "holmgang/duel-v0", num_envs=5, ruleset=game, vectorization_mode="vector_entry_point"
    )
    assert many.single_observation_space == one.observation_space
    assert many.single_action_space == one.action_space
    observations, _ = many.reset(seed=1)
    for _ in range(50):
        assert observations in many.observation_space
        actions = np.array([np.flatnonzero(mask)[-1] for mask in observations["action_mask"]])
        observations, rewards, *_ = many.step(actions)
        assert rewards.dtype == np.float64


def test_next_step_resets_one_step_later():
    before, seen = np.zeros(50, bool), 0
    for observations, rewards, terminated, truncated, _ in steps("NextStep", 50, 60, 1):
        fresh = observations["observation"][before]
        assert (fresh == fresh[:1]).all()
        assert not (terminated | truncated)[before].any()
        assert (rewards[before] == 0).all()
        before = terminated | truncated
        assert (observations["action_mask"][before][:, :-1] == 0).all()
        seen += before.sum()
    assert seen > 50


def test_same_step_keeps_the_last_observation():
    seen = 0
    for observations, _, terminated, truncated, infos in steps("SameStep", 50, 60, 1):
        ended = terminated | truncated
        assert ("final_obs" in infos) == bool(ended.any())
        if ended.any():
            np.testing.assert_array_equal(infos["_final_obs"], ended)
            first = observations["observation"][ended]
            assert (first == first[:1]).all()
            assert (infos["final_obs"]["observation"][ended] != first).any(axis=1).all()
        seen += ended.sum()
    assert seen > 50


def test_disabled_resets_when_it_is_asked():
    assert sum((given[2] | given[3]).sum() for given in steps("Disabled", 50, 60, 1)) > 50
    env = envs.vector_env(4, "bagh", autoreset_mode="Disabled", limit=1)
    env.reset(seed=1)
    *_, truncated, _ = env.step(np.zeros(4, int))
    assert truncated.all()
    with pytest.raises(UsageError, match="reset them first"):
        env.step(np.zeros(4, int))


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_a_policy_plays_as_in_simulations(seat):
    """A place of the vector environment plays the games of `simulate`, with the same draws."""
    policy = holmgang.Policy("bagh", {"attack": 2, "boost": 1})
    other = "blue" if seat == "red" else "red"
    env = envs.vector_env(200, "bagh", opponent=policy, seat=seat, autoreset_mode="SameStep")
    env.reset(seed=9)
    won, done = 0, np.zeros(200, bool)
    while not done.all():
        _, rewards, terminated, truncated, _ = env.step(env._batch.draw(policy, seat))
        ended = (terminated | truncated) & ~done
        won += (rewards[ended] == 1).sum()
        done |= ended
    simulated = holmgang.simulate("bagh", 200, seed=9, **{seat: policy, other: policy})
    assert won == (simulated.red_wins if seat == "red" else simulated.blue_wins)


def test_an_array_is_an_opponent_of_many():
    """Here blue attacks whenever it may."""
    game = holmgang.model(SMALL)
    attack = game.masks[:, :, 1:2] * np.eye(len(game.words))[1]
    weights = np.where(game.masks[:, :, 1:2], attack, game.masks)
    env = envs.vector_env(3, SMALL, opponent=weights)
    env.reset(seed=1)
    hits = env.layout.fields.index("red.hp")
    observations, *_ = env.step(np.zeros(3, int))  # boost
    assert observations["observation"][:, hits].tolist() == [1, 1, 1]


@pytest.mark.parametrize("level", ["perfect", "easy"])
def test_a_level_with_exact_mixes_plays_in_bulk(level):
    """Results of many games agree with the exact value of the same two policies."""
    exact = holmgang.value_against(SMALL, "random", level).value
    env = envs.vector_env(4000, SMALL, opponent=level, autoreset_mode="SameStep")
    env.reset(seed=1)
    total, games = 0.0, 0
    policy = holmgang.Policy(SMALL, {})
    for _ in range(100):
        _, rewards, terminated, truncated, _ = env.step(env._batch.draw(policy, "red"))
        total += rewards.sum()
        games += (terminated | truncated).sum()
    assert abs(total / games - exact) < 5 / np.sqrt(games) + 0.01


def test_illegal_actions_are_replaced():
    env = envs.vector_env(3, "bagh")
    env.reset(seed=1)
    *_, infos = env.step(np.array([4, 0, -1]))
    assert infos["illegal_action"].tolist() == [True, False, True]


def test_a_seed_repeats_everything():
    runs = [list(steps("NextStep", 20, 40, 7)) for _ in range(2)]
    np.testing.assert_equal(runs[0], runs[1])


def test_wrong_arguments_are_refused():
    for wrong in ({"seat": "green"}, {"render_mode": "ansi"}):
        with pytest.raises(UsageError):
            envs.vector_env(2, "bagh", **wrong)
    with pytest.raises(UsageError, match="solved by layers"):
        envs.vector_env(2, "fencing", opponent="perfect")
    env = envs.vector_env(2, "bagh")
    env.reset()
    with pytest.raises(UsageError, match="whole numbers"):
        env.step(np.zeros(3, int))
