"""The menu: continue, new match, rematch, replays, rules."""

import pytest
from tests.terminal.pilot import on_screen, play_app

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.settings import rule_ranges


def picked(screen):
    """The words on the menu."""
    keys = ("c", "n", "r", "w", "u", "l", "p", "q")
    lines = [line.split() for line in screen.lines if line.strip()]
    return [line[1] for line in lines if line[0] in keys]


def test_at_first_there_is_nothing_to_continue(tmp_path):
    async def script(screen):
        assert picked(screen) == ["new", "rules", "learn", "puzzles", "quit"]
        await screen.press("q")

    app = play_app(tmp_path, None, blue=None)
    on_screen(app, script)
    assert app.return_code == 0
    assert not (tmp_path / "records").exists()


def test_leaving_a_match_leads_to_the_menu_which_continues_it(tmp_path):
    async def script(screen):
        await screen.press("a", "slash", "q")
        assert picked(screen) == [
            "continue",
            "new",
            "rematch",
            "replays",
            "rules",
            "learn",
            "puzzles",
            "quit",
        ]
        assert "bagh, you against random: 0 – 0, game 1, round 2" in screen.text
        await screen.press("c")
        assert "round 2" in screen.text
        assert "attack – heal" in screen.text
        await screen.press("a")
        assert "round 3" in screen.text

    app = play_app(tmp_path, "bagh")
    on_screen(app, script)
    [session] = app.sessions  # of the two, only one match is told of at the end
    assert len(session.duel.rounds) == 2
    assert len(list((tmp_path / "records").iterdir())) == 1


def test_a_choice_that_was_not_revealed_is_asked_again(tmp_path):
    async def script(screen):
        await screen.press("g", "enter", "slash", "q")
        assert "continue" not in screen.text  # nothing was revealed
        await screen.press("r", "g", "enter", "h", "enter", "a", "slash", "q", "c")
        assert "guard – heal" in screen.text
        assert "Red, choose" in screen.text

    on_screen(play_app(tmp_path, "bagh", blue="human"), script)


def test_the_next_session_continues_it_too(tmp_path):
    async def first(screen):
        await screen.press("b", "g", "ctrl+c")

    async def second(screen):
        await screen.press("enter")
        assert "round 3" in screen.text
        await screen.press("slash", "f", "y")
        await screen.calm()
        await screen.press("escape")
        assert picked(screen) == ["new", "rematch", "replays", "rules", "learn", "puzzles", "quit"]

    on_screen(play_app(tmp_path, "bagh", wins=1), first)
    on_screen(play_app(tmp_path, None, blue=None), second)


def test_a_match_can_be_left_between_two_games(tmp_path):
    async def script(screen):
        await screen.press("slash", "f", "y")
        await screen.calm()
        await screen.press("escape")
        assert "0 – 1, game 2, round 1" in screen.text
        await screen.press("c")
        assert "game 2 · round 1" in screen.text

    on_screen(play_app(tmp_path, "bagh", wins=2), script)


def test_rematch_is_the_same_match_with_other_dice(tmp_path):
    async def script(screen):
        await screen.press("a", "slash", "q", "r")
        assert "Red, choose" in screen.text
        assert "round 1" in screen.text

    app = play_app(tmp_path, "bagh:start_hp=7", blue="random", wins=2)
    on_screen(app, script)
    one, other = app.sessions
    assert (one.ruleset, one.seated, one.match.wins_needed) == (
        other.ruleset,
        other.seated,
        other.match.wins_needed,
    )
    assert one.match.seed != other.match.seed


def test_replays_are_listed_and_watched(tmp_path):
    async def script(screen):
        await screen.press("a", "slash", "f", "y")
        await screen.calm()
        await screen.press("escape", "r", "b", "slash", "q", "w")
        rows = [line for line in screen.lines if "bagh" in line]
        assert ["unfinished" in row for row in rows] == [True, False]
        assert "Blue wins" in rows[1]
        await screen.press("down", "enter")
        assert "Round 0 of 1" in screen.text
        await screen.press("right")
        assert "attack – " in screen.text
        await screen.press("q")
        assert "Replays" in screen.text
        await screen.press("c")
        assert "This match is over." in screen.text
        await screen.press("up", "c")
        assert "round 2" in screen.text

    on_screen(play_app(tmp_path, "bagh", wins=1), script)


def test_from_the_replays_one_gets_back_to_the_menu(tmp_path):
    async def script(screen):
        await screen.press("a", "slash", "q", "w", "escape")
        assert "new match" in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


# Rules


def test_a_league_is_picked_and_played(tmp_path):
    async def script(screen):
        await screen.press("u", "f")
        assert "The rules of Fencing Esport" in screen.text
        await screen.press("left", "left", "left")
        assert "Played as fencing:league=1" in screen.text
        await screen.press("down", "5", "enter")
        assert "Fencing Esport (league 1, points to win 5)" in screen.text
        await screen.press("r", "1")
        assert "lunge_drug" not in screen.text

    app = play_app(tmp_path, None, blue=None)
    on_screen(app, script, size=(100, 30))
    assert app.sessions[0].ruleset.text == "fencing:league=1,points_to_win=5"


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_rule_is_in_the_form_with_its_range(name, tmp_path):
    async def script(screen):
        await screen.press("u")
        await screen.press(*["down"] * list(CATALOGUE).index(name), "enter")
        for rule, allowed in rule_ranges(CATALOGUE[name]).items():
            [row] = [line for line in screen.lines if line.split()[:1] == [rule]]
            assert row.endswith(f"{allowed[0]} to {allowed[-1]}")

    on_screen(play_app(tmp_path, None, blue=None), script, size=(100, 60))


def test_values_are_typed_stepped_and_put_back(tmp_path):
    async def script(screen):
        await screen.press("u", "b", "9", "backspace", "1", "2", "down")
        assert "Played as bagh:start_hp=12" in screen.text
        await screen.press("right", "right", "left")
        assert "Played as bagh:start_hp=12,max_boost=7" in screen.text
        await screen.press("d", "up", "delete")
        assert "Played as bagh" in screen.lines[-2]
        assert ":" not in screen.lines[-2]
        await screen.press("5", "escape", "escape")
        assert "Which game?" in screen.text

    on_screen(play_app(tmp_path, None, blue=None), script)


def test_what_is_not_allowed_is_said_and_not_taken(tmp_path):
    async def script(screen):
        await screen.press("u", "b", "0", "enter")
        assert "start_hp must be a whole number from 1 to " in screen.text
        await screen.press("backspace", "4", "enter")
        assert "BAGH (start hp 4)" in screen.text

    on_screen(play_app(tmp_path, None, blue=None), script)


def test_rules_that_cannot_be_played_are_refused(tmp_path):
    async def script(screen):
        await screen.press("u", "f", *["down"] * 6, "0", "enter")
        assert "cannot be played" in screen.text

    on_screen(play_app(tmp_path, None, blue=None), script)


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24), (120, 40)], ids=str)
def test_all_of_it_fits(size, tmp_path):
    async def script(screen):
        await screen.press("a", "slash", "q")
        for word in ("continue", "new match", "rematch", "replays", "rules", "quit"):
            assert word in screen.text
        await screen.press("w")
        assert "unfinished" in screen.text
        await screen.press("escape", "u", "enter")
        assert "start_hp" in screen.text
        assert "Played as bagh" in screen.text

    on_screen(play_app(tmp_path, "bagh", wins=1), script, size)
