"""The command `holmgang new-bot`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import AsJson, GameText

EPILOG = "Such as: holmgang new-bot bagh egil --lang rust"


def new_bot(
    game: GameText,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER", help="A new folder; its name becomes the bot's. GAME-LANG if missing."
        ),
    ] = None,
    lang: Annotated[
        str, typer.Option(metavar="LANG", help="python, javascript, c, cpp, rust, java or go.")
    ] = "python",
    protocol: Annotated[
        str, typer.Option(help="json; for fencing also codingame.", metavar="PROTOCOL")
    ] = "json",
    as_json: AsJson = False,
) -> None:
    """Write a small bot that plays, in a language of your choice, for you to make better."""
    from holmgang.terminal.new_bot import run

    run(game, folder, language=lang, protocol=protocol, as_json=as_json)
