"""The picture of a game without `picture.py`: the fields of its state as a table."""

from typing import Any

from holmgang.games.contract import BLUE, RED, SEAT_NAMES, SEATS, Game, Scene, State
from holmgang.games.shape import JsonObject
from holmgang.games.svg import (
    PLAIN,
    across,
    header,
    outward,
    picture,
    row_line,
    shortened,
    text,
    winner_of,
)

MOST_ROWS = 9


def draw(game: Game[Any, Any], rules: Any, state: State, scene: Scene = PLAIN) -> str:
    shown = game.notation.format_state(rules, state)
    sides = [fields_of(shown.get(seat)) for seat in SEATS]
    shared = {key: value for key, value in shown.items() if key not in SEATS}
    rows = [(key, sides[RED][key], sides[BLUE].get(key)) for key in sides[RED]]
    parts = [header(winner_of(scene, game.rules.outcome(rules, state)))]
    for number, (label, *values) in enumerate(rows[:MOST_ROWS]):
        y = 100 + 42 * number
        parts += [text(360, y, label.replace("_", " "), "m w f-soft"), row_line(y + 14)]
        for seat in (RED, BLUE):
            parts.append(text(across(seat, 120), y, cell(values[seat]), f"n {outward(seat)}"))
    told = ", ".join(f"{key.replace('_', ' ')}: {cell(value)}" for key, value in shared.items())
    parts.append(text(360, 466, shortened(told, 56), "m w f-soft"))
    return picture(
        "plain",
        scene,
        title="Board",
        description=describe(sides, shared),
        defs="",
        parts=parts,
    )


def describe(sides: list[JsonObject], shared: JsonObject) -> str:
    told = [*zip(SEAT_NAMES, sides, strict=True), *([("Both", shared)] if shared else [])]
    return " ".join(
        f"{name}: {', '.join(f'{key} {value}'.strip() for key, value in fields.items())}."
        for name, fields in told
    )


def fields_of(side: object) -> JsonObject:
    return side if isinstance(side, dict) else {"": side}


def cell(value: object) -> str:
    return "–" if value is None else shortened(str(value), 14)
