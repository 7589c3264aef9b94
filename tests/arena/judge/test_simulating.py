"""Bots wherever a player can be named: `holmgang simulate` and `holmgang play`."""

import json
import shlex
import sys

import pytest
from tests.arena.stage import TRUSTED, bot, holmgang, needs_bubblewrap, refused

from holmgang.arena.judge.simulating import play_judged
from holmgang.arena.task import GameTask
from holmgang.engine.record import replay
from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.players.naming import parse_player
from holmgang.simulation.simulate import simulate


def test_levels_play_the_same_games_with_or_without_the_referee():
    ruleset = load("bagh:start_hp=2")
    mine = play_judged(GameTask("", ruleset.text, "greedy", "random", 4, TRUSTED), 20)
    assert mine == simulate(ruleset, 20, red="greedy", blue="random", seed=4).tally


def test_a_bot_that_fails_ends_the_simulation():
    with pytest.raises(UsageError, match=r"red failed in game 1 \(invalid\): .*; holmgang check"):
        play_judged(GameTask("", "bagh", bot("player", "illegal"), "random", 1, TRUSTED), 5)


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
    assert " wins: " in run.stdout or "draw" in run.stdout


SPY = """
import json, os, pathlib, sys

games = 0
for line in sys.stdin:
    asked = json.loads(line)
    seen = os.listdir(pathlib.Path(__file__).with_name("records"))
    if asked["type"] == "hello":
        print(json.dumps({"name": "spy", "author": "tests", "protocol": 1}), flush=True)
    elif asked["type"] == "new game":
        games += 1
    elif asked["type"] == "choose":
        if games == 2:
            sys.exit(f"it sees {seen}")
        print(json.dumps({"id": asked["id"], "choice": asked["choices"][0]}), flush=True)
"""
"""Says in its second game what it sees of the first."""


@needs_bubblewrap
def test_no_bot_sees_the_records_of_its_simulation(tmp_path):
    """Their names have the seed, with which every draw could be predicted."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "spy.py").write_text(SPY)
    command = ["simulate", "bagh:start_hp=2", "--games", "2"]
    command += ["--red", f"{sys.executable} {own}/spy.py"]
    seen = holmgang(*command, "--records", own / "records", code=2)
    assert "sees []" in seen.stderr
    refused = holmgang(*command, "--records", own, code=2)
    assert "is a bot's own folder" in refused.stderr


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("simulate bagh --red human", "people play with holmgang play"),
        ("simulate bagh --red robot", "unknown player 'robot'; name a level (beginner, easy"),
        ("play bagh --vs robot", "unknown player 'robot'"),
        ("play bagh --vs search:x", "the setting of search must be a number above 0"),
    ],
)
def test_who_is_unknown_is_refused(command, told):
    assert told in refused(*command.split())


def test_no_name_is_taken_for_an_order(tmp_path):
    """Neither by what colours the report, nor by the terminal; nor is a manifest too deep."""
    folder = tmp_path / "a[b]\x1b[2J"
    folder.mkdir()
    player = shlex.split(bot("player"))
    (folder / "bot.toml").write_text(f"command = {json.dumps(player)}")
    run = holmgang("simulate", "bagh", "--games", 1, "--red", folder, "--trust")
    assert r"a[b]\x1b[2J against random" in run.stdout
    (folder / "bot.toml").write_text("command = " + "[" * 5000)
    assert "cannot read" in holmgang("simulate", "bagh", "--red", folder, code=2).stderr


def test_a_folder_does_not_take_the_name_of_a_level(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "random").mkdir()
    (tmp_path / "random" / "bot.toml").write_text('command = "python3 bot.py"')
    assert parse_player("random", load("bagh")).level is not None
    assert parse_player("./random", load("bagh")).bot is not None
    assert parse_player("json:random", load("bagh")).bot is not None
