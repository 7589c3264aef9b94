"""The command `holmgang check-game`."""

from typing import Annotated

import typer

EPILOG = "Example: holmgang check-game ./standoff.py"


def check_game(
    game: Annotated[
        str, typer.Argument(metavar="FILE", help="File or folder with the game, or a ruleset.")
    ],
    watches: Annotated[bool, typer.Option("--watch", help="Check again after each save.")] = False,
) -> None:
    """Look for mistakes in a game: every state of a small one, interpreted and compiled."""
    from holmgang.terminal.check_game import check, watch

    (watch if watches else check)(game)
