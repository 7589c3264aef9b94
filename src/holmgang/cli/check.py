"""The command `holmgang check`."""

from typing import TYPE_CHECKING, Annotated

import typer

from holmgang.cli.options import GAME_HELP, AsJson, Seed, with_settings

if TYPE_CHECKING:
    from holmgang.arena.task import JudgeSettings

EPILOG = "The exit code is 0 if the bot passes and 1 if it does not."


@with_settings(without=("strikes",))
def check(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A folder with a bot.toml, or a command line.")
    ],
    game: Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP)],
    games: Annotated[
        int, typer.Option(min=1, max=10**6, help="Number of games against random.")
    ] = 10,
    seed: Seed = None,
    build: Annotated[
        bool, typer.Option("--build", help="Run the build command of its bot.toml first.")
    ] = False,
    *,
    settings: "JudgeSettings",
    as_json: AsJson = False,
) -> None:
    """Test a bot for anything that would disqualify it."""
    from holmgang.terminal.check import run

    run(bot, game, games=games, seed=seed, build=build, settings=settings, as_json=as_json)
