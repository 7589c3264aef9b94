"""The command `holmgang check`."""

from typing import TYPE_CHECKING, Annotated

import typer

from holmgang.cli.options import AsJson, GameText, Seed, with_settings

if TYPE_CHECKING:
    from holmgang.arena.task import Settings

EPILOG = "It is sound with exit code 0, and not with 1."


@with_settings(without=("strikes",))
def check(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A folder with a bot.toml, or a command line.")
    ],
    game: GameText,
    games: Annotated[
        int, typer.Option(min=1, max=10**6, help="How many games to play against random.")
    ] = 10,
    seed: Seed = None,
    build: Annotated[
        bool, typer.Option("--build", help="First run the build command of its bot.toml.")
    ] = False,
    *,
    settings: "Settings",
    as_json: AsJson = False,
) -> None:
    """Is a bot sound? How it starts, answers and takes its time, and what it would lose for."""
    from holmgang.terminal.check import run

    run(bot, game, games=games, seed=seed, build=build, settings=settings, as_json=as_json)
