"""The commands `holmgang league …`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holmgang.cli.options import (
    AsJson,
    Bots,
    Cluster,
    GameText,
    LogFolder,
    Seed,
    WorkerCount,
    log_folder,
    with_settings,
)

if TYPE_CHECKING:
    from holmgang.arena.task import Settings

LeagueFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The league's folder.")]
app = typer.Typer(
    help="A standing league in a folder: add bots any time, play whenever there is time.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("init")
@with_settings(without=("records", "log"))
def league_init(
    folder: LeagueFolder, game: GameText, seed: Seed = None, *, settings: "Settings"
) -> None:
    """Make a new league of one game."""
    from holmgang.terminal.standings import init_league

    init_league(folder, game, seed, settings)


@app.command("add")
def league_add(folder: LeagueFolder, bots: Bots, as_json: AsJson = False) -> None:
    """Enter bots, or new versions of them: a copy of each is kept."""
    from holmgang.terminal.standings import add_bots

    add_bots(folder, bots, as_json=as_json)


@app.command("retire")
def league_retire(
    folder: LeagueFolder, name: Annotated[str, typer.Argument(metavar="NAME", help="The bot.")]
) -> None:
    """Take a bot out of the games to come; add it again to bring it back."""
    from holmgang.terminal.standings import retire_bot

    retire_bot(folder, name)


@app.command("run")
def league_run(
    folder: LeagueFolder,
    games: Annotated[
        int | None, typer.Option(min=1, help="So many; until Ctrl-C if nothing is said.")
    ] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="For so long.")] = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    log: LogFolder = None,
    as_json: AsJson = False,
) -> None:
    """Play, the most informative games first."""
    from holmgang.terminal.standings import run_league

    run_league(
        folder,
        games=games,
        minutes=minutes,
        workers=workers,
        cluster=cluster,
        log=log_folder(log),
        as_json=as_json,
    )


@app.command("table")
def league_table(
    folder: LeagueFolder,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A line for each bot.")] = False,
) -> None:
    """Show the table, while games go on or not."""
    from holmgang.terminal.standings import show_league

    show_league(folder, as_json=as_json, as_csv=as_csv)


@app.command("page")
def league_page(folder: LeagueFolder) -> None:
    """Write the web page and the tables anew, and say where the page is."""
    from holmgang.terminal.standings import write_page

    write_page(folder)
