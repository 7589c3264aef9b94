"""The command `holmgang solve`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import GAME_HELP, load_game
from holmgang.errors import UsageError


def solve(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help=GAME_HELP, callback=load_game),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Table to write (default: in your data folder)."
        ),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Table to verify (exit code 1 if it fails)."),
    ] = None,
    most_states: Annotated[
        int,
        typer.Option("--most-states", min=1, metavar="N", help="Maximum number of states."),
    ] = 2_000_000,
    most_mib: Annotated[
        int,
        typer.Option("--most-mib", min=1, metavar="N", help="Maximum memory, in MiB."),
    ] = 2048,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Solve a game exactly, with proof, and store the table."""
    from holmgang.terminal.solve import check_table, solve_ruleset

    if (game is None) == (check is None):
        raise UsageError("give a game to solve, such as bagh, or --check and a table")
    if check is not None:
        check_table(check, most_mib=most_mib, as_json=as_json)
    elif game is not None:
        solve_ruleset(game, out=out, most_states=most_states, most_mib=most_mib, as_json=as_json)
