"""The rules of a game as text: its RULES.md, and what the ruleset changes."""

from collections.abc import Iterator
from typing import ClassVar

from rich.console import Console, ConsoleOptions, ConsoleRenderable, Group
from rich.markdown import Markdown, TableElement
from rich.table import Table

from holmgang.games.describe import rule_values, rules_markdown
from holmgang.games.ruleset import Ruleset


class FoldedTable(TableElement):
    """A table of the page that folds long names instead of cutting them off."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                for column in table.columns:
                    column.overflow = "fold"
                yield table


class RulesMarkdown(Markdown):
    elements: ClassVar = {**Markdown.elements, "table_open": FoldedTable}


def changed_rules(ruleset: Ruleset) -> Table | None:
    """The rules that differ from those on the page, if any do."""
    changed = [value for value in rule_values(ruleset) if value.is_changed]
    if not changed:
        return None
    title = f"Changed in {ruleset.text}"
    table = Table(title=title, title_justify="left", title_style="bold", style="bold yellow")
    table.add_column("rule")
    for heading in ("here", "default", "allowed"):
        table.add_column(heading, justify="right")
    for name, value, default, allowed in changed:
        table.add_row(name, str(value), str(default), f"{allowed[0]} to {allowed[-1]}")
    return table


def rules_page(ruleset: Ruleset) -> ConsoleRenderable:
    page, changed = RulesMarkdown(rules_markdown(ruleset)), changed_rules(ruleset)
    return Group(page, "", changed) if changed else page


def rules_lines(ruleset: Ruleset, width: int) -> list[str]:
    """The page as plain text."""
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(rules_page(ruleset))
    return [line.rstrip() for line in captured.get().splitlines()]
