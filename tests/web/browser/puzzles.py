"""Puts puzzles into the database of a site that runs."""

from tests.analysis.puzzles.samples import fill
from tests.web.browser.site import Site

from holmgang.store import Store


def fill_site(site: Site) -> None:
    with Store.open(site.database) as store:
        fill(store)
