"""The best evaluation of any state of a ruleset: from a table if there is one, or by search.

A missing table that is small enough is built in the background; without a table, the oracle
searches. `oracle_of` shares one oracle per ruleset in the process.
"""

import logging
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock

from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Notify
from holmgang.errors import RecordError, StateError
from holmgang.games.contract import State
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

LOOK_ON = 2  # rounds searched after a pair of choices

log = logging.getLogger(__name__)


class Oracle:
    """Evaluates the states of one ruleset; it may be used by several threads.

    >>> oracle = Oracle("magic-duel", build=False)
    >>> oracle.evaluate(budget_ms=20).is_exact
    True
    """

    def __init__(
        self, ruleset: str | Ruleset, *, budget_ms: float = 1000.0, build: bool = True
    ) -> None:
        """`budget_ms` is the default time of a search. With `build`, a missing table is built in
        the background.
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
        """Whether the table consists of layers, which evaluate pairs of choices in a state much
        faster than its successors.
        """
        return isinstance(self._look_for_table(), Layers)

    @property
    def is_preparing(self) -> bool:
        """Whether searches are slow because they are not compiled yet, and there is no table."""
        return self._table is None and is_preparing(self.ruleset)

    def evaluate(
        self,
        state: object = None,
        *,
        budget_ms: float | None = None,
        with_chances: bool = True,
        can_wait: bool = False,
        announce: Announce = silent,
        progress: Notify = lambda said: None,
    ) -> Evaluation:
        """Evaluates an undecided state, given as the game's own, as JSON or as short text (default:
        the start). `with_chances` makes a search find the chances of a win, a draw and a loss,
        which may double its time. A state outside the table is solved if that is quick, or with
        `can_wait` if it takes some seconds. `progress` is called if it takes long.

        Raises `StateError` if the duel is over or the game has no such state.
        """
        parsed = self.ruleset.parse_state(state)
        table = self._look_for_table()
        if table is not None:
            try:
                if isinstance(table, Layers):
                    check_has_time()
                    table.ready(parsed, progress, announce)
                    return table.evaluate(parsed)
                return evaluate_extended(table, parsed, can_wait=can_wait, announce=announce)
            except StateError:
                pass  # not in the table, since the game cannot reach it
            except RecordError as error:
                log.warning("%s; searching instead", error)
                reject(table)
                self._table = None
        check_has_time()
        budget = self.budget_ms if budget_ms is None else budget_ms
        found = search(self.ruleset, parsed, budget_ms=budget, announce=announce)
        if with_chances:
            found = replace(
                found, decided=chance_decided(self.ruleset, parsed, found, budget_ms=budget)
            )
        return found

    def pair_value(self, state: State, red: int, blue: int, *, look_on: int = LOOK_ON) -> float:
        """The expected value of two choices; a search looks `look_on` rounds beyond them."""
        table = self._table
        if table is not None:
            with suppress(StateError):
                return table.pair_value(state, red, blue)
        return mean_worth(
            self.ruleset, state, red, blue, lambda after: self.value(after, look_on=look_on)
        )

    def table_value(self, state: State, red: int, blue: int) -> float:
        """The value of two choices in the table. Raises `StateError` if no table has it."""
        table = self._look_for_table()
        if table is None:
            raise StateError(f"there is no table of {self.ruleset.text}")
        return table.pair_value(state, red, blue)

    def value(
        self, state: State, *, look_on: int = LOOK_ON, budget_ms: float | None = None
    ) -> float:
        """The value of an undecided state; `look_on` and `budget_ms` limit a search."""
        table = self._table
        if table is not None:
            with suppress(StateError):
                return table.value(state)
        return search(self.ruleset, state, depth=look_on, budget_ms=budget_ms).value

    def _look_for_table(self) -> SolvedTable | None:
        """The table, which may have been built since the last call."""
        table = self._table
        if table is None:
            table = self._table = find_table(self.ruleset)
        return table


def evaluate_extended(
    table: Tablebase, state: State, *, can_wait: bool, announce: Announce
) -> Evaluation:
    """Evaluates a state with a table. A state outside the table is added to it if that is quick
    enough; otherwise raises `StateError`.
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
    """The oracle of the ruleset that all threads of this process share. With `build`, a missing
    table is built in the background.
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
