"""The course of a duel as a curve: red's expected score from the start to the end, as SVG.

It is drawn from an analysis as JSON, in the style of the games' pictures (`games/svg.py`), so that
pages, reports, Discord and documents show the same. Exact values are a solid line, estimates a
dashed one. Marked errors stand on the line, in the shape of the seat that made them.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from holmgang.games import svg
from holmgang.games.contract import BLUE, NOBODY, RED, SEATS, Scene
from holmgang.games.shape import JsonObject

LEFT, RIGHT, TOP, BOTTOM = 84.0, 700.0, 76.0, 408.0
MOST_NUMBERS = 12  # on the axis
BETWEEN = 34.0  # units between two marks in words
MARK_SIZE = 8.0
AWAY = 20.0  # units from the line to the mark


class Point(NamedTuple):
    """The value after a round; round 0 is the start."""

    round: int
    value: float
    is_exact: bool
    """Whether the line that leads here is."""


def draw(analysis: JsonObject, *, theme: str = "", prefix: str = "", has_style: bool = True) -> str:
    """The curve of an analysis in the form of `Analysis.as_json`. `has_style`, `theme` and `prefix`
    mean the same as in a `Scene`.
    """
    points = list(points_of(analysis))
    names = analysis["players"]
    result = analysis["result"]
    scene = Scene(prefix=prefix, theme=theme, has_style=has_style)
    winner = NOBODY if not result else RED if result > 0 else BLUE
    drawn = svg.picture(
        "curve",
        scene,
        title="Expected score",
        description=description(analysis, points),
        defs="",
        parts=[
            svg.header(winner),
            *areas(points),
            *axes(points[-1].round),
            *lines(points),
            *ending(analysis, points[-1]),
            *marks(analysis, points[-1].round),
            *columns(analysis, points),
        ],
    )
    return svg.labelled(drawn, (names["red"], names["blue"]), analysis["title"])


def points_of(analysis: JsonObject) -> Iterator[Point]:
    yield Point(0, analysis["start_value"], is_exact=True)
    for played in analysis["rounds"]:
        yield Point(played["round"], played["value_after"], played["exact"])


def description(analysis: JsonObject, points: list[Point]) -> str:
    """The curve in words."""
    kind = "" if analysis["exact"] else " Dashed parts are estimates."
    errors = "".join(
        f" Round {point['round']}: {point['mark']} {point['seat']}."
        for point in analysis["turning_points"]
    )
    return (
        f"The expected score of red, from {score(points[0].value)} at the start to"
        f" {score(points[-1].value)} after round {points[-1].round}.{kind}{errors}"
    )


def score(value: float) -> str:
    """A value as the expected score in percent: a win is 100, a draw 50.

    >>> score(0.5)
    '75%'
    """
    return f"{50 + 50 * value:.0f}%"


# Places


def across(number: float, last: int) -> float:
    return LEFT + (RIGHT - LEFT) * number / max(1, last)


def height(value: float) -> float:
    return (TOP + BOTTOM) / 2 - (BOTTOM - TOP) / 2 * max(-1.0, min(1.0, value))


def path(points: list[Point], last: int) -> str:
    places = (f"{across(each.round, last):.1f} {height(each.value):.1f}" for each in points)
    return "M" + "L".join(places)


# Parts


def areas(points: list[Point]) -> Iterator[str]:
    """Red's share below the line, blue's above it."""
    last = points[-1].round
    if last == 0:
        points = [points[0], points[0]._replace(round=1)]
        last = 1
    line = path(points, last)
    for colour, edge in (("red-soft", BOTTOM), ("blue-soft", TOP)):
        yield f'<path class="f-{colour}" d="{line}V{edge:g}H{LEFT:g}z"/>'


def axes(last: int) -> Iterator[str]:
    for value in (-1.0, -0.5, 0.0, 0.5, 1.0):
        y, kind = height(value), "s-edge" if value == 0 else "s-line"
        yield f'<path class="h {kind}" d="M{LEFT:g} {y:g}H{RIGHT:g}"/>'
        if value in (-1.0, 0.0, 1.0):
            yield svg.text(LEFT - 10, y + 8, score(value), "e w")
    step = max(1, -(-last // MOST_NUMBERS))
    for number in range(0, last + 1, step):
        yield svg.text(across(number, last), BOTTOM + 30, number, "m w")
    yield svg.text((LEFT + RIGHT) / 2, BOTTOM + 60, "round", "m w")


def lines(points: list[Point]) -> Iterator[str]:
    """The line, in pieces that are all exact or all estimates."""
    last = points[-1].round
    for is_exact, group in groupby(points[1:], key=lambda point: point.is_exact):
        piece = list(group)
        drawn = path([points[piece[0].round - 1], *piece], last)
        dashes = "" if is_exact else ' stroke-dasharray="3 9"'
        yield f'<path class="k s-ink" d="{drawn}" stroke-width="4"{dashes}/>'


def ending(analysis: JsonObject, end: Point) -> Iterator[str]:
    """The step to a result that did not follow from the rules, such as a forfeit."""
    result = analysis["result"]
    if result is not None and abs(result - end.value) > 1e-6:
        x = across(end.round, max(1, end.round))
        yield (
            f'<path class="k s-mark" d="M{x:g} {height(end.value):g}V{height(result):g}"'
            ' stroke-width="4" stroke-dasharray="2 8"/>'
        )


def marks(analysis: JsonObject, last: int) -> Iterator[str]:
    """Marked errors at the rounds in which they were made: red's below the line, blue's above."""
    written = {RED: -BETWEEN, BLUE: -BETWEEN}
    for played in analysis["rounds"]:
        for seat, name in enumerate(SEATS):
            mark = played[f"{name}_mark"]
            if mark is None:
                continue
            side = 1 if seat == RED else -1
            x = across(played["round"] - 0.5, last)
            y = height((played["value_before"] + played["value_after"]) / 2) + side * AWAY
            y = max(TOP + 34, min(BOTTOM - 34, y))
            yield sign(seat, x, y)
            if x - written[seat] >= BETWEEN:
                written[seat] = x
                yield svg.text(x, y + (30 if seat == RED else -14), mark, "m b")


def sign(seat: int, x: float, y: float) -> str:
    if seat == RED:
        return (
            f'<circle class="f-red s-paper" cx="{x:.1f}" cy="{y:.1f}" r="{MARK_SIZE:g}"'
            ' stroke-width="2"/>'
        )
    return svg.diamond("f-blue s-paper", round(x, 1), round(y, 1), MARK_SIZE * 1.3)


def columns(analysis: JsonObject, points: list[Point]) -> Iterator[str]:
    """An invisible column for each round, which says what happened and can be clicked on a page."""
    last = points[-1].round
    for played in analysis["rounds"]:
        number = played["round"]
        x, end = across(number - 1, last), across(number, last)
        made = ", ".join(
            f"{seat} {played[seat].replace('_', ' ')}" for seat in SEATS if played[seat] is not None
        )
        said = f"Round {number}: {made}; {score(played['value_after'])}"
        yield (
            f'<rect id="round-{number}" class="column" data-round="{number}" x="{x:.1f}"'
            f' y="{TOP:g}" width="{end - x:.1f}" height="{BOTTOM - TOP + 36:g}"'
            f' fill-opacity="0"><title>{svg.text_of(said)}</title></rect>'
        )
