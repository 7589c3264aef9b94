"""The command `holmgang value`."""

from typing import Annotated

import typer

from holmgang.cli.options import AfterLine, GameText, StateText
from holmgang.errors import UsageError


def value(
    game: GameText,
    state: StateText = None,
    after: AfterLine = "",
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Read states from standard input, one per line.")
    ] = False,
    budget_ms: Annotated[
        float,
        typer.Option("--ms", min=1, max=3_600_000, help="Search time in ms, if there is no table."),
    ] = 1000.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Evaluate a state: its value, the best mixes, and each choice."""
    from holmgang.terminal.value import answer_lines, show_value

    if stdin and state is not None:
        raise UsageError("give a state or --stdin, not both")
    if stdin:
        answer_lines(game, after=after, budget_ms=budget_ms)
    else:
        show_value(game, state, after=after, budget_ms=budget_ms, as_json=as_json)
