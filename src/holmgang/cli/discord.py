"""The command `holmgang discord`."""

from typing import Annotated

import typer

from holmgang.cli.options import DatabaseUrl, Games, need_discord

EPILOG = "Example: HOLMGANG_DISCORD_TOKEN=… holmgang discord --web-address https://duels.example"


def discord(
    games: Games = None,
    database: DatabaseUrl = None,
    role: Annotated[str, typer.Option(help="Name of the players' role.")] = "bagher",
    web_address: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Address of the web server on the same database, for links."
        ),
    ] = None,
    log_json: Annotated[
        bool, typer.Option("--log-json", help="Log as JSON, one object per line.")
    ] = False,
) -> None:
    """Run the Discord bot, with its token in HOLMGANG_DISCORD_TOKEN."""
    need_discord()
    from holmgang.discord.settings import read_settings

    settings = read_settings(database, role, web_address, log_json=log_json)
    from holmgang.discord.run import run

    run(settings)
