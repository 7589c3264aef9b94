"""The commands `holmgang puzzles …`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import AsJson, DatabaseUrl, load_game, need_web

app = typer.Typer(
    help="Make puzzles with proven answers, list them, and solve them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
OneGame = Annotated[
    str | None,
    typer.Argument(metavar="GAME", help="Game of the puzzles (default: all).", callback=load_game),
]


@app.command("make")
def puzzles_make(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME…",
            help="Games or rulesets (default: all that can be solved).",
            callback=lambda texts: [load_game(text) for text in texts or ()],
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Number of puzzles per game.")] = 30,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            max=2**64 - 1,
            metavar="N",
            help="Random seed; the same seed gives the same puzzles.",
        ),
    ] = 1,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder with records of duels to take positions from."),
    ] = None,
    database: DatabaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Make puzzles from exact tables and played duels, and store them in the server's database."""
    need_web()
    from holmgang.terminal.puzzles import make

    make(
        games or [],
        count=count,
        seed=seed,
        records_folder=records,
        database=database,
        as_json=as_json,
    )


@app.command("list")
def puzzles_list(
    game: OneGame = None, database: DatabaseUrl = None, as_json: AsJson = False
) -> None:
    """List the puzzles in the server's database, easiest first."""
    need_web()
    from holmgang.terminal.puzzles import show_list

    show_list(game, database=database, as_json=as_json)


@app.command("solve")
def puzzles_solve(game: OneGame = None, database: DatabaseUrl = None) -> None:
    """Solve puzzles as plain text, easiest first, unrated."""
    need_web()
    from holmgang.terminal.puzzles import solve

    solve(game, database=database)
