"""The rules of a game as text: its RULES.md, and every number in them that can be changed."""

from rich.console import Console, ConsoleRenderable, Group
from rich.markdown import Markdown
from rich.table import Table

from holmgang.games.describe import rule_values, rules_markdown
from holmgang.games.ruleset import Ruleset


def rule_table(ruleset: Ruleset) -> Table:
    values = rule_values(ruleset)
    changed = sum(value.is_changed for value in values)
    title = f"Rule parameters of {ruleset.text}" + (f": {changed} changed" if changed else "")
    table = Table(title=title, title_justify="left", title_style="bold")
    for heading in ("rule", "here", "default", "allowed"):
        table.add_column(heading, justify="left" if heading == "rule" else "right")
    for name, value, default, allowed in values:
        is_changed = value != default
        table.add_row(
            f"* {name}" if is_changed else f"  {name}",
            str(value),
            str(default),
            f"{allowed[0]} to {allowed[-1]}",
            style="bold yellow" if is_changed else "",
        )
    return table


def rules_page(ruleset: Ruleset) -> ConsoleRenderable:
    return Group(Markdown(rules_markdown(ruleset)), "", rule_table(ruleset))


def rules_lines(ruleset: Ruleset, width: int) -> list[str]:
    """The page as plain text."""
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(rules_page(ruleset))
    return [line.rstrip() for line in captured.get().splitlines()]
