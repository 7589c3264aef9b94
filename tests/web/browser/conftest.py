"""A browser, a server and people for the tests in this folder."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.web.browser.chromium import ARGUMENTS, find_chromium
from tests.web.browser.duel import Duel
from tests.web.browser.site import Site
from tests.web.browser.visitor import DESKTOP, NO_HINTS, NO_REVEALS, Visitor

from holmgang.games.ruleset import load
from holmgang.solver.search.dispatch import search

Newcomer = Callable[..., Visitor]


# Not for the whole session: while it is open, Playwright runs an event loop in this thread, and
# other tests could not start theirs.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that the tests share; each opens matches of its own."""
    with Site(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compiles the searches that pages ask for, however long that takes where nothing is cached."""
    for name in ("bagh", "fencing", "defend-the-city", "magic-duel"):
        search(load(name), load(name).initial(), depth=1)


@pytest.fixture
def newcomer(browser: Browser, site: Site) -> Iterator[Newcomer]:
    """Makes visitors. In the end none may have asked another host, nor seen an error."""
    visitors: list[Visitor] = []

    def make(
        at: Site = site, *, hints: bool = False, reveals: bool = False, **options: object
    ) -> Visitor:
        options = {"viewport": DESKTOP, "reduced_motion": "reduce", **options}
        visitor = Visitor(browser.new_context(**options), at)
        if not hints:
            visitor.context.add_init_script(NO_HINTS)
        if not reveals:
            visitor.context.add_init_script(NO_REVEALS)
        visitors.append(visitor)
        return visitor

    yield make
    for visitor in visitors:
        visitor.context.close()
    assert [problem for visitor in visitors for problem in visitor.problems()] == []


@pytest.fixture
def pair(newcomer: Newcomer) -> Callable[..., tuple[Duel, Duel]]:
    """Makes two people who sit at one match: red, then blue."""

    def make(ruleset: str = "bagh", at: Site | None = None, **asked: object) -> tuple[Duel, Duel]:
        red, blue = (newcomer() if at is None else newcomer(at) for _ in range(2))
        match = red.open_match(ruleset, **asked)
        blue.join_match(match)
        return Duel(red, match).open(), Duel(blue, match).open()

    return make
