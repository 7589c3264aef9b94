"""`analyse`: the analysis of a whole duel, round by round from its end back to its start.

Each round is solved with the value already found for the state after it. So the parts of all rounds
add up exactly to the change of value over the duel, and a round without dice has no luck of the
dice, even where values are estimates.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from msgspec import to_builtins

from holmgang.analysis.grade import RoundGrade, grade
from holmgang.analysis.position import LOOKING, Assessment, Assessor
from holmgang.analysis.words import summarise, turning_points
from holmgang.engine import record as records
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.course import Course, Step
from holmgang.engine.duel import Duel
from holmgang.engine.frames import names_of
from holmgang.engine.progress import Notify, Progress, quiet
from holmgang.engine.record import Record
from holmgang.games.contract import NO_CHOICE, SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject
from holmgang.solver.evaluation import Source
from holmgang.solver.oracle import oracle_of
from holmgang.solver.search.dispatch import takes_turns
from holmgang.wire.study import AnalysedTurn

ANALYSIS_MS = 6000.0  # for all searches of a duel together
LEAST_MS, MOST_MS = 5.0, 500.0  # for one position of it
GRADE_PARTS = ("red_error", "blue_error", "meeting_luck", "dice_luck")
RESULTS = {"red": 1.0, "blue": -1.0, None: 0.0}

Chances = tuple[float | None, float | None, float | None]
"""Of a win, a draw and a loss for red."""


@dataclass(frozen=True)
class Analysis:
    """An analysed duel. All values are to red, from −1 to 1."""

    ruleset: Ruleset
    players: dict[str, str]
    rounds: list[RoundGrade]
    chances: list[Chances]
    """After each round; None where they are not known."""
    start_value: float
    end_value: float
    """Of the state that was reached last."""
    is_end_exact: bool
    outcome: Outcome | None
    is_exact: bool
    """Whether every value is exact; otherwise some are estimates."""
    source: Source
    """The weakest there was."""
    depth: int
    """The fewest rounds that an estimate looked ahead; 0 if all is exact."""
    course: Course

    @property
    def result(self) -> float | None:
        """The value of the outcome to red; None if the duel is unfinished or was abandoned."""
        if self.outcome is None or self.outcome.reason == "abandoned":
            return None
        return RESULTS[self.outcome.winner]

    @property
    def ending(self) -> float:
        """What red gained because the duel ended outside the rules, for example by a forfeit: the
        result minus the value of the last state. 0 for a duel that ended by the rules or has no
        result.
        """
        return 0.0 if self.result is None else self.result - self.end_value

    @property
    def totals(self) -> dict[str, float]:
        """The sum of each part over all rounds, and the ending."""
        sums = {part: sum(getattr(each, part) for each in self.rounds) for part in GRADE_PARTS}
        return {**sums, "ending": self.ending}

    @property
    def has_exact_errors(self) -> bool:
        return all(each.has_exact_errors for each in self.rounds)

    @property
    def has_exact_worths(self) -> bool:
        return all(each.before.has_exact_worths for each in self.rounds)

    def accuracy(self, seat: int) -> float | None:
        """The share of what a side could have lost by its choices that it did not lose, in percent:
        100 without any error, 0 for the worst choice in every round. None where worths of choices
        are estimates.
        """
        if not self.has_exact_worths:
            return None
        stake = sum(each.stake(seat) for each in self.rounds)
        lost = sum(each.error(seat) for each in self.rounds)
        return 100.0 if stake < 1e-6 else max(0.0, min(100.0, 100 * (1 - lost / stake)))

    @cached_property
    def turning_points(self) -> list[AnalysedTurn]:
        """The marked errors in the order of play, in words."""
        return turning_points(self.rounds, self.players)

    @property
    def summary(self) -> list[str]:
        """Three sentences: the skill of both, the luck, the turning point."""
        return summarise(self)

    def as_json(self) -> JsonObject:
        return {
            "ruleset": self.ruleset.text,
            "title": self.ruleset.entry.title,
            "players": self.players,
            "exact": self.is_exact,
            "errors_exact": self.has_exact_errors,
            "source": self.source.value,
            "depth": self.depth,
            "start_value": self.start_value,
            "end_value": self.end_value,
            "result": self.result,
            "reason": None if self.outcome is None else self.outcome.reason,
            "accuracy": {seat: self.accuracy(number) for number, seat in enumerate(SEATS)},
            "summary": self.summary,
            "turning_points": to_builtins(self.turning_points),
            "rounds": [
                {
                    "round": number,
                    **graded.as_json(),
                    **dict(zip(("win", "draw", "loss"), chances, strict=True)),
                    "depth": graded.before.depth,
                }
                for number, (graded, chances) in enumerate(
                    zip(self.rounds, self.chances, strict=True), start=1
                )
            ],
            "totals": self.totals,
        }


def analyse(
    record: str | Path | Record | Duel | Course,
    *,
    players: Mapping[str, str] | None = None,
    budget_ms: float = ANALYSIS_MS,
    progress: Progress = lambda done: None,
    notify: Notify = quiet,
    announce: Announce = silent,
) -> Analysis:
    """Analyses a duel, finished or not, given as a record, the path of a record, or a `Duel`.
    Values come from a table if there is one, otherwise from searches that share `budget_ms`; no
    table is built. `progress` is called with the number of analysed rounds, `notify` with the
    reason for a delay.

    Raises `RecordError` or `ReplayError` for an invalid record.
    """
    if isinstance(record, str | Path):
        record = records.read(record)
    names = {seat: seat.capitalize() for seat in SEATS}
    if isinstance(record, Record):
        names = {
            seat: name if name != seat else name.capitalize()
            for seat, name in names_of(record).items()
        }
        record = records.replay(record)
    course = record.course if isinstance(record, Duel) else record
    return analyse_course(
        course,
        {**names, **(players or {})},
        budget_ms=budget_ms,
        progress=progress,
        notify=notify,
        announce=announce,
    )


def analyse_course(
    course: Course,
    players: dict[str, str],
    *,
    budget_ms: float,
    progress: Progress,
    notify: Notify,
    announce: Announce,
) -> Analysis:
    ruleset, steps = course.ruleset, course.steps
    assessor = Assessor(oracle_of(ruleset, build=False))
    AnalysisPace(assessor, budget_ms).set(len(steps) + 1)
    if steps:  # before the clock starts, since the first search may have to be compiled
        assessor.evaluate(steps[0].before.state, progress=notify, announce=announce)
    pace = AnalysisPace(assessor, budget_ms)
    ask = partial(assessor.assess, progress=notify, announce=announce)
    if takes_turns(ruleset):
        follow_proofs(assessor, steps, pace)
    last = course.position.state
    end_value = ruleset.utility(last)
    pace.set(len(steps) + 1)
    end = after = ask(last) if end_value is None else None
    if end is not None:
        end_value = assessor.known[last] = end.value
    assert end_value is not None  # noqa: S101 - of the rules, or assessed
    value, found = end_value, [] if end is None else [end]
    grades: list[RoundGrade] = []
    chances: list[Chances] = []
    for done, step in enumerate(reversed(steps), start=1):
        chances.append(chances_of(value, after))
        state = step.before.state
        pace.set(len(steps) - done + 1)
        before = ask(state, (step.red, step.blue))
        grades.append(grade(before, step.red, step.blue, value, after))
        value, after = before.value, before
        assessor.known[state] = value
        found.append(before)
        progress(done)
    return Analysis(
        ruleset,
        players,
        grades[::-1],
        chances[::-1],
        start_value=value,
        end_value=end_value,
        is_end_exact=end is None or end.is_exact,
        outcome=course.outcome,
        is_exact=all(each.is_exact for each in found),
        source=max((each.source for each in found), key=list(Source).index, default=Source.PROOF),
        depth=min((each.depth for each in found if not each.is_exact), default=0),
        course=course,
    )


class AnalysisPace:
    """Shares the time of an analysis among the positions that are left."""

    def __init__(self, assessor: Assessor, budget_ms: float) -> None:
        self._assessor, self._until = assessor, time.perf_counter() + budget_ms / 1000

    def set(self, left: float) -> None:
        """Sets the number of positions that are left."""
        budget_ms = 1000 * (self._until - time.perf_counter()) / left
        self._assessor.budget_ms = min(MOST_MS, max(LEAST_MS, budget_ms))


def follow_proofs(assessor: Assessor, steps: Sequence[Step], pace: AnalysisPace) -> None:
    """Carries proven bounds from a state in which only one seat chooses to the state after it: that
    seat cannot have gained, and the choice that the proof is about keeps the value.
    """
    ruleset = assessor.ruleset
    for done, step in enumerate(steps):
        pace.set(len(steps) - done * LOOKING + 1)
        proven = assessor.evaluate(step.before.state)
        low, high = -1.0, 1.0
        if step.blue == NO_CHOICE:
            high = proven.high
            low = proven.low if proven.red.get(step.red, 0.0) > 0 else low
        elif step.red == NO_CHOICE:
            low = proven.low
            high = proven.high if proven.blue.get(step.blue, 0.0) > 0 else high
        if ruleset.utility(step.after.state) is None:
            assessor.limit(step.after.state, low, high)


def chances_of(value: float, assessed: Assessment | None) -> Chances:
    """The chances in a state with this value; the duel is over if it was not assessed."""
    if assessed is None:
        return float(value > 0), float(value == 0), float(value < 0)
    found = assessed.evaluation
    return found.win, found.draw, found.loss
