"""A form with every rule of a game: its value, its default, and its range."""

from rich.text import Text
from textual.events import Key
from textual.widgets import Static

from holmgang.errors import RulesetError
from holmgang.games.describe import RuleValue, rule_values
from holmgang.games.ruleset import Ruleset, load
from holmgang.terminal.rules_text import rules_page
from holmgang.terminal.screen.pages import Page
from holmgang.terminal.screen.palette import BRIGHT, DIM, WARNING
from holmgang.terminal.screen.table_screen import MOVES, TableScreen

KEYS = (
    ("← →", "change"),
    ("0-9", "type"),
    ("d", "default"),
    ("Enter", "play"),
    ("Esc", "back"),
    ("?", "rules"),
)
LONGEST = 9  # digits that can be typed


class RulesForm(TableScreen[Ruleset | None]):
    """Returns the ruleset; None to go back."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(f"The rules of {ruleset.entry.title}", KEYS)
        self.rules = rule_values(ruleset)
        self.entry = ruleset.entry
        self.typed: str | None = None  # the new value of this rule, while it is typed

    @property
    def at(self) -> int:
        return self.table.cursor_row

    @property
    def text(self) -> str:
        """The text of the ruleset."""
        changed = ",".join(f"{rule.name}={rule.value}" for rule in self.rules if rule.is_changed)
        return f"{self.entry.name}:{changed}" if changed else self.entry.name

    def on_mount(self) -> None:
        for heading in ("rule", "value", "default", "allowed"):
            self.table.add_column(heading, key=heading)
        for rule in self.rules:
            allowed = f"{rule.allowed[0]} to {rule.allowed[-1]}"
            self.table.add_row(
                Text(rule.name),
                Text(str(rule.value), justify="right"),
                Text(str(rule.default), style=DIM, justify="right"),
                Text(allowed, style=DIM),
                key=rule.name,
            )
        self.tell_text()

    # Showing

    def show_rule(self) -> None:
        rule = self.rules[self.at]
        shown = str(rule.value) if self.typed is None else f"{self.typed}▏"
        style = f"bold {WARNING}" if rule.is_changed or self.typed is not None else ""
        name = f"bold {BRIGHT}" if rule.is_changed else ""
        self.table.update_cell(rule.name, "rule", Text(rule.name, style=name))
        self.table.update_cell(
            rule.name, "value", Text(shown, style=style, justify="right"), update_width=True
        )

    def tell_text(self) -> None:
        told = Text("Played as ", style=DIM).append(self.text, style=f"bold {BRIGHT}")
        self.query_one("#told", Static).update(told)

    # Changing

    def put(self, value: int) -> None:
        rule = self.rules[self.at]
        self.typed = None
        self.rules[self.at] = RuleValue(rule.name, value, rule.default, rule.allowed)
        self.show_rule()
        self.tell_text()

    def step(self, by: int) -> None:
        rule = self.rules[self.at]
        self.put(max(rule.allowed[0], min(rule.allowed[-1], rule.value + by)))

    def type_in(self, typed: str) -> None:
        self.typed = typed[:LONGEST]
        self.show_rule()

    def take_typed(self) -> bool:
        """Takes over the typed value, if there is one. False if it is not allowed."""
        if self.typed in (None, "", "-"):
            self.typed = None
            self.show_rule()
            return True
        rule = self.rules[self.at]
        value = int(self.typed or 0)
        if value not in rule.allowed:
            span = f"a whole number from {rule.allowed[0]} to {rule.allowed[-1]}"
            self.tell(f"{rule.name} must be {span}; not {value}")
            return False
        self.put(value)
        return True

    def finish(self) -> None:
        try:
            self.dismiss(load(self.text))
        except RulesetError as error:
            self.tell(str(error))

    # Keys

    def on_key(self, event: Key) -> None:
        event.stop()
        if event.key in MOVES:
            if self.take_typed():
                self.move(event)
        elif event.key == "enter":
            if self.take_typed():
                self.finish()
        elif event.key in ("left", "right"):
            if self.take_typed():
                self.step(1 if event.key == "right" else -1)
        elif event.key == "escape":
            self.go_back()
        elif event.key == "backspace":
            self.type_in((self.typed or "")[:-1])
        elif event.character == "d" or event.key == "delete":
            self.put(self.rules[self.at].default)
        elif event.character == "?":
            self.app.push_screen(Page(self.entry.title, rules_page(load(self.entry.name))))
        elif event.character is not None and (
            event.character in "0123456789" or (event.character == "-" and not self.typed)
        ):
            self.type_in((self.typed or "") + event.character)

    def go_back(self) -> None:
        if self.typed is None:
            self.dismiss(None)
        else:
            self.typed = None
            self.show_rule()
            self.tell_text()
