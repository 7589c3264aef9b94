"""The best that is known of a ruleset: from its table if there is one, otherwise by search.

A missing table that is small enough is built in the background; until it is ready, or where there
can be none, the oracle searches.
"""

import logging
from dataclasses import replace
from typing import Any

from holmgang.engine.compiled.native import Announce, silent
from holmgang.errors import RecordError, StateError
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.solver.exact.solve import Progress
from holmgang.solver.finding import mean_worth
from holmgang.solver.layered.layers import Layers
from holmgang.solver.position import Position, in_words
from holmgang.solver.search.chances import chance_decided
from holmgang.solver.search.dispatch import search
from holmgang.solver.search.preparing import is_preparing
from holmgang.solver.tables import Background, Table, build_in_background, find_table

LOOK_ON = 2  # rounds that are searched on from a pair of choices

log = logging.getLogger(__name__)


class Oracle:
    """Answers for the states of one ruleset.

    >>> Oracle("bagh", build=False).ruleset.text
    'bagh'
    """

    def __init__(
        self,
        ruleset: str | Ruleset,
        *,
        budget_ms: float = 1000.0,
        build: bool = True,
        announce: Announce = silent,
        progress: Progress = lambda said: None,
    ) -> None:
        """A search takes `budget_ms`. Without `build`, only a table that is already there is used.
        `progress` is told when a question takes long.
        """
        self.ruleset = as_ruleset(ruleset)
        self.budget_ms = budget_ms
        self._announce, self._progress = announce, progress
        self._table = find_table(self.ruleset)
        self._background: Background | None = None
        if build and self._table is None:
            self._background = build_in_background(self.ruleset)

    @property
    def has_table(self) -> bool:
        return self._table is not None

    @property
    def is_building(self) -> bool:
        return self._background is not None

    @property
    def is_preparing(self) -> bool:
        """Whether there is no table, and searches are slow because they are not compiled yet."""
        return self._table is None and is_preparing(self.ruleset)

    def position(self, state: Any = None, *, with_chances: bool = True) -> Position:
        """What is known of an undecided state, given as the game's own, as JSON or in short; of the
        start if none is given. Without `with_chances` a search does not look for the chances of a
        win, a draw and a loss, which may take it as long again.

        Raises `StateError` if the duel is over or it is no state of the game.
        """
        state = self.ruleset.parse_state(state)
        table = self._look_for_table()
        if table is not None:
            try:
                if isinstance(table, Layers):
                    table.ready(state, self._progress, self._announce)
                return table.position(state)
            except StateError:
                pass  # what the game never comes to is in no table, and can be searched
            except RecordError as error:
                log.warning("%s; searching instead", error)
                self._table = None
        found = search(self.ruleset, state, budget_ms=self.budget_ms, announce=self._announce)
        if with_chances:
            decided = chance_decided(self.ruleset, state, found, budget_ms=self.budget_ms)
            found = replace(found, decided=decided)
        return in_words(self.ruleset, found)

    def pair_value(self, state: Any, red: int, blue: int, *, look_on: int = LOOK_ON) -> float:
        """What two choices in a state are worth to red; a search looks so many rounds on."""
        if self._table is not None:
            try:
                return self._table.pair_value(state, red, blue)
            except StateError:
                pass

        def searched(after: Any) -> float:
            return search(self.ruleset, after, depth=look_on).value

        return mean_worth(self.ruleset, state, red, blue, searched)

    def _look_for_table(self) -> Table | None:
        if self._table is None and self._background is not None:
            self._table = self._background.table()
            if self._table is not None or self._background.has_failed:
                self._background = None
        return self._table
