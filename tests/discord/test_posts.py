"""Pictures in posts: nothing around them says who plays, so they have names and caption."""

import re

import pytest
from tests.live.matches import choose, give, opened, stored_views

from holmgang.discord.duel_thread import described
from holmgang.discord.posts import named_picture


def labels(svg):
    return re.findall(r'<text id="(?:red-name|blue-name|caption)"[^>]*>([^<]*)', svg)


def shown(match):
    return stored_views(match).view(None, picture=True)


def attack(match):
    choose(match, "red", "attack")
    choose(match, "blue", "boost")


def test_a_board_has_the_names_and_the_round():
    match = opened("bagh")
    attack(match)
    board = named_picture(shown(match), 1)
    assert labels(board) == ["Ann", "Bob", "Round 2"]
    assert described(board).startswith(
        "BAGH, Round 2: Ann (red) against Bob (blue). Red: 3 hp, boost 0, "
    )


@pytest.mark.parametrize(("wins_needed", "games"), [(1, 1), (2, 2)])
def test_the_last_board_of_a_game_has_its_result(wins_needed, games):
    match = opened("bagh", wins_needed=wins_needed)
    while not shown(match).games:
        attack(match)
    view = shown(match)
    assert view.game == games
    assert labels(named_picture(view, 1)) == ["Ann", "Bob", "Red wins"]
    if games == 2:
        assert labels(named_picture(view, 2)) == ["Ann", "Bob", "Round 1"]


def test_the_board_of_a_match_that_was_given_up_has_the_winner():
    match = opened("bagh")
    give(match, "red", "forfeit")
    assert labels(named_picture(shown(match), 1)) == ["Ann", "Bob", "Blue wins"]
