"""The command `holmgang analyse`."""

from pathlib import Path
from typing import Annotated

import typer

EPILOG = "Example: holmgang analyse my-duel.jsonl --html my-duel.html"


def analyse(
    files: Annotated[list[Path], typer.Argument(metavar="RECORD…", help="Records of duels.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per record, or per player.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="HTML file to write; - for standard output."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Player whose tendencies to show, over all records."),
    ] = None,
    budget_ms: Annotated[
        float,
        typer.Option(
            "--ms", min=1, max=3_600_000, help="Search time per record in ms, if there is no table."
        ),
    ] = 6000.0,
) -> None:
    """Analyse recorded duels: errors, luck and turning points, round by round."""
    from holmgang.errors import UsageError
    from holmgang.terminal.analysis import show_analyses, show_tendencies, write_report

    if html is not None and (as_json or player is not None or len(files) > 1):
        raise UsageError("--html needs a single record, and neither --json nor --player")
    if html is not None:
        write_report(files[0], html, budget_ms=budget_ms)
    elif player is not None:
        show_tendencies(files, player, budget_ms=budget_ms, as_json=as_json)
    else:
        show_analyses(files, budget_ms=budget_ms, as_json=as_json)
