"""The command `holmgang games`."""

from typing import Annotated

import typer


def games(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the games."""
    from holmgang.terminal import catalogue

    catalogue.print_games(as_json=as_json)
