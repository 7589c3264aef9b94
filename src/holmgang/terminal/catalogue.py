"""`holmgang games` and `holmgang rules`: what there is to play, and by which rules."""

import json
import os
import shutil
import sys

from rich.console import Console
from rich.table import Table

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.describe import describe_game
from holmgang.games.ruleset import load
from holmgang.machine import program
from holmgang.terminal.glyphs import fitted, is_unicode
from holmgang.terminal.rules_text import rules_lines, rules_page

WIDEST = 100


def print_games(*, as_json: bool) -> None:
    """Writes the games of the catalogue: a table for a person, a line each for a pipe."""
    if as_json:
        listed = [describe_game(entry) for entry in CATALOGUE.values()]
        sys.stdout.write(json.dumps(listed, indent=2) + "\n")
    elif sys.stdout.isatty() and is_unicode(sys.stdout):
        Console(highlight=False).print(games_table())
    else:
        names = max(map(len, CATALOGUE))
        for entry in CATALOGUE.values():
            line = f"{entry.name:<{names}}  {entry.title}: {entry.line}"
            sys.stdout.write(fitted(line, sys.stdout) + "\n")


def games_table() -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for entry in CATALOGUE.values():
        table.add_row(entry.name, f"{entry.title}\n[dim]{entry.line}[/]")
    table.add_section()
    table.add_row("", f"[dim]{program()} play NAME, {program()} rules NAME[/]")
    return table


def show_rules(ruleset_text: str, *, plain: bool) -> None:
    """Shows the rules of a ruleset: through a pager to a person, as plain text to a pipe."""
    ruleset = load(ruleset_text)
    width = min(WIDEST, shutil.get_terminal_size().columns)
    if plain or not sys.stdout.isatty() or not is_unicode(sys.stdout):
        for line in rules_lines(ruleset, width):
            sys.stdout.write(fitted(line, sys.stdout) + "\n")
        return
    os.environ.setdefault("LESS", "-FRX")  # colours; no pager if the text fits the screen
    pager = os.environ.get("MANPAGER") or os.environ.get("PAGER") or "less"
    console = Console(width=width)
    with console.pager(styles=pager.startswith("less")):
        console.print(rules_page(ruleset))
