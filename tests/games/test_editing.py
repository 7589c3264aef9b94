"""Positions by hand: forms made of a game's own fields, and edits that give possible states."""

import random

import pytest

from holmgang.engine.course import Course, Positions
from holmgang.errors import StateError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.editing import edited, form, possible
from holmgang.games.ruleset import load


def played(ruleset, seed):
    """A state that a random game comes to."""
    rng = random.Random(seed)
    course = Course(Positions(ruleset), dice=seed)
    for _ in range(seed):
        if course.is_over:
            break
        choices = (ruleset.choices(course.position.state, seat) for seat in (0, 1))
        course.play(*(rng.choice(menu) if menu else -1 for menu in choices))
    return course.position.state


@pytest.mark.parametrize("seed", [0, 3, 6])
@pytest.mark.parametrize("game", CATALOGUE)
def test_what_is_played_is_possible_and_every_edit_is_or_is_refused(game, seed):
    ruleset = load(game)
    state = played(ruleset, seed)
    if ruleset.outcome(state) is None:
        assert possible(ruleset, state) == state
        for field in form(ruleset, state):
            for value in {field.least, field.most, min(field.most, field.value + 1)}:
                try:
                    after = edited(ruleset, state, field.path, value)
                except StateError as refused:
                    assert str(refused)  # noqa: PT017 - either is right
                else:
                    assert possible(ruleset, after) == after


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_form_has_the_values_of_the_state_within_their_bounds(game):
    ruleset = load(game)
    fields = form(ruleset, ruleset.initial())
    assert fields
    for field in fields:
        assert field.least <= field.value <= field.most
        if field.words:
            assert len(field.words) == field.most - field.least + 1


def test_fields_are_named_as_the_game_writes_them():
    labels = {
        game: [
            field.label for field in form(load(game), load(game).initial()) if field.seat == "red"
        ]
        for game in ("bagh", "bagh-advantage")
    }
    assert labels["bagh"] == ["hp", "boost", "priority", "shield damage"]
    assert labels["bagh-advantage"] == ["hp", "boost", "advantage", "shield damage"]


def test_numbers_that_mean_nothing_now_are_left_out():
    ruleset = load("magic-duel")
    start = ruleset.initial()
    assert "red.minions[0].hp" not in {field.path for field in form(ruleset, start)}
    called = edited(ruleset, start, "red.minions[0].kind", 2)  # which gives it 1 hp, too
    fields = {field.path: field for field in form(ruleset, called)}
    assert fields["red.minions[0].hp"].value == 1
    assert fields["red.minions[0].kind"].words == ["none", "bubble", "specter"]
    city = load("defend-the-city")
    assert not any("wounded" in field.path for field in form(city, city.initial()))


@pytest.mark.parametrize(
    ("game", "path", "value", "said"),
    [
        ("bagh", "red.hp", 11, "red.hp is from 0 to 10 in bagh; not 11"),
        ("bagh", "red.mana", 1, "no field 'red.mana'; the fields are red.hp"),
        ("magic-duel", "phase", 1, "red has no specter at place 0"),
        ("magic-duel", "red.hp", 26, "red.hp is at most 25"),
        ("magic-duel", "red.magic", -1, "red.magic is from 0 up"),
        ("magic-duel", "moves_left", 0, "moves_left must be at least 1"),
    ],
)
def test_what_is_impossible_is_refused_with_what_is_allowed(game, path, value, said):
    ruleset = load(game)
    with pytest.raises(StateError) as refused:
        edited(ruleset, ruleset.initial(), path, value)
    assert said in str(refused.value)
