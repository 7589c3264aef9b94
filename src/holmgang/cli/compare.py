"""The command `holmgang compare`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import GAME_HELP, load_game

EPILOG = "Example: holmgang compare bagh bagh-advantage"


def compare(
    before: Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, callback=load_game)],
    after: Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, callback=load_game)],
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="HTML page to write; - for standard output."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare the balance of two games, or of two sets of rules."""
    from holmgang.terminal.balance import show_comparison

    show_comparison(before, after, html=html, as_json=as_json)
