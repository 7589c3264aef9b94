"""Pictures in views: matches share them, and only a revealed round changes them."""

import orjson
import pytest
from tests.live.matches import choose, give, opened, stored_views
from tests.live.test_hidden_choice import begun, choosing, frames

from holmgang.games.catalogue import CATALOGUE
from holmgang.live.view import drawn


def picture(match, seat=None):
    return stored_views(match).view(seat, picture=True).picture


def play(match, *rounds):
    for red, blue in rounds:
        choose(match, "red", red)
        choose(match, "blue", blue)


def test_matches_in_the_same_state_share_a_picture():
    """It has neither the names of the players nor the number of the round."""
    one, other = opened("bagh"), opened("bagh")
    play(one, ("guard", "guard"), ("boost", "attack"))
    play(other, ("boost", "attack"))
    assert drawn(one, one.duel) is drawn(other, other.duel)
    assert picture(one, "red") == picture(other, "blue")
    assert "Ann" not in picture(one)


def test_a_picture_differs_by_the_last_round_and_by_the_winner():
    attacked, blocked, given_up = opened("bagh"), opened("bagh"), opened("bagh")
    play(attacked, ("boost", "attack"))
    play(blocked, ("guard", "attack"))
    give(given_up, "red", "forfeit")
    assert len({picture(match) for match in (attacked, blocked, given_up, opened("bagh"))}) == 4


@pytest.mark.parametrize("game", [game for game in CATALOGUE if game != "magic-duel"])
@pytest.mark.parametrize("viewer", ["red", "blue", None])
def test_a_picture_is_sent_only_when_a_round_is_revealed(game, viewer):
    log = begun(game, 0)
    choices = [choosing(seat, opened(game).duel.choices(seat)[0]) for seat in ("red", "blue")]
    view, chosen, *_, revealed = map(orjson.loads, frames(log, viewer, choices)[1])
    assert "<svg" in view["view"]["picture"]
    assert "waiting_for" in chosen["patch"]
    assert "picture" not in chosen["patch"]
    assert "<svg" in revealed["patch"]["picture"]
    assert revealed["rounds"]


def test_the_last_board_of_a_game_is_shown_with_the_first_round_of_the_next():
    match = opened("bagh", wins_needed=2)
    while len(match.games) == 1:
        before = picture(match)
        play(match, ("attack", "boost"))
    view = stored_views(match).view(None, picture=True)
    assert view.picture == picture(opened("bagh"))
    assert view.previous.picture not in (before, view.picture)
    play(match, ("boost", "boost"))
    assert stored_views(match).view(None, picture=True).previous is None
