"""The command `holmgang replay`."""

from pathlib import Path
from typing import Annotated

import typer


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Record of a duel.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Replay by the rules and fail at the first difference.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Print the whole duel as text.")] = False,
    round_: Annotated[
        int | None,
        typer.Option(
            "--round", min=0, metavar="N", help="Round to start at; 0 is before the first."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --verify: print JSON.")] = False,
) -> None:
    """Step through a recorded duel, or verify it."""
    from holmgang.errors import UsageError
    from holmgang.terminal.replay import show_record, verify_record

    if as_json and not verify:
        raise UsageError("--json needs --verify")
    if verify:
        verify_record(file, as_json=as_json)
    else:
        show_record(file, plain=plain, start=round_)
