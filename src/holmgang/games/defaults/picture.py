"""The default picture: a row for each field, and both last choices as cards."""

from textwrap import wrap

from holmgang.game import BLUE, NO_CHOICE, RED
from holmgang.games.contract import SEAT_NAMES, AnyNotation, AnyRules, Scene, State, Transition
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
GAUGE_LEFT, GAUGE_WIDTH = 450, 220
CARD_WIDTH, CARD_HEIGHT, CARD_TOP, CARD_LETTERS = 216, 64, 396, 14
DEFS = (
    f'{HIDDEN_MARK}<circle id="pip-red" r="9"/><path id="pip-blue" d="M0-12 12 0 0 12-12 0Z"/>'
    '<rect id="pip-shared" x="-8" y="-8" width="16" height="16" rx="3"/>'
)


class Picture:
    def __init__(self, rules_module: AnyRules, notation: AnyNotation) -> None:
        self.rules_module = rules_module
        self.notation = notation

    def draw_picture(self, rules: object, state: State, scene: Scene = PLAIN) -> str:
        fields = shown(self.notation.format_state(rules, state))
        most, most_shared = largest(self.notation.field_bounds(rules))
        parts = [header(winner_of(scene, self.rules_module.outcome(rules, state)))]
        labels = fields.labels[:MOST_ROWS]
        shared = list(fields.shared.items())
        room = MOST_ROWS - len(labels)
        height = min(HIGHEST_ROW, (BOTTOM - TOP) / max(1, len(shared[:room]) + len(labels)))
        top = TOP + (BOTTOM - TOP - height * (len(shared[:room]) + len(labels))) / 2
        for number, (label, value) in enumerate(shared[:room]):
            y = top + height * (number + 1 / 2) + 10
            parts += [
                text(352, y, shortened(label, 16), "e w f-soft"),
                text(368, y, shortened(word(value), 16), "n", id=f"shared-{number}"),
                gauge(number, y - 9, value, most_shared.get(label)),
                row_line(top + height * (number + 1)),
            ]
        top += height * len(shared[:room])
        for number, label in enumerate(labels):
            y = top + height * (number + 1 / 2) + 10
            line = row_line(top + height * (number + 1))
            parts += [text(360, y, shortened(label, 16), "m w f-soft"), line]
            for seat in (RED, BLUE):
                value = fields.sides[seat].get(label)
                parts.append(cell(seat, number, y, value, most.get(label)))
        said = ", ".join(f"{label}: {word(value)}" for label, value in shared[room:])
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

    def card(self, rules: object, seat: int, last: Transition | None) -> str:
        """The place for a card. It shows the last choice, covered by the back of the next card."""
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
        phrase = self.notation.format_choice(rules, choice).replace("_", " ")
        said = on_card(phrase, middle, CARD_TOP + CARD_HEIGHT / 2)
        return (
            f'{empty}<g id="{colour}-choice" class="mv {colour}-front">'
            f"{panel(seat, 'f-card s-edge', *place)}{said}</g>{covered}"
        )


def on_card(phrase: str, x: float, y: float) -> str:
    """The words of a choice around this point: in two lines if they are long."""
    lines = wrap(phrase, CARD_LETTERS)
    if len(lines) < 2:
        return text(x, y + 8, shortened(phrase, CARD_LETTERS), "m b")
    second = shortened(" ".join(lines[1:]), CARD_LETTERS)
    return text(x, y - 5, lines[0], "m w") + text(x, y + 21, second, "m w")


def gauge(row: int, y: float, value: object, most: int | None) -> str:
    """Pips or a bar for a field of both sides, in the colour of neither."""
    if type(value) is not int or most is None or most <= 0:
        return ""
    if most <= MOST_PIPS:
        step = min(WIDEST_PIP, GAUGE_WIDTH // most)
        return "".join(
            pip(
                "pip-shared",
                f"shared-{row}-{place}",
                GAUGE_LEFT + 9 + step * place,
                y,
                "f-steel" if place < value else "f-even",
            )
            for place in range(most)
        )
    filled = GAUGE_WIDTH * max(0, min(value, most)) / most
    place = f'x="{GAUGE_LEFT}" y="{y - 7:g}" height="14" rx="3"'
    return (
        f'<rect class="f-even" {place} width="{GAUGE_WIDTH}"/>'
        f'<rect id="shared-{row}-bar" class="bar f-steel" {place} width="{filled:g}"/>'
    )


def cell(seat: int, row: int, y: float, value: object, most: int | None) -> str:
    """A value in its row: the number next to the label, then pips or a bar further out."""
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
    """The picture in words, for people who cannot see it."""
    told: list[tuple[str, Fields]] = list(zip(SEAT_NAMES, fields.sides, strict=True))
    if fields.shared:
        told.append(("Both", fields.shared))
    return " ".join(
        f"{name}: {', '.join(f'{label} {word(value)}'.strip() for label, value in side.items())}."
        for name, side in told
    )
