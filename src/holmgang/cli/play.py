"""The command `holmgang play`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import Plain, Seed, Trust

EPILOG = "Without arguments, shows a menu. At once: holmgang play bagh --vs random"


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game or ruleset; asked for if missing.")
    ] = None,
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs", metavar="WHO", help="Who plays blue: a level, a bot, or human at this keyboard."
        ),
    ] = None,
    red: Annotated[
        str, typer.Option(metavar="WHO", help="Who plays red: human, a level or a bot.")
    ] = "human",
    wins: Annotated[
        int | None,
        typer.Option(min=1, max=99, metavar="N", help="Games to win; the game's own if missing."),
    ] = None,
    seed: Seed = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for the records; your data folder if missing."),
    ] = None,
    trust: Trust = False,
    plain: Plain = False,
) -> None:
    """Play a duel in the terminal, against a level, a bot or a person at the same keyboard."""
    from holmgang.terminal.play import play_match

    play_match(
        game, red=red, blue=vs, wins=wins, seed=seed, records=records, trust=trust, plain=plain
    )
