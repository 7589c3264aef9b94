"""The rules on one screen: whom each meeting of two choices helps."""

import pytest
from tests.games.one_file import standoff  # noqa: F401 - a fixture

from holmgang.engine.overview import overview_of
from holmgang.games import finding
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load


def marks(ruleset):
    seen = overview_of(ruleset)
    return {
        (row.label, column): cell.mark
        for row in seen.rows
        for column, cell in zip(seen.columns, row.cells, strict=True)
    }


def test_attack_beats_heal_and_guard_beats_attack():
    of = marks(load("bagh"))
    assert of["Attack", "Heal"] == of["Guard", "Attack"] == of["Boost", "Guard"] == "good"
    assert of["Heal", "Attack"] == of["Attack", "Guard"] == of["Guard", "Boost"] == "bad"
    assert {of[each, each] for each in ("Boost", "Attack", "Guard", "Heal")} == {"even"}


def test_a_parry_beats_a_lunge_that_would_touch():
    of = marks(load("fencing:league=1"))
    assert of["Lunge", "Break"] == of["Parry", "Lunge"] == "good"
    assert of["Walk", "Lunge"] == of["Lunge", "Parry"] == "bad"


def test_the_odds_of_defend_the_city_come_from_its_die():
    seen = overview_of(load("defend-the-city"))
    rows = {row.label: [cell.text for cell in row.cells] for row in seen.rows}
    assert rows["0"] == ["never"] * 6
    assert rows["3"] == ["3 in 5", "2 in 5", "1 in 5", "never", "never", "never"]


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_game_says_aim_choices_and_ending(name):
    seen = overview_of(load(name))
    assert seen.aim.endswith(".")
    assert seen.ending.endswith(".")
    assert all(line.label and line.does for line in seen.choices)


def test_a_game_in_one_file_gets_its_table_from_its_rules(standoff):  # noqa: F811
    of = marks(finding.load(str(standoff)))
    assert of["Shoot", "Reload"] == of["Shield", "Shoot"] == "good"
    assert of["Reload", "Shoot"] == of["Shoot", "Shield"] == "bad"
    assert of["Shoot", "Shoot"] == "even"
