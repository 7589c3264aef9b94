"""Nobody is kept out: no barriers that axe-core finds, in light and dark; a match by keyboard
alone; phones of 360 px; and as little motion as was asked for.
"""

import re

import pytest
from playwright.sync_api import expect
from tests.web.browser.chromium import read_axe
from tests.web.browser.duel import Duel
from tests.web.browser.standings import settle_ratings
from tests.web.browser.visitor import DESKTOP, PHONE

GRAVE = ("serious", "critical")
LOOKS = [(DESKTOP, "light"), (PHONE, "dark")]


@pytest.fixture(scope="module")
def axe():
    return read_axe()


def barriers(visitor, axe):
    """What axe-core finds on the page, in words."""
    if visitor.page.evaluate("typeof axe") == "undefined":
        visitor.page.evaluate(axe)
    found = visitor.page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{visitor.page.url}: {rule['id']} in {node['html']}: {node['failureSummary']}"
        for rule in found["violations"]
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]


def inspect(visitor, axe):
    """The grave barriers of the page, on a desktop in light and on a phone in dark colours; and
    whether one would have to scroll sideways.
    """
    found = []
    for size, scheme in LOOKS:
        visitor.page.set_viewport_size(size)
        visitor.page.emulate_media(color_scheme=scheme)
        look = f"{size['width']} px, {scheme}"
        if visitor.scrolls_sideways():
            found.append(f"{look}: {visitor.page.url} scrolls sideways")
        found += [f"{look}: {each}" for each in barriers(visitor, axe)]
    visitor.page.set_viewport_size(DESKTOP)
    return found


def test_a_barrier_would_be_found(newcomer, axe):
    visitor = newcomer()
    visitor.go("/rules")
    visitor.page.locator("main a").first.wait_for()
    visitor.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert len(inspect(visitor, axe)) == len(LOOKS)


@pytest.mark.thorough
def test_pages_have_no_barriers(site, newcomer, axe, compiled):
    settle_ratings(site, ["Freydis", "Grettir"], game="fencing")
    visitor = newcomer()
    host = newcomer()
    host.open_match(opponent="lobby")  # so that there is something in the lobby
    found = []
    for path, ready in [
        ("/", "[data-start]:enabled"),
        ("/setup?game=fencing", "[data-start]"),
        ("/watch", "main .card"),
        ("/player/Freydis", ".curve"),
        ("/sign-in", "form"),
        ("/explore/bagh?state=3.0.0.0/3.0.0.1", "[data-matrix]"),
        ("/explore/magic-duel", "[data-matrix]"),
        ("/explore/defend-the-city", "[data-play-pair]"),
    ]:
        visitor.go(path)
        visitor.page.locator(ready).first.wait_for()
        found += inspect(visitor, axe)
    assert found == []


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset", ["bagh", "fencing", "defend-the-city", "magic-duel"])
def test_choosing_has_no_barriers(pair, axe, ruleset):
    red, _ = pair(ruleset)
    if ruleset == "magic-duel":
        red.find("[data-choice=heal]").click()
    else:
        first = red.view()["menu"]["options"][0]["word"]
        red.choose({"defend-the-city": "1/5"}.get(ruleset, first))
        red.expect_acknowledged()
    found = inspect(red.visitor, axe)
    red.find("[data-what-if]").click()
    expect(red.find("[data-what-if]")).to_have_attribute("aria-pressed", "true")
    found += inspect(red.visitor, axe)
    assert found == []


@pytest.mark.thorough
def test_a_match_has_no_barriers_from_its_start_to_its_end(pair, newcomer, axe, compiled):
    red, blue = pair("bagh", wins_needed=1)
    watching = Duel(newcomer(), red.match).open()
    red.choose("attack")
    blue.choose("guard")
    found = []
    for duel in (blue, watching):
        duel.expect_round(1)
        found += inspect(duel.visitor, axe)
    blue.find("[data-forfeit]").click()
    found += inspect(blue.visitor, axe)
    blue.find("[data-forfeit-yes]").click()
    red.expect_over("You win")
    found += inspect(red.visitor, axe)
    red.find("[data-analyse]").click()
    for part in ("round", "turns", "luck", "rounds"):
        red.find(f"[data-fold={part}] summary").click()
    red.find("[data-all-rounds]").wait_for()
    found += inspect(red.visitor, axe)
    assert found == []


@pytest.mark.thorough
def test_the_coach_has_no_barriers(newcomer, axe, compiled):
    visitor = newcomer()
    match = visitor.open_match("bagh", {"level": "random"}, start="3.0.0.0/2.2.0.0")
    duel = Duel(visitor, match).open()
    duel.find("[data-coach]").click()
    duel.choose("boost")
    duel.find("[data-keep]").wait_for()
    assert inspect(visitor, axe) == []


@pytest.mark.thorough
def test_a_match_by_keyboard_alone(newcomer):
    """From the first page to the end of a match, with the keys that a keyboard has."""
    visitor = newcomer()
    visitor.go("/")
    expect(visitor.page.locator("[data-start]")).to_be_enabled()
    duel = Duel(visitor, "", by="keys")
    keys = visitor.page.keyboard
    duel.tab_to(visitor.page.get_by_role("link", name="Change rules and time"))
    keys.press("Enter")
    duel.tab_to(visitor.page.locator("input[name=level]"))
    while not visitor.page.locator("input[name=level][value=random]").is_checked():
        keys.press("ArrowLeft")
    duel.tab_to(visitor.page.locator("#wins"))
    keys.type("1")
    duel.tab_to(visitor.page.locator("details:has(#rule-start_hp) > summary"))
    keys.press("Enter")
    duel.tab_to(visitor.page.locator("#rule-start_hp"))
    keys.type("1")
    duel.tab_to(visitor.page.locator("[data-start]"))
    keys.press("Enter")
    expect(visitor.page.locator(".duel")).to_be_visible()
    for number in range(1, 40):
        duel.choose("attack" if number % 2 else "guard")
        visitor.page.locator(f"[data-round='{number}']").wait_for()
        if visitor.page.locator("[data-over]").count():
            break
    duel.expect_over(re.compile(r"You win|Random wins|drawn"))
    duel.tab_to(visitor.page.locator("[data-replay]"))
    keys.press("Enter")
    expect(visitor.page.locator("[data-steps] .where")).to_have_text("Start")
    keys.press("ArrowRight")
    expect(visitor.page.locator("[data-steps] .where")).to_have_text(re.compile(r"Round 1 of"))


def test_the_focus_can_be_seen_and_the_first_stop_skips_to_the_content(newcomer):
    visitor = newcomer()
    visitor.go("/watch")
    expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
    visitor.page.keyboard.press("Tab")
    skip = visitor.page.locator(".skip")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    visitor.page.keyboard.press("Tab")
    outline = visitor.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_reduced_motion_shows_the_end_without_moving(newcomer):
    visitor = newcomer(reveals=True)
    match = visitor.open_match("bagh", {"level": "random"})
    duel = Duel(visitor, match).open()
    visitor.page.evaluate(
        """() => {
          window.seen = { open: 0, animations: 0 };
          new MutationObserver(() => {
            seen.open += document.querySelectorAll("[data-card].open").length;
            seen.animations += document.getAnimations().length;
          }).observe(document.body, { childList: true, subtree: true, attributes: true });
        }"""
    )
    duel.choose("attack")
    expect(duel.find("[data-reveal]")).to_be_visible()  # both cards, face down
    duel.expect_round(1)
    expect(duel.find("[data-reason='1']")).to_be_visible()
    assert visitor.page.evaluate("seen") == {"open": 0, "animations": 0}


def test_no_reveal_where_it_is_switched_off(pair):
    red, blue = pair()
    red.page.evaluate(
        """() => {
          window.seen = 0;
          new MutationObserver(() => (seen += document.querySelectorAll("[data-reveal]").length))
            .observe(document.body, { childList: true, subtree: true });
        }"""
    )
    red.choose("attack")
    blue.choose("boost")
    red.expect_round(1)
    assert red.page.evaluate("seen") == 0


def test_the_focus_stays_on_the_choices_for_ten_rounds(newcomer):
    """By keyboard alone: Tab until the focus is there, then nothing but Enter."""
    visitor = newcomer(reveals=True)
    duel = Duel(visitor, visitor.open_match("bagh", {"level": "random"}, start="9.0.0.0/9.0.0.0"))
    duel.open()
    guard = duel.find("[data-choice=guard]")
    duel.tab_to(guard)
    for number in range(1, 11):
        expect(guard).to_be_enabled()
        expect(guard).to_be_focused()
        visitor.page.keyboard.press("Enter")
        duel.expect_round(number)
        expect(guard).to_be_focused()


def test_the_focus_comes_back_to_choices_that_were_gone(newcomer):
    visitor = newcomer(reveals=True)
    duel = Duel(visitor, visitor.open_match("magic-duel", {"level": "random"})).open()
    gather = duel.find("[data-choice=magic]")
    duel.tab_to(gather)
    for _ in range(4):  # a turn has two moves, then it is the level's
        expect(gather).to_be_enabled()
        expect(gather).to_be_focused()
        visitor.page.keyboard.press("Enter")
        expect(duel.find("[data-slot=reveal]")).to_have_count(0)


def test_a_reader_is_told_what_happened(pair):
    red, blue = pair()
    red.choose("attack")
    blue.choose("boost")
    told = red.find("[data-announce][aria-live=polite]")
    expect(told).to_contain_text("Round 1.")
    expect(red.find(".frame desc")).to_contain_text("2 hp")
