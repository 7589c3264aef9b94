"""The command `holmgang play`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import Plain, Seed, Trust

EPILOG = "Without arguments, shows a menu. Example: holmgang play bagh --vs random"


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Game or ruleset (default: ask).")
    ] = None,
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs", metavar="WHO", help="Blue player: a level, a bot, or human (default: ask)."
        ),
    ] = None,
    red: Annotated[
        str, typer.Option(metavar="WHO", help="Red player: human, a level or a bot.")
    ] = "human",
    wins: Annotated[
        int | None,
        typer.Option(min=1, max=99, metavar="N", help="Games to win (default: set by the game)."),
    ] = None,
    seed: Seed = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the records (default: in your data folder)."),
    ] = None,
    trust: Trust = False,
    plain: Plain = False,
) -> None:
    """Play a match against a level, a bot or a person."""
    from holmgang.terminal.play import play_match

    play_match(
        game, red=red, blue=vs, wins=wins, seed=seed, records=records, trust=trust, plain=plain
    )
