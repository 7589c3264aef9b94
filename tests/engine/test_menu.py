"""What a person may type for a choice."""

import pytest

from holmgang.engine.duel import Duel
from holmgang.engine.menu import (
    find_grid,
    find_option,
    is_one_key,
    listed,
    options,
    read_choice,
)
from holmgang.errors import ChoiceError, UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.terminal.commands import CommandVerb, TypedCommand, parse_command


def offered(name, seat="red"):
    duel = Duel(name, seed=1)
    return duel.ruleset, options(duel.ruleset, duel.state, seat)


@pytest.mark.parametrize(
    ("game", "typed", "word"),
    [
        ("bagh", "a", "attack"),
        ("bagh", "attack", "attack"),
        ("bagh", "  Attack ", "attack"),
        ("bagh", "A", "attack"),
        ("bagh", "att", "attack"),
        ("fencing", "w", "walk"),
        ("fencing", "W", "double_walk"),
        ("fencing", "double walk", "double_walk"),
        ("fencing", "DOUBLE-WALK", "double_walk"),
        ("fencing", "1", "lunge_drug"),
        ("defend-the-city", "32", "3/2"),
        ("defend-the-city", "3/2", "3/2"),
        ("magic-duel", "h7", "heal 7"),
        ("magic-duel", "heal 7", "heal 7"),
        ("magic-duel", "heal   7", "heal 7"),
        ("magic-duel", "n2", "normal 2 player"),
        ("magic-duel", "pierce", "pierce player"),
        ("magic-duel", "normal 1", "normal 1 player"),
    ],
)
def test_a_choice_can_be_typed_in_many_ways(game, typed, word):
    ruleset, menu = offered(game)
    assert read_choice(ruleset, menu, typed) == word


@pytest.mark.parametrize(
    ("game", "typed", "told"),
    [
        ("bagh", "", "boost, attack, guard or heal"),
        ("bagh", "secret", "boost, attack, guard or heal"),
        ("magic-duel", "heal", "any of heal 0 or heal 5"),
        ("fencing", "double", "any of double_walk, double_retreat, "),
        ("defend-the-city", "xx", "0/0, 0/1, 0/2, … 5/5"),
    ],
)
def test_what_is_no_choice_is_told_what_is_without_being_repeated(game, typed, told):
    ruleset, menu = offered(game)
    with pytest.raises(ChoiceError) as refused:
        read_choice(ruleset, menu, typed)
    assert told in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_option_is_found_by_its_key_and_by_its_word(name):
    ruleset, menu = offered(name)
    assert menu
    for option in menu:
        assert find_option(ruleset, menu, option.key) == option
        assert find_option(ruleset, menu, option.word) == option
        assert option.note


def test_one_key_decides_where_all_keys_are_single():
    assert is_one_key(offered("bagh")[1])
    assert is_one_key(offered("fencing")[1])
    assert not is_one_key(offered("magic-duel")[1])
    assert not is_one_key(offered("defend-the-city")[1])


def test_only_the_pairs_of_defend_the_city_are_a_grid():
    for name in CATALOGUE:
        ruleset, menu = offered(name)
        grid = find_grid(ruleset, menu)
        if not name.startswith("defend"):
            assert grid is None
            continue
        assert grid is not None
        assert grid.rows == grid.columns == list("012345")
        assert grid.axes == ("offense", "defense")


def test_a_menu_of_pairs_with_gaps_is_no_grid():
    ruleset = load("defend-the-city:overspend=0,stamina=6")
    menu = options(ruleset, ruleset.initial(), "red")
    assert len(menu) > 16
    assert find_grid(ruleset, menu) is None


def test_nothing_is_offered_to_a_seat_that_has_nothing_to_choose():
    assert offered("magic-duel", "blue")[1] == []


def test_words_are_listed_as_in_a_sentence():
    assert listed(["keep"]) == "keep"
    assert listed(["keep", "forfeit"]) == "keep or forfeit"


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("help", TypedCommand(CommandVerb.HELP)),
        ("?", TypedCommand(CommandVerb.HELP)),
        ("/?", TypedCommand(CommandVerb.HELP)),
        ("? attack", TypedCommand(CommandVerb.WHAT_IF, "attack")),
        ("?a", TypedCommand(CommandVerb.WHAT_IF, "a")),
        ("what attack", TypedCommand(CommandVerb.WHAT_IF, "attack")),
        ("UNDO", TypedCommand(CommandVerb.UNDO)),
        (" /quit ", TypedCommand(CommandVerb.QUIT)),
        ("exit", TypedCommand(CommandVerb.QUIT)),
        ("resign", TypedCommand(CommandVerb.FORFEIT)),
        ("attack", None),
        ("draw it out", None),
    ],
)
def test_commands(typed, command):
    assert parse_command(typed, ["attack", "heal"]) == command


def test_a_choice_comes_before_a_command_of_the_same_name_unless_it_has_a_slash():
    menu = ["keep", "forfeit"]
    assert parse_command("forfeit", menu) is None
    assert parse_command("/forfeit", menu) == TypedCommand(CommandVerb.FORFEIT)


def test_a_slash_before_no_command_is_refused():
    with pytest.raises(UsageError, match=r"no command 'surrender'; there are .*forfeit"):
        parse_command("/surrender", [])
