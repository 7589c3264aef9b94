"""The list of the games that were played last, to watch one or to continue one."""

from rich.text import Text
from textual.app import ComposeResult
from textual.events import Key
from textual.screen import Screen
from textual.widgets import DataTable, Static

from holmgang.engine.archive import SavedGame, SavedMatch, read_match
from holmgang.engine.frames import read_replay
from holmgang.errors import HolmgangError
from holmgang.terminal.screen.keys import keys_line
from holmgang.terminal.screen.palette import BRIGHT, DIM, WARNING, coloured
from holmgang.terminal.screen.replay import ReplayScreen

KEYS = (("↑ ↓", "look"), ("Enter", "watch"), ("c", "continue"), ("Esc", "menu"))


class ReplayList(Screen[SavedMatch | None]):
    """Shows games until the person goes back (None), or gives a match to continue."""

    DEFAULT_CSS = """
    ReplayList #heading { height: 1; padding: 0 1; background: $panel; }
    ReplayList DataTable { height: 1fr; background: $surface; scrollbar-size-vertical: 1; }
    ReplayList DataTable > .datatable--header { background: $surface; color: #7d8590; }
    ReplayList DataTable > .datatable--cursor { background: #2d3f58; color: #f0f3f6; }
    ReplayList #trouble { height: 1; padding: 0 1; }
    ReplayList #keys { height: 1; padding: 0 1; }
    """

    def __init__(self, games: list[SavedGame]) -> None:
        super().__init__()
        self.games = games

    def compose(self) -> ComposeResult:
        yield Static(Text("Replays", style=f"bold {BRIGHT}"), id="heading")
        table: DataTable[Text] = DataTable(cursor_type="row", zebra_stripes=False)
        table.can_focus = False
        yield table
        yield Static(id="trouble")
        yield Static(keys_line(*KEYS), id="keys")

    @property
    def table(self) -> DataTable[Text]:
        return self.query_one(DataTable)

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
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -999, "end": 999}
        if event.key in steps:
            row = self.table.cursor_row + steps[event.key]
            self.table.move_cursor(row=max(0, min(len(self.games) - 1, row)), animate=False)
        elif event.key in ("enter", "right", "space"):
            self.watch_game()
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

    def tell(self, trouble: str) -> None:
        self.query_one("#trouble", Static).update(Text(trouble, style=WARNING))
