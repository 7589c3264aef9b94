"""The duels of finished matches in a store."""

import logging
from collections.abc import Iterator

from holmgang.engine.duel import Duel
from holmgang.errors import HolmgangError
from holmgang.games.ruleset import Ruleset
from holmgang.live.clock import PlayClock
from holmgang.live.room import read_match
from holmgang.store import Store

MOST_MATCHES = 1000

log = logging.getLogger(__name__)


def played_duels(store: Store, ruleset: Ruleset) -> Iterator[Duel]:
    """The duels of the newest finished matches of a ruleset, the newest match first. A match that
    cannot be read is skipped.
    """
    rows = store.matches.find(status="over", game=ruleset.entry.name, limit=MOST_MATCHES)
    for row in rows:
        if row.summary.ruleset == ruleset.text:
            try:
                match = read_match(row.id, store.read(row.id), PlayClock())
            except HolmgangError as error:
                log.warning("match %s cannot be read: %s", row.id, error)
                continue
            yield from match.games
