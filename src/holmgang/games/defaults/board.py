"""The default board: a row for each field, with pips for small numbers, bars for those with a
bound.
"""

from typing import Any

from holmgang.games.contract import State
from holmgang.games.defaults.shown import shown, word
from holmgang.games.drawing import (
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
ROOMY = 64


class Board:
    def __init__(self, notation: Any) -> None:
        self.notation = notation

    def draw_board(self, rules: Any, state: State, width: int) -> list[Row]:
        fields = shown(self.notation.format_state(rules, state))
        most = largest(self.notation.field_bounds(rules))
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


def largest(bounds: JsonObject) -> dict[str, int]:
    """The greatest value of the fields of both sides, by label, where there is one."""
    found: dict[str, int] = {}
    for path, (_, most) in bounds.items():
        seat, _, rest = path.replace(".", "_").partition("_")
        if seat in ("red", "blue") and most is not None:
            label = rest.replace("_", " ")
            found[label] = max(most, found.get(label, most))
    return found


def cell(seat: int, value: object, most: int | None, width: int) -> Row:
    if type(value) is not int:
        return piece("–" if value is None else word(value))
    if 0 <= value <= MOST_PIPS and (most is None or most <= MOST_PIPS):
        return pips(seat, value, "●", apart=False)
    if most is not None and most > 0:
        return mirrored(seat, bar(seat, value, most, 15 if width >= ROOMY else 8), count(value))
    return count(value)
