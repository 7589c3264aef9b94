"""The graded levels, `beginner` to `hard`: they make mistakes as people do.

A level knows what each pair of choices is worth: from the table, or by a short look ahead. It makes
a choice less often the more it costs (`solver/quantal.py`), so small mistakes are common and
blunders rare. Its temperature says how large its mistakes are; see `ladder.py`.
"""

from contextlib import suppress
from typing import NamedTuple

from holmgang.engine.course import Course
from holmgang.engine.keys import draw
from holmgang.engine.mix import sample
from holmgang.errors import StateError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.players.ladder import Grade, grade_of
from holmgang.players.mixing import Evaluate, MixingPlayer, OracleOf
from holmgang.solver.evaluation import Evaluation, mean_worth
from holmgang.solver.oracle import Oracle
from holmgang.solver.quantal import QuantalMixes, solve_quantal
from holmgang.solver.search.dispatch import search, takes_turns
from holmgang.solver.search.pairs import estimated_pairs

DEPTH, DEPTH_IN_TURNS = 2, 2  # look-ahead in rounds without a table,
MOST_MS = 300.0  # and its time limit, which an uncompiled search may reach


def short_look_ahead(oracle_of: OracleOf) -> Evaluate:
    """Evaluates states with the table if there is one, otherwise by a short look-ahead."""

    def evaluate(ruleset: Ruleset, state: State) -> Evaluation:
        oracle = oracle_of(ruleset)
        if oracle.has_table:
            return oracle.evaluate(state, budget_ms=MOST_MS, with_chances=False)
        depth = DEPTH_IN_TURNS if takes_turns(ruleset) else DEPTH
        return search(ruleset, state, depth=depth, budget_ms=MOST_MS)

    return evaluate


class PairValues(NamedTuple):
    """What each pair of choices is worth to red, by red's choices. A seat that has nothing to
    choose has one row or column.
    """

    matrix: list[list[float]]
    is_exact: bool

    def mixes(self, grade: Grade) -> QuantalMixes:
        """The mixes of both seats. Nobody stakes the duel on an estimate."""
        return solve_quantal(
            self.matrix, grade.temperature, grade.slips, is_cautious=not self.is_exact
        )


def pair_values(oracle: Oracle, state: State) -> PairValues:
    ruleset = oracle.ruleset
    reds, blues = (ruleset.choices(state, seat) or [NO_CHOICE] for seat in (RED, BLUE))
    if oracle.has_table:
        with suppress(StateError):  # not in the table, since the game cannot reach it
            return PairValues(
                [[oracle.table_value(state, red, blue) for blue in blues] for red in reds], True
            )
    if not takes_turns(ruleset):
        return PairValues(estimated_pairs(ruleset, state, reds, blues), False)
    budget_ms = MOST_MS / (len(reds) * len(blues))

    def value_of(after: State) -> float:
        return search(ruleset, after, depth=DEPTH_IN_TURNS - 1, budget_ms=budget_ms).value

    return PairValues(
        [[mean_worth(ruleset, state, red, blue, value_of) for blue in blues] for red in reds], False
    )


class GradedPlayer(MixingPlayer):
    """Draws from the mix of its level."""

    def __init__(self, name: str, oracle_of: OracleOf, seat: int, key: int) -> None:
        super().__init__(name, short_look_ahead(oracle_of), seat, key)
        self._oracle_of = oracle_of

    def choose(self, course: Course) -> int:
        oracle = self._oracle_of(course.ruleset)
        state = course.position.state
        mixes = pair_values(oracle, state).mixes(grade_of(self.name, course.ruleset))
        mix = mixes.row if self._seat == RED else mixes.column
        menu = course.ruleset.choices(state, self._seat)
        return sample(dict(zip(menu, mix, strict=True)), draw(self._key, course.round))
