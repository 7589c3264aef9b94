"""The command `holmgang games`."""

from typing import Annotated

import typer


def games(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
) -> None:
    """List the games there are."""
    from holmgang.terminal import catalogue

    catalogue.print_games(as_json=as_json)
