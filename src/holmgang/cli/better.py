"""The command `holmgang better`."""

from typing import TYPE_CHECKING, Annotated

import typer

from holmgang.cli.options import GameText, with_contest

if TYPE_CHECKING:
    from holmgang.terminal.standings import ContestOptions

EPILOG = "Example: holmgang better bagh ./bot ./bot-before --elo1 30"


@with_contest(without=("records",))
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
    *,
    contest: "ContestOptions",
) -> None:
    """Test whether a new version of a bot is stronger."""
    from holmgang.arena.counting.sprt import Hypotheses
    from holmgang.terminal.standings import run_test

    hypotheses = Hypotheses(elo0, elo1, alpha, beta)
    run_test(contest, contest.plan("better", game, [new, old], games, hypotheses=hypotheses))
