"""What holds of every estimate: an opinion within bounds, the same for both seats, with some sense.

How well searches play by them is measured in bench/simultaneous.py.
"""

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import rulesets, states

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load

SIMULTANEOUS = ("bagh", "fencing", "defend_the_city")


def estimate(ruleset, state):
    module = import_module(f"holmgang.games.{ruleset.game.folder}.estimate")
    return module.estimate(ruleset.rules, state)


def estimate_text(text, state_text):
    ruleset = load(text)
    return estimate(ruleset, ruleset.parse_state(state_text))


@st.composite
def positions(draw):
    ruleset = draw(rulesets().filter(lambda drawn: drawn.game.folder in SIMULTANEOUS))
    return ruleset, draw(states(ruleset))


@given(positions())
def test_never_as_much_as_a_win(position):
    assert -1 < estimate(*position) < 1


@given(positions())
def test_the_same_to_either_seat(position):
    ruleset, state = position
    notation = ruleset.game.notation
    if notation.is_symmetric(ruleset.rules):
        mirrored = estimate(ruleset, notation.mirror(ruleset.rules, state))
        assert mirrored == pytest.approx(-estimate(ruleset, state), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name != "magic-duel"])
def test_nobody_is_ahead_at_the_start_of_a_symmetric_game(name):
    ruleset = load(name)
    if ruleset.is_symmetric:
        assert estimate(ruleset, ruleset.initial()) == 0


@pytest.mark.parametrize(
    ("text", "better", "worse"),
    [
        pytest.param("fencing", "9/200.20.1/300", "9/200/300", id="a point"),
        pytest.param("fencing", "190/200.20.1/300", "9/200.20.1/300", id="a point late"),
        pytest.param("fencing", "9/200/300.4", "9/200/300", id="energy"),
        pytest.param("fencing", "9/260/290.4", "9/200/300.4", id="energy within reach"),
        pytest.param("fencing", "9/300/400", "9/200/300", id="ground"),
        pytest.param("fencing", "9/200.20.0.1.20.10/300", "9/200/300", id="a longer breath"),
        pytest.param(
            "fencing", "9/200.20.0.1.20.0.0.0.0.0.5/300", "9/200/300", id="a longer lunge"
        ),
    ],
)
def test_what_is_better_looks_better(text, better, worse):
    assert estimate_text(text, better) > estimate_text(text, worse)


def test_who_is_behind_wants_to_be_within_reach():
    near = estimate_text("fencing", "9/240/260.20.1")
    far = estimate_text("fencing", "9/200/300.20.1")
    assert far < near < 0


def fresh(text):
    ruleset = load(text)
    return ruleset, ruleset.initial()


def test_bagh_counts_hp_and_boost():
    ruleset, state = fresh("bagh")
    hurt = state._replace(blue=state.blue._replace(hp=2))
    boosted = state._replace(red=state.red._replace(boost=2))
    assert estimate(ruleset, hurt) > 0
    assert estimate(ruleset, boosted) > 0


def test_the_city_counts_stamina_and_soldiers():
    ruleset, state = fresh("defend-the-city")
    tired = state._replace(blue=state.blue._replace(stamina=10))
    later = state._replace(defeated=4)
    start = estimate(ruleset, state)
    assert start < estimate(ruleset, tired) < estimate(ruleset, later)


def test_a_city_that_need_not_strike_the_last_blow_has_a_draw():
    ruleset, state = fresh("defend-the-city:endless_loses=0")
    spent = state._replace(blue=state.blue._replace(stamina=0))
    assert estimate(ruleset, spent) == 0
    assert estimate(ruleset, spent._replace(defeated=4)) > 0.9
    assert estimate(fresh("defend-the-city")[0], spent) < -0.5  # D9: it has to go on
