"""Film strips of a newcomer's first match: screenshots from the first page to the end of the match,
for each game, on a phone and on a desktop.

`python -m tests.web.browser.film_strips FOLDER [GAME …]` writes them: `bagh-phone-01-home.png` and
so on. Look at them: in each reveal a reader has to see what both did, and why it had that effect.
"""

import random
import secrets
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from tests.web.browser.chromium import ARGUMENTS, find_chromium
from tests.web.browser.duel import Duel
from tests.web.browser.site import Site
from tests.web.browser.visitor import DESKTOP, PHONE, Visitor

GAMES = ("bagh", "fencing", "defend-the-city", "magic-duel")
SIZES = {"phone": PHONE, "desktop": DESKTOP}
SHOWN_ROUNDS = 3
MOST_ROUNDS = 120  # of the match; then the newcomer gives up


class Strip:
    """The pictures of one newcomer, in order."""

    def __init__(self, visitor: Visitor, folder: Path, name: str) -> None:
        self.visitor, self._folder, self._name, self._count = visitor, folder, name, 0

    def take(self, moment: str) -> None:
        self._count += 1
        file = self._folder / f"{self._name}-{self._count:02}-{moment}.png"
        self.visitor.page.screenshot(path=file)


def film(browser: Browser, site: Site, folder: Path, game: str, size: str) -> None:
    """A newcomer opens the first page, starts a match against the suggested level and plays it."""
    visitor = Visitor(browser.new_context(viewport=SIZES[size]), site)
    page = visitor.page
    strip = Strip(visitor, folder, f"{game}-{size}")
    visitor.go("/")
    page.locator(".sample .board").wait_for()
    strip.take("home")
    page.locator(f"input[name=game][value='{game}']").click()
    page.locator("[data-start]").click()
    page.wait_for_url("**/match/*")
    duel = Duel(visitor, page.url.rsplit("/", 1)[1])
    duel.expect_connected()
    strip.take("first-look")
    for number in range(1, MOST_ROUNDS):
        view = duel.view()
        if view["status"] != "playing":
            break
        if number > SHOWN_ROUNDS:
            # The rest is played through the server, as quickly as it can be.
            play_on(duel, view)
            continue
        if view["menu"] is None:
            page.locator("[data-controls]").wait_for()
            continue
        duel.choose(sensible(view))
        page.locator("[data-slot=reveal], [data-slot=wait]").first.wait_for()
        strip.take(f"round-{number}-chosen")
        page.locator("[data-reason]:not([data-reason=''])").first.wait_for()
        strip.take(f"round-{number}-told")
        page.locator("[data-slot=reveal]").wait_for(state="detached")
        strip.take(f"round-{number}-after")
    else:
        send(duel, {"type": "forfeit"})
    page.locator("[data-over]").wait_for()
    strip.take("end")
    visitor.context.close()


def sensible(view: dict) -> str:  # type: ignore[type-arg] # the JSON of a view
    """A choice that a newcomer might make: not one that is marked as losing at once, if there is
    another.
    """
    offered = view["menu"]["options"]
    options = [each for each in offered if not each.get("fatal")] or offered
    word: str = random.Random(view["version"]).choice(options)["word"]
    return word


def play_on(duel: Duel, view: dict) -> None:  # type: ignore[type-arg] # as above
    if view["menu"] is None or view["chosen"] is not None:
        duel.visitor.ask(f"/api/matches/{duel.match}?since={view['version']}&wait=5")
        return
    place = {"game": view["game"], "round": view["round"]}
    send(duel, {"type": "choose", **place, "choice": sensible(view)})


def send(duel: Duel, command: dict) -> None:  # type: ignore[type-arg] # as above
    command = {"id": secrets.token_hex(8), **command}
    duel.visitor.ask(f"/api/matches/{duel.match}/commands", command)


def main(folder: Path, games: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        Site(Path(place)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        for game in games:
            for size in SIZES:
                film(browser, site, folder, game, size)
                print(f"{game}, {size}: done")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(GAMES))
