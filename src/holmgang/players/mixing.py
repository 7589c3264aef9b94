"""Players that ask for the best mix and draw from it."""

from collections.abc import Callable
from typing import Any

from holmgang.engine.course import Course
from holmgang.engine.keys import draw
from holmgang.engine.mix import sample
from holmgang.games.contract import RED
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import Evaluation

Ask = Callable[[Ruleset, Any], Evaluation]
"""Tells what is known of a state."""
WORSE = 1e-6  # by so much less than a draw, a draw is taken


class MixingPlayer:
    """Draws from the key of its seat, so with the same mixes it makes the same choices."""

    def __init__(self, name: str, ask: Ask, seat: int, key: int) -> None:
        self.name = name
        self._ask = ask
        self._seat, self._key = seat, key

    def choose(self, course: Course) -> int:
        evaluation = self._ask(course.ruleset, course.position.state)
        mix = evaluation.red if self._seat == RED else evaluation.blue
        return sample(mix, draw(self._key, course.round))

    def accepts_draw(self, course: Course) -> bool:
        """If it stands worse than a draw."""
        value = self._ask(course.ruleset, course.position.state).value
        return (value if self._seat == RED else -value) < -WORSE
