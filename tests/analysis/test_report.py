"""The page of an analysis: complete in itself, safe to open, and working in a browser."""

import re
import shutil

import pytest
from tests.analysis.duels import CITY, SMALL, random_duel

from holmgang.analysis.analyse import analyse
from holmgang.analysis.report import report_page
from holmgang.engine.duel import Duel

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u202e"


def page_of(ruleset=SMALL, seed=8, **options):
    duel = random_duel(ruleset, seed, **options)
    return report_page(analyse(duel, players={"red": HOSTILE, "blue": "Bob"}, budget_ms=100))


@pytest.mark.parametrize("ruleset", [SMALL, CITY, "bagh:max_boost=5"])
def test_it_needs_nothing_else_and_says_everything(ruleset):
    page = page_of(ruleset, round_limit=4)
    assert not re.search(r'(src|href)="(?!#|data:)', page)
    assert " style=" not in page
    assert "<img" not in page
    assert page.count("<script") == 2
    assert ("exact values" in page) == (ruleset != "bagh:max_boost=5")


def test_a_duel_without_rounds_has_a_page():
    assert "No round was played." in report_page(analyse(Duel(SMALL, seed=1)))


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium")
def test_rounds_can_be_stepped_through_and_clicked(tmp_path):
    from playwright.sync_api import sync_playwright

    path = tmp_path / "report.html"
    path.write_text(page_of(), "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page, problems = browser.new_page(viewport={"width": 1280, "height": 900}), []
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(path.as_uri())
        now = page.locator("#now")
        assert "Start" in now.inner_text()
        page.locator("#curve [data-round='2']").click()
        assert "Round 2:" in now.inner_text()
        assert now.locator("table.mix").count() == 2
        assert now.locator(".chosen-row").count() == 2
        assert page.locator("#curve .column.shown").get_attribute("data-round") == "2"
        page.keyboard.press("ArrowRight")
        assert "Round 3:" in now.inner_text()
        assert page.locator("#curve .column.shown").get_attribute("data-round") == "3"
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        browser.close()
    assert problems == []
