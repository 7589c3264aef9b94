"""Screenshots of every board and of the main pages, for people to look at. HOLMGANG_SCREENSHOTS
names the folder to put them in; there, those of all other pages are put as well.
"""

import os
from pathlib import Path

import pytest
from tests.web.browser.png import rows_of, smaller
from tests.web.browser.screenshots import FOLDER, NEEDED, Photographer, take_all
from tests.web.browser.site import Site


@pytest.fixture
def own_site(tmp_path):
    """A server of their own, so that nothing of other tests is in the pictures."""
    with Site(tmp_path) as site:
        yield site


@pytest.mark.thorough
@pytest.mark.slow
def test_every_board_and_the_main_pages_are_photographed(browser, own_site, tmp_path, compiled):
    asked = os.environ.get(FOLDER)
    folder = Path(asked or tmp_path / "screenshots")
    take_all(browser, own_site, Photographer(folder, None if asked else NEEDED))
    pictures = {path.stem: path.read_bytes() for path in folder.glob("*.png")}
    assert pictures.keys() >= set(NEEDED)
    for name in NEEDED:
        assert len(pictures[name]) > 10_000, f"{name} shows nothing"


def test_a_picture_is_made_smaller_and_stays_the_same(newcomer):
    visitor = newcomer(viewport={"width": 300, "height": 200})
    visitor.go("/rules")
    visitor.page.locator("main a").first.wait_for()
    png = visitor.page.screenshot()
    assert rows_of(smaller(png)) == rows_of(png)
    assert len(smaller(png)) < len(png)
