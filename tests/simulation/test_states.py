"""Every state that a duel can come to, compiled; tests/games counts them by depth, interpreted."""

import pytest

from holmgang.errors import UsageError
from holmgang.simulation.states import reachable_states


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("bagh", 72_400),
        ("bagh-advantage", 72_400),
        ("bagh:max_boost=1", 1600),
        ("defend-the-city-duel", 649_498),
    ],
)
def test_the_number_of_undecided_states(text, states):
    rows, found = reachable_states(text)
    assert found == states
    assert len(rows) % found == 0


def test_too_many_are_refused():
    with pytest.raises(UsageError, match="more than 5000 states"):
        reachable_states("magic-duel", most=5000)
