"""The command `holmgang tournament`."""

from typing import TYPE_CHECKING, Annotated

import typer

from holmgang.cli.options import (
    AsJson,
    Bots,
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

EPILOG = "Again, it goes on: holmgang tournament bagh A B C --games 100 --out cup"


@with_settings(without=("records",))
def tournament(
    game: GameText,
    bots: Bots,
    format_: Annotated[
        str, typer.Option("--format", help="round-robin, gauntlet, swiss or knockout.")
    ] = "round-robin",
    games: Annotated[
        int, typer.Option(min=2, max=10**6, help="How often two bots meet; an even number.")
    ] = 20,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Of a Swiss tournament; as needed.")
    ] = None,
    seed: Seed = None,
    starts: Starts = None,
    out: Out = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    *,
    settings: "Settings",
    as_json: AsJson = False,
) -> None:
    """Let many bots meet: ratings with intervals, who beats whom, and a page of it all."""
    from holmgang.terminal.standings import run_tournament

    run_tournament(
        game,
        bots,
        format_=format_,
        games=games,
        rounds=rounds,
        seed=seed,
        starts=starts,
        settings=settings,
        out=out,
        workers=workers,
        cluster=cluster,
        as_json=as_json,
    )
