"""The curve of a duel: where its points are, what it marks, how it tells estimates."""

import re
from xml.etree import ElementTree as ET

import pytest
from tests.analysis.duels import CITY, SMALL, TURNS, random_duel
from tests.golden.pictures import document_curve

from holmgang.analysis.analyse import analyse
from holmgang.analysis.curve import BOTTOM, LEFT, RIGHT, TOP, draw
from holmgang.engine.duel import Duel
from holmgang.engine.picture import rasterise

NAMES = {"red": "Ann </svg>", "blue": "Bob"}


def told(ruleset=SMALL, seed=8, **options):
    return analyse(random_duel(ruleset, seed, **options), players=NAMES, budget_ms=100).as_json()


def parts(svg, kind):
    root = ET.fromstring(svg)  # noqa: S314 - our own
    return [each for each in root.iter() if each.tag.rpartition("}")[2] == kind]


def test_the_line_goes_through_every_value():
    analysis = told()
    lines = [each for each in parts(draw(analysis), "path") if "s-ink" in each.get("class", "")]
    (line,) = lines
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", line.get("d"))]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    values = [analysis["start_value"], *(each["value_after"] for each in analysis["rounds"])]
    assert len(points) == len(values)
    assert (points[0][0], points[-1][0]) == (LEFT, RIGHT)
    for (_, y), value in zip(points, values, strict=True):
        assert y == pytest.approx(BOTTOM - (BOTTOM - TOP) * (1 + value) / 2, abs=0.06)
    assert "stroke-dasharray" not in line.attrib


def test_each_error_is_marked_in_the_shape_of_its_seat():
    analysis = next(
        each
        for each in (told(seed=seed) for seed in range(40))
        if {point["seat"] for point in each["turning_points"]} == {"red", "blue"}
    )
    svg = draw(analysis, has_style=False)
    signs = {
        "red": len(re.findall(r'<circle class="f-red s-paper"', svg)),
        "blue": len(re.findall(r'<path class="f-blue s-paper"', svg)),
    }
    marked = [point["seat"] for point in analysis["turning_points"]]
    assert signs == {seat: marked.count(seat) for seat in ("red", "blue")}


def test_estimates_are_dashed():
    svg = draw(told("bagh:max_boost=5", seed=5, round_limit=3))
    lines = [each for each in parts(svg, "path") if "s-ink" in each.get("class", "")]
    assert lines
    assert all("stroke-dasharray" in each.attrib for each in lines)
    assert "estimates" in parts(svg, "desc")[0].text


def test_names_are_text_and_every_round_can_be_clicked():
    analysis = told(CITY)
    svg = draw(analysis, prefix="a-")
    assert NAMES["red"] in parts(svg, "title")[0].text
    columns = [each for each in parts(svg, "rect") if each.get("class") == "column"]
    assert [int(each.get("data-round")) for each in columns] == [
        played["round"] for played in analysis["rounds"]
    ]
    assert all(each.get("id").startswith("a-round-") for each in columns)


def test_the_curve_of_the_documents():
    path, drawn = document_curve()
    assert path.read_text("utf-8") == drawn, "if this is meant: make golden, and review the diff"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_can_be_rasterised(theme):
    empty = analyse(Duel(SMALL, seed=1)).as_json()
    forfeited = Duel(TURNS, seed=1)
    forfeited.forfeit("red")
    for analysis in (told(), empty, analyse(forfeited, budget_ms=50).as_json()):
        assert rasterise(draw(analysis), theme=theme).startswith(b"\x89PNG")
