"""Rules that contradict each other are refused."""

import pytest

from holmgang.games.fencing.rules import Rules, impossible


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, ""),
        ({"red_start": 501}, "both start positions must be on the piste"),
        ({"blue_start": 501}, "both start positions must be on the piste"),
        ({"red_start": 0, "blue_start": 500}, ""),
        ({"start_energy": 21}, "start_energy must not be above max_energy"),
        ({"start_energy": 0}, ""),
        ({"red_start": 300, "blue_start": 200}, "red_start must be to the left of blue_start"),
        ({"red_start": 250, "blue_start": 250}, ""),
        (
            {"red_start": 250, "blue_start": 250, "level_collides": 1},
            "red_start must be to the left of blue_start",
        ),
    ],
)
def test_rules_that_contradict_each_other(changed, why):
    assert impossible(Rules(**changed)) == why
