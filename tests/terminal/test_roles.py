"""The colours of a board: every role has its style, on a plain terminal and on the screen."""

import pytest
from rich.style import Style

from holmgang.games.drawing import Role, piece
from holmgang.games.ruleset import load
from holmgang.terminal.roles import STYLES, painted
from holmgang.terminal.screen.palette import BLUE, BOARD_STYLES, RED


@pytest.mark.parametrize("styles", [STYLES, BOARD_STYLES], ids=["plain", "screen"])
def test_every_role_has_a_style_of_its_own(styles):
    assert list(styles) == list(Role)
    assert len({Style.parse(style) for style in styles.values()}) == len(Role)


def test_a_row_keeps_its_text_and_gets_the_styles_of_its_roles():
    row = piece("[red] ") + piece("●", Role.STRONG_RED) + piece("─", Role.BLUE)
    plain, screen = painted(row), painted(row, BOARD_STYLES)
    assert plain.plain == screen.plain == "[red] ●─"
    assert [(*span,) for span in plain.spans] == [(6, 7, "bold red"), (7, 8, "blue")]
    assert [span.style for span in screen.spans] == [f"bold {RED}", BLUE]


def test_the_sides_of_a_board_have_the_colours_of_their_seats():
    ruleset = load("bagh")
    [names, *_] = ruleset.board(ruleset.initial(), 80)
    text = painted(names)
    styles = {text.plain[span.start : span.end]: span.style for span in text.spans}
    assert styles == {"RED": "bold red", "BLUE": "bold blue"}
