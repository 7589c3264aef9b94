"""The first screen: which game, against whom, how long; only what the command line left open."""

from collections.abc import Callable
from contextlib import suppress

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widgets import Static

from holmgang.engine.compiled.native import silent
from holmgang.engine.menu import Option
from holmgang.errors import HolmgangError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset, load
from holmgang.players import KINDS, find_level
from holmgang.players.naming import HUMAN, is_human
from holmgang.terminal.rules_text import rules_page
from holmgang.terminal.screen.keys import keys_line
from holmgang.terminal.screen.menu_view import MenuView
from holmgang.terminal.screen.pages import Page
from holmgang.terminal.screen.palette import BLUE, BRIGHT, DIM, RED, coloured
from holmgang.terminal.screen.rules_form import RulesForm
from holmgang.terminal.setup import Setup

LOGO = (
    "█ █ █▀█ █   █▀▄▀█ █▀▀ ▄▀█ █▄ █ █▀▀",
    "█▀█ █▄█ █▄▄ █ ▀ █ █▄█ █▀█ █ ▀█ █▄█",
)
MOTTO = "choose unseen, strike at once"
MOST_WINS = 9
SWAP = "x"


class StartScreen(Screen[Setup | None]):
    """Asks step by step, and gives the setup with everything settled; None to leave."""

    DEFAULT_CSS = """
    StartScreen { align: center middle; }
    StartScreen > Vertical { width: 100%; max-width: 100; height: auto; padding: 0 2; }
    StartScreen Static { height: auto; }
    StartScreen #logo { text-align: center; margin-bottom: 1; }
    StartScreen #so-far { text-align: center; margin-bottom: 1; }
    StartScreen #question { padding: 0 1; background: $panel; }
    StartScreen MenuView { padding: 0 1; background: $surface; }
    StartScreen #about { padding: 0 1; height: 3; margin-top: 1; color: #7d8590; }
    StartScreen #keys { dock: bottom; height: 1; padding: 0 1; }
    """

    def __init__(self, setup: Setup, *, changes_rules: bool = False) -> None:
        """`changes_rules` has the rules of the game changed before anything else is asked."""
        super().__init__()
        self.changes_rules = changes_rules
        self.setup = setup
        asks: list[Callable[[], None]] = []
        if setup.ruleset is None:
            asks.append(self.ask_game)
        if setup.blue is None:
            asks.append(self.ask_opponent)
        if setup.wins is None:
            asks.append(self.ask_wins)
        self.asks = asks
        self.step = 0
        self.is_swapped = False
        self.pick: Callable[[str], None] = self.pick_game
        self.about: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(id="logo")
            yield Static(id="so-far")
            yield Static(id="question")
            yield MenuView()
            yield Static(id="about")
        yield Static(keys_line(("↑ ↓", "look"), ("Enter", "pick"), ("Esc", "back")), id="keys")

    def on_mount(self) -> None:
        self.query_one("#logo", Static).update(logo())
        self.asks[0]()

    def on_resize(self, event: Resize) -> None:
        self.query_one("#logo", Static).display = event.size.height >= 20

    # The questions

    def ask(self, question: str, options: list[Option], pointed: int = 0) -> None:
        self.query_one("#so-far", Static).update(self.so_far())
        self.query_one("#question", Static).update(Text(question, style=f"bold {BRIGHT}"))
        menu = self.query_one(MenuView)
        menu.least_rows = len(CATALOGUE)  # nothing jumps from one question to the next
        menu.show(options)
        menu.point_at(options[pointed])
        self.tell_about()

    def ask_game(self) -> None:
        self.pick = self.pick_game
        entries = list(CATALOGUE.values())
        keys = initials([entry.name for entry in entries])
        self.about = {entry.name: f"{entry.title}: {entry.line}." for entry in entries}
        self.ask(
            "Which game?",
            [Option(key, entry.name, entry.line) for key, entry in zip(keys, entries, strict=True)],
        )

    def ask_opponent(self) -> None:
        self.pick = self.pick_opponent
        names = [*KINDS, HUMAN]
        lines = [*(level.line for level in KINDS.values()), "two at this keyboard, choices hidden"]
        options = [
            Option(key, name, line)
            for key, name, line in zip(initials(names), names, lines, strict=True)
        ]
        self.about = {}
        if is_human(self.setup.red):
            mine, other = ("blue", "red") if self.is_swapped else ("red", "blue")
            options.append(Option(SWAP, "swap seats", f"you play {mine}; play {other} instead"))
            self.about = prospects(self.ruleset, mine)
        self.ask(
            "Against whom?" if is_human(self.setup.red) else "Who plays blue?",
            options,
            names.index(self.ruleset.entry.opponent),
        )

    def ask_wins(self) -> None:
        self.pick = self.pick_wins
        usual = self.ruleset.entry.wins_needed
        counts = sorted({1, 2, 3, 5, min(usual, MOST_WINS)})
        words = {1: "one game"}
        self.about = {}
        options = [
            Option(
                str(count),
                words.get(count, f"first to {count}"),
                "the usual length" if count == usual else "",
            )
            for count in counts
        ]
        self.ask("Length of the match?", options, counts.index(min(usual, MOST_WINS)))

    # The answers

    @property
    def ruleset(self) -> Ruleset:
        assert self.setup.ruleset is not None  # noqa: S101 - asked for first
        return self.setup.ruleset

    def pick_game(self, word: str) -> None:
        if self.changes_rules:
            self.app.push_screen(RulesForm(load(word)), self.take_rules)
        else:
            self.take_rules(load(word))

    def take_rules(self, ruleset: Ruleset | None) -> None:
        if ruleset is not None:
            self.settle(self.setup._replace(ruleset=ruleset))

    def pick_opponent(self, word: str) -> None:
        if word == "swap seats":
            self.is_swapped = not self.is_swapped
            self.ask_opponent()
            self.query_one(MenuView).point_at(self.query_one(MenuView).options[-1])
        else:
            if word != HUMAN:
                with suppress(HolmgangError):  # it will be raised again when the match begins
                    find_level(word).ready(self.ruleset, silent, wait=False)
            self.settle(self.setup._replace(blue=word))

    def pick_wins(self, word: str) -> None:
        self.settle(
            self.setup._replace(wins=1 if word == "one game" else int(word.rsplit(maxsplit=1)[-1]))
        )

    def settle(self, setup: Setup) -> None:
        """Takes the answer and goes on to the next question, or to the match."""
        self.setup = setup
        self.step += 1
        if self.step < len(self.asks):
            self.asks[self.step]()
        elif self.is_swapped and setup.blue is not None:
            self.dismiss(setup._replace(red=setup.blue, blue=setup.red))
        else:
            self.dismiss(setup)

    def go_back(self) -> None:
        if self.step == 0:
            self.dismiss(None)
            return
        self.step -= 1
        self.asks[self.step]()

    # Showing

    def so_far(self) -> Text:
        """What has been settled, such as BAGH, Red against Blue."""
        parts = []
        settled = len(self.asks[: self.step])
        if self.setup.ruleset is not None and self.asks[self.step] != self.ask_game:
            changes = self.ruleset.text.partition(":")[2].replace(",", ", ")
            parts.append(self.ruleset.entry.title + (f" ({changes})" if changes else ""))
        if self.setup.blue is not None and self.asks[self.step] == self.ask_wins:
            red, blue = self.setup.red, self.setup.blue
            if self.is_swapped:
                red, blue = blue, red
            names = [red, blue]
            if names.count(HUMAN) == 1:
                names[names.index(HUMAN)] = "you"
            parts.append(f"Red ({names[0]}) against Blue ({names[1]})")
        return coloured(" · ".join(parts)) if settled or parts else Text(MOTTO, style=DIM)

    def tell_about(self) -> None:
        pointed = self.query_one(MenuView).option
        told = "" if pointed is None else self.about.get(pointed.word, "")
        hint = "  ? shows its rules" if told and self.pick == self.pick_game else ""
        self.query_one("#about", Static).update(Text.assemble((told, BRIGHT), (hint, DIM)))

    # Keys

    def on_menu_view_picked(self, message: MenuView.Picked) -> None:
        self.pick(message.option.word)

    def on_key(self, event: Key) -> None:
        event.stop()
        menu = self.query_one(MenuView)
        picked = menu.press(event)
        if picked is not None:
            self.pick(picked)
        elif event.key in ("up", "down"):
            self.tell_about()
        elif event.key in ("escape", "backspace", "left"):
            self.go_back()
        elif event.character == "?" and menu.option is not None and self.pick == self.pick_game:
            ruleset = load(menu.option.word)
            self.app.push_screen(Page(ruleset.entry.title, rules_page(ruleset)))


def prospects(ruleset: Ruleset, seat: str) -> dict[str, str]:
    """What a person in that seat can expect against each level, where that is known."""
    if ruleset.text != ruleset.entry.name:  # figures are for the rules of the catalogue
        return {}
    return {
        level: f"As {seat} you score {scores[SEATS.index(seat)]} % against {level} with best play."
        for level, scores in ruleset.entry.prospects.items()
    }


def logo() -> Text:
    half = len(LOGO[0]) // 2
    lines = [Text.assemble((line[:half], RED), (line[half:], BLUE)) for line in LOGO]
    return Text("\n").join(lines)


def initials(names: list[str]) -> list[str]:
    """A letter for each name, none twice: the first of one of its words, or else any free one.

    >>> initials(["bagh", "bagh-advantage", "fencing"])
    ['b', 'a', 'f']
    """
    taken: list[str] = []
    for name in names:
        wished = (
            [part[0] for part in name.split("-")] + list(name) + list("abcdefghijklmnopqrstuvwyz")
        )
        taken.append(next(letter for letter in wished if letter not in taken and letter.isalpha()))
    return taken
