"""The full screen: keys, menus, commands, and that everything fits."""

import random
import threading
from functools import partial

import pytest
from rich.text import Text
from tests.arena.stage import bot, needs_bubblewrap
from tests.patience import PATIENCE
from tests.terminal.pilot import on_screen, play_app

from holmgang.engine.match import Match
from holmgang.engine.menu import Option
from holmgang.engine.record import replay
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.drawing import row_text
from holmgang.games.ruleset import load
from holmgang.terminal.local import LocalSession
from holmgang.terminal.screen.menu_view import MenuLayout, MenuView, OptionPlace
from holmgang.terminal.session import Stage


def test_one_key_plays_a_round(tmp_path):
    async def script(screen):
        assert "Red, choose" in screen.text
        assert "a  attack  1 damage unless Blue guards." in screen.text
        await screen.press("a")
        assert "Blue's heal is lost: Red attacks, and" in screen.text
        assert "round 2" in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_the_arrows_look_and_enter_takes(tmp_path):
    async def script(screen):
        await screen.press("down")
        assert "boost: Boost 0 → 1: your next attack does 2.  Enter" in screen.text
        await screen.press("down", "down")
        assert "guard: Stops an attack" in screen.text
        await screen.press("up", "enter")
        assert "attack – heal" in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_the_whole_note_of_a_choice_is_shown_where_the_menu_cuts_it(tmp_path):
    async def script(screen):
        session = app.sessions[0]
        state = session.ruleset.parse_state("0/250.6/290")
        note = session.ruleset.preview(state, 0, session.ruleset.parse_word("lunge"))
        assert len(note) > 80
        panel = screen.app.screen.panel
        lunge = Option("l", "lunge", note)
        panel.ask(Text(""), [lunge], None, hidden=False, find=lambda typed: lunge)
        await screen.press("down")
        shown = " ".join(screen.text.split())
        assert f"lunge: {note} Enter" in shown

    app = play_app(tmp_path, "fencing")
    on_screen(app, script)


def test_fatal_choices_are_marked_where_there_is_no_room_for_notes():
    menu = MenuView()
    drug = Option("8", "break_drug", "You run out of energy and lose.", is_fatal=True)
    layout = MenuLayout([OptionPlace(0, 0, 0)], [20], columns_with_notes=0)
    menu.options = [drug]
    assert "break_drug!" in menu.drawn(layout.cells[0], layout).plain


def test_enter_alone_chooses_nothing(tmp_path):
    async def script(screen):
        await screen.press("enter", "escape", "enter")
        assert "round 1" in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_a_key_that_means_nothing_is_answered_and_loses_nothing(tmp_path):
    async def script(screen):
        await screen.press("x")
        assert (
            "That is not a choice here. Choose one of boost, attack, guard or heal." in screen.text
        )
        await screen.press("b")
        assert "That is not" not in screen.text
        assert "boost – " in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_pairs_are_typed_and_shown_in_a_grid(tmp_path):
    async def script(screen):
        rows = [line for line in screen.lines if "0/0" in line or "5/0" in line]
        assert [row.split() for row in rows] == [
            [f"{offense}/{defense}" for defense in range(6)] for offense in (0, 5)
        ]
        await screen.press("3", "2")
        assert "> 32▏ 3/2: Stamina 30 → 25. You hit if offense 3" in screen.text
        await screen.press("backspace", "4", "enter")
        assert "Red has offense 3 and defense 4; Blue " in screen.text

    on_screen(play_app(tmp_path, "defend-the-city"), script)


def test_the_grid_is_walked_in_four_directions(tmp_path):
    async def script(screen):
        await screen.press("down", "down", "right", "right", "down", "left", "left", "left", "up")
        assert "1/0: Stamina 30 → 29." in screen.text

    on_screen(play_app(tmp_path, "defend-the-city"), script)


def test_words_are_typed_in_full_too(tmp_path):
    async def script(screen):
        await screen.press(*"heal", "space", *"7", "enter")
        assert "Red's shield is now 7." in screen.text
        await screen.press(*"rules", "enter")
        assert "Esc closes" in screen.text

    on_screen(play_app(tmp_path, "magic-duel"), script)


def test_a_click_takes_a_choice(tmp_path):
    async def script(screen):
        [row] = [y for y, line in enumerate(screen.lines) if line.strip().startswith("a  attack")]
        await screen.pilot.click(offset=(8, row))
        await screen.settle()
        assert "attack – heal" in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_a_click_takes_a_pair(tmp_path):
    async def script(screen):
        [row] = [y for y, line in enumerate(screen.lines) if "4/5" in line]
        await screen.pilot.click(offset=(screen.lines[row].index("4/5") + 1, row))
        await screen.settle()
        assert "Red has offense 4 and defense 5; Blue " in screen.text

    on_screen(play_app(tmp_path, "defend-the-city"), script)


def test_what_if(tmp_path):
    async def script(screen):
        await screen.press("question_mark")
        assert "What if? Press the key of a choice" in screen.text
        await screen.press("a")
        assert "If Red chooses attack" in screen.text
        assert "against guard" in screen.text
        await screen.press("escape")
        assert "round 1" in screen.text
        await screen.press("question_mark", "question_mark")
        assert "take the last choice back" in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_what_if_beside_the_menu_of_a_wide_screen(tmp_path):
    async def script(screen):
        await screen.press("down", "down")
        assert "against heal" in screen.text
        assert "blue hp 3 → 2" in screen.text

    on_screen(play_app(tmp_path, "bagh"), script, size=(120, 40))


def test_two_people_undo_and_reveal(tmp_path):
    async def script(screen):
        await screen.press("a")
        assert "Red has chosen" in screen.text
        await screen.press("b")  # means nothing here
        await screen.press("u")
        assert "Red, choose" in screen.text
        assert "Red chooses again." in screen.text
        await screen.press("g", "enter", "b")
        assert "Both have chosen" in screen.text
        await screen.press("u")
        assert "Blue, choose" in screen.text
        await screen.press("h", "enter")
        assert "guard – heal" in screen.text

    on_screen(play_app(tmp_path, "bagh", blue="human"), script)


def test_forfeit_asks_first(tmp_path):
    async def script(screen):
        await screen.press("slash", "f")
        assert "Red: give up this game?" in screen.text
        await screen.press("n")
        assert "Red, choose" in screen.text
        await screen.press("slash", "f", "y")
        assert "Red forfeits; Blue wins." in screen.text
        assert "Red 0 – 1 Blue, first to 3" in screen.text
        await screen.calm()
        await screen.press("enter")
        assert "game 2 · round 1" in screen.text

    app = play_app(tmp_path, "bagh")
    on_screen(app, script)
    forfeited, unfinished = (replay(path).outcome for path in app.sessions[0].keeper.paths)
    assert (forfeited.winner, forfeited.reason) == ("blue", "forfeit")
    assert unfinished is None


def test_a_draw_is_declined_by_a_level(tmp_path):
    async def script(screen):
        await screen.press("slash", "d")
        assert "Blue (random) declines the draw." in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_a_draw_is_asked_of_a_person(tmp_path):
    async def script(screen):
        await screen.press("slash", "d")
        assert "Blue, Red offers a draw. Do you accept?" in screen.text
        await screen.press("x", "n")
        assert "Blue declines the draw." in screen.text
        await screen.press("slash", "d", "y")
        assert "Draw by agreement." in screen.text
        assert "A draw does not count" in screen.text

    on_screen(play_app(tmp_path, "bagh", blue="human"), script)


def test_nothing_to_undo_is_said(tmp_path):
    async def script(screen):
        await screen.press("slash", "down", "down", "down", "enter")
        assert "There is no choice to take back." in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


@pytest.mark.parametrize("key", ["u", "d", "f"])
def test_commands_that_come_too_late_are_refused(key, tmp_path):
    async def script(screen):
        await screen.press("slash", "f", "y")
        await screen.press("slash", key)
        if key == "f":
            await screen.press("y")
        assert "no choice to take back" in screen.text or "the duel is over" in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_the_end_of_a_match_and_another(tmp_path):
    async def script(screen):
        await screen.press("slash", "f", "y")
        assert "Blue (random) wins the match 1 – 0." in screen.text
        await screen.calm()
        await screen.press("enter")
        assert "Red, choose" in screen.text
        await screen.press("b")
        assert "round 2" in screen.text

    app = play_app(tmp_path, "bagh", wins=1)
    on_screen(app, script)
    one, other = app.sessions
    assert one.match.seed != other.match.seed


CHOICE_KEYS = {
    "bagh": "bagh",
    "fencing": "bwrlpWR12345678",
    "defend-the-city": "0123456789/kf",
    "magic-duel": "mhnpbs0123456789",
}


@pytest.mark.parametrize("game", CHOICE_KEYS)
@pytest.mark.parametrize("wins", [1, 2])
def test_no_key_of_a_choice_means_anything_at_the_end(game, wins, tmp_path):
    """However long after it: only Enter, Tab and Esc do."""

    async def script(screen):
        await screen.press("slash", "f", "y")
        ended = screen.text
        await screen.calm()
        for key in CHOICE_KEYS[game].replace("/", ""):
            await screen.press(key)
        assert screen.text == ended

    app = play_app(tmp_path, game, wins=wins)
    on_screen(app, script)
    assert len(app.sessions) == 1
    assert len(app.sessions[0].match.games) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["enter", "escape", "tab", "space"])
def test_at_the_end_keys_do_nothing_until_they_stop_coming(key, tmp_path):
    """Enter takes choices too, in a game whose choices are typed."""
    now = 1000.0

    async def script(screen):
        nonlocal now
        panel = app.screen.panel
        panel.clock = lambda: now
        await screen.press("slash", "f", "y")
        for _ in range(20):
            now += 0.2
            await screen.press(key)
            assert app.screen.panel is panel
            assert "wins the match" in screen.text
        now += 1.0
        await screen.press(key)
        assert "wins the match" not in screen.text

    app = play_app(tmp_path, "defend-the-city", wins=1)
    on_screen(app, script)


def test_a_click_right_after_the_end_does_nothing(tmp_path):
    async def script(screen):
        app.screen.panel.clock = lambda: 1000.0  # however slow the machine is, no time passes
        await screen.press("slash", "f", "y")
        [row] = [y for y, line in enumerate(screen.lines) if "rematch" in line]
        for _ in range(2):
            await screen.pilot.click(offset=(12, row))
            await screen.handle()
            assert "wins the match" in screen.text
        await screen.calm()
        await screen.pilot.click(offset=(12, row))
        await screen.settle()
        assert "Red, choose" in screen.text

    app = play_app(tmp_path, "bagh", wins=1)
    on_screen(app, script)


def test_the_last_game_is_watched_from_the_end_screen(tmp_path):
    async def script(screen):
        await screen.press("a", "slash", "f", "y")
        await screen.calm()
        await screen.press("tab")
        assert "Round 0 of 1" in screen.text
        await screen.press("right")
        assert "attack – heal" in screen.text
        await screen.press("escape")
        assert "wins the match" in screen.text

    on_screen(play_app(tmp_path, "bagh", wins=1), script)


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        (("slash", "q", "q"), 0),
        (("slash", "q", "escape"), 0),
        (("slash", "q", "ctrl+c"), 130),
        (("ctrl+c",), 130),
        (("ctrl+d",), 0),
        (("ctrl+q",), 0),
        (("slash", "ctrl+c"), 130),
        (("slash", "f", "ctrl+c"), 130),
        (("slash", "r", "ctrl+d"), 0),
    ],
)
def test_every_way_out(keys, code, tmp_path):
    async def script(screen):
        await screen.press(*keys)

    app = play_app(tmp_path, "bagh")
    on_screen(app, script)
    assert app.return_code == code


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path):
    (tmp_path / "records").touch()

    async def script(screen):
        await screen.press("a", "a")
        assert screen.text.count("This match is not recorded any further") == 1

    on_screen(play_app(tmp_path, "bagh"), script, size=(120, 40))


def test_the_story_scrolls(tmp_path):
    async def script(screen):
        await screen.press(*"bbbbgggg")
        assert " 1  boost – " not in screen.text
        await screen.press("pageup", "pageup", "pageup")
        assert " 1  boost – " in screen.text
        await screen.press("pagedown", "pagedown", "pagedown")
        assert " 1  boost – " not in screen.text

    on_screen(play_app(tmp_path, "bagh:start_hp=50"), script)


SIZES = ((60, 20), (40, 20), (40, 24), (80, 24), (109, 24), (110, 24), (120, 40), (200, 50))


def play_a_while(session, rounds, name):
    """Random choices for both seats, whoever sits there."""
    chance = random.Random(name)
    for _ in range(rounds):
        if session.duel.is_over:
            return
        for seat in session.duel.waiting_for:
            session.duel.choose(seat, chance.choice(session.duel.choices(seat)))
        session.reveal()


@pytest.mark.parametrize("name", CATALOGUE)
def test_board_and_menu_are_whole_at_80_by_24(name, tmp_path):
    seen = 0

    async def script(screen):
        nonlocal seen
        session = app.sessions[0]
        for _ in range(12):
            if session.stage is not Stage.CHOOSE:
                break
            app.screen.show()
            await screen.handle()
            check_that_all_is_there(screen, session)
            seen += 1
            play_a_while(session, 2, f"{name} {seen}")

    app = play_app(tmp_path, name, blue="human")
    on_screen(app, script)
    assert seen


def check_that_all_is_there(screen, session):
    ruleset, shown = session.ruleset, screen.text
    for row in ruleset.board(session.duel.state, 78):
        assert row_text(row).strip() in shown
    for option in session.menu(session.asked):
        assert option.word in shown
    assert "commands" in screen.lines[-1]
    assert screen.app.screen.story.size.height >= 1


@pytest.mark.thorough
@pytest.mark.parametrize("name", CATALOGUE)
def test_every_key_is_on_the_screen_at_any_size(name, tmp_path):
    async def script(screen):
        session = app.sessions[0]
        for size in SIZES:
            await screen.pilot.resize_terminal(*size)
            await screen.handle()
            assert screen.app.size == size
            for option in session.menu("red"):
                form = option.word if "/" in option.word else option.key
                assert any(form in line for line in screen.lines)
            assert all(len(line) <= size[0] for line in screen.lines)

    app = play_app(tmp_path, name)
    on_screen(app, script)


@pytest.mark.parametrize("name", ["bagh", "fencing", "defend-the-city", "magic-duel"])
def test_the_line_to_type_in_is_on_the_screen_at_any_size(name, tmp_path):
    async def script(screen):
        session = app.sessions[0]
        for size in SIZES:
            await screen.pilot.resize_terminal(*size)
            app.screen.show()
            await screen.handle()
            if session.stage is not Stage.CHOOSE:
                break
            assert "Press a key" in screen.text or "Type a choice" in screen.text
            await screen.press("down")
            assert f"{app.screen.panel.pointed.word}: " in screen.text
            play_a_while(session, 2, f"{name} {size}")

    app = play_app(tmp_path, name)
    on_screen(app, script)


@pytest.mark.parametrize("name", ["bagh", "fencing", "magic-duel", "defend-the-city"])
def test_a_window_may_change_its_size_at_any_time(name, tmp_path):
    async def script(screen):
        for size in ((40, 12), (20, 5), (200, 60), (80, 24)):
            await screen.pilot.resize_terminal(*size)
            await screen.press("down")
        assert "Red, choose" in screen.text

    on_screen(play_app(tmp_path, name), script)


def test_without_colour_the_seats_still_have_their_names(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(screen):
        await screen.press("a")
        assert "Red attacks for 1." in screen.text
        colours = {style for line in screen.picture for _, style in line}
        assert not any("#ff7b72" in style for style in colours)

    on_screen(play_app(tmp_path, "bagh"), script)


@pytest.fixture
def slow_level(monkeypatch):
    """A level that answers `heal`, when it is let."""
    let = threading.Event()

    def think():
        assert let.wait(30)
        return "heal"

    monkeypatch.setattr(LocalSession, "thought", lambda session, seat: think)
    yield let
    let.set()


def test_a_level_that_takes_its_time_does_not_stop_the_screen(tmp_path, slow_level):
    async def script(screen):
        await screen.touch("a")
        assert "Waiting for Blue (random)" in screen.text
        await screen.touch("slash")
        await screen.touch("u")
        assert "Red chooses again." in screen.text
        await screen.touch("g")
        assert "round 1" in screen.text
        slow_level.set()
        await screen.settle()
        assert "guard – heal" in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_a_level_that_answers_after_the_game_is_not_heard(tmp_path, slow_level):
    async def script(screen):
        for key in ("slash", "f", "y"):
            await screen.touch(key)
        slow_level.set()
        await screen.settle()
        assert "Red forfeits; Blue wins." in screen.text
        assert "heal" not in screen.text

    on_screen(play_app(tmp_path, "bagh"), script)


def test_who_leaves_does_not_wait_for_a_level(tmp_path, slow_level):
    async def script(screen):
        await screen.touch("a")
        await screen.touch("ctrl+c")

    app = play_app(tmp_path, "bagh")
    on_screen(app, script)
    assert app.return_code == 130
    assert not slow_level.is_set()


def test_a_level_that_fails_is_not_passed_over(tmp_path, monkeypatch):
    def think():
        raise ZeroDivisionError

    async def script(screen):
        await screen.settle()

    monkeypatch.setattr(LocalSession, "thought", lambda session, seat: think)
    with pytest.raises(ZeroDivisionError):
        on_screen(play_app(tmp_path, "bagh"), script)


# Bots and draws


@needs_bubblewrap
def test_a_bot_plays_on_the_screen(tmp_path):
    async def script(screen):
        assert "Blue (rival)" in screen.text
        await screen.press("a")
        assert "attack – " in screen.text
        assert "round 2" in screen.text

    on_screen(play_app(tmp_path, "bagh", blue=f"rival={bot('player')}"), script)


@needs_bubblewrap
def test_a_bot_that_fails_on_the_screen_loses_the_game(tmp_path):
    async def script(screen):
        await screen.settle()
        assert "Blue gave an invalid answer; Red wins." in screen.text

    app = play_app(tmp_path, "bagh", blue=f"rival={bot('player', 'illegal')}", wins=1)
    on_screen(app, script)


@needs_bubblewrap
def test_a_bot_that_does_not_start_is_told_in_the_menu(tmp_path):
    async def script(screen):
        assert "the bot false did not start" in screen.text

    on_screen(play_app(tmp_path, "bagh", blue="false"), script)


@pytest.mark.parametrize(
    ("start", "told"),
    [("3.3.0.0/1.0.0.0", "Draw by agreement."), ("1.0.0.0/3.3.0.0", "declines the draw")],
)
def test_a_level_takes_a_draw_if_it_stands_worse(tmp_path, monkeypatch, start, told):
    monkeypatch.setattr(
        "holmgang.terminal.local.Match",
        partial(Match, start=load("bagh:max_boost=3").parse_state(start)),
    )  # as there is no way to begin a match in another state

    async def script(screen):
        await screen.press("slash", "d")
        assert told in screen.text

    on_screen(play_app(tmp_path, "bagh:max_boost=3", blue="greedy", wins=1), script)


SLEEPER = f"rival={bot('hostile', 'sleep_long')}"


@needs_bubblewrap
def test_leaving_while_a_bot_thinks(tmp_path):
    """It is ended, and what its end looks like to the thread that waits for it is not told."""

    async def script(screen):
        thinker, session = screen.app.screen.session.thinker, screen.app.sessions[-1]
        screen.app.screen.leave()
        await screen.handle()
        thinker.join(PATIENCE)
        assert not thinker.is_alive()
        await screen.handle()
        assert not session.duel.is_over
        assert session.keeper.trouble is None

    on_screen(play_app(tmp_path, "bagh", blue=SLEEPER), script)


@needs_bubblewrap
def test_a_bot_that_thinks_declines_a_draw_at_once(tmp_path):
    async def script(screen):
        thinker = screen.app.screen.session.thinker
        screen.app.screen.offer_draw("red")
        assert thinker.is_alive()
        await screen.handle()
        assert "declines the draw" in screen.text

    on_screen(play_app(tmp_path, "bagh", blue=SLEEPER), script)


@needs_bubblewrap
def test_a_rematch_ends_the_bots_of_the_match_before(tmp_path):
    async def script(screen):
        await screen.press("a")
        screen.app.screen.forfeit("red", is_sure=True)
        screen.app.screen.again()
        await screen.handle()
        first, second = screen.app.sessions
        assert first.has_left
        assert not second.has_left

    on_screen(play_app(tmp_path, "bagh", blue=f"rival={bot('player')}", wins=1), script)
