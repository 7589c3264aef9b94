"""The command `holmgang rules`."""

from typing import Annotated

import typer

from holmgang.cli.options import GameText


def rules(
    game: GameText,
    plain: Annotated[bool, typer.Option("--plain", help="Without pager and colour.")] = False,
) -> None:
    """Show the rules of a game, its rulings and all rule parameters."""
    from holmgang.terminal import catalogue

    catalogue.show_rules(game, plain=plain)
