"""Colours of boards, and of seats in sentences."""

import re

from rich.text import Text
from textual.theme import Theme

from holmgang.terminal.roles import STYLES

RED, BLUE = "#ff7b72", "#6cb6ff"
COLOURS = {"red": RED, "blue": BLUE, "yellow": "#f2cc60", "magenta": "#d2a8ff"}
SEAT_STYLES = {"red": RED, "blue": BLUE}
DIM = "#7d8590"
BRIGHT = "#f0f3f6"
CURSOR = "on #2d3f58"
KEY = f"bold {BRIGHT} on #30363d"
WARNING = COLOURS["yellow"]
FATAL = f"bold {RED}"
SEAT_WORD = re.compile(r"\b(Red|Blue)\b")

THEME = Theme(
    name="holmgang",
    dark=True,
    primary="#6cb6ff",
    secondary="#ff7b72",
    accent="#f2cc60",
    foreground="#d1d7e0",
    background="#0d1117",
    surface="#131920",
    panel="#1c2430",
)


def tinted(style: str) -> str:
    """A style of Rich in the colours of the screen."""
    return " ".join(DIM if word == "dim" else COLOURS.get(word, word) for word in style.split())


BOARD_STYLES = {role: tinted(style) for role, style in STYLES.items()}


def coloured(sentence: str, style: str = "") -> Text:
    """A sentence in which the seats have their colours."""
    text = Text(sentence, style=style)
    for found in SEAT_WORD.finditer(sentence):
        text.stylize(f"bold {SEAT_STYLES[found[0].lower()]}", *found.span())
    return text
