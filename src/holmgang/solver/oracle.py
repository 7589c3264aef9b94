"""The best that is known of a ruleset: from its table if there is one, otherwise by search.

A missing table that is small enough is built in the background; until it is ready, or where there
can be none, the oracle searches. `oracle_of` has one oracle of each ruleset for the whole process.
"""

import logging
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Notify
from holmgang.errors import RecordError, StateError
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.solver.background import build_in_background
from holmgang.solver.evaluation import Evaluation, mean_worth
from holmgang.solver.exact.extension import extend
from holmgang.solver.exact.tablebase import Tablebase
from holmgang.solver.layered.layers import Layers
from holmgang.solver.search.chances import chance_decided
from holmgang.solver.search.dispatch import check_has_time, search
from holmgang.solver.search.preparing import is_preparing
from holmgang.solver.tables import SolvedTable, find_table, reject, table_path

LOOK_ON = 2  # rounds that are searched on from a pair of choices

log = logging.getLogger(__name__)


class Oracle:
    """Answers for the states of one ruleset; it may be used by several threads.

    >>> oracle = Oracle("magic-duel", build=False)
    >>> oracle.evaluate(budget_ms=20).is_exact
    True
    """

    def __init__(
        self, ruleset: str | Ruleset, *, budget_ms: float = 1000.0, build: bool = True
    ) -> None:
        """A search takes `budget_ms`, unless a question sets its own. Without `build`, a missing
        table is not built in the background.
        """
        self.ruleset = as_ruleset(ruleset)
        self.budget_ms = budget_ms
        self._table: SolvedTable | None = None
        if build:
            self.build_in_background()

    def build_in_background(self) -> None:
        """Starts building the table if there is none."""
        if not self.has_table:
            build_in_background(self.ruleset)

    @property
    def has_table(self) -> bool:
        return self._look_for_table() is not None

    @property
    def has_layers(self) -> bool:
        """Whether the table is one of layers, which answers for pairs of choices in a state much
        more quickly than for each state that they may lead to.
        """
        return isinstance(self._look_for_table(), Layers)

    @property
    def is_preparing(self) -> bool:
        """Whether there is no table, and searches are slow because they are not compiled yet."""
        return self._table is None and is_preparing(self.ruleset)

    def evaluate(
        self,
        state: Any = None,
        *,
        budget_ms: float | None = None,
        with_chances: bool = True,
        can_wait: bool = False,
        announce: Announce = silent,
        progress: Notify = lambda said: None,
    ) -> Evaluation:
        """Evaluates an undecided state, given as the game's own, as JSON or as short text (default:
        the start). Without `with_chances` a search does not look for the chances of a win, a draw
        and a loss, which may take it as long again. A state outside the table is solved if that is
        quick, or with `can_wait` if it takes some seconds. `progress` is called when it takes long.

        Raises `StateError` if the duel is over or it is no state of the game.
        """
        state = self.ruleset.parse_state(state)
        table = self._look_for_table()
        if table is not None:
            try:
                if isinstance(table, Layers):
                    check_has_time()
                    table.ready(state, progress, announce)
                    return table.evaluate(state)
                return evaluate_extended(table, state, can_wait=can_wait, announce=announce)
            except StateError:
                pass  # a state that the game cannot reach is in no table, and can be searched
            except RecordError as error:
                log.warning("%s; searching instead", error)
                reject(table)
                self._table = None
        check_has_time()
        budget = self.budget_ms if budget_ms is None else budget_ms
        found = search(self.ruleset, state, budget_ms=budget, announce=announce)
        if with_chances:
            found = replace(
                found, decided=chance_decided(self.ruleset, state, found, budget_ms=budget)
            )
        return found

    def pair_value(self, state: Any, red: int, blue: int, *, look_on: int = LOOK_ON) -> float:
        """What two choices in a state are worth to red; a search looks so many rounds on."""
        table = self._table
        if table is not None:
            with suppress(StateError):
                return table.pair_value(state, red, blue)
        return mean_worth(
            self.ruleset, state, red, blue, lambda after: self.value(after, look_on=look_on)
        )

    def value(self, state: Any, *, look_on: int = LOOK_ON, budget_ms: float | None = None) -> float:
        """What an undecided state of the game's own kind is worth to red; a search looks so many
        rounds ahead, or as far as the budget lasts.
        """
        table = self._table
        if table is not None:
            with suppress(StateError):
                return table.value(state)
        return search(self.ruleset, state, depth=look_on, budget_ms=budget_ms).value

    def _look_for_table(self) -> SolvedTable | None:
        """The table, which may have been built since the last question."""
        table = self._table
        if table is None:
            table = self._table = find_table(self.ruleset)
        return table


def evaluate_extended(
    table: Tablebase, state: Any, *, can_wait: bool, announce: Announce
) -> Evaluation:
    """The state by a table, which is extended by it if need be and that is quick enough. Raises
    `StateError` if not.
    """
    try:
        return table.evaluate(state)
    except StateError:
        table.ruleset.check_undecided(state)
        check_has_time()
        if not extend(table, state, can_wait=can_wait, announce=announce):
            raise
        return table.evaluate(state)


_oracles: dict[Path, Oracle] = {}
_lock = Lock()


def oracle_of(ruleset: str | Ruleset, *, build: bool = True) -> Oracle:
    """The oracle of the ruleset that everyone in this process shares, whatever thread asks. With
    `build`, a missing table is built in the background.
    """
    ruleset = as_ruleset(ruleset)
    path = table_path(ruleset)
    with _lock:
        oracle = _oracles.get(path)
        if oracle is None:
            oracle = _oracles[path] = Oracle(ruleset, build=False)
    if build:
        oracle.build_in_background()
    return oracle
