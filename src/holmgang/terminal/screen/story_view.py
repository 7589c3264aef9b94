"""The story of the match, as a log that scrolls."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from holmgang.engine.duel import Round
from holmgang.games.contract import SEATS
from holmgang.terminal.screen.palette import BRIGHT, DIM, SEAT_STYLES, coloured

MOST_LINES = 5000


class StoryView(VerticalScroll, can_focus=False):
    DEFAULT_CSS = """
    StoryView { scrollbar-size-vertical: 1; scrollbar-background: $background; }
    StoryView Static { height: auto; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[RenderableType] = []

    def compose(self) -> ComposeResult:
        yield Static()

    def tell(self, *lines: RenderableType) -> None:
        """Adds to the log and scrolls to its end."""
        self._lines = [*self._lines, *lines][-MOST_LINES:]
        self.query_one(Static).update(Group(*self._lines))
        self.scroll_end(animate=False)

    def tell_round(self, revealed: Round) -> None:
        self.tell(*round_lines(revealed))

    def clear(self) -> None:
        self._lines.clear()
        self.query_one(Static).update("")


def round_lines(revealed: Round) -> list[RenderableType]:
    """A heading with the choices, and the story below it."""
    made = {seat: getattr(revealed, seat) for seat in SEATS}
    words = [
        Text(word, style=f"bold {SEAT_STYLES[seat]}")
        for seat, word in made.items()
        if word is not None
    ]
    number = Text(f"{revealed.number:>3}  ", style=DIM)
    return [
        number + Text(" – ", style=DIM).join(words),
        *(indented(coloured(line)) for line in revealed.story),
    ]


def indented(line: Text) -> RenderableType:
    return Padding(line, (0, 0, 0, 5))


def heading(title: str) -> Text:
    return Text(f"── {title} ", style=f"bold {BRIGHT}")
