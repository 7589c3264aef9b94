"""Small pieces that the `board.py` of every game draws with. Lines are in Rich's markup."""

import re

TAG = re.compile(r"\[/?[a-z ]*\]")
COLOURS = ("red", "blue")
NAMES = ("Red", "Blue")
GAP = 4


def visible(line: str) -> int:
    """The width of a line on the screen.

    >>> visible("[bold red]Red[/] 3")
    5
    """
    return len(TAG.sub("", line))


def bar(value: int, most: int, width: int) -> str:
    """A gauge of fixed width; anything above `most` fills it.

    >>> bar(3, 6, 4)
    '██░░'
    """
    filled = 0 if most <= 0 else max(0, min(width, -(-value * width // most)))
    return "█" * filled + "░" * (width - filled)


def pips(value: int, sign: str, most: int = 12) -> str:
    """One sign for each point, and the number; only the number where there are too many.

    >>> pips(3, "♥")
    '♥♥♥ 3'
    """
    return f"{sign * value} {value}" if 0 < value <= most else str(value)


def heading(seat: int) -> str:
    return f"[bold {COLOURS[seat]}]{NAMES[seat]}[/]"


def field(label: str, value: str) -> str:
    return f"[dim]{label:<9}[/]{value}"


def side_by_side(left: list[str], right: list[str], width: int) -> list[str]:
    """Two blocks next to each other, or below each other where the width is too small."""
    column = max(map(visible, left))
    if column + GAP + max(map(visible, right)) > width:
        return [*left, "", *right]
    column = max(column, width // 2 - GAP)
    height = max(len(left), len(right))
    left = left + [""] * (height - len(left))
    right = right + [""] * (height - len(right))
    return [
        (a + " " * (column + GAP - visible(a)) + b).rstrip()
        for a, b in zip(left, right, strict=True)
    ]
