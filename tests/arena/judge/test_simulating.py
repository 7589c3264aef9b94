"""Bots wherever a player can be named: `holmgang simulate` and `holmgang play`."""

import json

import pytest
from tests.arena.stage import bot, holmgang, needs_bubblewrap

from holmgang.arena.judge.simulating import simulate_bots
from holmgang.arena.task import Settings
from holmgang.engine.record import replay
from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.simulation.simulate import simulate

TRUSTED = Settings(trust=True)


def test_levels_play_the_same_games_with_or_without_the_referee():
    ruleset = load("bagh:start_hp=2")
    mine = simulate_bots(ruleset, 20, red="greedy", blue="random", seed=4, settings=TRUSTED)
    assert mine.tally == simulate(ruleset, 20, red="greedy", blue="random", seed=4).tally


def test_a_bot_that_fails_ends_the_simulation():
    with pytest.raises(UsageError, match=r"red failed in game 1 \(invalid\): .*; holmgang check"):
        simulate_bots(
            load("bagh"), 5, red=bot("player", "illegal"), blue="random", settings=TRUSTED
        )


@needs_bubblewrap
def test_simulate_takes_bots_by_name(tmp_path):
    command = ["simulate", "bagh:start_hp=2", "--games", "6", "--seed", "1", "--json"]
    run = holmgang(*command, "--blue", f"rival={bot('player')}", "--records", tmp_path / "r")
    report = json.loads(run.stdout)
    assert (report["games"], report["levels"]) == (6, {"red": "random", "blue": "rival"})
    kept = sorted((tmp_path / "r").iterdir())
    assert len(kept) == 6
    assert all(replay(path).is_over for path in kept)


@needs_bubblewrap
def test_play_takes_bots_by_name(tmp_path):
    command = ["play", "bagh:start_hp=2", "--wins", "1", "--plain", "--seed", "1"]
    run = holmgang(*command, "--red", bot("player"), "--vs", "rival=random", "--records", tmp_path)
    assert "Blue (rival)" in run.stdout
    assert "wins the match" in run.stdout or "The game is drawn." in run.stdout


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("simulate bagh --red human", "people play with holmgang play"),
        ("simulate bagh --red robot", "unknown player 'robot'; name a level (random, greedy"),
        ("play bagh --vs robot", "unknown player 'robot'"),
        ("play bagh --vs search:x", "the setting of search must be a number above 0"),
    ],
)
def test_who_is_unknown_is_refused(command, told):
    run = holmgang(*command.split(), code=2)
    assert told in run.stderr
