"""The command `holmgang match`."""

from typing import TYPE_CHECKING, Annotated

import typer

from holmgang.cli.options import GameText, with_contest

if TYPE_CHECKING:
    from holmgang.terminal.standings import ContestOptions

EPILOG = "Example: holmgang match bagh 'python3 bot.py' random --games 100"


@with_contest()
def match(
    game: GameText,
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A level (beginner, easy, medium, hard, perfect; random, greedy, search, "
            "exploiter), a folder with a bot.toml, or a command line in quotes; NAME=PLAYER to "
            "name it.",
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The other player, named like A.")],
    games: Annotated[int, typer.Option(min=1, max=10**6, help="Number of games.")] = 10,
    swap: Annotated[
        bool,
        typer.Option(
            "--swap/--no-swap", help="Swap seats after every game; otherwise A is always red."
        ),
    ] = True,
    *,
    contest: "ContestOptions",
) -> None:
    """Play two bots or levels against each other."""
    from holmgang.terminal.match import run_match

    run_match(contest, contest.plan("match", game, [first, second], games, swap=swap))
