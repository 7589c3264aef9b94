"""One position: its value, both mixes, what each choice is worth and costs, all pairs of choices.

`assess` is for a single position; an `Assessor` assesses many of one ruleset.
"""

import time
from dataclasses import dataclass, replace

from holmgang.analysis.matrix_game import MatrixGame, Payoffs, RoundSolution, Values
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Notify, quiet
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import JsonObject
from holmgang.solver.evaluation import EXACT, Evaluation, Source, in_words
from holmgang.solver.oracle import LOOK_ON, Oracle, oracle_of

POSITION_MS = 1000.0  # of a search; tables need none
LOOKING = 0.4  # the part of it in which the position is searched as a whole
GROWTH = 6.0  # how much longer it takes, at least, to look one round further
MOST_SEARCHED = 400  # pairs of choices whose worth is searched for a whole matrix


@dataclass(frozen=True)
class Assessment:
    """An undecided position with its value, mixes and costs. All values are to red."""

    ruleset: Ruleset
    state: State
    evaluation: Evaluation
    game: MatrixGame
    solution: RoundSolution
    depth: int
    """Number of rounds that a search looked ahead; 0 if the values are from a table."""

    @property
    def value(self) -> float:
        return self.solution.value

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven. The worths of choices may still be estimates."""
        return self.evaluation.is_exact and abs(self.value - self.evaluation.value) < EXACT

    @property
    def has_exact_worths(self) -> bool:
        """Whether the worths, costs and pairs of all choices are exact."""
        return self.is_exact and self.evaluation.has_exact_worths

    @property
    def source(self) -> Source:
        return self.evaluation.source if self.is_exact else Source.SEARCH

    @property
    def payoffs(self) -> Payoffs | None:
        """The value of every pair of choices; None if searching for them would take too long."""
        reds, blues = map(len, self.game.menus)
        return None if self.depth and reds * blues > MOST_SEARCHED else self.game.payoffs()

    def as_json(self, *, with_matrix: bool = True) -> JsonObject:
        """The assessment as JSON, with choices as words. `cost` is what each choice loses for its
        own side. Without a table, the matrix of all pairs may take another search of this length.
        """
        ruleset, found, solution = self.ruleset, self.evaluation, self.solution
        payoffs = self.payoffs if with_matrix else None
        return {
            "ruleset": ruleset.text,
            "state": ruleset.format_state(self.state),
            "text": ruleset.format_text(self.state),
            "value": self.value,
            **{name: getattr(found, name) for name in ("win", "draw", "loss", "low", "high")},
            "exact": self.is_exact,
            "worths_exact": self.has_exact_worths,
            "source": self.source.value,
            "depth": self.depth,
            "red_mix": in_words(ruleset, solution.red),
            "blue_mix": in_words(ruleset, solution.blue),
            "worth": {
                seat: in_words(ruleset, solution.worths[number])
                for number, seat in enumerate(SEATS)
            },
            "cost": {
                seat: in_words(ruleset, solution.costs(number)) for number, seat in enumerate(SEATS)
            },
            "matrix": None
            if payoffs is None
            else {
                "red": [ruleset.word_or_none(choice) for choice in payoffs.reds],
                "blue": [ruleset.word_or_none(choice) for choice in payoffs.blues],
                "values": payoffs.values,
            },
        }


def assess(
    ruleset: str | Ruleset,
    state: object = None,
    *,
    budget_ms: float | None = None,
    can_wait: bool = False,
    progress: Notify = quiet,
    announce: Announce = silent,
) -> Assessment:
    """Assesses an undecided state, given as the game's own, as JSON or as short text (default: the
    start). Without a table it is searched, for a second or `budget_ms`, and all values are
    estimates unless the search proves them. No table is built. A state outside of the table is
    solved if that is quick, or with `can_wait` if it takes some seconds.

    Raises `StateError` if the duel is over or the state is not one of the game.

    >>> found = assess("magic-duel", budget_ms=20)
    >>> found.as_json()["cost"]["blue"]
    {}
    """
    ruleset = as_ruleset(ruleset)
    assessor = Assessor(oracle_of(ruleset, build=False), budget_ms=budget_ms or POSITION_MS)
    return assessor.assess(
        ruleset.parse_state(state),
        with_chances=True,
        can_wait=can_wait,
        progress=progress,
        announce=announce,
    )


class Assessor:
    """Assesses positions of one ruleset."""

    def __init__(self, oracle: Oracle, *, budget_ms: float = POSITION_MS) -> None:
        """`budget_ms` is the approximate search time per position."""
        self.oracle, self.ruleset = oracle, oracle.ruleset
        self.budget_ms = budget_ms
        self.known: dict[State, float] = {}
        """Values of states that replace the oracle's wherever these may come next."""
        self._evaluations: dict[State, Evaluation] = {}
        self._values: dict[int, Values] = {}

    def evaluate(
        self,
        state: State,
        *,
        with_chances: bool = False,
        can_wait: bool = False,
        progress: Notify = quiet,
        announce: Announce = silent,
    ) -> Evaluation:
        """The oracle's evaluation of an undecided state, cached."""
        found = self._evaluations.get(state)
        if found is None:
            found = self._evaluations[state] = self.oracle.evaluate(
                state,
                budget_ms=self.budget_ms * LOOKING,
                with_chances=with_chances,
                can_wait=can_wait,
                announce=announce,
                progress=progress,
            )
        return found

    def limit(self, state: State, low: float, high: float) -> None:
        """Stores proven bounds of a state's value, derived from the state before it."""
        found = self.evaluate(state)
        low, high = max(low, found.low), min(high, found.high)
        if (low, high) != (found.low, found.high):
            value = min(high, max(low, found.value))
            source = Source.PROOF if high - low < EXACT else found.source
            found = replace(found, value=value, low=low, high=high, source=source)
            self._evaluations[state] = found

    def assess(
        self,
        state: State,
        made: tuple[int, int] = (NO_CHOICE, NO_CHOICE),
        *,
        with_chances: bool = False,
        can_wait: bool = False,
        progress: Notify = quiet,
        announce: Announce = silent,
    ) -> Assessment:
        """Assesses an undecided state, including choices that were `made` but are not on its menus.
        `with_chances`, a search takes up to as long again for the chance of a draw.
        """
        evaluation = self.evaluate(
            state,
            with_chances=with_chances,
            can_wait=can_wait,
            progress=progress,
            announce=announce,
        )
        if evaluation.source in (Source.TABLE, Source.LAYERS):
            game = MatrixGame(self._at(0), state, evaluation, made)
            solution, depth = game.solve(), 0
        elif evaluation.is_exact:
            # A proof that looked this far ahead says nothing about choices searched less deeply.
            values = self._at(max(LOOK_ON, evaluation.depth - 1))
            game = MatrixGame(values, state, evaluation, made)
            pairs = len(game.menus[RED]) * len(game.menus[BLUE])
            values.budget_ms = self.budget_ms * (1 - LOOKING) / pairs
            solution, depth = game.solve(), evaluation.depth
        else:
            game, solution, depth = self._look_on(state, evaluation, made)
        return Assessment(self.ruleset, state, evaluation, game, solution, depth)

    def _look_on(
        self, state: State, evaluation: Evaluation, made: tuple[int, int]
    ) -> tuple[MatrixGame, RoundSolution, int]:
        """Solves the round by searching from each pair of choices, deeper while time is left."""
        started = time.perf_counter()
        until = started + self.budget_ms * (1 - LOOKING) / 1000
        look_on, took = 0, 0.0
        while True:
            look_on += 1
            game = MatrixGame(self._at(look_on), state, evaluation, made)
            solution = game.solve()
            now = time.perf_counter()
            growth = max(GROWTH, (now - started) / took if took else 0.0)
            started, took = now, now - started
            if now + growth * took > until or look_on + 1 >= evaluation.depth:
                return game, solution, look_on + 1

    def _at(self, look_on: int) -> Values:
        """Values of pairs by searching to this depth; 0 for the values of a table."""
        values = self._values.get(look_on)
        if values is None:
            values = self._values[look_on] = Values(
                self.oracle, self.known, look_on=look_on or LOOK_ON
            )
        return values
