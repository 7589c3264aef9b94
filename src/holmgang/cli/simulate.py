"""The command `holmgang simulate`."""

from typing import Annotated

import typer

from holmgang.cli.options import AsJson, GameText, Records, Seed, Trust


def simulate(
    game: GameText,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 10_000,
    seed: Seed = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Number of threads (default: all cores).")
    ] = None,
    red: Annotated[str, typer.Option(help="Red player: a level or a bot.")] = "random",
    blue: Annotated[str, typer.Option(help="Blue player.")] = "random",
    trust: Trust = False,
    as_json: AsJson = False,
    records: Records = None,
    keep: Annotated[
        int | None,
        typer.Option(min=1, help="With --records: number of games to keep (default: 10)."),
    ] = None,
) -> None:
    """Play many games and report win rates and game lengths."""
    from holmgang.terminal import simulation

    simulation.run(
        game,
        games=games,
        seed=seed,
        threads=threads,
        red=red,
        blue=blue,
        records=records,
        keep=keep,
        trust=trust,
        as_json=as_json,
    )
