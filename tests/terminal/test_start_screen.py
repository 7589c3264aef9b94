"""The first screen: only what the command line left open is asked."""

import pytest
from tests.terminal.pilot import on_screen, play_app

from holmgang.games.catalogue import CATALOGUE
from holmgang.players import KINDS
from holmgang.players.ladder import LADDER
from holmgang.terminal.screen.keys import initials


def test_three_answers_and_the_duel_begins(tmp_path):
    async def script(screen):
        await screen.press("n")
        assert "Which game?" in screen.text
        assert all(name in screen.text for name in CATALOGUE)
        await screen.press("b")
        assert "Against whom?" in screen.text
        await screen.press("r")
        assert "Length of the match?" in screen.text
        assert "BAGH · Red (you) against Blue (random)" in screen.text
        await screen.press("2")
        assert "Red, choose" in screen.text

    app = play_app(tmp_path, None, blue=None)
    on_screen(app, script)
    assert app.sessions[0].match.wins_needed == 2


def test_the_arrows_do_it_too(tmp_path):
    async def script(screen):
        await screen.press("enter", "down", "down")
        assert "Fencing Esport: lunge and parry" in screen.text
        await screen.press("enter")
        assert "Which rules of Fencing Esport?" in screen.text
        await screen.press("enter", *["down"] * len(LADDER), "enter")
        assert "Red (human) against Blue (human)" in screen.text
        await screen.press("enter")
        assert "turn 0 of 200" in screen.text

    app = play_app(tmp_path, None, blue=None)
    on_screen(app, script)
    assert app.sessions[0].people == ["red", "blue"]
    assert app.sessions[0].match.wins_needed == 1


def test_fencing_begins_with_a_league(tmp_path):
    async def script(screen):
        await screen.press("n", "f")
        assert "five actions: break, walk, retreat, lunge, parry" in screen.text
        await screen.press("escape")
        assert "Which game?" in screen.text
        await screen.press("f", "1")
        assert "Fencing Esport (league 1)" in screen.text
        await screen.press("r", "1")
        assert "Red, choose" in screen.text

    app = play_app(tmp_path, None, blue=None)
    on_screen(app, script)
    assert app.sessions[0].ruleset.text == "fencing:league=1"


@pytest.mark.parametrize("key", ["escape", "left", "backspace"])
def test_one_may_go_back_and_change_ones_mind(key, tmp_path):
    async def script(screen):
        await screen.press("n", "b", "r", key)
        assert "Against whom?" in screen.text
        await screen.press(key)
        assert "Which game?" in screen.text
        await screen.press("m", "r", "1")
        assert "MagicDuel · round 1" in screen.text

    on_screen(play_app(tmp_path, None, blue=None), script)


def test_escape_at_the_first_question_leads_to_the_menu_and_from_there_out(tmp_path):
    async def script(screen):
        await screen.press("n", "escape")
        assert "new match" in screen.text
        await screen.press("escape")

    app = play_app(tmp_path, None, blue=None)
    on_screen(app, script)
    assert (app.return_code, app.sessions) == (0, [])


def test_seats_can_be_swapped(tmp_path):
    async def script(screen):
        await screen.press("x")
        assert "you play blue; play red instead" in screen.text
        await screen.press("r")
        assert "Red (random) against Blue (you)" in screen.text
        await screen.press("1")
        assert "Blue, choose" in screen.text

    app = play_app(tmp_path, "defend-the-city-duel", blue=None)
    on_screen(app, script)
    assert app.sessions[0].people == ["blue"]


def test_only_the_opponent_is_asked_where_the_rest_is_known(tmp_path):
    async def script(screen):
        assert "Against whom?" in screen.text
        await screen.press("r")
        assert "Red, choose" in screen.text

    on_screen(play_app(tmp_path, "bagh", blue=None, wins=1), script)


def test_who_plays_blue_is_asked_when_a_level_plays_red(tmp_path):
    async def script(screen):
        assert "Who plays blue?" in screen.text
        assert "swap seats" not in screen.text
        await screen.press("h", "1")
        assert "Blue, choose" in screen.text

    on_screen(play_app(tmp_path, "bagh", red="random", blue=None), script)


def test_the_rules_can_be_read_before(tmp_path):
    async def script(screen):
        await screen.press("n", "question_mark")
        assert "Two fighters" in screen.text
        await screen.press("escape")
        assert "Which game?" in screen.text

    on_screen(play_app(tmp_path, None, blue=None), script)


def test_nothing_is_cut_off_at_80_by_24(tmp_path):
    async def script(screen):
        await screen.press("n")
        assert all(entry.line in screen.text for entry in CATALOGUE.values())
        assert "…" not in screen.text
        await screen.press("b")
        assert all(kind.line in screen.text for kind in KINDS.values())
        assert "…" not in screen.text

    on_screen(play_app(tmp_path, None, blue=None), script)


def test_the_opponent_of_the_catalogue_is_pointed_at_and_told_about(tmp_path):
    async def script(screen):
        assert "beginner    made for a first game" in screen.text
        perfect = list(LADDER).index("perfect")
        for seat, score in zip(("red", "blue"), city.prospects["perfect"], strict=True):
            await screen.press(*["down"] * perfect)
            assert f"As {seat} you score {score} % against perfect with best play." in screen.text
            await screen.press("x", "down")  # exchanges the seats, and goes round to the first
        await screen.press("enter", "enter")
        assert "Blue (beginner)" in screen.text

    city = CATALOGUE["defend-the-city"]
    assert city.opponent == "beginner"
    on_screen(play_app(tmp_path, "defend-the-city", blue=None), script)


def test_the_keys_of_the_opponents_differ(tmp_path):
    async def script(screen):
        for key, said in (("h", "Blue (human)"), ("a", "Blue (hard)"), ("l", "Blue (exploiter)")):
            await screen.press(key)
            assert said in screen.text
            await screen.press("escape")

    on_screen(play_app(tmp_path, "bagh", blue=None), script)


@pytest.mark.parametrize("size", [(40, 20), (40, 12), (200, 50)], ids=str)
def test_it_fits(size, tmp_path):
    async def script(screen):
        await screen.press("n")
        for question in ("Which game?", "Against whom?", "Length of the match?"):
            assert question in screen.text
            await screen.press("enter")
        assert "Red, choose" in screen.text

    on_screen(play_app(tmp_path, None, blue=None), script, size)


def test_every_name_has_a_letter_of_its_own():
    letters = initials(list(CATALOGUE))
    assert len(set(letters)) == len(letters)
    assert initials(["aa", "aa", "aa"]) == ["a", "b", "c"]
