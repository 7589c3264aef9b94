"""Screenshots of the site: all that the tests look at, or the few that the documents show.

`python -m tests.web.browser.screenshots` writes the latter to the folder in HOLMGANG_SCREENSHOTS.
"""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from tests.analysis.puzzles.samples import CHOICE, DIALS, EQUILIBRIUM, MIX
from tests.web.browser.chromium import ARGUMENTS, find_chromium
from tests.web.browser.duel import Duel
from tests.web.browser.png import smaller
from tests.web.browser.puzzles import fill_site
from tests.web.browser.site import Site
from tests.web.browser.standings import settle_ratings
from tests.web.browser.visitor import DESKTOP, NO_HINTS, PHONE, Visitor

FOLDER = "HOLMGANG_SCREENSHOTS"
SIZES = {"desktop": DESKTOP, "phone": PHONE}
SCHEMES = ("light", "dark")
MOST_BYTES = 150_000
SHOWN = [
    *("bagh-desktop-light", "magic-duel-desktop-dark"),
    *("fencing-phone-dark", "explore-desktop-light"),
]
"""What the documents show."""

# What red and blue choose, so that there is something on the board.
OPENINGS: dict[str, list[tuple[str | None, str | None]]] = {
    "bagh": [("boost", "guard"), ("boost", "attack"), ("attack", "guard"), ("guard", "attack")],
    "bagh-advantage": [("boost", "guard"), ("attack", "boost"), ("guard", "attack")],
    "fencing": [
        ("double_walk", "walk"),
        ("lunge", "break"),
        ("walk", "walk"),
        ("lunge_drug", "walk"),
        ("walk", "parry"),
    ],
    "defend-the-city": [("1/5", "3/3"), ("keep", None), ("2/5", "1/5"), (None, "keep")],
    "magic-duel": [
        ("magic", None),
        ("bubble", None),
        (None, "magic"),
        (None, "normal 2 player"),
        ("magic", None),
        ("specter", None),
        ("player", None),
        (None, "magic"),
        (None, "bubble"),
    ],
}

SUBJECTS = [
    *OPENINGS,
    *("home", "setup", "over", "profile", "explore"),
    *("analysis", "coach", "puzzle", "puzzle-solved"),
]
NEEDED = [
    f"{subject}-{size}-{scheme}" for subject in SUBJECTS for size in SIZES for scheme in SCHEMES
]
"""What has to be looked at after every change of the client."""


class Photographer:
    """Takes pictures of pages in all sizes and colours, or of those that are wanted."""

    def __init__(
        self, folder: Path, wanted: list[str] | None = None, *, is_whole: bool = True
    ) -> None:
        self.folder, self._wanted, self._is_whole = folder, wanted, is_whole
        folder.mkdir(parents=True, exist_ok=True)

    def wants(self, subject: str) -> bool:
        return self._wanted is None or any(name.startswith(subject) for name in self._wanted)

    def take(self, visitor: Visitor, subject: str, *, is_long: bool = False) -> None:
        """Takes the page as it is: on a desktop the window, on a phone also what is below, as on
        both of a page that `is_long`.
        """
        page = visitor.page
        expect(page.locator("[data-slot=reveal]")).to_have_count(0)  # the reveal is over
        for size_name, size in SIZES.items():
            for scheme in SCHEMES:
                name = f"{subject}-{size_name}-{scheme}"
                if self._wanted is not None and name not in self._wanted:
                    continue
                page.set_viewport_size(size)
                page.emulate_media(color_scheme=scheme)
                if self._is_whole and size_name == "phone":
                    height = page.evaluate("document.documentElement.scrollHeight")
                    page.set_viewport_size({**size, "height": height})
                page.evaluate("scrollTo(0, 0)")
                page.mouse.move(0, 0)
                page.screenshot(
                    path=self.folder / f"{name}.png", full_page=is_long and self._is_whole
                )
        page.set_viewport_size(DESKTOP)


def play_opening(red: Duel, blue: Duel, rounds: list[tuple[str | None, str | None]]) -> None:
    """Plays through the server: the pages only show it."""
    for number, choices in enumerate(rounds, 1):
        for duel, choice in zip((red, blue), choices, strict=True):
            if choice is not None:
                command = {"type": "choose", "id": f"{number}", "game": 1, "round": number}
                duel.visitor.ask(
                    f"/api/matches/{red.match}/commands", {**command, "choice": choice}
                )
    for duel in (red, blue):
        duel.expect_round(len(rounds))


def take_all(browser: Browser, site: Site, photographer: Photographer) -> None:
    def newcomer(**options: object) -> Visitor:
        options = {"viewport": DESKTOP, "reduced_motion": "reduce", **options}
        visitor = Visitor(browser.new_context(**options), site)
        visitor.context.add_init_script(NO_HINTS)
        return visitor

    def account(name: str) -> Visitor:
        visitor = newcomer()
        visitor.ask("/api/account", {"name": name, "password": "correct horse battery"})
        return visitor

    settle_ratings(site, ["Ragnhild", "Ketil", "Yrsa", "Orm"])
    fill_site(site)
    red, blue, visitor = account("Solveig"), account("Halvard"), newcomer()

    def sit_down(ruleset: str, **asked: object) -> tuple[Duel, Duel]:
        match = red.open_match(ruleset, "lobby", **asked)
        blue.join_match(match)
        return Duel(red, match).open(), Duel(blue, match).open()

    for game, rounds in OPENINGS.items():
        if not photographer.wants(game):
            continue
        mine, theirs = sit_down(game)
        play_opening(mine, theirs, rounds)
        chooser = mine if "red" in mine.view()["asked"] else theirs
        photographer.take(chooser.visitor, game)
        if photographer.wants(f"{game}-"):
            take_moments(photographer, visitor, mine, theirs, game)
    if photographer.wants("over"):
        mine, theirs = sit_down("bagh", wins_needed=1)
        play_opening(mine, theirs, [("boost", "heal"), ("boost", "heal"), ("attack", "boost")])
        play_to_the_end(mine, theirs)
        photographer.take(red, "over")
    if photographer.wants("analysis"):
        mine, theirs = sit_down("bagh", wins_needed=1)
        play_opening(mine, theirs, [("boost", "heal"), ("boost", "heal"), ("attack", "boost")])
        play_to_the_end(mine, theirs)
        mine.find("[data-analyse]").click()
        mine.find("[data-fold=rounds] summary").click()
        mine.find("[data-all-rounds]").wait_for()
        photographer.take(red, "analysis", is_long=True)
    if photographer.wants("coach"):
        match = visitor.open_match("bagh", {"level": "random"}, start="3.0.0.0/2.2.0.0")
        coached = Duel(visitor, match).open()
        coached.find("[data-coach]").click()
        coached.choose("boost")
        coached.find("[data-keep]").wait_for()
        photographer.take(visitor, "coach")
    if photographer.wants("home"):
        newcomer().open_match("fencing", "lobby", seconds=60)
        newcomer().open_match("bagh", "lobby")
        visitor.go("/")
        visitor.page.wait_for_load_state("networkidle")
        photographer.take(visitor, "home")
    take_pages(photographer, visitor, red)
    for each in (red, blue, visitor):
        each.context.close()


def play_to_the_end(mine: Duel, theirs: Duel) -> None:
    number = mine.view()["round"]
    while mine.view()["status"] == "playing":
        for duel, choice in ((mine, "attack"), (theirs, "boost")):
            command = {"type": "choose", "id": f"{number}", "game": 1, "round": number}
            duel.visitor.ask(f"/api/matches/{mine.match}/commands", {**command, "choice": choice})
        number += 1
    expect(mine.find("[data-over]")).to_be_visible()


def take_moments(
    photographer: Photographer, visitor: Visitor, mine: Duel, theirs: Duel, game: str
) -> None:
    """What-if, a choice that is made, and what a spectator sees."""
    chooser = mine if "red" in mine.view()["asked"] else theirs
    if game == "magic-duel" and photographer.wants("magic-duel-heal"):
        chooser.find("[data-choice=heal]").click()
        photographer.take(chooser.visitor, "magic-duel-heal")
        return
    if game == "bagh" and photographer.wants("bagh-what-if"):
        chooser.find("[data-what-if]").click()
        expect(chooser.find("[data-forecast]")).to_have_count(4)
        photographer.take(chooser.visitor, "bagh-what-if")
        chooser.page.keyboard.press("Escape")
        chooser.choose("guard")
        chooser.expect_acknowledged()
        photographer.take(chooser.visitor, "bagh-chosen")
        visitor.go(f"/match/{mine.match}")
        expect(visitor.page.locator(".duel")).to_be_visible()
        photographer.take(visitor, "bagh-watched")


def take_pages(photographer: Photographer, visitor: Visitor, member: Visitor) -> None:
    for subject, path, ready in [
        ("setup", "/setup?game=fencing", "[data-start]"),
        ("profile", "/player/Ragnhild", ".curve"),
        ("players", "/players", ".ranks"),
        ("watch", "/watch", "[data-matches]"),
        ("sign-in", "/sign-in", "form"),
        ("upload", "/upload", "form"),
        ("rules", "/rules/defend-the-city", "[data-overview]"),
        ("explore", "/explore/bagh?line=b/a,a/g", "[data-matrix]"),
        ("explore-large", "/explore/fencing", "[data-matrix]"),
        ("explore-one", "/explore/magic-duel", "[data-matrix]"),
    ]:
        if photographer.wants(subject):
            visitor.go(path)
            visitor.page.locator(ready).first.wait_for()
            photographer.take(visitor, subject, is_long=subject.startswith("explore"))
    if photographer.wants("welcome"):
        member.go("/")
        expect(member.page.locator("[data-yours]")).to_be_visible()
        photographer.take(member, "welcome")
    take_puzzles(photographer, visitor)
    if photographer.wants("invitation"):
        visitor.go(f"/match/{visitor.open_match('magic-duel')}")
        visitor.page.locator("[data-link]").wait_for()
        photographer.take(visitor, "invitation")


def take_puzzles(photographer: Photographer, visitor: Visitor) -> None:
    page = visitor.page
    if photographer.wants("puzzles"):
        visitor.go("/puzzles")
        page.locator("[data-puzzle]").wait_for()
        photographer.take(visitor, "puzzles")
    if photographer.wants("puzzle"):
        visitor.go(f"/puzzles/{CHOICE.question.id}")
        page.locator("[data-choice=heal]").click()
        photographer.take(visitor, "puzzle")
        page.locator("[data-answer]").click()
        page.locator("[data-result]").wait_for()
        photographer.take(visitor, "puzzle-failed")
    if photographer.wants("puzzle-solved"):
        visitor.go(f"/puzzles/{MIX.question.id}")
        for word, share in EQUILIBRIUM.items():
            page.locator(f"[data-share={word}]").fill(f"{round(100 * share)}")
        photographer.take(visitor, "puzzle-mix")
        page.locator("[data-answer]").click()
        page.locator("[data-result]").wait_for()
        photographer.take(visitor, "puzzle-solved")
    if photographer.wants("puzzle-dials"):
        visitor.go(f"/puzzles/{DIALS.question.id}")
        page.locator("[data-answer]").wait_for()
        photographer.take(visitor, "puzzle-dials")


def main() -> int:
    folder = Path(os.environ.get(FOLDER) or "docs/screenshots")
    try:
        chromium = find_chromium()
    except (pytest.fail.Exception, pytest.skip.Exception) as error:
        print(error, file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as place,
        Site(Path(place)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        take_all(browser, site, Photographer(folder, SHOWN, is_whole=False))
        browser.close()
    for name in SHOWN:
        file = folder / f"{name}.png"
        file.write_bytes(smaller(file.read_bytes()))
        print(f"{file}: {file.stat().st_size // 1000} kB")
        if file.stat().st_size > MOST_BYTES:
            print(f"{file} is larger than {MOST_BYTES // 1000} kB", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
