"""Building blocks for the `board.py` of every game.

A board is a list of rows, a row is spans of text, and each span has a role: what it is, not how it
looks. Every shell has its own style for each role; the texts alone are the board without colour.

The two seats are on either side of a column of labels: red's values end at it, and blue's begin
there, so that they are easy to compare.
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple


class Role(StrEnum):
    """The meaning of a span, from which a shell chooses its style. Strong roles stand out."""

    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    RED = "red"
    STRONG_RED = "strong-red"
    BLUE = "blue"
    STRONG_BLUE = "strong-blue"
    BOTH = "both"
    """Both seats at the same place."""
    STRONG_BOTH = "strong-both"
    WARNING = "warning"
    STRONG_WARNING = "strong-warning"


class Span(NamedTuple):
    text: str
    role: Role = Role.PLAIN


Row = tuple[Span, ...]

SEAT_ROLES = (Role.RED, Role.BLUE)
STRONG_SEAT_ROLES = (Role.STRONG_RED, Role.STRONG_BLUE)
NAMES = ("Red", "Blue")
WIDEST_SIDE = 44
ROOMY = 64  # columns from which a board says more
GAP = 2


class Comparison(NamedTuple):
    """A label with the values of both sides."""

    label: str
    red: Row
    blue: Row


def piece(text: object, role: Role = Role.PLAIN) -> Row:
    """A row of one span; an empty row for an empty text."""
    return (Span(str(text), role),) if str(text) else ()


def row_text(row: Row) -> str:
    """A row without its roles.

    >>> row_text(piece("Red", Role.STRONG_RED) + piece(" 3"))
    'Red 3'
    """
    return "".join(span.text for span in row)


def row_width(row: Row) -> int:
    """The width of a row in columns."""
    return sum(len(span.text) for span in row)


def joined(row: Row) -> Row:
    """The row with adjacent spans of the same role joined."""
    groups = groupby(row, key=lambda span: span.role)
    return tuple(Span(row_text(tuple(spans)), role) for role, spans in groups)


def centred(row: Row, width: int) -> Row:
    return piece(" " * max(0, (width - row_width(row)) // 2)) + row


def mirrored(seat: int, outer: Row, inner: Row) -> Row:
    """Two parts of a value, with `inner` next to the labels.

    >>> [row_text(mirrored(seat, piece("♥♥"), piece(2))) for seat in (0, 1)]
    ['♥♥ 2', '2 ♥♥']
    """
    first, second = (outer, inner) if seat == 0 else (inner, outer)
    return first + piece(" ") + second if first and second else first + second


def count(value: int) -> Row:
    """A number that stands out unless it is 0."""
    return piece(value, Role.STRONG if value else Role.PLAIN)


def pips(seat: int, value: int, sign: str, *, apart: bool, most: int = 10) -> Row:
    """One sign for each point, and the number; only the number if there are too many.

    >>> row_text(pips(1, 3, "♥", apart=False))
    '3 ♥♥♥'
    """
    signs = (" " if apart else "").join([sign] * (value if value <= most else 0))
    return mirrored(seat, piece(signs, SEAT_ROLES[seat]), count(value))


def bar(seat: int, value: int, most: int, width: int) -> Row:
    """A gauge of fixed width that fills from the labels outwards; it is full from `most` on.

    >>> row_text(bar(0, 3, 6, 4)), row_text(bar(1, 3, 6, 4))
    ('░░██', '██░░')
    """
    filled = 0 if most <= 0 else max(0, min(width, -(-value * width // most)))
    signs = "█" * filled + "░" * (width - filled)
    return piece(signs[::-1] if seat == 0 else signs, SEAT_ROLES[seat])


def versus(
    compared: Sequence[Comparison], width: int, titles: tuple[str, str] = ("", "")
) -> list[Row]:
    """Both sides next to each other, centred; stacked if the width is too small."""
    labels = max(len(each.label) for each in compared)
    side = min(WIDEST_SIDE, (width - labels) // 2 - GAP)
    names = [
        mirrored(seat, piece(titles[seat]), piece(NAMES[seat].upper(), STRONG_SEAT_ROLES[seat]))
        for seat in (0, 1)
    ]
    compared = [Comparison("", *names), *compared]
    if side < max(row_width(cell) for each in compared for cell in (each.red, each.blue)):
        return stacked(compared)
    margin = (width - 2 * side - 2 * GAP - labels) // 2
    rows = []
    for label, red, blue in compared:
        pad = labels - len(label)
        before = piece(" " * (margin + side - row_width(red)))
        middle = (
            piece(" " * (GAP + pad // 2))
            + piece(label, Role.DIM)
            + piece(" " * (pad - pad // 2 + GAP))
        )
        rows.append(joined(before + red + middle + blue))
    return rows


def stacked(compared: Sequence[Comparison]) -> list[Row]:
    """Both sides stacked, red above blue."""
    labels = max(len(each.label) for each in compared) + 1
    red = [piece(each.label.ljust(labels), Role.DIM) + each.red for each in compared]
    blue = [piece(each.label.ljust(labels), Role.DIM) + each.blue for each in compared]
    return [*red, (), *blue]
