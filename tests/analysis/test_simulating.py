"""Any player plays any other in simulations: levels, bots, and policies in every form."""

import sys

import numpy as np
import pytest

import holmgang
from holmgang.errors import UsageError

SMALL = "bagh:start_hp=2,max_boost=1,heal_limit=1"
BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"name": "first", "author": "us", "protocol": 1}), flush=True)
    elif message["type"] == "choose":
        print(json.dumps({"id": message["id"], "choice": "attack"}), flush=True)
"""
POLICIES = {
    "array": lambda: holmgang.model(SMALL).solution.mixes,
    "table": lambda: holmgang.solve(SMALL),
    "path": lambda: holmgang.solve(SMALL).path,
    "best response": lambda: holmgang.best_response(SMALL, "random"),
    "weights": lambda: {"attack": 1},
    "function": lambda: lambda state, seat: {"attack": 2, "guard": 1},
}


@pytest.fixture(scope="module")
def bot(tmp_path_factory):
    path = tmp_path_factory.mktemp("bot") / "bot.py"
    path.write_text(BOT)
    return f"{sys.executable} {path}"


@pytest.mark.parametrize("form", POLICIES)
@pytest.mark.parametrize("level", ["random", "perfect", "easy", "greedy"])
def test_a_policy_plays_a_level(form, level):
    done = holmgang.simulate(SMALL, 8, seed=1, red=POLICIES[form](), blue=level)
    assert done.red_wins + done.blue_wins + done.draws == 8
    assert done.blue == level


@pytest.mark.parametrize("form", ["array", "weights", "function"])
def test_a_policy_plays_a_bot(form, bot):
    done = holmgang.simulate(SMALL, 4, seed=1, red=bot, blue=POLICIES[form](), trust=True)
    assert done.games == 4
    assert done.choices(0).keys() == {"attack"}


def test_an_array_plays_by_its_weights():
    """Its results are near the exact value of the same two policies."""
    guards = np.zeros(holmgang.model(SMALL).masks.shape)
    guards[:, :, holmgang.model(SMALL).words.index("attack")] = 1
    guards += 0.25 * holmgang.model(SMALL).masks
    done = holmgang.simulate(SMALL, 4000, seed=1, red=guards * holmgang.model(SMALL).masks)
    exact = holmgang.value_against(SMALL, guards * holmgang.model(SMALL).masks, "random").value
    assert (done.red_wins - done.blue_wins) / 4000 == pytest.approx(exact, abs=0.08)


def test_a_bot_that_fails_is_an_error():
    with pytest.raises(UsageError, match=r"red failed \(crash\)"):
        holmgang.simulate(SMALL, 2, red=f"{sys.executable} -c 'raise SystemExit'", trust=True)


@pytest.mark.parametrize(
    ("player", "told"),
    [("human", "human cannot play here"), ("egil", "unknown player"), (5, "not 5")],
)
def test_what_is_no_player_is_refused(player, told):
    with pytest.raises(UsageError, match=told):
        holmgang.simulate(SMALL, 2, red=player)
