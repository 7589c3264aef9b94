"""A screen with a heading, a table to move in, a line of text, and a line of keys."""

from typing import TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.events import Key
from textual.screen import Screen
from textual.widgets import DataTable, Static

from holmgang.terminal.screen.keys import keys_line
from holmgang.terminal.screen.palette import BRIGHT, WARNING

MOVES = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -999, "end": 999}

Result = TypeVar("Result")


class TableScreen(Screen[Result]):
    DEFAULT_CSS = """
    TableScreen #heading { height: 1; padding: 0 1; background: $panel; }
    TableScreen DataTable { height: 1fr; background: $surface; scrollbar-size-vertical: 1; }
    TableScreen DataTable > .datatable--header { background: $surface; color: #7d8590; }
    TableScreen DataTable > .datatable--cursor { background: #2d3f58; color: #f0f3f6; }
    TableScreen #told { height: auto; max-height: 3; padding: 0 1; }
    TableScreen #keys { height: 1; padding: 0 1; }
    """

    def __init__(self, heading: str, keys: tuple[tuple[str, str], ...]) -> None:
        super().__init__()
        self.heading, self.keys = heading, keys

    def compose(self) -> ComposeResult:
        yield Static(Text(self.heading, style=f"bold {BRIGHT}"), id="heading")
        table: DataTable[Text] = DataTable(cursor_type="row")
        table.can_focus = False
        yield table
        yield Static(id="told")
        yield Static(keys_line(*self.keys), id="keys")

    @property
    def table(self) -> DataTable[Text]:
        return self.query_one(DataTable)

    def tell(self, text: str, style: str = WARNING) -> None:
        self.query_one("#told", Static).update(Text(text, style=style))

    def move(self, event: Key) -> bool:
        """Moves the cursor if the key is one of `MOVES`. Returns whether it is."""
        if event.key not in MOVES:
            return False
        row = self.table.cursor_row + MOVES[event.key]
        last = self.table.row_count - 1
        self.table.move_cursor(row=max(0, min(last, row)), animate=False)
        return True
