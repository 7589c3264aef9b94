"""The menu of a server: matches to continue, to join and to watch, and a new one."""

import threading
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from rich.text import Text
from textual.events import Key
from textual.message import Message

from holmgang.errors import HolmgangError
from holmgang.terminal.online.client import Client
from holmgang.terminal.online.listing import is_your_turn, players_text, progress_text
from holmgang.terminal.online.session import duration
from holmgang.terminal.screen.palette import BRIGHT, DIM, WARNING
from holmgang.terminal.screen.table_screen import TableScreen
from holmgang.terminal.session import answer
from holmgang.wire.lists import LobbyLists, MatchLine

KEYS = (
    ("↑ ↓", "look"),
    ("Enter", "take"),
    ("n", "new match"),
    ("u", "rules"),
    ("q", "quit"),
)
LOOK_EVERY = 2.0  # seconds
NEW, RULES, QUIT = "new match", "rules", "quit"
NOTHING = "Nobody is waiting or playing. n opens a match."


class Picked(NamedTuple):
    """What the person picked: a word of the menu, or a match."""

    word: str
    match: str = ""


class LobbyScreen(TableScreen[Picked]):
    """Returns what was picked."""

    DEFAULT_CSS = "LobbyScreen DataTable { overflow-x: hidden; }"

    class Looked(Message):
        """What the server has answered."""

        def __init__(self, answer: LobbyLists | HolmgangError) -> None:
            super().__init__()
            self.answer = answer

    def __init__(self, client: Client, trouble: str = "") -> None:
        """`trouble` is an error to show."""
        who = "" if client.name is None else f" as {client.name}"
        super().__init__(f"Holmgang at {client.address}{who}", KEYS)
        self.client = client
        self.trouble = trouble
        self.lines: list[MatchLine] = []
        self.looker: threading.Thread | None = None

    def on_mount(self) -> None:
        self.table.add_columns("", "game", "players", "so far", "time", "length")
        self.tell(self.trouble)
        self.look()
        self.set_interval(LOOK_EVERY, self.look)

    # The list

    def look(self) -> None:
        """Asks the server in another thread, unless a request is already waiting."""
        if self.looker is not None and self.looker.is_alive():
            return

        ask = partial(
            answer, self.client.lobby, lambda found: self.post_message(self.Looked(found))
        )
        self.looker = threading.Thread(target=ask, daemon=True)  # quitting does not wait for it
        self.looker.start()

    def on_lobby_screen_looked(self, message: Looked) -> None:
        if isinstance(message.answer, HolmgangError):
            self.tell(str(message.answer))
            return
        lobby = message.answer
        kinds: dict[str, Sequence[MatchLine]] = {
            "continue": lobby.yours,
            "join": lobby.open,
            "watch": lobby.live,
        }
        pointed = self.lines[self.table.cursor_row].match if self.lines else None
        self.lines = []
        rows: list[tuple[Text, ...]] = []
        for kind, lines in kinds.items():
            for line in lines:
                if line.match not in {known.match for known in self.lines}:
                    self.lines.append(line)
                    rows.append(self.row(kind, line))
        self.table.clear()
        self.table.add_rows(rows)
        here = [place for place, line in enumerate(self.lines) if line.match == pointed]
        self.table.move_cursor(row=here[0] if here else 0, animate=False)
        if self.trouble:
            self.tell(self.trouble)
        else:
            self.tell("" if self.lines else NOTHING, DIM)

    def row(self, kind: str, line: MatchLine) -> tuple[Text, ...]:
        far = progress_text(line)
        time = "no limit" if line.seconds is None else duration(line.seconds)
        length = f"first to {line.wins_needed}" if line.wins_needed > 1 else "one game"
        turn = Text("your turn, ", style=f"bold {WARNING}") if is_your_turn(line) else Text()
        return (
            Text(kind, style=f"bold {BRIGHT}"),
            Text(line.ruleset, style=BRIGHT),
            Text(players_text(line)),
            turn + Text(far),
            Text(time, style=DIM),
            Text(length, style=DIM),
        )

    # Keys

    def on_key(self, event: Key) -> None:
        event.stop()
        self.trouble = ""
        if self.move(event):
            return
        if event.key in ("enter", "right", "space"):
            self.take()
        elif event.character in ("n", "u"):
            self.dismiss(Picked(NEW if event.character == "n" else RULES))
        elif event.key == "escape" or event.character == "q":
            self.dismiss(Picked(QUIT))

    def on_data_table_row_selected(self) -> None:
        self.take()

    def take(self) -> None:
        if self.lines:
            self.dismiss(Picked("", self.lines[self.table.cursor_row].match))
        else:
            self.dismiss(Picked(NEW))
