"""The command `holmgang dataset`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import GameText, Seed

EPILOG = "Example: holmgang dataset bagh:max_boost=2 --games 100000 --seed 1 --out games"


def dataset(
    game: GameText,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder to write; continues it (default: GAME-dataset)."
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=10**9, help="Number of games.")] = 10_000,
    seed: Seed = None,
    red: Annotated[
        str, typer.Option(help="Red player: random, or beginner to perfect.")
    ] = "perfect",
    blue: Annotated[str, typer.Option(help="Blue player.")] = "perfect",
    file_format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="npz or parquet.")
    ] = "npz",
) -> None:
    """Write many games with the value and the optimal mixes of every state, for learning."""
    from holmgang.terminal.dataset import run

    run(game, out=out, games=games, seed=seed, red=red, blue=blue, file_format=file_format)
