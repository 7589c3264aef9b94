"""A sweep as a web page of one file: curves of one rule, heat maps of two, and a table of all."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from holmgang.engine.html_page import render
from holmgang.lab.report import sources
from holmgang.lab.sweep import MeasuredRuleset, Sweep
from holmgang.lab.sweep_measures import measure_kind

WIDTH, HEIGHT = 360, 160  # of a curve, in units of the SVG
LEFT, BOTTOM, TOP = 54, 24, 12  # room around it
TINTS = 10  # of a heat map; the style has them from 1 on


@dataclass(frozen=True)
class HeatCell:
    text: str
    tint: int
    """From 0 for the lowest number to `TINTS` for the highest."""
    is_today: bool


@dataclass(frozen=True)
class CurvePoint:
    x: float
    y: float | None
    value: int
    text: str
    is_today: bool


@dataclass(frozen=True)
class Figure:
    """One measure: as a curve, as rows of a heat map, or neither if more rules are varied."""

    title: str
    lowest: str
    highest: str
    points: list[CurvePoint]
    rows: list[tuple[int, list[HeatCell]]]

    @property
    def line(self) -> str:
        """The points that are known as a polyline."""
        return " ".join(f"{each.x:.1f},{each.y:.1f}" for each in self.points if each.y is not None)


def sweep_page(found: Sweep) -> str:
    """The sweep as an HTML page."""
    kinds = [measure_kind(name) for name in found.measures]
    return render(
        "lab/sweep.html",
        *styles(),
        found=found,
        rules=list(found.values),
        figures=[figure(found, name) for name in found.measures],
        kinds=kinds,
        left=LEFT,
        width=WIDTH,
        height=HEIGHT,
        bottom=HEIGHT - BOTTOM,
    )


@cache
def styles() -> tuple[str, str]:
    """Style and script; the page has no script."""
    style, script = sources()
    return style + (Path(__file__).parent / "sweep.css").read_text("utf-8"), script


def figure(found: Sweep, name: str) -> Figure:
    kind = measure_kind(name)
    numbers = [cell.measures[name] for cell in found.cells if name in cell.measures]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    points: list[CurvePoint] = []
    rows: list[tuple[int, list[HeatCell]]] = []
    if len(found.values) == 1:
        points = curve(found, name, low, high)
    elif len(found.values) == 2:
        upper, across = found.values.values()
        cells = iter(found.cells)
        for value in upper:
            row = [heat_cell(found, next(cells), name, low, high) for _ in across]
            rows.append((value, row))
        rows.reverse()
    return Figure(kind.title, kind.text(low), kind.text(high), points, rows)


def share_between(number: float, low: float, high: float) -> float:
    """Where a number lies between two others, from 0 to 1; differences below 1e-9 are rounding."""
    return (number - low) / (high - low) if high - low > 1e-9 else 0.5


def curve(found: Sweep, name: str, low: float, high: float) -> list[CurvePoint]:
    step = (WIDTH - LEFT - 14) / max(1, len(found.cells) - 1)
    points = []
    for place, cell in enumerate(found.cells):
        height = None
        if name in cell.measures:
            share = share_between(cell.measures[name], low, high)
            height = HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
        (value,) = cell.settings.values()
        text, is_today = cell.text_of(name), cell.settings == found.today
        points.append(CurvePoint(LEFT + place * step, height, value, text, is_today))
    return points


def heat_cell(found: Sweep, cell: MeasuredRuleset, name: str, low: float, high: float) -> HeatCell:
    tint = 0
    if name in cell.measures and high - low > 1e-9:
        tint = round(TINTS * share_between(cell.measures[name], low, high))
    return HeatCell(cell.text_of(name), tint, cell.settings == found.today)
