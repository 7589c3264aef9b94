"""The best that is known of a ruleset: from its table if there is one, otherwise by search.

A table that is missing and small enough is built in the background; until it is there, and for good
where there can be none, the oracle searches.
"""

from typing import Any

from holmgang.engine.compiled.native import Announce, silent
from holmgang.errors import StateError
from holmgang.games.ruleset import Ruleset
from holmgang.solver.finding import mean_worth
from holmgang.solver.position import Position, in_words
from holmgang.solver.search.dispatch import search
from holmgang.solver.search.preparing import is_preparing
from holmgang.solver.tables import Background, Table, build_in_background, find_table

LOOK_ON = 2  # rounds that are searched on from a pair of choices


class Oracle:
    def __init__(
        self,
        ruleset: Ruleset,
        *,
        budget_ms: float,
        build: bool = True,
        announce: Announce = silent,
    ) -> None:
        """A search takes `budget_ms`; without `build` a table must be there already to be used."""
        self.ruleset = ruleset
        self.budget_ms = budget_ms
        self._announce = announce
        self._table = find_table(ruleset)
        self._background: Background | None = None
        if build and self._table is None:
            self._background = build_in_background(ruleset)

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

    def position(self, state: Any) -> Position:
        """What is known of an undecided state. Raises `StateError` if the duel is over."""
        table = self._look_for_table()
        if table is not None:
            try:
                return table.position(state)
            except StateError:
                pass  # what the game never comes to is in no table, and can be searched
        found = search(self.ruleset, state, budget_ms=self.budget_ms, announce=self._announce)
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
