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

EPILOG = "Such as: holmgang better bagh ./bot ./bot-before --elo1 30"


@with_settings(without=("records",))
def better(
    game: GameText,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new version; see tournament.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="What it is compared with.")],
    elo0: Annotated[float, typer.Option(help="No better than this is not better.")] = 0,
    elo1: Annotated[float, typer.Option(help="Better by this is better.")] = 20,
    alpha: Annotated[float, typer.Option(help="How often 'better' may be wrong.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often 'not better' may be wrong.")] = 0.05,
    games: Annotated[
        int, typer.Option(min=40, max=10**7, help="Most games to be played; an even number.")
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
    """Is my new version better? Plays pairs of games until that is known, with stated errors."""
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
