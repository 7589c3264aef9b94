"""The command `holmgang match`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holmgang.cli.options import AsJson, Cluster, GameText, Seed, Starts, WorkerCount, with_settings

if TYPE_CHECKING:
    from holmgang.arena.task import Settings

EPILOG = "Example: holmgang match bagh 'python3 bot.py' random --games 100"


@with_settings()
def match(
    game: GameText,
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A level (random, greedy, search, perfect, exploiter), a folder with a bot.toml,"
            " or a command line in quotes; NAME=PLAYER to name it.",
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The other player, named like A.")],
    games: Annotated[int, typer.Option(min=1, max=10**6, help="Number of games.")] = 10,
    seed: Seed = None,
    swap: Annotated[
        bool,
        typer.Option(
            "--swap/--no-swap", help="Swap seats after every game; otherwise A is always red."
        ),
    ] = True,
    *,
    settings: "Settings",
    starts: Starts = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder to keep the match in; the same command resumes it."
        ),
    ] = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Play two bots or levels against each other."""
    from holmgang.terminal.match import run

    run(
        game,
        first,
        second,
        games=games,
        seed=seed,
        swap=swap,
        starts=starts,
        settings=settings,
        out=out,
        workers=workers,
        cluster=cluster,
        as_json=as_json,
    )
