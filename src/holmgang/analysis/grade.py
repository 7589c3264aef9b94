"""The grade of one round: each side's error, the luck of the match-up and the luck of the dice.

With v(s) the value to red, X and Y the optimal mixes of red and blue, of which there may be many,
and M[i, j] the mean value after the choices i and j, for the choices r and b that were made and the
resulting state s':

    v(s') − v(s)  =  − red's error + blue's error + luck of the match-up + luck of the dice
    red's error   =  v(s) − the largest M[r, y], y in Y
    blue's error  =  the least M[x, b], x in X, − v(s)
    match-up      =  M[r, b] − v(s) + red's error − blue's error           dice =  v(s') − M[r, b]
"""

from dataclasses import dataclass

from holmgang.analysis.points import whole_points
from holmgang.analysis.position import POSITION_MS, Assessment, Assessor
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import JsonObject
from holmgang.solver.evaluation import in_words
from holmgang.solver.oracle import oracle_of

MARKS = ((15, "??"), (10, "?"), (5, "?!"))
"""Smallest error of each mark, in whole points: blunder, mistake, inaccuracy."""


def mark_of(error: float) -> str | None:
    """The mark of an error, as in chess; None if it is too small for one. It depends on the whole
    points that sentences print.

    >>> mark_of(0.25), mark_of(0.05)
    ('?', None)
    """
    return next((mark for least, mark in MARKS if whole_points(error) >= least), None)


@dataclass(frozen=True)
class RoundGrade:
    """One graded round. Values and luck are to red; an error is what its own side lost."""

    before: Assessment
    red: int
    blue: int
    value_after: float
    red_error: float
    blue_error: float
    meeting_luck: float
    dice_luck: float
    proven_errors: tuple[float, float]
    """The least that each error can be, by proven bounds: the error itself where it is exact."""
    is_exact: bool
    """Whether the values before and after it are exact."""
    has_exact_errors: bool
    """Whether errors and luck are exact too."""

    @property
    def value_before(self) -> float:
        return self.before.value

    def choice(self, seat: int) -> int:
        return (self.red, self.blue)[seat]

    def error(self, seat: int) -> float:
        return (self.red_error, self.blue_error)[seat]

    def mark(self, seat: int) -> str | None:
        """The mark of an error that is proven; an estimate has none."""
        return mark_of(self.proven_errors[seat])

    def stake(self, seat: int) -> float:
        """The most that a side could have lost by its choice."""
        return max([0.0, *self.before.solution.costs(seat).values()])

    def as_json(self) -> JsonObject:
        ruleset, solution = self.before.ruleset, self.before.solution
        return {
            "red": ruleset.word_or_none(self.red),
            "blue": ruleset.word_or_none(self.blue),
            "value_before": self.value_before,
            "value_after": self.value_after,
            "red_error": self.red_error,
            "blue_error": self.blue_error,
            "meeting_luck": self.meeting_luck,
            "dice_luck": self.dice_luck,
            "red_mark": self.mark(RED),
            "blue_mark": self.mark(BLUE),
            "red_mix": in_words(ruleset, solution.red),
            "blue_mix": in_words(ruleset, solution.blue),
            "worth": {
                seat: in_words(ruleset, solution.worths[number])
                for number, seat in enumerate(SEATS)
            },
            "exact": self.is_exact,
            "errors_exact": self.has_exact_errors,
            "worths_exact": self.before.has_exact_worths,
        }


def grade(
    before: Assessment, red: int, blue: int, value_after: float, after: Assessment | None
) -> RoundGrade:
    """Grades the round in which these choices led from an assessed state to a state with this
    value. `after` is the assessment of the latter, None if the duel was over. `NO_CHOICE` stands
    for a seat that had nothing to choose.
    """
    solution, both = before.solution, before.game.entry(red, blue)
    red_error, blue_error = solution.cost(RED, red), solution.cost(BLUE, blue)
    is_exact = before.is_exact and (after is None or after.is_exact)
    is_certain = is_certain_step(before, red, blue)
    if before.has_exact_worths:
        proven_errors = red_error, blue_error
    elif is_certain:
        proven_errors = fallen(before, red, blue, value_after, after)
    else:
        proven_errors = 0.0, 0.0
    return RoundGrade(
        before,
        red,
        blue,
        value_after,
        red_error,
        blue_error,
        meeting_luck=both - before.value + red_error - blue_error,
        dice_luck=value_after - both,
        proven_errors=proven_errors,
        is_exact=is_exact,
        has_exact_errors=before.has_exact_worths or (is_exact and is_certain),
    )


def is_certain_step(before: Assessment, red: int, blue: int) -> bool:
    """Whether one seat alone decided which state came next."""
    is_alone = NO_CHOICE in (red, blue)
    return is_alone and before.ruleset.chance(before.state, red, blue) == 1


def fallen(
    before: Assessment, red: int, blue: int, value_after: float, after: Assessment | None
) -> tuple[float, float]:
    """The least errors by the proven bounds of the values before and after a certain step."""
    found = before.evaluation
    low, high = value_after, value_after
    if after is not None:
        low, high = after.evaluation.low, after.evaluation.high
    return (
        0.0 if red == NO_CHOICE else max(0.0, found.low - high),
        0.0 if blue == NO_CHOICE else max(0.0, low - found.high),
    )


def grade_round(
    ruleset: str | Ruleset,
    state: State,
    red: int,
    blue: int,
    after: State,
    *,
    budget_ms: float | None = None,
) -> RoundGrade:
    """Grades the round in which these choices led from one state to the other, both given as the
    game's own. Without a table both are searched, for a second or `budget_ms` in total.
    """
    ruleset = as_ruleset(ruleset)
    assessor = Assessor(oracle_of(ruleset, build=False), budget_ms=(budget_ms or POSITION_MS) / 2)
    value_after, assessed = ruleset.utility(after), None
    if value_after is None:
        assessed = assessor.assess(after)
        value_after = assessor.known[after] = assessed.value
    return grade(assessor.assess(state, (red, blue)), red, blue, value_after, assessed)
