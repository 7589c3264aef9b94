"""The base of the full-screen applications: colours, and the ways to leave."""

import asyncio
import signal
from collections.abc import Callable
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from holmgang.errors import HolmgangError
from holmgang.terminal.dialogue import Dialogue
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

    def in_lines(self, work: Callable[[], None]) -> str:
        """Leaves the full screen while something prints and asks in lines, until Enter or Ctrl-C.
        Returns the message of an error, if there is one.
        """
        loop, dialogue = asyncio.get_running_loop(), Dialogue()
        trouble = ""
        loop.remove_signal_handler(signal.SIGINT)  # so that Ctrl-C interrupts the work, and
        signal.set_wakeup_fd(-1)  # the loop does not hear of it afterwards
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with self.suspend():  # it does not resume after an exception
            try:
                signal.signal(signal.SIGINT, signal.default_int_handler)
                dialogue.say("Ctrl-C returns to the menu.")
                work()
                dialogue.ask("Enter returns to the menu: ")
            except HolmgangError as error:
                trouble = str(error)
            except (EOFError, KeyboardInterrupt):
                dialogue.say()
        loop.add_signal_handler(signal.SIGINT, self.end, INTERRUPTED)
        return trouble

    def close_screens(self) -> None:
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def end(self, code: int = 0) -> None:
        self.exit(return_code=code)

    def action_interrupt(self) -> None:
        self.end(INTERRUPTED)

    def action_leave(self) -> None:
        self.end()
