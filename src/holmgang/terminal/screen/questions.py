"""Questions that are asked one after the other, each with a menu of answers."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widgets import Static

from holmgang.engine.menu import Option
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset, load, preset_text
from holmgang.terminal.rules_text import rules_page
from holmgang.terminal.screen.keys import initials, keys_line
from holmgang.terminal.screen.menu_view import MenuView
from holmgang.terminal.screen.pages import Page
from holmgang.terminal.screen.palette import BLUE, BRIGHT, DIM, RED, coloured
from holmgang.terminal.screen.rules_form import RulesForm
from holmgang.terminal.setup import Setup

if TYPE_CHECKING:
    from holmgang.terminal.online.client import MatchWish

LOGO = (
    "█ █ █▀█ █   █▀▄▀█ █▀▀ ▄▀█ █▄ █ █▀▀",
    "█▀█ █▄█ █▄▄ █ ▀ █ █▄█ █▀█ █ ▀█ █▄█",
)
MOTTO = "choose unseen, strike at once"
MOST_WINS = 9

Wanted = TypeVar("Wanted", Setup, "MatchWish")


class Questions(Screen[Wanted | None], Generic[Wanted]):
    """Asks step by step, and returns the match that is wanted; None to leave."""

    DEFAULT_CSS = """
    Questions { align: center middle; }
    Questions > Vertical { width: 100%; max-width: 100; height: auto; padding: 0 2; }
    Questions Static { height: auto; }
    Questions #logo { text-align: center; margin-bottom: 1; }
    Questions #so-far { text-align: center; margin-bottom: 1; }
    Questions #question { padding: 0 1; background: $panel; }
    Questions MenuView { padding: 0 1; background: $surface; }
    Questions #about { padding: 0 1; height: 3; margin-top: 1; color: #7d8590; }
    Questions #keys { dock: bottom; height: 1; padding: 0 1; }
    """

    def __init__(self, wanted: Wanted, *, changes_rules: bool) -> None:
        """With `changes_rules`, the form of the rules comes after the question for the game."""
        super().__init__()
        self.wanted: Wanted = wanted
        self.changes_rules = changes_rules
        self.asks: list[Callable[[], None]] = []
        if wanted.ruleset is None:
            self.asks.append(self.ask_game)
        self.step = 0
        self.pick: Callable[[str], None] = self.pick_game
        self.preset_of = ""
        """The game whose presets are offered."""
        self.about: dict[str, str] = {}
        self.lengths: dict[str, int] = {}

    @property
    def ruleset(self) -> Ruleset:
        assert self.wanted.ruleset is not None  # noqa: S101 - asked for first
        return self.wanted.ruleset

    # For the screens that ask

    def finish(self) -> None:
        """Everything is settled."""
        self.dismiss(self.wanted)

    def settled(self) -> list[str]:
        """What is settled before the current question, in words."""
        if self.wanted.ruleset is None or self.asks[self.step] == self.ask_game:
            return []
        return [ruleset_text(self.ruleset)]

    # Showing

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

    def ask(self, question: str, options: list[Option], pointed: int = 0) -> None:
        self.query_one("#so-far", Static).update(self.so_far())
        self.query_one("#question", Static).update(Text(question, style=f"bold {BRIGHT}"))
        menu = self.query_one(MenuView)
        menu.least_rows = len(CATALOGUE)  # keeps the layout from one question to the next
        menu.show(options)
        menu.point_at(options[pointed])
        self.tell_about()

    def so_far(self) -> Text:
        """What is settled, such as BAGH, Red against Blue."""
        parts = self.settled()
        return coloured(" · ".join(parts)) if self.step or parts else Text(MOTTO, style=DIM)

    def tell_about(self) -> None:
        pointed = self.query_one(MenuView).option
        told = "" if pointed is None else self.about.get(pointed.word, "")
        hint = "  ? shows its rules" if told and self.pick == self.pick_game else ""
        self.query_one("#about", Static).update(Text.assemble((told, BRIGHT), (hint, DIM)))

    # Questions that every match needs

    def offered_games(self) -> list[str]:
        return list(CATALOGUE)

    def ask_game(self) -> None:
        self.pick, self.preset_of = self.pick_game, ""
        offered = self.offered_games()
        entries = [entry for entry in CATALOGUE.values() if entry.name in offered]
        keys = initials([entry.name for entry in entries])
        self.about = {entry.name: f"{entry.title}: {entry.line}." for entry in entries}
        self.ask(
            "Which game?",
            [Option(key, entry.name, entry.line) for key, entry in zip(keys, entries, strict=True)],
        )

    def pick_game(self, word: str) -> None:
        presets = CATALOGUE[word].game.presets
        if self.changes_rules:
            self.app.push_screen(RulesForm(load(word)), self.take_rules)
        elif presets and presets[0].rules:  # newcomers begin with other rules, such as a league
            self.ask_preset(word)
        else:
            self.take_rules(load(word))

    def ask_preset(self, name: str) -> None:
        self.pick, self.preset_of = self.pick_preset, name
        presets = CATALOGUE[name].game.presets
        self.about = {}
        self.ask(
            f"Which rules of {CATALOGUE[name].title}?",
            [
                Option(str(number), preset.name, preset.line)
                for number, preset in enumerate(presets, start=1)
            ],
        )

    def pick_preset(self, word: str) -> None:
        entry = CATALOGUE[self.preset_of]
        preset = next(each for each in entry.game.presets if each.name == word)
        self.take_rules(load(preset_text(entry, preset)))

    def take_rules(self, ruleset: Ruleset | None) -> None:
        if ruleset is not None:
            self.wanted = self.wanted._replace(ruleset=ruleset)
            self.go_on()

    def ask_length(self) -> None:
        self.pick = self.pick_wins
        usual = self.ruleset.entry.wins_needed
        counts = sorted({1, 2, 3, 5, min(usual, MOST_WINS)})
        self.about = {}
        self.lengths = {"one game" if each == 1 else f"first to {each}": each for each in counts}
        options = [
            Option(str(count), word, "the usual length" if count == usual else "")
            for word, count in self.lengths.items()
        ]
        self.ask("Length of the match?", options, counts.index(min(usual, MOST_WINS)))

    def pick_wins(self, word: str) -> None:
        self.wanted = self.wanted._replace(wins=self.lengths[word])
        self.go_on()

    # From one question to the next

    def go_on(self) -> None:
        self.step += 1
        if self.step < len(self.asks):
            self.asks[self.step]()
        else:
            self.finish()

    def go_back(self) -> None:
        if self.step == 0 and self.preset_of:
            self.ask_game()
            return
        if self.step == 0:
            self.dismiss(None)
            return
        self.step -= 1
        self.asks[self.step]()

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


def ruleset_text(ruleset: Ruleset) -> str:
    """The game, with the rules that were changed."""
    changes = ruleset.text.partition(":")[2].replace(",", ", ").replace("=", " ").replace("_", " ")
    return ruleset.entry.title + (f" ({changes})" if changes else "")


def logo() -> Text:
    half = len(LOGO[0]) // 2
    lines = [Text.assemble((line[:half], RED), (line[half:], BLUE)) for line in LOGO]
    return Text("\n").join(lines)
