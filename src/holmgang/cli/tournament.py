"""The command `holmgang tournament`."""

from typing import TYPE_CHECKING, Annotated

import typer

from holmgang.cli.options import Bots, GameText, with_contest

if TYPE_CHECKING:
    from holmgang.terminal.standings import ContestOptions

EPILOG = "Example: holmgang tournament bagh A B C --games 100 --out cup; run again to resume"


@with_contest(without=("records",))
def tournament(
    game: GameText,
    bots: Bots,
    format_: Annotated[
        str, typer.Option("--format", help="Format: round-robin, gauntlet, swiss or knockout.")
    ] = "round-robin",
    games: Annotated[
        int, typer.Option(min=2, max=10**6, help="Games per pair of bots; even.")
    ] = 20,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, max=1000, help="Rounds of a Swiss tournament (default: as needed)."),
    ] = None,
    *,
    contest: "ContestOptions",
) -> None:
    """Play many bots against each other and rate them."""
    from holmgang.terminal.standings import run_tournament

    run_tournament(contest, contest.plan(format_, game, bots, games, rounds=rounds))
