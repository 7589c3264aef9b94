"""Batches: many games at once are the same games."""

import numpy as np
import pytest

import holmgang
from holmgang.engine.compiled import native
from holmgang.engine.compiled.native import kernels_of
from holmgang.engine.stream import game_key
from holmgang.errors import ChoiceError, UsageError
from holmgang.games.contract import NO_CHOICE
from holmgang.games.ruleset import load
from holmgang.simulation.batch import (
    batch,
    choice_sets,
    face_counts,
    packed,
    row_kernels_of,
    step_states,
)


def first_legal(env):
    """For each place the lowest choice of each seat; 0 where there is none."""
    return env.masks().argmax(axis=2).T


@pytest.mark.parametrize("text", ["bagh", "fencing", "defend-the-city", "magic-duel"])
def test_a_place_plays_the_duel_of_its_seed(text):
    """The same choices and throws, made through Duel, come to the same states."""
    ruleset = load(text)
    throw, notation = kernels_of(ruleset).bound.kernels["throw"], ruleset.game.notation
    rng = np.random.default_rng(3)
    env = batch(text, 3, seed=8)
    duels = [holmgang.Duel(text, seed=game_key(8, place)) for place in range(3)]
    for _ in range(60):
        masks = env.masks()
        chosen = np.array(
            [[rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in place] for place in masks]
        )
        before = env.games.copy()
        rewards, done = env.step(chosen[:, 0], chosen[:, 1])
        for place, duel in enumerate(duels):
            made = [NO_CHOICE, NO_CHOICE]
            for seat, name in enumerate(("red", "blue")):
                if masks[place, seat].any():
                    made[seat] = int(chosen[place, seat])
                    duel.choose(name, env.word(made[seat]))
            face = throw(duel.state, duel.seed, len(duel.rounds), *made)
            duel.reveal(notation.format_chance(ruleset.rules, duel.state, *made, face))
            assert duel.is_over == done[place]
            if done[place]:
                winner = {"red": 1, "blue": -1, None: 0}[duel.outcome.winner]
                assert rewards[place] == winner
                assert env.games[place] == before[place] + 3
                row = packed(env.ruleset, duel.state)
                columns = [i for i, name in enumerate(env.fields) if "wounded" not in name]
                assert env.final_states[place][columns].tolist() == row[columns].tolist()
                duels[place] = holmgang.Duel(text, seed=game_key(8, int(env.games[place])))
            assert env.state(place) == duels[place].state_json


def test_the_rewards_are_to_red():
    env = batch("bagh:start_hp=1", 2, seed=0)
    rewards, done = env.step([1, 3], [3, 1])  # attack against heal, and the other way round
    assert rewards.tolist() == [1, -1]
    assert done.tolist() == [True, True]
    assert env.rounds.tolist() == [0, 0]


def test_the_limit_of_a_campaign_is_a_loss():
    env = batch("defend-the-city", 2, limit=2)  # D9
    env.step([0, 0], [0, 0])  # 0/0
    rewards, done = env.step([0, 0], [0, 0])
    assert done.all()
    assert (rewards == -1).all()


def test_the_limit_is_a_draw():
    env = batch("bagh", 2, limit=2)
    env.step([0, 0], [0, 0])
    rewards, done = env.step([0, 0], [0, 0])
    assert rewards.tolist() == [0, 0]
    assert done.all()


def test_reset_begins_anew():
    env = batch("bagh", 5, seed=2)
    start = env.states.copy()
    env.step(*first_legal(env))
    assert (env.reset() == start).all()
    assert env.games.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("red", "blue", "message"),
    [
        ([9, 1], [1, 1], "red may not choose 9 at place 0"),
        ([1, 1], [1, -1], "blue may not choose -1 at place 1"),
        ([1, 1], [1, 64], "blue may not choose 64 at place 1"),
        ([1], [1, 1], "red must be 2 whole numbers"),
        ([1.0, 1.0], [1, 1], "red must be 2 whole numbers"),
    ],
)
def test_an_illegal_choice_plays_nothing(red, blue, message):
    env = batch("bagh", 2)
    before = env.states.copy()
    with pytest.raises(ChoiceError, match=message):
        env.step(red, blue)
    assert (env.states == before).all()
    assert env.rounds.tolist() == [0, 0]


@pytest.mark.parametrize("places", [0, 1.5, True, "x", None])
def test_a_batch_has_places(places):
    with pytest.raises(UsageError, match="from 1 to"):
        batch("bagh", places)


def test_what_it_shows_cannot_be_written_to():
    env = batch("bagh", 2)
    for shown in (env.states, env.final_states, env.games, env.rounds, env.menus):
        with pytest.raises(ValueError, match="read-only"):
            shown[0] = 5


def test_packed_states_are_stepped_by_the_rules():
    ruleset = load("bagh")
    module, rules = ruleset.game.rules, ruleset.rules
    cases = [
        ("3.2.0.0/3.0.0.0", 1, 2, 0),
        ("3.0.0.0/3.0.0.2", 1, 2, 0),
        ("3.0.0.0/3.0.0.2", 1, 2, 2),
        ("1.0.0.0/1.0.0.0", 1, 1, 0),
        ("1.0.0.0/1.0.0.0", 1, 3, 0),
    ]
    rows = [packed(ruleset, ruleset.parse_state(text)) for text, *_ in cases]
    red, blue, faces = zip(*(case[1:] for case in cases), strict=True)
    after, ends = step_states(ruleset, rows, red, blue, faces)
    for row, end, (text, *chosen) in zip(after, ends, cases, strict=True):
        state = ruleset.game.notation.parse_text(rules, text)
        expected = module.resolve(rules, state, *chosen)
        assert row.tolist() == [*expected.red, *expected.blue]
        ended = module.outcome(rules, expected)
        assert end == (3 * ended.reason + ended.winner + 1 if ended.reason else 0)
    with pytest.raises(UsageError, match="one for each state"):
        step_states(ruleset, rows, red, blue, faces[:-1])


@pytest.mark.parametrize("text", ["bagh", "magic-duel"])
def test_without_a_compiler(text, monkeypatch):
    """`pip install 'holmgang[envs]'` has NumPy, but not numba."""

    def played():
        env, policy = batch(text, 3, seed=5), holmgang.Policy(text, {})
        seen = []
        for _ in range(6):
            red, blue = (env.draw(policy, seat) for seat in ("red", "blue"))
            seen += [env.states.copy(), choice_sets(text, env.states), *env.faces(red, blue)]
            seen += [face_counts(text, env.states, red, blue), *env.step(red, blue)]
        return seen

    compiled = played()
    monkeypatch.setattr(native, "can_compile", lambda: False)
    kernels_of.cache_clear()
    row_kernels_of.cache_clear()
    interpreted = played()
    kernels_of.cache_clear()
    row_kernels_of.cache_clear()
    np.testing.assert_equal(interpreted, compiled)
