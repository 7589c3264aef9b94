"""Duels between agents in a few lines: `holmgang.make`."""

import sys

import numpy as np
import pytest

import holmgang
from holmgang.engine.record import parse, replay
from holmgang.errors import DuelError, UsageError

BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"name": "first", "author": "us", "protocol": 1}), flush=True)
    elif message["type"] == "choose":
        print("thinking about", message["choices"], file=sys.stderr, flush=True)
        answer = {"id": message["id"], "choice": message["choices"][0]}
        print(json.dumps(answer), flush=True)
"""


def talkative(state, seat):
    print(f"{seat} has {getattr(state, seat).hp} hp")
    return {"attack": 3, "guard": 1}


def test_five_lines(capsys):
    env = holmgang.make("bagh:max_boost=2")
    duel = env.run([talkative, "perfect"], seed=4)
    env.render()
    shown = capsys.readouterr().out
    assert duel.is_over
    assert "[red] red has 3 hp" in shown
    assert duel.ending() in shown
    assert "talkative (red) against perfect" in shown


def test_logs_are_beside_the_replay():
    env = holmgang.make("bagh")
    duel = env.run([talkative, talkative], seed=1)
    assert {entry.seat for entry in env.logs} == {"red", "blue"}
    assert [e.round for e in env.logs if e.seat == "red"] == [r.number for r in duel.rounds]
    page = env.render("html")
    assert page.count("red has") == len(duel.rounds)
    assert "<iframe" in env._repr_html_()


def test_what_an_agent_prints_cannot_break_the_page():
    def hostile(state, seat):
        print("<script>alert(1)</script>")
        return "attack"

    env = holmgang.make("bagh")
    env.run([hostile, "random"], seed=1)
    assert "<script>alert" not in env.render("html")


def test_the_record_replays():
    env = holmgang.make("bagh")
    duel = env.run(["random", {"attack": 1}], seed=1)
    again = replay(parse(env.render("record")))
    assert again.outcome == duel.outcome
    repeated = env.run(["random", {"attack": 1}], seed=1)
    assert [each.story for each in repeated.rounds] == [each.story for each in duel.rounds]


def test_a_bot_plays_and_its_log_is_kept(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    env = holmgang.make("bagh", trust=True)
    duel = env.run(["random", f"{sys.executable} {bot}"], seed=1)
    assert duel.outcome.reason not in ("crash", "invalid", "timeout")
    assert any("thinking about" in entry.text for entry in env.logs if entry.seat == "blue")


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (lambda state, seat: 1 / 0, "crash"),
        (lambda state, seat: "fly", "invalid"),
        (lambda state, seat: {"attack": -1}, "invalid"),
    ],
)
def test_an_agent_that_fails_loses(agent, reason):
    env = holmgang.make("bagh")
    duel = env.run([agent, "random"], seed=1)
    assert (duel.outcome.winner, duel.outcome.reason) == ("blue", reason)
    assert env.logs[0].seat == "red"
    if reason == "crash":
        assert "ZeroDivisionError" in env.logs[0].text
    assert env.render("ansi")
    assert env.render("html")


def test_an_array_and_a_solved_table_are_agents():
    """Here blue attacks whenever it may."""
    small = "bagh:start_hp=2,max_boost=1,heal_limit=1"
    game = holmgang.model(small)
    attack = np.where(game.masks[:, :, 1:2], np.eye(len(game.words))[1], game.masks)
    duel = holmgang.make(small).run([holmgang.solve(small), attack], seed=1)
    assert duel.is_over
    assert {each.blue for each in duel.rounds} == {"attack"}


def test_the_log_of_a_bot_that_fails_at_once_is_shown():
    env = holmgang.make("bagh", trust=True)
    env.run([f"{sys.executable} -c 1/0", "random"], seed=1)
    assert "[red] Traceback" in env.render("ansi")


def test_games_in_a_file_and_turns():
    for game in ("./examples/oshi_zumo.py", "magic-duel", "defend-the-city"):
        assert holmgang.make(game).run(["random", "random"], seed=1).is_over


def test_refusals():
    env = holmgang.make("bagh")
    with pytest.raises(DuelError, match="call run first"):
        env.render()
    for agents in (["random"], "random", ["random", "human"], ["random", 7], None):
        with pytest.raises(UsageError):
            env.run(agents)
    env.run(["random", "random"])
    with pytest.raises(UsageError, match="a mode is one of"):
        env.render("svg")
