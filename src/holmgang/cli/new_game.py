"""The command `holmgang new-game`."""

from pathlib import Path
from typing import Annotated

import typer

EPILOG = "Example: holmgang new-game standoff.py, then holmgang play ./standoff.py"


def new_game(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="File to write.")],
) -> None:
    """Write a small game as one file, ready to play and to change."""
    from holmgang.terminal.new_game import write

    write(file)
