"""The command `holmgang replay`."""

from pathlib import Path
from typing import Annotated

import typer


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as written by play.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Play it again and fail at the first difference.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Print it all at once.")] = False,
    round_: Annotated[
        int | None,
        typer.Option("--round", min=0, metavar="N", help="Start at this round; 0 is the start."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --verify: as JSON.")] = False,
) -> None:
    """Step through a recorded duel: forwards, backwards, to a round."""
    from holmgang.terminal.replay import show_record, verify_record

    if verify:
        verify_record(file, as_json=as_json)
    else:
        show_record(file, plain=plain, start=round_)
