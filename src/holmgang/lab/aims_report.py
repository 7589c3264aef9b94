"""A search for settings as a web page of one file: the nearest, and the trade-offs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from holmgang.engine.html_page import render
from holmgang.games.finding import typed
from holmgang.games.ruleset import load
from holmgang.lab.aims import Aim, AimedRuleset, AimSearch
from holmgang.lab.sweep_measures import measure_kind
from holmgang.lab.sweep_report import share_between, styles

WIDTH, HEIGHT, LEFT, BOTTOM = 360, 240, 54, 36  # of the scatter plot, in units of the SVG
EDGE = 12
MOST_LINES = 15


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    kind: str
    """`tried`, `front` or `today`."""
    text: str


@dataclass(frozen=True)
class Scatter:
    """All rulesets by the measures of two aims, with the aims as a box."""

    across: str
    up: str
    ends: tuple[str, str, str, str]
    """The least and the most across, then up, as text."""
    box: tuple[float, float, float, float]
    """x, y, width and height."""
    dots: list[Dot]


def aims_page(found: AimSearch) -> str:
    """The search as an HTML page."""
    names = list(dict.fromkeys(aim.measure for aim in found.aims))
    kinds = {name: measure_kind(name) for name in names}
    met, front = found.met, found.front
    nearest = met or found.tried
    return render(
        "lab/aims.html",
        *styles(),
        found=found,
        named=typed(load(found.ruleset)),
        names=names,
        kinds=kinds,
        met=len(met),
        nearest=nearest[:MOST_LINES],
        front=front[:MOST_LINES] if len(found.aims) > 1 and not met else [],
        plots=[scatter(found, *names[place : place + 2]) for place in range(len(names) - 1)],
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        bottom=HEIGHT - BOTTOM,
    )


def scatter(found: AimSearch, across: str, up: str) -> Scatter:
    """The rulesets that have both measures."""
    front = {id(each) for each in found.front}
    both = [each for each in (*found.tried, found.today) if {across, up} <= {*each.found.measures}]
    xs = Scale(across, both, found.aims, LEFT, WIDTH - EDGE)
    ys = Scale(up, both, found.aims, HEIGHT - BOTTOM, EDGE)
    dots = []
    for each in both:
        is_today = each.found.ruleset == found.today.found.ruleset
        kind = "today" if is_today else "front" if id(each) in front else "tried"
        x, y = (scale.place(each.found.measures[scale.name]) for scale in (xs, ys))
        text = f"{each.found.ruleset}: {xs.text(each)}, {ys.text(each)}"
        dots.append(Dot(x, y, kind, text))
    dots.sort(key=lambda dot: ("tried", "front", "today").index(dot.kind))
    (left, right), (bottom, top) = xs.wanted, ys.wanted
    box = (left - 3, top - 3, right - left + 6, bottom - top + 6)
    ends = (*xs.ends, *ys.ends)
    return Scatter(xs.kind.title, ys.kind.title, ends, box, dots)


class Scale:
    """Where the numbers of a measure are drawn, from its least to its most."""

    def __init__(
        self,
        name: str,
        rulesets: Sequence[AimedRuleset],
        aims: Sequence[Aim],
        first: float,
        last: float,
    ) -> None:
        self.name, self.kind = name, measure_kind(name)
        self.first, self.last = first, last
        wanted = [aim for aim in aims if aim.measure == name]
        low, high = max(aim.low for aim in wanted), min(aim.high for aim in wanted)
        numbers = [each.found.measures[name] for each in rulesets]
        numbers += [bound for bound in (low, high) if abs(bound) != inf]
        self.low, self.high = min(numbers), max(numbers)
        self.wanted = self.place(max(low, self.low)), self.place(min(high, self.high))

    def place(self, number: float) -> float:
        share = share_between(number, self.low, self.high)
        return self.first + share * (self.last - self.first)

    def text(self, each: AimedRuleset) -> str:
        return f"{self.kind.title} {each.found.text_of(self.name)}"

    @property
    def ends(self) -> tuple[str, str]:
        return self.kind.text(self.low), self.kind.text(self.high)
