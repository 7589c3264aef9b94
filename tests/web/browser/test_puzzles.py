"""Puzzles in a real browser: a choice, a mix, one after the other, and the one of the day."""

import re

import pytest
from playwright.sync_api import expect
from tests.analysis.puzzles.samples import CHOICE, DIALS, MIX, SAMPLES
from tests.web.browser.chromium import read_axe
from tests.web.browser.puzzles import fill_site
from tests.web.browser.site import Site
from tests.web.browser.test_accessibility import inspect
from tests.web.browser.visitor import PHONE


@pytest.fixture(scope="module")
def quiz(tmp_path_factory):
    """A server with puzzles."""
    with Site(tmp_path_factory.mktemp("quiz")) as site:
        fill_site(site)
        yield site


def shares(page):
    return [int(text.removesuffix(" %")) for text in page.locator("output").all_inner_texts()]


def test_a_choice_puzzle_is_answered_once_and_explained(quiz, newcomer):
    visitor = newcomer(quiz)
    page = visitor.page
    visitor.go(f"/puzzles/{CHOICE.question.id}")
    answer = page.locator("[data-answer]")
    expect(answer).to_be_disabled()
    expect(page.locator(".puzzle")).to_contain_text("You are Red")
    page.locator("[data-choice=guard]").click()
    page.locator("[data-choice=heal]").click()  # it can be changed until it is sent
    expect(answer).to_have_text("Answer: Heal")
    expect(page.locator("[data-result]")).to_have_count(0)
    answer.click()
    result = page.locator("[data-result=failed]")
    expect(result).to_be_focused()
    expect(result).to_contain_text("Heal, the tempting choice, costs 11 points of 100.")
    expect(result).to_contain_text(
        "Heal fails against Attack, which is right for Blue 66 % of the time"
    )
    rows = page.locator("[data-judged]")
    expect(rows).to_have_count(4)
    expect(page.locator("[data-judged].right")).to_have_count(2)
    expect(page.locator("[data-judged=heal]")).to_contain_text("your answer")
    page.reload()
    expect(page.locator("[data-result=failed]")).to_be_visible()
    expect(page.locator("[data-answer]")).to_have_count(0)
    page.locator("[data-explore]").click()
    expect(page).to_have_url(re.compile(r"/explore/bagh\?state=2\.0\.0\.0/3\.1\.0\.0$"))


def test_a_mix_puzzle_is_solved_by_keyboard(quiz, newcomer):
    """Sliders always sum to 100 %; those not moved yet give way first."""
    visitor = newcomer(quiz, viewport=PHONE)
    page = visitor.page
    visitor.go(f"/puzzles/{MIX.question.id}")
    page.locator("[data-mixer]").wait_for()
    assert shares(page) == [25, 25, 25, 25]
    page.locator("[data-share=heal]").focus()
    page.keyboard.press("Home")
    assert shares(page) == [34, 33, 33, 0]
    page.locator("[data-share=attack]").focus()
    while shares(page)[1] < 43:
        page.keyboard.press("ArrowRight")
        assert sum(shares(page)) == 100
    page.locator("[data-share=guard]").focus()
    while shares(page)[2] != 30:
        page.keyboard.press("ArrowRight" if shares(page)[2] < 30 else "ArrowLeft")
        assert sum(shares(page)) == 100
    assert shares(page) == [27, 43, 30, 0]
    assert not visitor.scrolls_sideways()
    page.locator("[data-answer]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-result=solved]")).to_contain_text("A mix that costs nothing")
    assert not visitor.scrolls_sideways()


def test_one_puzzle_after_the_other_until_none_is_left(quiz, newcomer):
    visitor = newcomer(quiz)
    page = visitor.page
    visitor.ask("/api/account", {"name": "Quizzer", "password": "correct horse battery"})
    visitor.go("/puzzles")
    seen = set()
    for number in range(len(SAMPLES)):
        puzzle = page.locator("[data-puzzle]:not(:has([data-result]))")
        puzzle.wait_for()
        seen.add(puzzle.get_attribute("data-puzzle"))
        assert len(seen) == number + 1
        if puzzle.locator(".dials").count():
            page.locator("[data-dial=offense-0]").check(force=True)
            page.locator("[data-dial=defense-5]").check(force=True)
        elif puzzle.get_attribute("data-kind") == "choice":
            page.keyboard.press("a")
        page.locator("[data-answer]").click()
        expect(page.locator("[data-rating]")).to_contain_text("Your puzzle rating in")
        page.locator("[data-next]").click()
    visitor.excuse("404")
    expect(page.locator("[data-none-left]")).to_contain_text("no puzzles left")
    expect(page.locator(".facts")).to_contain_text(re.compile(r"BAGH \d+\?? · \d of 5 solved"))
    expect(page.locator("[data-without]")).to_contain_text("No exact table exists")
    assert seen == set(SAMPLES)


def test_what_if_helps_and_a_puzzle_can_be_skipped(quiz, newcomer):
    visitor = newcomer(quiz)
    page = visitor.page
    visitor.go("/puzzles")
    page.locator("input[name=puzzles][value=defend-the-city-duel]").click(force=True)
    expect(page.locator(f"[data-puzzle='{DIALS.question.id}']")).to_be_visible()
    page.locator("input[name=puzzles][value=bagh]").click(force=True)
    shown = page.locator(f"[data-puzzle]:not([data-puzzle='{DIALS.question.id}'])")
    first = shown.get_attribute("data-puzzle")
    page.locator("[data-skip]").click()
    expect(page.locator(f"[data-puzzle]:not([data-puzzle='{first}'])")).to_be_visible()
    visitor.go(f"/puzzles/{CHOICE.question.id}")
    page.locator("[data-what-if]").click()
    expect(page.locator("[data-forecast]")).to_have_count(4)
    expect(page.locator("[data-choice=heal]")).to_contain_text("hp 2 → 0")


def test_the_puzzle_of_the_day_is_on_the_first_page(quiz, newcomer):
    visitor = newcomer(quiz)
    visitor.go("/")
    card = visitor.page.locator("[data-daily]")
    expect(card.locator("svg.board")).to_be_visible()
    # The duel that waits has another board, of a game with other drawings under the same ids.
    visitor.open_match("magic-duel", {"level": "random"})
    visitor.page.reload()
    expect(card.locator("svg.board")).to_be_visible()
    ids = visitor.page.locator("[id]").evaluate_all("all => all.map((each) => each.id)")
    assert len(ids) == len(set(ids))
    uses = card.locator("use").evaluate_all(
        "all => all.filter((each) => !document.querySelector(each.getAttribute('href'))).length"
    )
    assert uses == 0
    daily = card.get_attribute("data-daily")
    card.locator("[data-solve]").click()
    expect(visitor.page.locator(f"[data-puzzle='{daily}']")).to_be_visible()
    assert visitor.page.url.endswith(f"/puzzles/{daily}")


def test_no_such_puzzle(quiz, newcomer):
    visitor = newcomer(quiz)
    visitor.excuse("404")
    visitor.go("/puzzles/nope")
    expect(visitor.page.get_by_role("heading", name="No such puzzle")).to_be_visible()


def test_a_server_without_puzzles_says_so(site, newcomer):
    visitor = newcomer(site)
    visitor.go("/puzzles")
    expect(visitor.page.locator("[data-no-puzzles]")).to_be_visible()
    visitor.go("/")
    expect(visitor.page.locator("[data-start]")).to_be_enabled()
    expect(visitor.page.locator("[data-daily]")).to_have_count(0)


@pytest.mark.slow
def test_puzzles_have_no_barriers(quiz, newcomer):
    axe = read_axe()
    visitor = newcomer(quiz)
    page = visitor.page
    found = []
    visitor.go(f"/puzzles/{DIALS.question.id}")
    page.locator("[data-dial=offense-0]").check(force=True)
    page.locator("[data-dial=defense-3]").check(force=True)
    expect(page.locator("[data-choose]")).to_have_count(0)
    colours = page.locator(".notches label").evaluate_all(
        "all => all.map((each) => [each.control.checked, getComputedStyle(each).backgroundColor])"
    )
    assert len({colour for is_set, colour in colours if is_set}) == 1
    assert {colour for is_set, colour in colours if is_set}.isdisjoint(
        colour for is_set, colour in colours if not is_set
    )
    page.locator("[data-answer]").click()
    page.locator("[data-result]").wait_for()
    found += inspect(visitor, axe)
    visitor.go(f"/puzzles/{MIX.question.id}")
    page.locator("[data-mixer]").wait_for()
    found += inspect(visitor, axe)
    assert found == []
