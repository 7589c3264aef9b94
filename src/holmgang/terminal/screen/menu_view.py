"""A menu on the screen: keys, words and what they do, in as many columns as needed."""

from collections.abc import Sequence
from itertools import accumulate
from operator import ge
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual.events import Click, Key
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from holmgang.engine.menu import MenuGrid, Option
from holmgang.terminal.screen.palette import BRIGHT, CURSOR, DIM, FATAL, KEY

SHORTEST_NOTE = 12
SHORTEST_WORD = 7
MOST_CUT = 8
MOST_COLUMNS = 4
WIDEST_GRID_CELL = 9
GAP = 2


class OptionPlace(NamedTuple):
    """The place of an option."""

    option: int
    row: int
    column: int


class MenuLayout(NamedTuple):
    cells: list[OptionPlace]
    widths: list[int]
    """Of the columns."""
    columns_with_notes: int = 0
    """The first columns, which show what a choice does."""

    @property
    def rows(self) -> int:
        return 1 + max((cell.row for cell in self.cells), default=-1)

    def column_at(self, x: int) -> int | None:
        """The column that is so far from the left edge."""
        ends = list(accumulate(self.widths))
        return next((column for column, end in enumerate(ends) if 0 <= x < end), None)


def lay_out(options: Sequence[Option], grid: MenuGrid | None, width: int, rows: int) -> MenuLayout:
    """The options in the fewest columns that fit into `rows`. Notes that would be cut in equal
    columns are left out of the last ones instead, in favour of the others.
    """
    if grid is not None:
        across = len(grid.columns)
        cells = [OptionPlace(place, *divmod(place, across)) for place in range(len(options))]
        return MenuLayout(cells, [min(WIDEST_GRID_CELL, width // across)] * across)
    keys, _ = widest(options)
    narrowest = keys + SHORTEST_WORD + GAP
    for count in range(1, MOST_COLUMNS + 1):
        cells = columned(len(options), count)
        if -(-len(options) // count) > rows:
            continue
        columns = [
            [options[cell.option] for cell in cells if cell.column == n] for n in range(count)
        ]
        noted = [keys + widest(column)[1] + 1 + GAP + longest_note(column) for column in columns]
        bare = [keys + widest(column)[1] + 1 + GAP for column in columns]
        equal = [width // count] * count
        if count == 1 or all(map(ge, equal, noted)):
            return MenuLayout(cells, equal, count)
        for first in range(count - 1, 0, -1):
            left = width - sum(bare[first:])
            share = [left // first] * first
            if all(map(ge, share, [each + SHORTEST_NOTE for each in bare[:first]])):
                return MenuLayout(cells, [*share, *bare[first:]], first)
        if equal[0] >= narrowest:
            return MenuLayout(cells, equal)
    count = max(1, width // narrowest)
    return MenuLayout(columned(len(options), count), [width // count] * count)


def widest(options: Sequence[Option]) -> tuple[int, int]:
    """The widths of the keys, with their caps, and of the words."""
    keys = max((cell_len(option.key) for option in options), default=0) + 2
    return keys, max((cell_len(option.word) for option in options), default=0)


def longest_note(options: Sequence[Option]) -> int:
    return max((cell_len(option.note) for option in options), default=0)


def columned(count: int, columns: int) -> list[OptionPlace]:
    rows = max(1, -(-count // columns))
    return [OptionPlace(place, place % rows, place // rows) for place in range(count)]


class MenuView(Widget):
    """Shows options, with a cursor after `point_at` or `move`."""

    DEFAULT_CSS = "MenuView { height: auto; }"

    class Picked(Message):
        """An option was clicked."""

        def __init__(self, option: Option) -> None:
            self.option = option
            super().__init__()

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.options: list[Option] = []
        self.grid: MenuGrid | None = None
        self.cursor: int | None = None
        self.typed = ""
        self.most_rows = 100
        self.least_rows = 0

    def show(self, options: list[Option], grid: MenuGrid | None = None) -> None:
        self.options, self.grid, self.cursor, self.typed = options, grid, None, ""
        self.refresh(layout=True)

    @property
    def option(self) -> Option | None:
        """The option under the cursor."""
        return None if self.cursor is None else self.options[self.cursor]

    def point_at(self, option: Option | None) -> None:
        self.cursor = None if option is None else self.options.index(option)
        self.refresh()

    def narrow_to(self, typed: str) -> None:
        """Highlights the options that begin with the typed text."""
        self.typed = typed
        self.refresh()

    def is_possible(self, option: Option) -> bool:
        begun = (option.key, option.word)
        return not self.typed or any(form.startswith(self.typed) for form in begun)

    def press(self, event: Key) -> str | None:
        """Handles a key in a menu that is a list. Returns the word that was picked."""
        keys = {option.key: option.word for option in self.options}
        if event.key in ("up", "down"):
            self.move(1 if event.key == "down" else -1, 0)
        elif event.key in ("enter", "space", "right") and self.option is not None:
            return self.option.word
        return keys.get(event.character or "")

    def move(self, down: int, right: int) -> None:
        """Moves the cursor within the menu, or shows it."""
        cells = self.laid_out(self.content_size.width).cells
        if not cells:
            return
        if self.cursor is None:
            self.cursor = 0
        else:
            here = cells[self.cursor]
            wanted = (here.row + down, here.column + right)
            there = [cell for cell in cells if (cell.row, cell.column) == wanted]
            if there:
                self.cursor = there[0].option
            elif self.grid is None and down:
                self.cursor = (self.cursor + down) % len(cells)
        self.refresh()

    def laid_out(self, width: int, rows: int | None = None) -> MenuLayout:
        most = self.most_rows if rows is None else rows
        return lay_out(self.options, self.grid, width, most)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return max(self.least_rows, self.laid_out(width).rows)

    def render(self) -> Text:
        layout = self.laid_out(self.content_size.width)
        lines = [Text(no_wrap=True, overflow="ellipsis") for _ in range(layout.rows)]
        for cell in sorted(layout.cells, key=lambda cell: cell.column):
            lines[cell.row].append_text(self.drawn(cell, layout))
        return Text("\n").join(lines)

    def drawn(self, cell: OptionPlace, layout: MenuLayout) -> Text:
        option = self.options[cell.option]
        is_here, width = cell.option == self.cursor, layout.widths[cell.column]
        bright = BRIGHT if self.is_possible(option) else DIM
        if self.grid is not None:
            style = f"bold {bright} {CURSOR}" if is_here else bright
            before = " " * self.margin(layout) if cell.column == 0 else ""
            return Text(before) + Text(option.word.center(width), style=style)
        keys = widest(self.options)[0]
        column = [c.option for c in layout.cells if c.column == cell.column]
        words = widest([self.options[place] for place in column])[1]
        text = Text(no_wrap=True)
        text.append(f" {option.key:<{keys - 2}} ", style=KEY)
        has_note = cell.column < layout.columns_with_notes and width - keys - words > MOST_CUT
        is_warned = option.is_fatal and not has_note
        word = f" {option.word}!" if is_warned else f" {option.word}"
        text.append(word, style=FATAL if is_warned else f"bold {bright}")
        if has_note:
            text.append(" " * (words - cell_len(option.word) + GAP))
            text.append(option.note, style=FATAL if option.is_fatal else "" if is_here else DIM)
        text.truncate(width - 1, overflow="ellipsis", pad=True)
        if is_here:
            text.stylize(CURSOR, keys)
        return text.append(" ")

    def margin(self, layout: MenuLayout) -> int:
        """The space to the left of a grid, which is centred."""
        return 0 if self.grid is None else (self.content_size.width - sum(layout.widths)) // 2

    def on_click(self, event: Click) -> None:
        layout = self.laid_out(self.content_size.width)
        x = event.get_content_offset_capture(self).x
        y = event.get_content_offset_capture(self).y
        at = (y, layout.column_at(x - self.margin(layout)))
        for cell in layout.cells:
            if (cell.row, cell.column) == at:
                self.post_message(self.Picked(self.options[cell.option]))
