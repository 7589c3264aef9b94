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
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="HTML file to write; - for standard output."),
    ] = None,
) -> None:
    """Step through a recorded duel, verify it, or make a web page of it."""
    from holmgang.errors import UsageError
    from holmgang.terminal.replay import show_record, verify_record, write_page

    if as_json and not verify:
        raise UsageError("--json needs --verify")
    if html is not None and (verify or plain or round_ is not None):
        raise UsageError("--html cannot be combined with --verify, --plain or --round")
    if html is not None:
        write_page(file, html)
    elif verify:
        verify_record(file, as_json=as_json)
    else:
        show_record(file, plain=plain, start=round_)
