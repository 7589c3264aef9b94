"""The numbers of a state by path, and the bounds that play keeps to."""

from itertools import product

import pytest

from holmgang.engine.compiled.packing import layout
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.fields import leaves_of, numbers_of
from holmgang.games.ruleset import load


def reachable(ruleset):
    """Every state that a game can come to, by going through all choices and all faces."""
    seen = {ruleset.initial()}
    ahead = list(seen)
    while ahead:
        state = ahead.pop()
        if ruleset.ending(state).reason:
            continue
        menus = (ruleset.choices(state, seat) or [NO_CHOICE] for seat in (RED, BLUE))
        for red, blue in product(*menus):
            for face in range(ruleset.chance(state, red, blue)):
                after = ruleset.resolve_unchecked(state, red, blue, face)
                if after not in seen:
                    seen.add(after)
                    ahead.append(after)
    return seen


@pytest.mark.parametrize(
    "text",
    [
        "bagh:max_boost=2,heal_limit=4",
        "bagh:max_boost=3,boost_gain=3,heal_limit=3,priority_fall=3",
        "bagh-advantage:max_boost=2,heal_limit=4",
        "defend-the-city:stamina=4,max_score=2,soldiers=2",
        "defend-the-city:duel=1,stamina=3,max_score=2,overspend=0",
    ],
)
def test_bounds_are_the_least_and_the_greatest_values(text):
    ruleset = load(text)
    columns = zip(*map(numbers_of, reachable(ruleset)), strict=True)
    assert ruleset.field_bounds == {
        path: (min(column), max(column))
        for (path, _), column in zip(leaves_of(ruleset.game.rules.State), columns, strict=True)
    }


@pytest.mark.parametrize("text", ["bagh:boost_gain=2", "bagh:boost_gain=9,priority_fall=8"])
def test_priority_that_grows_faster_than_it_falls_has_no_limit(text):
    assert load(text).field_bounds["red.priority"] == (0, None)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("bagh", 4),
        ("fencing:league=1", 5),
        ("fencing:league=2", 7),
        ("fencing", 15),
        ("defend-the-city", 51),
        ("magic-duel", 34),
        ("magic-duel:shield_limit=999", 63),
    ],
)
def test_choice_count(text, count):
    assert load(text).choice_count == count


def test_paths_are_those_of_packed_rows():
    for name in ("bagh", "fencing", "defend-the-city", "magic-duel"):
        ruleset = load(name)
        assert tuple(ruleset.field_bounds) == layout(ruleset.game.rules.State).names
