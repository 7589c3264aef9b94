"""The graded levels, `beginner` to `hard`: they make mistakes as people do.

A level knows the value of each pair of choices, from the table or from a short look-ahead. It makes
a choice less often the more it costs (`solver/quantal.py`), so small mistakes are common and
blunders rare. Its temperature sets the size of its mistakes; see `ladder.py`.

The better levels also notice what their opponent repeats in this duel. They predict its next choice
from its equilibrium mix and from its earlier choices, weighted by how well each has predicted so
far, and respond to that with mistakes of the same size. Against an opponent who repeats nothing
this changes nothing, so that no level does better against a weak opponent than `perfect` does.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from operator import ge
from typing import NamedTuple

from holmgang.engine.course import Course
from holmgang.engine.keys import draw
from holmgang.engine.mix import sample
from holmgang.errors import StateError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.players.habits import Repetitions
from holmgang.players.ladder import Grade, grade_of
from holmgang.players.mixing import Evaluate, MixingPlayer, OracleOf
from holmgang.solver.evaluation import ByChoice, Evaluation, mean_worth
from holmgang.solver.oracle import Oracle
from holmgang.solver.quantal import QuantalMixes, answer, solve_quantal
from holmgang.solver.search import no_estimate
from holmgang.solver.search.dispatch import search, takes_turns
from holmgang.solver.search.preparing import is_native
from holmgang.solver.search.simultaneous import search_pairs

DEPTH = 2  # look-ahead in rounds if there is no table,
MOST_LINES = 50_000  # one round more if no more sequences of pairs of choices than this,
MOST_MS = 300.0  # and its time limit, which an uncompiled search may reach
USELESS = 0.1  # factor on the probability of a dominated choice
PRIOR = (0.4, 0.4, 0.1, 0.1)  # prior probability of each kind of opponent; see `Habits`


def short_look_ahead(oracle_of: OracleOf) -> Evaluate:
    """Evaluates states with the table if there is one, otherwise by a short look-ahead."""

    def evaluate(ruleset: Ruleset, state: State) -> Evaluation:
        oracle = oracle_of(ruleset)
        if oracle.has_table:
            return oracle.evaluate(state, budget_ms=MOST_MS, with_chances=False)
        return search(ruleset, state, depth=depth_in(ruleset, state), budget_ms=MOST_MS)

    return evaluate


def depth_in(ruleset: Ruleset, state: State) -> int:
    """The rounds of a look-ahead: the fewer choices there are, the further it sees. This depends on
    the state only, not on the machine.
    """
    red, blue = (max(1, len(ruleset.choices(state, seat))) for seat in (RED, BLUE))
    return DEPTH + 1 if (red * blue) ** (DEPTH + 1) <= MOST_LINES else DEPTH


class PairValues(NamedTuple):
    """The value of each pair of choices to red, with a row for each choice of red. A seat that has
    nothing to choose has a single row or column.
    """

    matrix: list[list[float]]
    is_exact: bool

    def mixes(self, grade: Grade) -> QuantalMixes:
        """The mixes of both seats. If the values are only estimates, nobody stakes the duel on
        them, and dominated choices are rare, however little they seem to cost.
        """
        mixes = solve_quantal(
            self.matrix, grade.temperature, grade.slips, is_cautious=not self.is_exact
        )
        if self.is_exact or min(len(self.matrix), len(self.matrix[0])) == 1:
            return mixes
        red, blue = (
            seldom_useless(mix, self.of_seat(seat))
            for seat, mix in zip((RED, BLUE), mixes.both, strict=True)
        )
        return mixes._replace(row=red, column=blue)

    def of_seat(self, seat: int) -> list[list[float]]:
        """The same values to a seat, with a row for each of its own choices."""
        if seat == RED:
            return self.matrix
        return [[-value for value in column] for column in zip(*self.matrix, strict=True)]


def pair_values(oracle: Oracle, state: State) -> PairValues:
    """The values from the table or, if there is none, from a look-ahead of two or three rounds (one
    until the search is compiled). Where the seats take turns, a level sees only the immediate
    effect of its choice: with a longer look-ahead it would only defend.
    """
    ruleset = oracle.ruleset
    reds, blues = (ruleset.choices(state, seat) or [NO_CHOICE] for seat in (RED, BLUE))
    if oracle.has_table:
        with suppress(StateError):  # not in the table, since the game cannot reach it
            return PairValues(
                [[oracle.table_value(state, red, blue) for blue in blues] for red in reds], True
            )
    estimate = ruleset.game.estimate or no_estimate
    if not takes_turns(ruleset) and is_native(ruleset):
        matrix = search_pairs(ruleset, state, depth=depth_in(ruleset, state), budget_ms=MOST_MS)
        if any(value != matrix[0][0] for row in matrix for value in row):
            return PairValues(matrix, False)
        estimate = no_estimate  # all choices lead to the same result, but nobody gives up
    look = partial(estimate.estimate, ruleset.rules)
    return PairValues(
        [[mean_worth(ruleset, state, red, blue, look) for blue in blues] for red in reds], False
    )


def seldom_useless(mix: list[float], payments: list[list[float]]) -> list[float]:
    """The mix with smaller shares of dominated choices (another choice is at least as good against
    every reply), and without choices that end the duel in a draw: nobody gives up. Slips are
    unchanged.

    >>> seldom_useless([0.5, 0.5], [[0.2, 0.3], [0.1, 0.3]])
    [0.9090909090909091, 0.09090909090909091]
    """
    is_open = any(0.0 < abs(payment) < 1.0 for row in payments for payment in row)

    def weight(row: list[float]) -> float:
        if is_open and not any(row):
            return 0.0
        is_beaten = any(all(map(ge, other, row)) and other != row for other in payments)
        return USELESS if is_beaten and max(row) > -1.0 else 1.0

    weights = [share * weight(row) for share, row in zip(mix, payments, strict=True)]
    total = sum(weights)
    return [weight / total for weight in weights] if total else mix


def timid(ruleset: Ruleset, state: State, seat: int, mix: list[float], grade: Grade) -> list[float]:
    """The mix with a larger share of timid choices, set by the grade, in the same proportions."""
    is_timid = ruleset.game.is_timid
    if is_timid is None or not grade.timidity:
        return mix
    menu = ruleset.choices(state, seat)
    timid = [
        share if is_timid(ruleset.rules, state, seat, choice) else 0.0
        for choice, share in zip(menu, mix, strict=True)
    ]
    total = sum(timid)
    if not total:
        return mix
    often = grade.timidity
    return [
        (1 - often) * share + often * each / total for share, each in zip(mix, timid, strict=True)
    ]


MixesOf = Callable[[State, Grade], tuple[PairValues, QuantalMixes]]
"""The values of pairs of choices in a state, and the mixes of both seats at this grade."""


class GradedMind:
    """A graded level in one seat of one duel, with the repetitions noticed so far."""

    def __init__(self, ruleset: Ruleset, grade: Grade, seat: int, mixes_of: MixesOf) -> None:
        self.ruleset, self.grade, self.seat = ruleset, grade, seat
        self._mixes_of = mixes_of
        self._habits = Repetitions(PRIOR)

    def mix(self, state: State, rounds: int) -> ByChoice:
        """The probability of each choice after this number of rounds."""
        grade = self.grade.after(rounds, self.ruleset.entry.round_limit)
        values, mixes = self._mixes_of(state, grade)
        menu = self.ruleset.choices(state, self.seat)
        mine, theirs = mixes.both[self.seat], mixes.both[1 - self.seat]
        if grade.notices and len(theirs) > 1:
            others = self.ruleset.choices(state, 1 - self.seat)
            guess = self._habits.guess(dict(zip(others, theirs, strict=True)))
            change = [guess[other] - share for other, share in zip(others, theirs, strict=True)]
            scale = grade.temperature * mixes.stake
            mine = answer(values.of_seat(self.seat), mine, change, scale)
        return dict(zip(menu, timid(self.ruleset, state, self.seat, mine, grade), strict=True))

    def note(self, state: State, choice: int) -> None:
        """Learns from a choice of the opponent in a state in which both chose."""
        if self.grade.notices:
            _, mixes = self._mixes_of(state, self.grade)
            others = self.ruleset.choices(state, 1 - self.seat)
            self._habits.note(choice, dict(zip(others, mixes.both[1 - self.seat], strict=True)))


class GradedPlayer(MixingPlayer):
    """Draws from the mix of its level."""

    def __init__(self, name: str, oracle_of: OracleOf, seat: int, key: int) -> None:
        super().__init__(name, short_look_ahead(oracle_of), seat, key)
        self._oracle_of = oracle_of
        self._mind: GradedMind | None = None
        self._rounds_noted = 0
        self._last: tuple[State, Grade, PairValues, QuantalMixes] | None = None

    def choose(self, course: Course) -> int:
        ruleset = course.ruleset
        if self._mind is None:
            mixes_of = partial(self._mixes_of, self._oracle_of(ruleset))
            self._mind = GradedMind(ruleset, grade_of(self.name, ruleset), self._seat, mixes_of)
        for step in course.steps[self._rounds_noted :]:  # all of them if a match is resumed
            if all(step.before.choices):
                self._mind.note(step.before.state, step.choice(1 - self._seat))
        self._rounds_noted = len(course.steps)
        mix = self._mind.mix(course.position.state, course.round - 1)
        return sample(mix, draw(self._key, course.round))

    def _mixes_of(
        self, oracle: Oracle, state: State, grade: Grade
    ) -> tuple[PairValues, QuantalMixes]:
        """The values and mixes of a state. The last result is cached, because the level learns from
        the same state after the round.
        """
        if self._last is None or self._last[:2] != (state, grade):
            values = pair_values(oracle, state)
            self._last = state, grade, values, values.mixes(grade)
        return self._last[2:]
