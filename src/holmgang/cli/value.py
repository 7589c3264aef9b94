"""The command `holmgang value`."""

from typing import Annotated

import typer

from holmgang.cli.options import GameText
from holmgang.errors import UsageError


def value(
    game: GameText,
    state: Annotated[
        str | None,
        typer.Argument(metavar="[STATE]", help="As JSON or in short; the start, if not given."),
    ] = None,
    after: Annotated[
        str,
        typer.Option("--after", metavar="LINE", help='The rounds played since: "b/a g/h a/g=2".'),
    ] = "",
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Read states from standard input, one a line.")
    ] = False,
    budget_ms: Annotated[
        float,
        typer.Option("--ms", min=1, max=3_600_000, help="Time for a search, without a table."),
    ] = 1000.0,
    as_json: Annotated[bool, typer.Option("--json", help="The answer as JSON.")] = False,
) -> None:
    """What a state is worth, how to play it, and what every choice is worth."""
    from holmgang.terminal.truth import answer_lines, show_value

    if stdin and state is not None:
        raise UsageError("give a state or --stdin, not both")
    if stdin:
        answer_lines(game, after=after, budget_ms=budget_ms)
    else:
        show_value(game, state, after=after, budget_ms=budget_ms, as_json=as_json)
