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
    Trust,
    WorkerCount,
    log_folder,
    with_settings,
)

if TYPE_CHECKING:
    from holmgang.arena.task import JudgeSettings

LeagueFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the league.")]
app = typer.Typer(
    help="Run a standing league of bots in a folder.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("init")
@with_settings(without=("records", "log", "trust"))
def league_init(
    folder: LeagueFolder, game: GameText, seed: Seed = None, *, settings: "JudgeSettings"
) -> None:
    """Create a league for one game."""
    from holmgang.terminal.standings import init_league

    init_league(folder, game, seed, settings)


@app.command("add")
def league_add(folder: LeagueFolder, bots: Bots, as_json: AsJson = False) -> None:
    """Add bots, or new versions of them; the league keeps a copy of each."""
    from holmgang.terminal.standings import add_bots

    add_bots(folder, bots, as_json=as_json)


@app.command("retire")
def league_retire(
    folder: LeagueFolder,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the bot.")],
) -> None:
    """Exclude a bot from future games; add it again to bring it back."""
    from holmgang.terminal.standings import retire_bot

    retire_bot(folder, name)


@app.command("run")
def league_run(
    folder: LeagueFolder,
    games: Annotated[
        int | None, typer.Option(min=1, help="Number of games (default: until Ctrl-C).")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Time limit in minutes (default: none).")
    ] = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    trust: Trust = False,
    log: LogFolder = None,
    as_json: AsJson = False,
) -> None:
    """Play games, the most informative first."""
    from holmgang.terminal.standings import run_league

    run_league(
        folder,
        games=games,
        minutes=minutes,
        workers=workers,
        cluster=cluster,
        trust=trust,
        log=log_folder(log),
        as_json=as_json,
    )


@app.command("table")
def league_table(
    folder: LeagueFolder,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, one line per bot.")] = False,
) -> None:
    """Show the standings, also while games are being played."""
    from holmgang.terminal.standings import show_league

    show_league(folder, as_json=as_json, as_csv=as_csv)


@app.command("page")
def league_page(folder: LeagueFolder) -> None:
    """Rewrite the web page and the tables, and print the path of the page."""
    from holmgang.terminal.standings import write_page

    write_page(folder)
