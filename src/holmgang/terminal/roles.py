"""The roles of a board as styles of Rich."""

from collections.abc import Mapping

from rich.text import Text

from holmgang.games.drawing import Role, Row

STYLES = {
    Role.PLAIN: "",
    Role.STRONG: "bold",
    Role.DIM: "dim",
    Role.RED: "red",
    Role.STRONG_RED: "bold red",
    Role.BLUE: "blue",
    Role.STRONG_BLUE: "bold blue",
    Role.BOTH: "magenta",
    Role.STRONG_BOTH: "bold magenta",
    Role.WARNING: "yellow",
    Role.STRONG_WARNING: "bold yellow",
}


def painted(row: Row, styles: Mapping[Role, str] = STYLES) -> Text:
    """A row of a board in colour."""
    return Text.assemble(*((text, styles[role]) for text, role in row))
