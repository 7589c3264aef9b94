"""The command `holmgang mcp`."""

from typing import Annotated

import typer

from holmgang.cli.options import Games, need_packages

EPILOG = "Example: holmgang mcp --server https://duels.example"


def mcp(
    server: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Live server to play people on (default: none)."),
    ] = None,
    games: Games = None,
) -> None:
    """Serve duels to an agent over the Model Context Protocol (stdio)."""
    need_packages("the MCP server", "mcp", ("mcp",))
    from holmgang.mcp.server import run

    run(server)
