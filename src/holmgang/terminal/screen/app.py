"""The base of the full-screen applications: colours, and the ways to leave."""

import asyncio
import signal
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from holmgang.terminal.screen.palette import THEME

INTERRUPTED = 128 + signal.SIGINT


class Shell(App[None]):
    """A full-screen application that always leaves the terminal as it was."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    * {
        scrollbar-color: $panel; scrollbar-color-hover: $panel; scrollbar-color-active: $primary;
        scrollbar-background: $background; scrollbar-background-hover: $background;
        scrollbar-background-active: $background; scrollbar-corner-color: $background;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+d", "leave", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.register_theme(THEME)
        self.theme = THEME.name

    def on_mount(self) -> None:
        if self.is_headless:
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.end, 128 + number)

    def close_screens(self) -> None:
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def end(self, code: int = 0) -> None:
        self.exit(return_code=code)

    def action_interrupt(self) -> None:
        self.end(INTERRUPTED)

    def action_leave(self) -> None:
        self.end()
