"""The command `holmgang rules`."""

from typing import Annotated

import typer

from holmgang.cli.options import GameText


def rules(
    game: GameText,
    plain: Annotated[bool, typer.Option("--plain", help="No pager, no colour.")] = False,
) -> None:
    """Show the rules of a game, with its rulings and every number that can be changed."""
    from holmgang.terminal import catalogue

    catalogue.show_rules(game, plain=plain)
