"""The default picture: a row for each field, both last choices as cards, what is shared below."""

from typing import Any

from holmgang.game import BLUE, NO_CHOICE, RED
from holmgang.games.contract import SEAT_NAMES, Scene, State, Transition
from holmgang.games.defaults.board import MOST_PIPS, largest
from holmgang.games.defaults.shown import Fields, Shown, shown, word
from holmgang.games.svg import (
    HIDDEN_MARK,
    PLAIN,
    SEAT_COLOURS,
    across,
    bar,
    card_back,
    header,
    outward,
    panel,
    picture,
    pip,
    row_line,
    shortened,
    text,
    winner_of,
)

MOST_ROWS = 6
TOP, BOTTOM, HIGHEST_ROW = 64, 352, 88
PIPS_WIDTH, WIDEST_PIP = 176, 30
CARD_WIDTH, CARD_HEIGHT, CARD_TOP = 216, 64, 396
DEFS = HIDDEN_MARK + '<circle id="pip-red" r="9"/><path id="pip-blue" d="M0-12 12 0 0 12-12 0Z"/>'


class Picture:
    def __init__(self, rules_module: Any, notation: Any) -> None:
        self.rules_module = rules_module
        self.notation = notation

    def draw_picture(self, rules: Any, state: State, scene: Scene = PLAIN) -> str:
        fields = shown(self.notation.format_state(rules, state))
        most = largest(self.notation.field_bounds(rules))
        parts = [header(winner_of(scene, self.rules_module.outcome(rules, state)))]
        labels = fields.labels[:MOST_ROWS]
        height = min(HIGHEST_ROW, (BOTTOM - TOP) / max(1, len(labels)))
        top = TOP + (BOTTOM - TOP - height * len(labels)) / 2
        for number, label in enumerate(labels):
            y = top + height * number + height / 2 + 10
            line = row_line(top + height * (number + 1))
            parts += [text(360, y, shortened(label, 16), "m w f-soft"), line]
            for seat in (RED, BLUE):
                value = fields.sides[seat].get(label)
                parts.append(cell(seat, number, y, value, most.get(label)))
        said = ", ".join(f"{label}: {word(value)}" for label, value in fields.shared.items())
        parts.append(text(360, 382, shortened(said, 50), "m w f-soft", id="shared"))
        parts += [self.card(rules, seat, scene.last) for seat in (RED, BLUE)]
        return picture(
            "plain",
            scene,
            title="Board",
            description=describe(fields),
            defs=DEFS,
            parts=parts,
        )

    def card(self, rules: Any, seat: int, last: Transition | None) -> str:
        """The place for a card, on it the last choice, over it the back of the next card."""
        colour = SEAT_COLOURS[seat]
        middle = across(seat, 24 + CARD_WIDTH / 2)
        place = middle - CARD_WIDTH / 2, CARD_TOP, CARD_WIDTH, CARD_HEIGHT
        back = panel(seat, "f-even s-edge", *place)
        covered = card_back(seat, middle, CARD_TOP + CARD_HEIGHT / 2, back)
        empty = (
            f'<g id="{colour}-place" stroke-dasharray="5 6">{panel(seat, "k s-edge", *place)}</g>'
        )
        choice = NO_CHOICE if last is None else last.choice(seat)
        if choice == NO_CHOICE:
            return empty + covered
        said = shortened(self.notation.format_choice(rules, choice).replace("_", " "), 15)
        return (
            f'{empty}<g id="{colour}-choice" class="mv {colour}-front">'
            f"{panel(seat, 'f-card s-edge', *place)}"
            f"{text(middle, CARD_TOP + 40, said, 'm b')}</g>{covered}"
        )


def cell(seat: int, row: int, y: float, value: object, most: int | None) -> str:
    """A value in its row: the number next to the label, with pips or a bar outside of it."""
    said = text(
        across(seat, 104), y, shortened("–" if value is None else word(value), 12),
        f"n {outward(seat)}",
    )  # fmt: skip
    colour = SEAT_COLOURS[seat]
    if type(value) is not int or most is None or most <= 0:
        return said
    if most <= MOST_PIPS:
        step = min(WIDEST_PIP, PIPS_WIDTH // most)
        places = (across(seat, 166 + step * place) for place in range(most))
        kinds = (f"f-{colour}" if place < value else "f-even" for place in range(most))
        return said + "".join(
            pip(f"pip-{colour}", f"{colour}-{row}-{place}", x, y - 9, kind)
            for place, (x, kind) in enumerate(zip(places, kinds, strict=True))
        )
    tick = max(1, most // 5)
    return said + bar(seat, str(row), across(seat, 160), y - 20, PIPS_WIDTH, value, most, step=tick)


def describe(fields: Shown) -> str:
    """The picture in words, for those who do not see it."""
    told: list[tuple[str, Fields]] = list(zip(SEAT_NAMES, fields.sides, strict=True))
    if fields.shared:
        told.append(("Both", fields.shared))
    return " ".join(
        f"{name}: {', '.join(f'{label} {word(value)}'.strip() for label, value in side.items())}."
        for name, side in told
    )
