"""Studying: exploring positions, playing from them, analysing finished duels, and the coach."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.browser.duel import Duel
from tests.web.browser.screenshots import play_opening, play_to_the_end

from holmgang.games.ruleset import load
from holmgang.solver.tables import build_table

BOOSTED = "3.0.0.0/2.2.0.0"
"""Blue has boost 2: red must not boost now."""


@pytest.fixture(scope="module", autouse=True)
def table(compiled):
    build_table(load("bagh"), most_states=100_000)


def position(visitor):
    return visitor.page.locator("[data-explore]")


def expect_position(visitor, text):
    expect(position(visitor)).to_have_attribute("data-explore", text)


# Explore


def test_a_position_is_set_up_walked_through_and_shared(newcomer):
    visitor = newcomer()
    page = visitor.page
    visitor.go("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Explore").click()
    expect_position(visitor, "3.0.0.0/3.0.0.0")
    expect(page.locator("[data-certainty=exact]")).to_be_visible()
    expect(page.locator("[data-value]")).to_have_text("Red’s score 50.0")

    page.get_by_role("spinbutton", name="Blue: shield damage").fill("1")
    page.keyboard.press("Enter")
    expect_position(visitor, "3.0.0.0/3.0.0.1")
    page.locator("[data-pair='attack guard']").click()  # blue's shield may mend
    results = page.locator("[data-result]")
    expect(results).to_have_count(2)
    expect(results.first).to_contain_text("1 in 2")
    results.last.click()
    expect_position(visitor, "3.0.0.0/2.0.0.0")
    expect(page.locator("[data-told]")).to_contain_text("Round 1.")
    page.locator("[data-pair='boost boost']").click()
    expect_position(visitor, "3.1.0.0/2.1.0.0")
    expect(page.locator("[data-path] button")).to_have_count(3)

    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("ArrowLeft")
    expect_position(visitor, "3.0.0.0/2.0.0.0")
    page.keyboard.press("ArrowRight")
    expect_position(visitor, "3.1.0.0/2.1.0.0")
    link = page.locator("[data-link]").input_value()
    friend = newcomer()
    friend.page.goto(link)
    expect_position(friend, "3.1.0.0/2.1.0.0")
    expect(friend.page.locator("[data-path] [aria-current=step]")).to_contain_text("boost – boost")

    for before in ("3.0.0.0/2.0.0.0", "3.0.0.0/3.0.0.1", "3.0.0.0/3.0.0.0"):
        page.keyboard.press("Backspace")
        expect_position(visitor, before)
    expect(page.locator("[data-undo]")).to_be_disabled()


def test_dice_can_be_rolled(newcomer):
    visitor = newcomer()
    visitor.go("/explore/bagh?state=3.0.0.0/3.0.0.1")
    visitor.page.locator("[data-pair='attack guard']").click()
    visitor.page.locator("[data-roll]").click()
    expect(position(visitor)).to_have_attribute(
        "data-explore", re.compile(r"3\.0\.0\.0/(3\.0\.1|2\.0\.0)\.0")
    )


def test_what_is_over_or_impossible_is_told(newcomer):
    visitor = newcomer()
    visitor.excuse("422")
    visitor.go("/explore/bagh?state=1.0.0.0/1.0.0.0&line=a/h")
    expect(visitor.page.locator("[data-outcome]")).to_contain_text("Red wins")
    visitor.go("/explore/bagh?state=99.0.0.0/1.0.0.0")
    expect(visitor.page.locator("[data-problem]")).to_contain_text("Red.hp is from 0 to 10")


def test_estimates_do_not_look_exact(newcomer):
    """The large matrix of fencing has lists to pick a pair from."""
    visitor = newcomer()
    page = visitor.page
    visitor.go("/explore/fencing")
    expect(page.locator("[data-certainty=estimate]")).to_contain_text("ahead")
    expect(page.locator("[data-certainty=exact]")).to_have_count(0)
    expect(page.locator("[data-value]")).to_contain_text("≈")
    expect(page.locator(".wdl.guess")).to_be_visible()
    page.locator("[data-pick=red]").select_option("walk")
    page.locator("[data-pick=blue]").select_option("walk")
    page.locator("[data-play-pair]").click()
    expect_position(visitor, "1/220.19/280.19")


def test_a_duel_is_played_from_a_position_with_either_seat(newcomer):
    visitor = newcomer()
    page = visitor.page
    visitor.go(f"/explore/bagh?state={BOOSTED}")
    page.locator("[data-seat]").select_option("blue")
    page.locator("[data-level]").select_option("random")
    page.locator("[data-play-from]").click()
    expect(page.locator(".duel[data-you=blue][data-connection=open]")).to_be_visible()
    expect(page.locator("[data-start-position]")).to_contain_text("not rated")
    view = visitor.ask(f"/api/matches/{page.url.rpartition('/')[2]}")
    assert view["start"] == BOOSTED
    assert view["players"]["red"] == {
        "name": "random",
        "kind": "level",
        "rating": None,
        "provisional": False,
    }
    page.locator("[data-start-position] a").click()
    expect_position(visitor, BOOSTED)


# Analysis


@pytest.fixture
def finished(pair):
    """Red's page of a duel that is over, in which both have made errors."""
    red, blue = pair("bagh", wins_needed=1)
    play_opening(red, blue, [("boost", "heal"), ("boost", "heal"), ("attack", "boost")])
    play_to_the_end(red, blue)
    return red


def test_a_finished_duel_is_analysed_when_asked_for(finished, newcomer):
    page, visitor = finished.page, finished.visitor
    rounds = finished.find("[data-story] [data-round]").count()
    assert not any("analysis" in url or "study" in url for url in visitor.requested)
    finished.find("[data-analyse]").click()
    curve = finished.find("[data-curve] button")
    expect(curve).to_have_count(rounds)
    expect(finished.find("[data-study] [data-certainty=exact]").first).to_be_visible()
    expect(finished.find("[data-summary] p")).to_have_count(3)
    for fold in ("luck", "turns", "rounds"):
        expect(finished.find(f"[data-fold={fold}]")).not_to_have_attribute("open", "")
    finished.find("[data-fold=luck] summary").click()
    expect(finished.find("[data-fall] tr").last).to_contain_text("100.0")
    expect(finished.find("[data-accuracy] li")).to_have_count(2)
    expect(finished.find("[data-study] .flag").first).to_be_visible()

    shown = finished.find("[data-round-shown]")
    curve.nth(1).click()
    expect(shown).to_have_attribute("data-round-shown", "2")
    expect(curve.nth(1)).to_have_attribute("aria-pressed", "true")
    assert re.match(r"Round 2, .*(costs|right)", curve.nth(1).get_attribute("aria-label"))
    expect(finished.find("[data-judged]")).to_contain_text("heal")
    expect(shown.locator(".frame desc")).to_contain_text("boost 1")
    page.keyboard.press("ArrowRight")
    expect(shown).to_have_attribute("data-round-shown", "3")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(shown).to_have_attribute("data-round-shown", "1")

    spectator = newcomer()  # who has the link
    spectator.page.goto(f"{page.url.partition('&')[0]}&round=2")
    expect(spectator.page.locator("[data-round-shown='2']")).to_be_visible()
    spectator.page.locator("[data-explore-round]").click()
    expect_position(spectator, "3.1.0.0/4.0.0.0")
    expect(spectator.page.locator("[data-path] button")).to_have_count(rounds + 1)


def test_the_tendencies_of_both_players_are_told_for_a_whole_match(pair):
    red, blue = pair("bagh", wins_needed=1)
    play_opening(red, blue, [("boost", "guard")] * 12 + [("guard", "boost")] * 6)
    red.visitor.ask(f"/api/matches/{red.match}/commands", {"id": "end", "type": "forfeit"})
    red.visitor.go(f"/match/{red.match}?analysis=1")
    red.find("[data-fold=tendencies] summary").click()
    told = red.find("[data-tendencies-of=red]")
    expect(told.locator("table").first).to_contain_text("Boost")
    expect(told).to_contain_text("An opponent who knew this could gain about")
    expect(red.find("[data-tendencies-of=blue]")).to_contain_text("18 choices")


def test_every_round_of_a_finished_duel_leads_to_explore(finished):
    finished.find("[data-story] [data-round='3'] [data-explore-from]").click()
    expect_position(finished.visitor, "3.2.0.0/5.0.0.0")


def test_a_duel_that_goes_on_has_no_analysis(pair):
    red, blue = pair("bagh")
    red.choose("attack")
    blue.choose("boost")
    red.expect_round(1)
    red.visitor.go(f"/match/{red.match}?analysis=1")
    red.expect_connected()
    red.expect_round(1)
    assert red.find("[data-study], [data-analyse], [data-explore-from], [data-coach]").count() == 0


# The coach


def test_the_coach_warns_before_an_error_and_explains_it_afterwards(newcomer):
    visitor = newcomer()
    match = visitor.open_match("bagh", {"level": "random"}, start=BOOSTED)
    duel = Duel(visitor, match).open()
    duel.find("[data-coach]").click()
    measure = """() => [document.querySelector(".slot").offsetHeight,
        document.querySelector(".choices").getBoundingClientRect().top]"""
    before = visitor.page.evaluate(measure)
    duel.choose("boost")
    expect(duel.find("[data-slot=coach]")).to_contain_text("Boost costs 33 points of 100")
    assert visitor.page.evaluate(measure) == before
    assert duel.view()["chosen"] is None  # nothing was sent
    duel.find("[data-choose-again]").click()
    expect(duel.find("[data-slot=choose]")).to_be_visible()
    assert visitor.page.evaluate(measure) == before
    assert duel.view()["rounds"] == []
    duel.choose("boost")
    duel.find("[data-keep]").click()
    duel.expect_round(1)
    if duel.view()["status"] == "playing":
        expect(duel.find("[data-lesson]")).to_contain_text("Your boost cost 33 points of 100")
        assert visitor.page.evaluate(measure) == before
    assert not any("/coach" in text for text in visitor.received)


def test_what_is_right_passes_the_coach_at_once(newcomer):
    visitor = newcomer()
    match = visitor.open_match("bagh", {"level": "random"}, start=BOOSTED)
    duel = Duel(visitor, match).open()
    duel.find("[data-coach]").click()
    duel.choose("guard")
    duel.expect_round(1)
