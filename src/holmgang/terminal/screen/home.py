"""The menu: continue, play, play again, watch, change the rules, learn, solve puzzles, quit."""

from typing import NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widgets import Static

from holmgang.engine.archive import SavedGame, SavedMatch
from holmgang.engine.menu import Option
from holmgang.games.ruleset import Ruleset
from holmgang.players.naming import HUMAN
from holmgang.terminal.screen.keys import keys_line
from holmgang.terminal.screen.menu_view import MenuView
from holmgang.terminal.screen.palette import BRIGHT, DIM, WARNING
from holmgang.terminal.screen.questions import MOTTO, logo
from holmgang.terminal.setup import Setup

CONTINUE, NEW, REMATCH, REPLAYS, RULES, LEARN, PUZZLES, QUIT = (
    "continue",
    "new match",
    "rematch",
    "replays",
    "rules",
    "learn",
    "puzzles",
    "quit",
)
KEYS = {
    CONTINUE: "c", NEW: "n", REMATCH: "r", REPLAYS: "w",
    RULES: "u", LEARN: "l", PUZZLES: "p", QUIT: "q",
}  # fmt: skip
LOGO_HEIGHT = 18  # minimum rows of a screen for the logo


class Memory(NamedTuple):
    """What was played before."""

    unfinished: SavedMatch | None
    last: Setup | None
    games: list[SavedGame]


class HomeScreen(Screen[str]):
    """Returns the word that was picked."""

    DEFAULT_CSS = """
    HomeScreen { align: center middle; }
    HomeScreen > Vertical { width: 100%; max-width: 100; height: auto; padding: 0 2; }
    HomeScreen Static { height: auto; }
    HomeScreen #logo { text-align: center; }
    HomeScreen #motto { text-align: center; margin: 1 0; }
    HomeScreen #heading { padding: 0 1; background: $panel; }
    HomeScreen MenuView { padding: 1; background: $surface; }
    HomeScreen #trouble { padding: 1; }
    HomeScreen #keys { dock: bottom; height: 1; padding: 0 1; }
    """

    def __init__(self, memory: Memory, trouble: str = "") -> None:
        """`trouble` is an error to show."""
        super().__init__()
        self.memory = memory
        self.trouble = trouble

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(logo(), id="logo")
            yield Static(Text(MOTTO, style=DIM), id="motto")
            yield Static(Text("Menu", style=f"bold {BRIGHT}"), id="heading")
            yield MenuView()
            yield Static(Text(self.trouble, style=WARNING), id="trouble")
        yield Static(keys_line(("↑ ↓", "look"), ("Enter", "pick"), ("Esc", "quit")), id="keys")

    def on_mount(self) -> None:
        self.query_one("#trouble", Static).display = bool(self.trouble)
        menu = self.query_one(MenuView)
        menu.show(self.options())
        menu.point_at(menu.options[0])

    def on_resize(self, event: Resize) -> None:
        for part in ("#logo", "#motto"):
            self.query_one(part, Static).display = event.size.height >= LOGO_HEIGHT

    def options(self) -> list[Option]:
        unfinished, last, games = self.memory
        notes = {NEW: "choose game, opponent and length"}
        if unfinished is not None:
            notes = {CONTINUE: match_text(unfinished), **notes}
        if last is not None and last.ruleset is not None and last.blue is not None:
            names = {"red": last.red, "blue": last.blue}
            notes[REMATCH] = players_text(last.ruleset, names)
        if games:
            count = f"the last {len(games)} games" if len(games) > 1 else "the last game"
            notes[REPLAYS] = f"watch or analyse {count}"
        notes[RULES] = "change rules or league, then play"
        notes[LEARN] = "a game in a few guided rounds"
        notes[PUZZLES] = "positions with a proven answer"
        notes[QUIT] = ""
        return [Option(KEYS[word], word, note) for word, note in notes.items()]

    def on_menu_view_picked(self, message: MenuView.Picked) -> None:
        self.dismiss(message.option.word)

    def on_key(self, event: Key) -> None:
        event.stop()
        picked = self.query_one(MenuView).press(event)
        if picked is not None:
            self.dismiss(picked)
        elif event.key == "escape":
            self.dismiss(QUIT)


def match_text(saved: SavedMatch) -> str:
    """What is played, and the progress."""
    match, duel = saved.match, saved.duel
    far = "round 1" if duel.is_over else f"round {duel.round}"
    if match.wins_needed != 1:
        number = len(match.games) + duel.is_over
        far = f"{match.score['red']} – {match.score['blue']}, game {number}, {far}"
    return f"{players_text(duel.ruleset, saved.names)}: {far}"


def players_text(ruleset: Ruleset, names: dict[str, str]) -> str:
    """The game and who plays it, such as `bagh, you against perfect`."""
    people = [seat for seat, name in names.items() if name == HUMAN]
    if len(people) == 1:
        [seat] = people
        [other] = [name for name in names.values() if name != HUMAN]
        as_blue = " as blue" if seat == "blue" else ""
        return f"{ruleset.text}, you{as_blue} against {other}"
    players = "two at one keyboard" if people else f"{names['red']} against {names['blue']}"
    return f"{ruleset.text}, {players}"
