"""The command `holmgang simulate`."""

from typing import Annotated

import typer

from holmgang.cli.options import AsJson, GameText, Records, Seed, Trust


def simulate(
    game: GameText,
    games: Annotated[int, typer.Option(min=1, help="How many games to play.")] = 10_000,
    seed: Seed = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=1024, help="All cores if missing.")
    ] = None,
    red: Annotated[str, typer.Option(help="Who plays red: a level or a bot.")] = "random",
    blue: Annotated[str, typer.Option(help="Who plays blue.")] = "random",
    trust: Trust = False,
    as_json: AsJson = False,
    records: Records = None,
    keep: Annotated[
        int | None,
        typer.Option(min=1, help="With --records: how many games to keep; 10 if missing."),
    ] = None,
) -> None:
    """Play many games at native speed: wins, lengths and choices, with intervals."""
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
