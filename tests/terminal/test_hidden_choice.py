"""Hidden choice is sacred: until the reveal, nothing that is shown depends on the first choice."""

import io
import sys

import pytest
from tests.terminal.pilot import on_screen, play_app
from tests.terminal.shell import Terminal

from holmgang.terminal.play import play_match

PAIRS = [("3", "2"), ("0", "0"), ("5", "/", "5"), ("1", "x", "backspace", "1")]
FIRST_CHOICES = {
    "bagh": [("b",), ("a",), ("g",), ("h",)],
    "bagh-advantage": [("b",), ("h",)],
    "fencing": [("b",), ("W",), ("8",)],
    "defend-the-city": [(*keys, "enter") for keys in PAIRS],
    "defend-the-city-duel": [(*keys, "enter") for keys in PAIRS],
}
SECOND_CHOICE = {"bagh": "a", "bagh-advantage": "a", "fencing": "l"}


def pictures(tmp_path, game, first, size):
    """Every screen from the first choice to the moment before the reveal, and the one after."""
    seen = []

    async def script(screen):
        seen.append(screen.picture)
        for key in first:
            await screen.press(key)
            if key == first[-1]:
                assert "Red has chosen" in screen.text
            seen.append(screen.picture)
        await screen.press("enter")
        assert "Blue, choose" in screen.text
        seen.append(screen.picture)
        for key in SECOND_CHOICE.get(game) or ("1", "1", "enter"):
            await screen.press(key)
            seen.append(screen.picture)
        assert "Both have chosen" in screen.text
        await screen.press("enter")
        seen.append(screen.picture)

    on_screen(play_app(tmp_path, game, blue="human"), script, size)
    return seen


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "size"),
    [
        *((game, (80, 24)) for game in FIRST_CHOICES),
        ("bagh", (120, 40)),
        ("defend-the-city", (120, 40)),
        ("fencing", (40, 20)),
    ],
    ids=str,
)
def test_screens_are_the_same_whatever_the_first_player_chose(game, size, tmp_path):
    choices = FIRST_CHOICES[game] if size == (80, 24) else FIRST_CHOICES[game][:2]
    shown = [pictures(tmp_path, game, first, size) for first in choices]
    for other in shown[1:]:
        # Of choices typed with more keys, the screen has only stood still for longer.
        assert deduplicated(other[:-1]) == deduplicated(shown[0][:-1])
    assert len({story[-1] for story in shown}) == len(shown)


def deduplicated(screens):
    return [screen for place, screen in enumerate(screens) if screen != screens[place - 1]]


def test_a_refused_entry_shows_nothing_of_itself(tmp_path):
    seen = set()

    async def script(screen):
        for typed in (("9", "9"), ("k",), ("4", "7", "1", "1")):
            await screen.press(*typed)
            await screen.press("enter")
            assert "That" in screen.text
            seen.add(screen.picture)

    on_screen(play_app(tmp_path, "defend-the-city", blue="human"), script)
    assert len(seen) == 2  # not a choice, or not one here; nothing more can be seen


def test_nothing_points_at_a_choice_while_it_is_hidden(tmp_path):
    async def script(screen):
        before = screen.picture
        for key in ("down", "right", "up", "3"):
            await screen.press(key)
            assert screen.picture == before

    on_screen(play_app(tmp_path, "defend-the-city", blue="human"), script)


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        ("bagh", ["attack", "b", "  heal "], "guard"),
        ("fencing", ["lunge", "W", "double retreat drug"], "b"),
        ("defend-the-city", ["3/2", "00", "55"], "11"),
    ],
)
def test_plain_transcripts_are_the_same_until_the_reveal(
    game, first, second, tmp_path, monkeypatch, capsys
):
    shown = set()
    for word in first:
        given = io.BytesIO(f"{word}\n{second}\n".encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given))
        play_match(game, red="human", blue="human", wins=1, seed=1, records=tmp_path, plain=True)
        until, revealed = capsys.readouterr().out.split("Round 1  Red: ", maxsplit=1)
        assert "Red has chosen." in until
        assert revealed
        shown.add(until)
    assert len(shown) == 1


def test_a_real_terminal_shows_the_same_until_the_reveal(tmp_path):
    shown = set()
    for word in ("attack", "b"):
        with Terminal(tmp_path, "play", "bagh", "--vs", "human", "--plain") as here:
            here.expect("Red (hidden)> ")
            here.send(f"{word}\n")
            here.expect("Pass the keyboard to Blue: Enter, or undo: ")
            here.send("\n")
            here.expect("Blue (hidden)> ")
            here.send("guard\n")
            here.expect("Both have chosen. Enter reveals, or undo: ")
            shown.add(here.seen)
            here.send("\n")
            here.expect(f"Round 1  Red: {'boost' if word == 'b' else word}  Blue: guard")
    assert len(shown) == 1
