"""Accounts with many rated matches, written into the database beside the server: played through
pages they would take minutes.
"""

import time
from collections.abc import Sequence
from itertools import combinations

from tests.store.rows import OVER
from tests.web.browser.site import Site

from holmgang.store import Person, RatedResult, Store, StoredEvent

DAYS = 30
DAY = 86400.0
GONE = {"event": "opened", "ruleset": "a-game-that-is-gone", "ruleset_hash": ""}
"""So the match is in lists, and its board cannot be drawn."""
LETTERS = str.maketrans("0123456789", "abcdefghjk")
"""Ids of matches have no digits that look like letters."""


def settle_ratings(site: Site, names: Sequence[str], game: str = "bagh") -> None:
    """Makes accounts, of whom the first is the best and the last the weakest."""
    store = Store.open(site.database)
    try:
        people = [
            store.people.claim(store.people.new_guest().id, name, "no password") for name in names
        ]
        for day in range(DAYS):
            for one, other in combinations(people, 2):
                keep_match(store, game, one, other, day)
    finally:
        store.close()


def keep_match(store: Store, game: str, one: Person, other: Person, day: int) -> None:
    """A match that the second player wins every fourth day."""
    won = day % 4 != 3
    summary = OVER._replace(
        game=game,
        ruleset=game,
        red_person=one.id,
        blue_person=other.id,
        red_name=one.name,
        blue_name=other.name,
        red_kind="account",
        blue_kind="account",
        red_wins=3 if won else day % 3,
        blue_wins=day % 3 if won else 3,
        games=3 + day % 3,
        winner="red" if won else "blue",
        rated=True,
    )
    result = RatedResult(game, one.id, other.id, 1.0 if won else 0.0)
    at = time.time() - (DAYS - day) * DAY
    match = f"r{one.id:03}{other.id:03}{day:03}".translate(LETTERS)
    store.append(match, 0, [StoredEvent(1, at, GONE)], summary, result).result()
