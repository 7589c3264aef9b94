"""Lessons in a real browser: wrong and right choices, by keyboard, and the first match."""

import pytest
from playwright.sync_api import expect
from tests.web.browser.chromium import read_axe
from tests.web.browser.test_accessibility import inspect
from tests.web.browser.visitor import PHONE


def test_a_lesson_explains_a_wrong_choice_and_goes_on(newcomer):
    visitor = newcomer()
    page = visitor.page
    visitor.go("/learn/bagh")
    lesson = page.locator("[data-lesson=bagh]")
    expect(lesson).to_contain_text("Blue will choose Attack")
    page.locator("[data-choice=heal]").click()
    wrong = page.locator("[data-told=wrong]")
    expect(wrong).to_be_focused()
    expect(wrong).to_contain_text("Red's heal is lost: Blue attacks")
    expect(wrong).to_contain_text("try Guard")
    page.keyboard.press("Enter")  # tries again
    expect(page.locator("[data-round='1'] [data-choice]")).to_have_count(4)
    page.keyboard.press("g")
    expect(page.locator("[data-told=right]")).to_contain_text("earns priority 1")
    page.reload()  # it is remembered here, without an account
    expect(page.locator("[data-round='2']")).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator("[data-told=right]")).to_be_visible()
    page.keyboard.press("Enter")
    page.locator("[data-round='3'] [data-choice=guard]").click()
    page.locator("[data-told=wrong] [data-next]").click()  # goes on all the same
    expect(page.locator("[data-end]")).to_be_focused()
    page.locator("[data-play]").click()
    page.wait_for_url("**/match/*")
    expect(page.locator(".duel")).to_be_visible()
    visitor.go("/learn")
    expect(page.locator(".lessons")).to_contain_text("2 rounds done")


@pytest.mark.thorough
def test_lessons_rules_and_setup_have_no_barriers(newcomer):
    axe = read_axe()
    visitor = newcomer(viewport=PHONE)
    page = visitor.page
    found = []
    for game in ("bagh", "fencing", "defend-the-city", "magic-duel"):
        visitor.go(f"/learn/{game}")
        page.locator("[data-lesson]").wait_for()
        found += inspect(visitor, axe)
    visitor.go("/learn/bagh")
    page.locator("[data-choice=boost]").click()
    page.locator("[data-told=wrong]").wait_for()
    found += inspect(visitor, axe)
    visitor.go("/learn")
    page.locator(".lessons").wait_for()
    found += inspect(visitor, axe)
    for game in ("bagh", "fencing", "defend-the-city"):
        visitor.go(f"/rules/{game}")
        page.locator("[data-beats]").wait_for()
        page.locator("[data-full] summary").click()
        page.locator(".rulebook").wait_for()
        found += inspect(visitor, axe)
    visitor.go("/setup?game=fencing")
    page.locator(".group summary").first.click()
    found += inspect(visitor, axe)
    assert found == []


def test_a_lesson_that_does_not_exist_leads_to_the_others(newcomer):
    visitor = newcomer()
    visitor.excuse("422")
    visitor.go("/learn/chess")
    expect(visitor.page.locator("main")).to_contain_text("No such lesson")
    visitor.page.locator("main a").click()
    expect(visitor.page.locator("h1")).to_have_text("Learn a game")
