"""The default board: a row for each field, with pips for small numbers, and bars for numbers with
an upper bound.
"""

import re

from holmgang.games.contract import SEATS, AnyNotation, State
from holmgang.games.defaults.shown import shown, word
from holmgang.games.drawing import (
    ROOMY,
    Comparison,
    Role,
    Row,
    bar,
    centred,
    count,
    mirrored,
    piece,
    pips,
    versus,
)
from holmgang.games.shape import JsonObject

MOST_PIPS = 10


class Board:
    def __init__(self, notation: AnyNotation) -> None:
        self.notation = notation

    def draw_board(self, rules: object, state: State, width: int) -> list[Row]:
        fields = shown(self.notation.format_state(rules, state))
        most, _ = largest(self.notation.field_bounds(rules))
        rows: list[Row] = [
            centred(piece(f"{label} ", Role.DIM) + piece(word(value), Role.STRONG), width)
            for label, value in fields.shared.items()
        ]
        compared = [
            Comparison(label, *(
                cell(seat, side.get(label), most.get(label), width)
                for seat, side in enumerate(fields.sides)
            ))
            for label in fields.labels
        ]  # fmt: skip
        if rows and compared:
            rows.append(())
        return [*rows, *versus(compared, width)] if compared else rows


def largest(bounds: JsonObject) -> tuple[dict[str, int], dict[str, int]]:
    """The greatest values, where there are any, by label: of the fields of both sides, and of those
    that they share.

    >>> largest({"red.hp": (0, 3), "blue.hp": (0, 4), "decks[0]": (0, 9), "turn": (0, None)})
    ({'hp': 4}, {'deck 1': 9})
    """
    sides: dict[str, int] = {}
    shared: dict[str, int] = {}
    for path, (_, most) in bounds.items():
        label = re.sub(r"s?\[(\d+)\]", lambda place: f" {int(place[1]) + 1}", path)
        label = re.sub(r"[._]", " ", label)
        seat, _, rest = label.partition(" ")
        found, label = (sides, rest) if seat in SEATS else (shared, label)
        if most is not None:
            found[label] = max(most, found.get(label, most))
    return sides, shared


def cell(seat: int, value: object, most: int | None, width: int) -> Row:
    if type(value) is not int:
        return piece("–" if value is None else word(value))
    if 0 <= value <= MOST_PIPS and (most is None or most <= MOST_PIPS):
        return pips(seat, value, "●", apart=False)
    if most is not None and most > 0:
        return mirrored(seat, bar(seat, value, most, 15 if width >= ROOMY else 8), count(value))
    return count(value)
