"""What chance cannot have brought, and what is said of it."""

import pytest
from tests.games.cases import request

from holmgang.engine import step
from holmgang.errors import ChanceError
from holmgang.games.ruleset import load


@pytest.mark.parametrize(
    ("ruleset", "state", "round_", "told"),
    [
        ("bagh", "3.0.0.0/3.0.0.1", "boost, boost", "blue_mends must be true or false, as that"),
        ("bagh", "3.0.0.0/3.0.0.1", "boost, boost (blue_mends=1)", "blue_mends must be true or"),
        ("bagh", "3.0.0.0/3.0.0.1", "boost, boost (blue_mends=null)", "blue_mends must be true or"),
        (
            "bagh",
            "3.0.0.0/3.0.0.1",
            "boost, boost (red_mends=true blue_mends=true)",
            "red_mends must be null, as that shield is whole; not True",
        ),
        (
            "bagh",
            "3.0.0.0/3.0.0.1",
            "boost, boost (blue_mend=true)",
            "chance must be red_mends and blue_mends",
        ),
        (
            "defend-the-city",
            "30/30/0",
            "2/4, 5/0 (red_roll=0)",
            "nothing is rolled yet: an offense may still be forfeited",
        ),
        ("defend-the-city", "30/30/0", "5/0, 0/0", "red_roll must be a whole number from 0 to 4"),
        ("defend-the-city", "30/30/0", "5/0, 0/0 (red_roll=5)", "red_roll must be a whole number"),
        ("defend-the-city", "30/30/0", "5/0, 0/0 (red_roll=-1)", "red_roll must be a whole number"),
        ("defend-the-city", "30/30/0", "5/0, 0/0 (red_roll=true)", "red_roll must be a whole"),
        (
            "defend-the-city:die=6",
            "30/30/0",
            "5/0, 0/0",
            "red_roll must be a whole number from 0 to 5",
        ),
        (
            "defend-the-city",
            "30/30/0",
            "5/0, 0/0 (red_roll=0 blue_roll=0)",
            "blue_roll must be null, as the higher offense has hit; not 0",
        ),
        ("defend-the-city", "30/30/0", "5/0, 5/0 (red_roll=0)", "blue_roll must be a whole number"),
        ("fencing", "0/200/300", "walk, walk (x=1)", "nothing is thrown here"),
        (
            "magic-duel",
            "r2/25.0.0.0/25.0.0.0",
            "magic (x=1)",
            "nothing is thrown here",
        ),
    ],
)
def test_chance_that_cannot_be(ruleset, state, round_, told):
    loaded = load(ruleset)
    notation = loaded.game.notation
    shown = notation.format_state(loaded.rules, notation.parse_text(loaded.rules, state))
    with pytest.raises(ChanceError) as refusal:
        step.answer(request(ruleset, shown, round_))
    assert told in str(refusal.value)
