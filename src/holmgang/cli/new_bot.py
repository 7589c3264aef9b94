"""The command `holmgang new-bot`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import AsJson, GameText

EPILOG = "Example: holmgang new-bot bagh egil --lang rust"


def new_bot(
    game: GameText,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER", help="New folder, named like the bot (default: GAME-LANG)."
        ),
    ] = None,
    lang: Annotated[
        str,
        typer.Option(
            metavar="LANG", help="Language: python, javascript, c, cpp, rust, java or go."
        ),
    ] = "python",
    protocol: Annotated[
        str, typer.Option(help="Protocol: json; for fencing also codingame.", metavar="PROTOCOL")
    ] = "json",
    as_json: AsJson = False,
) -> None:
    """Write a small working bot to start from."""
    from holmgang.terminal.new_bot import run

    run(game, folder, language=lang, protocol=protocol, as_json=as_json)
