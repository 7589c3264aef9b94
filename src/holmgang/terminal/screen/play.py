"""The application that plays: asks what is missing, then plays matches until the person leaves."""

from holmgang.terminal.screen.app import Shell
from holmgang.terminal.screen.duel import DuelScreen
from holmgang.terminal.screen.start import StartScreen
from holmgang.terminal.setup import Setup
from holmgang.terminal.table import Table


class PlayApp(Shell):
    TITLE = "Holmgang"

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.setup = setup
        self.tables: list[Table] = []

    def on_mount(self) -> None:
        super().on_mount()
        if self.setup.is_settled:
            self.begin(self.setup)
        else:
            self.push_screen(StartScreen(self.setup), self.begin)

    def begin(self, setup: Setup | None) -> None:
        if setup is None:
            self.end()
            return
        self.setup = setup
        self.tables.append(setup.table())
        self.tables[-1].get_ready()
        self.push_screen(DuelScreen(self.tables[-1]))

    def on_duel_screen_left(self) -> None:
        self.end()

    def on_duel_screen_again(self) -> None:
        """Another match of the same, with other chance."""
        self.pop_screen()
        self.begin(self.setup._replace(seed=None))
