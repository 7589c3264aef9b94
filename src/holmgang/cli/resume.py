"""The command `holmgang resume`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import Plain


def resume(
    record: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="Record of the match (default: the newest unfinished match)."
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the records (default: in your data folder)."),
    ] = None,
    plain: Plain = False,
) -> None:
    """Continue an interrupted match."""
    from holmgang.terminal.play import resume_match

    resume_match(record, records=records, plain=plain)
