"""The command `holmgang better`."""

from typing import TYPE_CHECKING, Annotated

import typer

from holmgang.cli.options import (
    AsJson,
    Cluster,
    GameText,
    Out,
    Seed,
    Starts,
    WorkerCount,
    with_settings,
)

if TYPE_CHECKING:
    from holmgang.arena.task import Settings

EPILOG = "Example: holmgang better bagh ./bot ./bot-before --elo1 30"


@with_settings(without=("records",))
def better(
    game: GameText,
    new: Annotated[str, typer.Argument(metavar="NEW", help="New version: a bot or a level.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="Version to compare it with.")],
    elo0: Annotated[float, typer.Option(help="H0: at most this many Elo stronger.")] = 0,
    elo1: Annotated[float, typer.Option(help="H1: at least this many Elo stronger.")] = 20,
    alpha: Annotated[float, typer.Option(help="Error rate of the verdict 'better'.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Error rate of 'not better'.")] = 0.05,
    games: Annotated[
        int, typer.Option(min=40, max=10**7, help="Maximum number of games; even.")
    ] = 10_000,
    seed: Seed = None,
    starts: Starts = None,
    out: Out = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    *,
    settings: "Settings",
    as_json: AsJson = False,
) -> None:
    """Test whether a new version of a bot is stronger."""
    from holmgang.arena.counting.sprt import Hypotheses
    from holmgang.terminal.standings import run_test

    run_test(
        game,
        new,
        old,
        hypotheses=Hypotheses(elo0, elo1, alpha, beta),
        games=games,
        seed=seed,
        starts=starts,
        settings=settings,
        out=out,
        workers=workers,
        cluster=cluster,
        as_json=as_json,
    )
