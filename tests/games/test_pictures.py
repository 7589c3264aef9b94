"""Pictures of all games: sound SVG for every state that comes up, and one golden picture each."""

import re
from xml.etree import ElementTree as ET

import pytest
from tests.golden import SEEDS
from tests.golden.pictures import (
    document_pictures,
    golden_picture,
    picture_path,
    transitions,
)

from holmgang.engine.picture import rasterise
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import Scene
from holmgang.games.ruleset import load
from holmgang.games.svg import LONGEST_NAME, PALETTE, flatten

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<b>\"&'\u202e\x07"


def elements(picture: str) -> list[ET.Element]:
    return list(ET.fromstring(picture).iter())  # noqa: S314 - our own text


def ids(picture: str) -> list[str]:
    return [each.attrib["id"] for each in elements(picture) if "id" in each.attrib]


@pytest.mark.parametrize("name", SEEDS)
def test_golden_picture(name):
    kept = picture_path(name).read_text(encoding="utf-8")
    assert golden_picture(name) == kept, "if this is intended: make golden, and look at the picture"


def test_pictures_in_documents_are_current():
    for path, text in document_pictures():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: make golden"


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("seed", range(2))
def test_every_state_of_a_duel_can_be_drawn(name, seed):
    ruleset = load(name)
    for state, last in transitions(name, seed):
        for chosen in ((False, False), (True, False), (True, True)):
            picture = ruleset.picture(state, Scene(caption="Round 1", last=last, chosen=chosen))
            found = ids(picture)
            assert len(found) == len(set(found))
            references = set(re.findall(r'href="#([^"]*)"', picture))
            assert references <= set(found)
            assert len(picture) < 18_000


@pytest.mark.parametrize("name", CATALOGUE)
def test_only_colours_of_the_palette_are_used(name):
    for state, last in transitions(name, 0):
        picture = load(name).picture(state, Scene(last=last))
        used = set(re.findall(r"var\(--c-([a-z-]+)\)", picture))
        classes = {
            kind
            for each in elements(picture)
            for kind in each.attrib.get("class", "").split()
            if re.match(r"[fs]-", kind)
        }
        assert used | {kind[2:] for kind in classes} <= PALETTE.keys()
        assert "var(" not in flatten(picture)
        body = picture.partition("</style>")[2]
        assert not re.search(r"#[0-9a-f]{6}", body)


@pytest.mark.parametrize("name", CATALOGUE)
def test_names_and_captions_are_only_text(name):
    ruleset = load(name)
    state = ruleset.initial()
    scene = Scene(caption=HOSTILE, names=(HOSTILE, "x" * 500))
    picture = ruleset.picture(state, scene)
    said = [each.text for each in elements(picture) if each.tag == f"{SVG}text"]
    assert "<b>\"&'" in said
    assert "x" * (LONGEST_NAME - 1) + "…" in said
    assert "\u202e" not in picture


@pytest.mark.parametrize("name", CATALOGUE)
def test_two_pictures_on_a_page_share_no_id(name):
    ruleset = load(name)
    state = ruleset.initial()
    one, other = (ruleset.picture(state, Scene(prefix=prefix)) for prefix in ("a-", "b-"))
    assert not set(ids(one)) & set(ids(other))
    assert set(re.findall(r'href="#([^"]*)"', one)) <= set(ids(one))


@pytest.mark.parametrize("name", CATALOGUE)
def test_ids_stay_the_same_through_a_duel(name):
    """So a page can animate: what moves or changes keeps its id from state to state."""
    ruleset = load(name)
    drawn = [
        set(ids(ruleset.picture(state, Scene(last=last)))) for state, last in transitions(name, 1)
    ]
    lasting = set.intersection(*drawn)
    assert {"red-badge", "blue-badge", "red-name", "blue-name", "caption"} <= lasting


@pytest.mark.parametrize("name", CATALOGUE)
def test_text_says_the_state_to_who_cannot_see_it(name):
    ruleset = load(name)
    state = ruleset.initial()
    root = ET.fromstring(ruleset.picture(state, Scene(caption="Round 1")))  # noqa: S314
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert "Red" in (description.text or "")
    assert "Round 1" in (title.text or "")
    assert root.attrib["role"] == "img"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", CATALOGUE)
def test_rasterised(name, theme):
    ruleset = load(name)
    picture = ruleset.picture(ruleset.initial())
    png = rasterise(picture, width=360, theme=theme)
    assert png.startswith(b"\x89PNG")
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (360, 240)


@pytest.mark.parametrize(("field", "number"), [("energy_max", 10**7), ("walk_skill", 10**18)])
def test_a_picture_of_any_state_is_soon_drawn(field, number):
    """Numbers that no game reaches, as in a record of a stranger, draw nothing by the million."""
    fencing = load("fencing")
    state = fencing.format_state(fencing.initial())
    state["red"][field] = number
    assert len(fencing.picture(fencing.parse_json(state))) < 100_000
