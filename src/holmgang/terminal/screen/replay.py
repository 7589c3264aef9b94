"""The application that shows a record: one round at a time, in both directions."""

from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from holmgang.engine.frames import (
    Replay,
    chance_text,
    gauge_name,
    gauge_values,
    sampled,
    sparkline,
)
from holmgang.terminal.rules_text import rules_page
from holmgang.terminal.screen.app import Shell
from holmgang.terminal.screen.board_view import BoardView
from holmgang.terminal.screen.keys import keys_line
from holmgang.terminal.screen.pages import Page
from holmgang.terminal.screen.palette import BRIGHT, CURSOR, DIM, SEAT_STYLES, WARNING, coloured
from holmgang.terminal.screen.story_view import indented, round_lines

LABEL = 17


class Strip(Widget):
    """The course of the duel: a line of blocks for each seat, with the shown round marked."""

    DEFAULT_CSS = "Strip { height: auto; padding: 0 1; background: $surface; }"

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay
        self.gauge = gauge_name(replay)
        self.at = 0

    def show(self, at: int) -> None:
        self.at = at
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 2 if self.gauge is not None else 1

    def render(self) -> Text:
        width = max(2, self.content_size.width - LABEL)
        places = sampled(len(self.replay.frames), width)
        here = max(column for column, place in enumerate(places) if place <= self.at)
        if self.gauge is None:
            return self.marked(Text("round".ljust(LABEL), style=DIM), "·" * len(places), here, DIM)
        values = {seat: gauge_values(self.replay, self.gauge, seat) for seat in SEAT_STYLES}
        most = max(1, *(max(numbers) for numbers in values.values()))
        lines = []
        for seat, colour in SEAT_STYLES.items():
            name = f"{seat.capitalize()} {self.gauge}"
            label = Text(f"{name:<{LABEL - 5}}{values[seat][self.at]:>4} ", style=colour)
            lines.append(self.marked(label, sparkline(values[seat], most, width), here, colour))
        return Text("\n").join(lines)

    def marked(self, label: Text, blocks: str, here: int, colour: str) -> Text:
        drawn = Text(blocks, style=colour, no_wrap=True)
        drawn.stylize(f"bold {BRIGHT} {CURSOR}", here, here + 1)
        return label + drawn


class ReplayScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,n,space,l,j,down", "move(1)", show=False),
        Binding("left,p,h,k,up", "move(-1)", show=False),
        Binding("pagedown", "move(10)", show=False),
        Binding("pageup", "move(-10)", show=False),
        Binding("home", "go(0)", show=False),
        Binding("end", "end_of_replay", show=False),
        Binding("r,question_mark", "rules", show=False),
        Binding("q,escape", "leave", show=False),
    ]
    DEFAULT_CSS = """
    ReplayScreen #title { height: 1; padding: 0 1; background: $panel; }
    ReplayScreen BoardView { padding: 1; background: $surface; }
    ReplayScreen #told { height: 1fr; padding: 1 1 0 1; scrollbar-size-vertical: 1; }
    ReplayScreen #told Static { height: auto; }
    ReplayScreen #keys { height: 1; padding: 0 1; }
    """

    def __init__(self, replay: Replay, start: int) -> None:
        super().__init__()
        self.replay = replay
        self.at = start
        self.going_to: str | None = None  # the typed digits of a round to go to

    @property
    def last(self) -> int:
        return len(self.replay.frames) - 1

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield BoardView(self.replay.record.ruleset, self.replay.frames[self.at].state)
        with VerticalScroll(id="told", can_focus=False):
            yield Static()
        yield Strip(self.replay)
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.show()

    def show(self) -> None:
        frame = self.replay.frames[self.at]
        self.query_one("#title", Static).update(self.titled())
        self.query_one(BoardView).show(frame.state)
        self.query_one("#told Static", Static).update(Group(*self.told()))
        self.query_one(Strip).show(self.at)
        self.show_keys()

    def titled(self) -> Text:
        names = self.replay.names
        title = Text(no_wrap=True, overflow="ellipsis")
        title.append(f"Round {self.at} of {self.last}", style=f"bold {BRIGHT}")
        title.append(f"   {self.replay.record.ruleset.text}   ", style=DIM)
        return title.append_text(coloured(f"Red {names['red']}, Blue {names['blue']}"))

    def told(self) -> list[RenderableType]:
        revealed = self.replay.frames[self.at].revealed
        lines: list[RenderableType] = [Text("The start.", style=DIM)]
        if revealed is not None:
            lines = round_lines(revealed)
            chance = chance_text(revealed)
            if chance:
                lines.insert(1, indented(Text(chance, style=WARNING)))
        if self.at == self.last:
            lines.append(coloured(self.replay.ending, "bold"))
        return lines

    def show_keys(self) -> None:
        keys = self.query_one("#keys", Static)
        if self.going_to is not None:
            keys.update(Text(f"Go to round: {self.going_to}▏ (0 to {self.last}, Enter)"))
            return
        keys.update(
            keys_line(
                ("← →", "round"),
                ("Home End", "start, end"),
                ("g", "go to"),
                ("q", "leave"),
                ("?", "rules"),
            )
        )

    def action_move(self, rounds: int) -> None:
        self.action_go(self.at + rounds)

    def action_go(self, number: int) -> None:
        self.at = max(0, min(self.last, number))
        self.show()

    def action_end_of_replay(self) -> None:
        self.action_go(self.last)

    def action_rules(self) -> None:
        ruleset = self.replay.record.ruleset
        self.app.push_screen(Page(ruleset.entry.title, rules_page(ruleset)))

    def action_leave(self) -> None:
        self.dismiss()

    def on_key(self, event: Key) -> None:
        """`g`, the number of a round, Enter."""
        if self.going_to is None:
            if event.character == "g":
                self.going_to = ""
                event.stop()
                self.show_keys()
            return
        event.stop()
        event.prevent_default()
        if event.character is not None and event.character.isdecimal():
            self.going_to = (self.going_to + event.character)[:9]
        elif event.key == "backspace":
            self.going_to = self.going_to[:-1]
        else:
            number, self.going_to = self.going_to, None
            if event.key == "enter" and number:
                self.action_go(int(number))
        self.show_keys()


class ReplayApp(Shell):
    TITLE = "Holmgang"

    def __init__(self, replay: Replay, start: int) -> None:
        super().__init__()
        self.replay = replay
        self.start = start

    def on_mount(self) -> None:
        super().on_mount()
        self.push_screen(ReplayScreen(self.replay, self.start), lambda _: self.end())
