"""Pictures of all games: sound SVG for every state that comes up, and one golden picture each."""

import re
from itertools import chain
from xml.etree import ElementTree as ET

import pytest
from tests.golden import SEEDS
from tests.golden.pictures import (
    document_pictures,
    golden_picture,
    picture_path,
    transitions,
)

from holmgang.engine.line import play_rounds
from holmgang.engine.picture import rasterise
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import Scene
from holmgang.games.ruleset import load
from holmgang.games.svg import (
    LONGEST_NAME,
    PALETTE,
    SMALL_BOX,
    flatten,
    labelled,
    lean,
    page_style,
    small,
    without_style,
)

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
        picture = ruleset.picture(state, Scene(last))
        found = ids(picture)
        assert len(found) == len(set(found))
        references = set(re.findall(r'href="#([^"]*)"', picture))
        assert references <= set(found)
        assert len(picture) < 18_000


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_small_board_leaves_out_only_what_is_not_seen(name):
    ruleset = load(name)
    for state, last in list(transitions(name, 0))[:4]:
        picture = ruleset.picture(state, Scene(last))
        cut = lean(picture).replace('viewBox="0 0 720 480"', f'viewBox="{SMALL_BOX}"')
        assert rasterise(small(picture)) == rasterise(cut)
        assert len(small(picture)) < len(cut)


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


def rules_of(style: str) -> set[str]:
    return set(
        re.findall(r"[^{}]+\{[^{}]*\}", style.replace("@media(prefers-color-scheme:dark)", ""))
    )


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_page_can_have_the_style_of_all_its_pictures(name):
    """One sheet has every rule that a picture brings, so pictures need no style of their own."""
    ruleset, page = load(name), page_style()
    assert "var(--wood,#9a7648)" in page
    for state, last in chain.from_iterable(transitions(name, seed) for seed in range(3)):
        picture = ruleset.picture(state, Scene(last=last))
        own = re.search(r"<style>(.*?)</style>", picture)
        assert own is not None
        of_colours = {rule for rule in rules_of(own[1]) if "--c-ink:" in rule}
        assert rules_of(own[1]) - of_colours <= rules_of(page)
        for declaration in re.findall(r"--c-[a-z-]+:[^;]*;", own[1]):
            assert declaration in page
        bare = ruleset.picture(state, Scene(last=last, has_style=False))
        assert without_style(picture) == bare
        assert "style" not in bare


@pytest.mark.parametrize("name", CATALOGUE)
def test_names_and_captions_are_only_text(name):
    ruleset = load(name)
    state = ruleset.initial()
    picture = labelled(ruleset.picture(state, Scene(prefix="a-")), (HOSTILE, "x" * 500), HOSTILE)
    said = {each.attrib.get("id"): each.text for each in elements(picture)}
    assert said["a-red-name"] == said["a-caption"] == "<b>\"&'"
    assert said["a-blue-name"] == "x" * (LONGEST_NAME - 1) + "…"
    assert "\u202e" not in picture


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_picture_without_names_is_of_red_and_blue(name):
    ruleset = load(name)
    picture = ruleset.picture(ruleset.initial())
    said = {each.attrib.get("id"): each.text for each in elements(picture)}
    assert (said["red-name"], said["blue-name"], said["caption"]) == ("Red", "Blue", None)
    assert labelled(picture) == picture


@pytest.mark.parametrize("name", ["bagh", "fencing", "defend-the-city", "defend-the-city-duel"])
def test_a_card_lies_face_down_until_the_picture_has_the_class_of_its_seat(name):
    """In every state in which both seats choose; the class is all that a page has to set."""
    ruleset = load(name)
    for state, last in transitions(name, 0):
        picture = ruleset.picture(state, Scene(last))
        backs = {
            colour
            for each in elements(picture)
            for colour in ("red", "blue")
            if f"{colour}-back" in each.attrib.get("class", "").split()
        }
        if all(ruleset.choice_set(state, seat) for seat in (0, 1)):
            assert backs == {"red", "blue"}
            shown = picture.replace('class="board', 'class="board red-chosen', 1)
            images = {rasterise(each, width=360) for each in (picture, shown)}
            assert len(images) == 2
            break


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
    picture = labelled(ruleset.picture(state), ("Ask", "Embla"), "Round 1")
    root = ET.fromstring(picture)  # noqa: S314
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert "Red" in (description.text or "")
    assert (title.text or "").endswith(", Round 1: Ask (red) against Embla (blue)")
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


def test_many_skills_stay_within_their_half_of_the_board():
    fencing = load("fencing")
    state = fencing.format_state(fencing.initial())
    state["blue"]["lunge_distance_skill"] = 25
    for skill in ("lunge_distance", "parry_distance", "retreat", "double_retreat", "break"):
        state["red"][f"{skill}_skill"] = -10
    drawn = {each.get("id"): each for each in elements(fencing.picture(fencing.parse_json(state)))}
    red, blue = drawn["red-skills"], drawn["blue-skills"]
    assert red.text == "L−10 P−10 R−10 X−10 B−10"
    assert float(red.attrib["x"]) - float(red.attrib["textLength"]) >= 0
    assert "textLength" not in blue.attrib


def drawn_after(name: str, state: str, line: str = "", winner: int | None = None) -> str:
    ruleset = load(name)
    after, last = play_rounds(ruleset, ruleset.parse_state(state), line)
    return ruleset.picture(after, Scene(last=last, winner=winner))


def transform_of(picture: str, name: str) -> str:
    return next(each for each in elements(picture) if each.attrib.get("id") == name).attrib[
        "transform"
    ]


@pytest.mark.parametrize(
    ("name", "state", "line", "shown", "missing"),
    [
        ("bagh", "3.0.0.0/3.0.0.0", "b/a", {"red-hit"}, {"blue-hit"}),
        ("bagh", "3.0.0.0/3.0.0.0", "g/a", set(), {"red-hit", "blue-hit"}),
        ("fencing", "30/200/240", "l/b", {"blue-hit"}, {"red-hit"}),
        ("fencing", "30/200/240", "l/p", set(), {"red-hit", "blue-hit"}),
        ("magic-duel", "r2/25.0.0.0/25.0.0.0", "n2", {"flight", "blue-hit"}, {"red-hit"}),
        ("magic-duel", "b0s0/25.0.0.0/25.0.0.0+s10x1@0", "0", {"flight", "red-hit"}, set()),
        ("magic-duel", "r2/25.0.0.0/25.0.0.0", "m", set(), {"flight", "blue-hit"}),
        ("defend-the-city", "20/0/4", "50", {"flags", "blue-hit"}, {"flames"}),
        ("defend-the-city", "0/6/2", "31=1", {"flames", "red-hit"}, {"flags"}),
        ("defend-the-city", "20/6/2", "", set(), {"flames", "flags", "red-hit", "blue-hit"}),
    ],
)
def test_what_happened_is_shown(name, state, line, shown, missing):
    found = set(ids(drawn_after(name, state, line)))
    assert shown <= found
    assert not missing & found


@pytest.mark.parametrize(
    ("name", "state", "weapon"),
    [
        ("bagh", "3.0.0.0/3.0.0.0", "red-sword"),
        ("defend-the-city", "20/6/2", "red-sword"),
        ("magic-duel", "r2/25.0.0.0/25.0.0.0", "red-staff"),
    ],
)
def test_who_gives_up_lays_the_weapon_down(name, state, weapon):
    stances = {
        transform_of(drawn_after(name, state, winner=winner), weapon) for winner in (0, 1, None)
    }
    assert len(stances) == 3


def test_a_fencer_lowers_the_foil_after_giving_up_and_not_after_losing():
    def foil(picture: str) -> str:
        return next(e for e in elements(picture) if e.attrib.get("id") == "red-foil").attrib["d"]

    start = foil(drawn_after("fencing", "30/200/240"))
    assert foil(drawn_after("fencing", "30/200/240", winner=1)) != start
    lost = drawn_after("fencing", "30/200/240.20.19", "b/l", winner=1)
    assert foil(lost) == start


def test_a_spent_soldier_and_a_forfeited_offense_have_poses_of_their_own():
    fresh = drawn_after("defend-the-city", "20/6/2")
    spent = drawn_after("defend-the-city", "20/0/2")
    forfeited = drawn_after("defend-the-city", "30/30/0", "32/41 f=2")
    assert transform_of(fresh, "blue-sword") != transform_of(spent, "blue-sword")
    assert transform_of(fresh, "red-sword") != transform_of(forfeited, "red-sword")


def test_a_number_of_any_length_stays_on_the_board():
    """MagicDuel lets a heal add any shield; long numbers take the place of the signs."""
    picture = drawn_after("magic-duel", "r2/25.0.0.0/25.0.0.0", "h999999999999999")
    assert "1.0e15" in picture
    signs = [each for each in elements(picture) if each.attrib.get("id") == "red-shield-1"]
    assert "off" in signs[0].attrib["class"]
