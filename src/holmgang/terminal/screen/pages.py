"""Pages over the duel: text to read, yes-or-no questions, and the menu of commands."""

from collections.abc import Mapping
from typing import ClassVar

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.markup import escape
from textual.screen import ModalScreen
from textual.widgets import Static

from holmgang.engine.menu import Option
from holmgang.terminal.commands import CommandVerb
from holmgang.terminal.screen.keys import initials
from holmgang.terminal.screen.menu_view import MenuView
from holmgang.terminal.screen.palette import BRIGHT, DIM, KEY, SEAT_STYLES, WARNING, coloured
from holmgang.wire.match import ForecastRow


class Page(ModalScreen[None]):
    """Text to read. Arrows scroll; Esc, Enter, q or ? closes it."""

    DEFAULT_CSS = """
    Page { align: center middle; background: $background 60%; }
    Page > Vertical {
        width: 100%; max-width: 104; height: auto; max-height: 100%;
        background: $surface; border: round $primary; padding: 0 1;
    }
    Page VerticalScroll { height: auto; max-height: 100%; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll(-1)", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("pageup,b", "scroll(-15)", show=False),
        Binding("pagedown,space", "scroll(15)", show=False),
        Binding("home", "scroll(-100000)", show=False),
        Binding("end", "scroll(100000)", show=False),
        Binding("escape,enter,q,question_mark", "dismiss", show=False),
    ]

    def __init__(self, title: str, body: RenderableType) -> None:
        super().__init__()
        self.page_title = title
        self.body = body

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = escape(self.page_title)
            box.border_subtitle = "↑ ↓ scroll, Esc closes"
            with VerticalScroll(can_focus=False):
                yield Static(self.body)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


class ConfirmScreen(ModalScreen[bool]):
    """A yes-or-no question."""

    DEFAULT_CSS = """
    ConfirmScreen { align: center middle; background: $background 60%; }
    ConfirmScreen > Vertical {
        width: 100%; max-width: 60; height: auto;
        background: $surface; border: round $accent; padding: 1 2;
    }
    ConfirmScreen Static { height: auto; margin-bottom: 1; }
    """

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(coloured(self.question))
            yield MenuView()

    def on_mount(self) -> None:
        self.query_one(MenuView).show([Option("y", "yes", ""), Option("n", "no", "")])

    def on_menu_view_picked(self, message: MenuView.Picked) -> None:
        self.dismiss(message.option.key == "y")

    def on_key(self, event: Key) -> None:
        event.stop()
        if event.character in ("y", "Y"):
            self.dismiss(True)
        elif event.character in ("n", "N") or event.key == "escape":
            self.dismiss(False)


class CommandMenu(ModalScreen[CommandVerb | None]):
    """The commands, each with its own letter."""

    DEFAULT_CSS = """
    CommandMenu { align: center bottom; background: $background 60%; }
    CommandMenu > Vertical {
        width: 100%; max-width: 72; height: auto;
        background: $surface; border: round $primary; padding: 0 1;
    }
    """

    def __init__(self, lines: Mapping[CommandVerb, str]) -> None:
        """`lines` says what each command does."""
        super().__init__()
        self.lines = lines
        verbs = [verb for verb in lines if verb is not CommandVerb.WHAT_IF]
        keys = initials([verb.value for verb in verbs])
        self._verbs = dict(zip(keys, verbs, strict=True))

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = "Commands"
            box.border_subtitle = "Esc closes"
            yield MenuView()

    def on_mount(self) -> None:
        listed = [Option(key, verb.value, self.lines[verb]) for key, verb in self._verbs.items()]
        self.query_one(MenuView).show(listed)

    def on_menu_view_picked(self, message: MenuView.Picked) -> None:
        self.dismiss(self._verbs[message.option.key])

    def on_key(self, event: Key) -> None:
        event.stop()
        menu = self.query_one(MenuView)
        if event.key in ("up", "down"):
            menu.move(1 if event.key == "down" else -1, 0)
        elif event.key == "enter" and menu.option is not None:
            self.dismiss(self._verbs[menu.option.key])
        elif event.character in self._verbs:
            self.dismiss(self._verbs[event.character])
        elif event.key == "escape" or event.character in ("/", "q"):
            self.dismiss(None)


def help_page(lines: Mapping[CommandVerb, str]) -> RenderableType:
    """The keys, and the commands with what each does."""
    keys = (
        ("letter", "the choice with that key; where keys have several letters, finish with Enter"),
        ("↑ ↓ ← →", "look at the choices, Enter takes one"),
        ("?", "then a choice: what it would do against every choice of the opponent"),
        ("/", "the commands: rules, undo, draw, forfeit, quit"),
        ("PgUp PgDn", "scroll the story"),
        ("Ctrl-C", "quit at once; the match can be continued"),
    )
    table = Table(box=None, show_header=False, padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column()
    for key, line in keys:
        table.add_row(Text(f" {key} ", style=KEY), line)
    table.add_row("", "")
    for verb, line in lines.items():
        word = "? attack" if verb is CommandVerb.WHAT_IF else f"/{verb.value}"
        table.add_row(Text(word, style=f"bold {BRIGHT}"), Text(line, style=DIM))
    return table


def forecast_page(lines: list[ForecastRow]) -> RenderableType:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style=f"bold {BRIGHT}", max_width=30)
    table.add_column(style=WARNING, no_wrap=True)
    table.add_column()
    for line in lines:
        words = Text(line.result)
        for seat, colour in SEAT_STYLES.items():
            words.highlight_regex(rf"\b{seat}\b", style=colour)
        table.add_row(line.against, line.odds, words)
    return table
