"""The application that plays on a server: from the menu to a match and back."""

import threading
from collections.abc import Callable

from rich.text import Text
from textual.app import ComposeResult
from textual.events import Key
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from holmgang.errors import HolmgangError
from holmgang.terminal.online.client import Client, MatchWish
from holmgang.terminal.online.session import OnlineSession
from holmgang.terminal.screen import lobby
from holmgang.terminal.screen.app import Shell
from holmgang.terminal.screen.duel import DuelScreen
from holmgang.terminal.screen.lobby import LobbyScreen, Picked
from holmgang.terminal.screen.online_start import OnlineStartScreen
from holmgang.terminal.screen.palette import DIM
from holmgang.terminal.session import answer


class WaitScreen(Screen[None]):
    """Shown while the server is opening or finding a match."""

    DEFAULT_CSS = "WaitScreen { align: center middle; } WaitScreen Static { width: auto; }"

    def __init__(self, line: str) -> None:
        super().__init__()
        self.line = line

    def compose(self) -> ComposeResult:
        yield Static(Text(self.line, style=DIM))

    def on_key(self, event: Key) -> None:
        event.stop()


class OnlineApp(Shell):
    TITLE = "Holmgang"
    first_told = -1  # of the sessions whose result is printed at the end: the last

    class Found(Message):
        """The server has given a match, or refused."""

        def __init__(self, answer: OnlineSession | HolmgangError) -> None:
            super().__init__()
            self.answer = answer

    def __init__(self, client: Client, wish: MatchWish, first: OnlineSession | None) -> None:
        """Starts with a match, with a wish (complete or not), or with the menu."""
        super().__init__()
        self.client = client
        self.wish = wish
        self.sessions: list[OnlineSession] = [] if first is None else [first]

    def on_mount(self) -> None:
        super().on_mount()
        if self.sessions:
            self.push_screen(DuelScreen(self.sessions[0]))
        elif self.wish == MatchWish():
            self.go_home()
        else:
            self.ask(self.wish)

    # The menu

    def go_home(self, trouble: str = "") -> None:
        self.close_screens()
        self.push_screen(LobbyScreen(self.client, trouble), self.obey)

    def obey(self, picked: Picked | None) -> None:
        if picked is None or picked.word == lobby.QUIT:
            self.end()
        elif picked.match:
            self.find("Joining the match …", lambda: self.client.join(picked.match))
        else:
            self.ask(MatchWish(), changes_rules=picked.word == lobby.RULES)

    def ask(self, wish: MatchWish, *, changes_rules: bool = False) -> None:
        """Asks for what is missing, then opens the match."""

        def settled(answer: MatchWish | None) -> None:
            if answer is None:
                self.go_home()
            else:
                self.find("Opening the match …", lambda: self.client.open(answer))

        screen = OnlineStartScreen(wish, self.client.offers, changes_rules=changes_rules)
        self.push_screen(screen, settled)

    # Matches

    def find(self, line: str, ask: Callable[[], OnlineSession]) -> None:
        """Asks the server for a match in another thread, and plays it."""

        def tell(found: OnlineSession | HolmgangError) -> None:
            is_heard = self.post_message(self.Found(found))
            if not is_heard and isinstance(found, OnlineSession):
                found.leave()

        self.push_screen(WaitScreen(line))
        # Quitting does not wait for it.
        threading.Thread(target=answer, args=(ask, tell), daemon=True).start()

    def on_online_app_found(self, message: Found) -> None:
        if isinstance(message.answer, HolmgangError):
            self.go_home(str(message.answer))
            return
        for before in self.sessions:
            before.leave()
        self.sessions.append(message.answer)
        self.close_screens()
        self.push_screen(DuelScreen(message.answer))

    def on_duel_screen_left(self) -> None:
        self.sessions[-1].leave()
        self.go_home()

    def on_duel_screen_again(self) -> None:
        """The rematch was agreed on."""
        session = self.sessions[-1]
        self.find("The rematch begins …", lambda: self.client.next_session(session))
