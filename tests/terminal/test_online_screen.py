"""Matches on a real server, on the full screen."""

import asyncio
import re
import time
from contextlib import contextmanager

import pytest
from tests.terminal.pilot import on_screen
from tests.terminal.serving import Server, choose, play_until, wish
from tests.terminal.shell import PATIENCE, Terminal

from holmgang.terminal.online.client import MatchWish
from holmgang.terminal.screen.online import OnlineApp


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.close()


async def expect(screen, *wanted):
    """Waits until all of it can be seen."""
    deadline = time.monotonic() + PATIENCE
    while not all(text in screen.text for text in wanted):
        assert time.monotonic() < deadline, f"never showed {wanted}:\n{screen.text}"
        await screen.pilot.pause(0.02)


async def aside(function, *given):
    """What the other player does, while the screen goes on."""
    return await asyncio.to_thread(function, *given)


@contextmanager
def opponents(server, **terms):
    """An application with a match that it has opened as red, and the session of blue."""
    with server.client() as client, server.client() as other:
        first = client.open(wish(seat="red", **terms))
        blue = other.join(first.match)
        try:
            yield OnlineApp(client, MatchWish(), first), blue
        finally:
            blue.leave()


def test_from_the_menu_to_the_end_of_a_match_and_a_rematch(server):
    async def script(screen):
        await expect(screen, "Holmgang at http://127.0.0.1")
        await screen.press("n")
        assert "Which game?" in screen.text
        await screen.press("b")
        assert "BAGH" in screen.text
        assert "a friend you send a link to" in screen.text
        await screen.press("x")
        assert "you play red; press to change" in screen.text
        await screen.press("l")
        assert "against a friend" in screen.text
        await screen.press("n")
        assert "no limit" in screen.text
        await screen.press("1")
        await expect(screen, "Waiting for an opponent", "the link stays open")
        [link] = re.findall(r"Link for your opponent: (\S+)", screen.text)
        blue = await aside(other.join, link.rpartition("/")[2])
        await expect(screen, "Red, choose", "Blue (guest")
        await screen.press("a")
        await expect(screen, "You chose attack. Waiting for Blue (guest")
        assert "to change your choice" in screen.text
        await screen.press("g")
        await expect(screen, "You chose guard.")
        await aside(choose, blue, "heal")
        await expect(screen, "guard – heal", "round 2")
        await aside(blue.forfeit, "blue")
        await expect(screen, "Blue forfeits; Red wins.", "Red (you) wins the match.", "is verified")
        await screen.calm()
        await screen.press("tab")
        await expect(screen, "Round 0 of 1")
        await screen.press("escape")
        await screen.press("enter")
        await expect(screen, "offered; waiting for an answer")
        await aside(play_until, blue, lambda: bool(blue.view.rematch.offered_by))
        blue.rematch()
        await expect(screen, "Blue, choose", "Blue (you)")
        await aside(blue.leave)
        await screen.press("slash", "q")
        await expect(screen, "continue", "your turn")

    with server.client() as client, server.client() as other:
        app = OnlineApp(client, MatchWish(), None)
        on_screen(app, script)


def test_the_lobby_lists_matches_to_join_and_to_watch(server):
    async def script(screen):
        await expect(screen, "guest", "waits as blue")
        rows = [
            line.split()[0] for line in screen.lines if " guest " in line and "at http" not in line
        ]
        assert rows == sorted(rows, key=("continue", "join", "watch").index)
        here = [line.match for line in app.screen.lines].index(opened.match)
        await screen.press("home", *["down"] * here, "enter")
        await expect(screen, "Red, choose", "Red (you)")
        await aside(play_until, opened, lambda: opened.view.game == 1)
        await screen.press("slash", "q")
        await expect(screen, f"you (red) against {egil.name}")

    with server.client() as client, server.client() as egil:
        opened = egil.open(wish("fencing", "anyone", seat="blue"))
        app = OnlineApp(client, MatchWish(), None)
        on_screen(app, script)
        opened.leave()


def test_the_rules_are_changed_before_a_match_is_opened(server):
    async def script(screen):
        await expect(screen, "Holmgang at")
        await screen.press("u", "b")
        assert "The rules of BAGH" in screen.text
        await screen.press("right", "enter")
        await screen.press("r", "n", "1")
        await expect(screen, "choose")
        assert app.sessions[0].ruleset.text.startswith("bagh:")

    with server.client() as client:
        app = OnlineApp(client, MatchWish(), None)
        on_screen(app, script)


def test_a_match_that_is_gone_is_told_in_the_menu(server):
    async def script(screen):
        await expect(screen, "Holmgang at")
        app.find("Joining", lambda: client.join("nosuch"))
        await expect(screen, "there is no match nosuch")

    with server.client() as client:
        app = OnlineApp(client, MatchWish(), None)
        on_screen(app, script)


def test_what_is_being_typed_survives_news(server):
    async def script(screen):
        await expect(screen, "Red, choose")
        await screen.press("3")
        await aside(choose, blue, "11")
        await expect(screen, "Blue has chosen")
        assert "> 3▏" in screen.text
        await screen.press("2", "enter")
        await expect(screen, "Red has offense 3 and defense 2")

    with opponents(server, game="defend-the-city") as (app, blue):
        on_screen(app, script)


def test_what_if_comes_from_the_server(server):
    async def script(screen):
        await expect(screen, "Red, choose")
        await screen.press("question_mark", "a")
        await expect(screen, "If Red chooses attack", "against guard")
        await screen.press("escape")
        await screen.pilot.resize_terminal(120, 40)
        await screen.press("down", "down", "down")
        await expect(screen, "against attack", "red priority 0 → 1")

    with opponents(server) as (app, _):
        on_screen(app, script)


def test_undo_draws_and_the_clock(server):
    async def script(screen):
        await expect(screen, "Red, choose", "0:5")
        await screen.press("a")
        await expect(screen, "You chose attack")
        await screen.press("slash", "u")
        await expect(screen, "Red, choose", "Red chooses again.")
        await screen.press("slash", "d")
        await expect(screen, "You have offered a draw.", "draw offered")
        await aside(play_until, blue, lambda: blue.view.draw_offered_by == ["red"])
        blue.answer_draw("blue", accepts=False)
        await expect(screen, "declines the draw.")
        blue.offer_draw("blue")
        await expect(screen, "offers a draw: type draw to accept, decline to refuse.")
        await screen.press("slash", "e")
        await expect(screen, "You have declined the draw.")

    with opponents(server, seconds=60) as (app, blue):
        on_screen(app, script, size=(80, 30))


def test_the_end_of_a_game_waits_for_enter(server):
    async def script(screen):
        await expect(screen, "Red, choose")
        await screen.press("a")
        await expect(screen, "You chose attack")
        await aside(choose, blue, "heal")
        await expect(screen, "Red wins: Blue is down.   Red 1 – 0 Blue, first to 2", "next game")
        assert "0  " in screen.text  # Blue's hp
        await aside(play_until, blue, lambda: blue.game == 1 and blue.stage.name == "GAME_OVER")
        blue.next_game()
        await aside(choose, blue, "heal")
        await screen.calm()
        await screen.press("enter")
        await expect(screen, "game 2 · round 1", "Red, choose", "Blue has chosen")
        await screen.press("a")
        await expect(screen, "Red (you) wins the match 2 – 0.")

    with opponents(server, game="bagh:start_hp=1", wins=2) as (app, blue):
        on_screen(app, script)


def test_a_spectator_on_the_screen(server):
    async def script(screen):
        await expect(screen, "You are watching.", "Watching, waiting for Red (guest")
        await aside(choose, red, "attack")
        await expect(screen, "Watching, waiting for Blue (guest")
        assert "attack" not in screen.text
        await screen.press("slash", "f")
        assert "You are watching; only the players can do that." in screen.text
        await aside(choose, blue, "guard")
        await expect(screen, "attack – guard")
        await screen.press("escape")
        await expect(screen, "Holmgang at")

    with server.client() as one, server.client() as other, server.client() as third:
        red = one.open(wish(seat="red"))
        blue = other.join(red.match)
        on_screen(OnlineApp(third, MatchWish(), third.join(red.match)), script)
        red.leave()
        blue.leave()


@pytest.mark.thorough
def test_the_screen_carries_on_when_the_server_is_killed(tmp_path):
    own = Server(tmp_path)

    async def script(screen):
        await expect(screen, "Red, choose")
        await aside(own.kill)
        await expect(screen, "Connection lost, trying again", "no connection, trying again")
        await screen.press("a")
        await expect(screen, "You chose attack. No connection, trying again")
        await aside(own.start)
        await expect(screen, "Reconnected.", "You chose attack. Waiting for Blue (guest")
        await aside(choose, blue, "guard")
        await expect(screen, "attack – guard", "round 2")

    try:
        with opponents(own) as (app, blue):
            on_screen(app, script, size=(100, 30))
    finally:
        own.close()


def test_a_real_terminal_plays_on_a_server(server, tmp_path):
    args = (
        "play",
        "bagh",
        "--server",
        server.url,
        "--vs",
        "random",
        "--seat",
        "red",
        "--wins",
        "1",
    )
    with Terminal(tmp_path, *args) as here:
        here.expect("Red, choose")
        here.send("a")
        here.expect("attack")
        here.expect("round 2")
        here.send("\x03")
        assert here.finish() == 130
        assert "The score of the match is 0 – 0." in here.text
        assert "Continue: holmgang play --join" in here.text
        assert here.is_restored


def test_keys_while_a_match_is_being_found_do_nothing(server):
    async def script(screen):
        await expect(screen, "Holmgang at")
        await screen.press("n", "b", "r", "n")
        for key in ("1", "q", "n", "escape"):
            await screen.touch(key)
        await expect(screen, "choose")

    with server.client() as client:
        app = OnlineApp(client, MatchWish(), None)
        on_screen(app, script)
