"""The command `holmgang draw`."""

from pathlib import Path
from typing import Annotated

import typer

from holmgang.cli.options import AfterLine, GameText, StateText

EPILOG = "Example: holmgang draw bagh --after 'b/a g/h' --png board.png"


def draw(
    game: GameText,
    state: StateText = None,
    after: AfterLine = "",
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="SVG file to write; - for standard output.")
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="PNG file to write.")] = None,
    width: Annotated[
        int, typer.Option(min=16, max=8192, help="Width of the PNG in pixels.")
    ] = 1200,
    theme: Annotated[
        str, typer.Option(help="light or dark (default: light in PNG, the viewer's in SVG).")
    ] = "",
) -> None:
    """Draw a state as an SVG or PNG picture."""
    from holmgang.terminal.draw import draw_state

    draw_state(game, state, after=after, svg=svg, png=png, width=width, theme=theme)
