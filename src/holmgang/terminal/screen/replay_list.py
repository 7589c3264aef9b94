"""The list of recent games, to watch, analyse or continue one."""

from functools import partial
from typing import cast

from rich.text import Text
from textual.events import Key

from holmgang.engine.archive import SavedGame, SavedMatch, read_match
from holmgang.engine.frames import read_replay
from holmgang.errors import HolmgangError
from holmgang.terminal.screen.app import Shell
from holmgang.terminal.screen.palette import BRIGHT, DIM, coloured
from holmgang.terminal.screen.replay import ReplayScreen
from holmgang.terminal.screen.table_screen import TableScreen

KEYS = (
    ("↑ ↓", "look"),
    ("Enter", "watch"),
    ("a", "analyse"),
    ("c", "continue"),
    ("Esc", "menu"),
)


class ReplayList(TableScreen[SavedMatch | None]):
    """Returns a match to continue; None to go back."""

    def __init__(self, games: list[SavedGame]) -> None:
        super().__init__("Replays", KEYS)
        self.games = games

    @property
    def game(self) -> SavedGame:
        return self.games[self.table.cursor_row]

    def on_mount(self) -> None:
        self.table.add_columns("played", "result", "game", "red", "blue", "rounds")
        for game in self.games:
            started = "" if game.started is None else f"{game.started:%d %b %H:%M}"
            number = f" {game.match['game']}" if game.match.get("wins_needed", 1) > 1 else ""
            self.table.add_row(
                Text(started, style=DIM),
                coloured(game.result()),
                Text(f"{game.ruleset.text}{number}", style=BRIGHT),
                Text(game.names["red"]),
                Text(game.names["blue"]),
                Text(str(len(game.record.rounds)), justify="right"),
            )

    def on_key(self, event: Key) -> None:
        event.stop()
        self.tell("")
        if self.move(event):
            return
        if event.key in ("enter", "right", "space"):
            self.watch_game()
        elif event.character == "a":
            self.analyse()
        elif event.character == "c":
            self.resume()
        elif event.key in ("escape", "left", "backspace") or event.character == "q":
            self.dismiss(None)

    def on_data_table_row_selected(self) -> None:
        self.watch_game()

    def watch_game(self) -> None:
        try:
            self.app.push_screen(ReplayScreen(read_replay(self.game.path), 0))
        except HolmgangError as error:
            self.tell(str(error))

    def analyse(self) -> None:
        from holmgang.terminal.analysis import show_analyses  # with the solver, which is slow

        if not self.game.record.rounds:
            self.tell("No round of this game was played.")
            return
        show = partial(show_analyses, [self.game.path])
        self.tell(cast(Shell, self.app).in_lines(show))

    def resume(self) -> None:
        try:
            match = read_match(self.game.path)
        except HolmgangError as error:
            self.tell(str(error))
            return
        if match.match.is_over:
            self.tell("This match is over. Enter watches the game.")
        elif self.game.is_open:
            self.tell("This match is being played in another window.")
        else:
            self.dismiss(match)
