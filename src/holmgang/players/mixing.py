"""Players that draw their choices from the best known mix."""

from collections.abc import Callable

from holmgang.engine.course import Course
from holmgang.engine.keys import draw
from holmgang.engine.mix import sample
from holmgang.games.contract import RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.oracle import Oracle

Evaluate = Callable[[Ruleset, State], Evaluation]
"""Evaluates a state."""
OracleOf = Callable[[Ruleset], Oracle]
WORSE = 1e-6  # a draw is accepted if the position is worse than a draw by more than this


class MixingPlayer:
    """Draws with the key of its seat, so that the same mixes give the same choices."""

    def __init__(self, name: str, evaluate: Evaluate, seat: int, key: int) -> None:
        self.name = name
        self._evaluate = evaluate
        self._seat, self._key = seat, key

    def choose(self, course: Course) -> int:
        evaluation = self._evaluate(course.ruleset, course.position.state)
        mix = evaluation.red if self._seat == RED else evaluation.blue
        return sample(mix, draw(self._key, course.round))

    def accepts_draw(self, course: Course) -> bool:
        """Whether its position is worse than a draw."""
        value = self._evaluate(course.ruleset, course.position.state).value
        return (value if self._seat == RED else -value) < -WORSE
