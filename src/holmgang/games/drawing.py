"""Small pieces that the `board.py` of every game draws with. Lines are in Rich's markup.

The two seats face each other over a column of labels: red's values end at it, blue's begin there,
so that the eye compares them without reading.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

TAG = re.compile(r"\[/?[a-z ]*\]")
COLOURS = ("red", "blue")
NAMES = ("Red", "Blue")
WIDEST_SIDE = 44
GAP = 2


class Row(NamedTuple):
    """What one label stands for on either side."""

    label: str
    red: str
    blue: str


def visible(line: str) -> int:
    """The width of a line on the screen.

    >>> visible("[bold red]Red[/] 3")
    5
    """
    return len(TAG.sub("", line))


def centred(line: str, width: int) -> str:
    return " " * max(0, (width - visible(line)) // 2) + line


def mirrored(seat: int, outer: str, inner: str) -> str:
    """Two pieces of a value, the inner one next to the labels.

    >>> mirrored(0, "♥♥", "2"), mirrored(1, "♥♥", "2")
    ('♥♥ 2', '2 ♥♥')
    """
    return " ".join(piece for piece in ((outer, inner) if seat == 0 else (inner, outer)) if piece)


def pips(seat: int, value: int, sign: str, *, apart: bool, most: int = 10) -> str:
    """One sign for each point, and the number; only the number where there are too many.

    >>> pips(1, 3, "♥", apart=False)
    '[bold]3[/] [blue]♥♥♥[/]'
    """
    row = (" " if apart else "").join([sign] * (value if value <= most else 0))
    signs = f"[{COLOURS[seat]}]{row}[/]" if row else ""
    return mirrored(seat, signs, f"[bold]{value}[/]" if value else "0")


def bar(seat: int, value: int, most: int, width: int) -> str:
    """A gauge of fixed width that fills from the labels outwards; above `most` it is just full.

    >>> bar(0, 3, 6, 4), bar(1, 3, 6, 4)
    ('[red]░░██[/]', '[blue]██░░[/]')
    """
    filled = 0 if most <= 0 else max(0, min(width, -(-value * width // most)))
    signs = "█" * filled + "░" * (width - filled)
    return f"[{COLOURS[seat]}]{signs[::-1] if seat == 0 else signs}[/]"


def versus(rows: Sequence[Row], width: int, roles: tuple[str, str] = ("", "")) -> list[str]:
    """Both sides face to face, centred; below each other where the width is too small for that."""
    labels = max(visible(row.label) for row in rows)
    side = min(WIDEST_SIDE, (width - labels) // 2 - GAP)
    names = ("[bold red]RED[/]", "[bold blue]BLUE[/]")
    rows = [Row("", *(mirrored(seat, roles[seat], names[seat]) for seat in (0, 1))), *rows]
    if side < max(visible(cell) for row in rows for cell in row[1:]):
        return stacked(rows)
    gap = " " * GAP
    lines = []
    for label, red, blue in rows:
        pad = labels - visible(label)
        middle = f"{' ' * (pad // 2)}[dim]{label}[/]{' ' * (pad - pad // 2)}"
        lines.append(f"{' ' * (side - visible(red))}{red}{gap}{middle}{gap}{blue}")
    margin = " " * ((width - 2 * side - 2 * GAP - labels) // 2)
    return [margin + line for line in lines]


def stacked(rows: Sequence[Row]) -> list[str]:
    """The same with red above blue."""
    labels = max(visible(row.label) for row in rows) + 1
    red = [f"[dim]{row.label:<{labels}}[/]{row.red}" for row in rows]
    blue = [f"[dim]{row.label:<{labels}}[/]{row.blue}" for row in rows]
    return [*red, "", *blue]
