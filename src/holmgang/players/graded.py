"""The graded levels, `beginner` to `hard`: the best known choice, with occasional mistakes.

A level makes mistakes in a certain share of its choices, as beginners do: habits, such as guarding
for fear of being hit, or random choices. The habits and their frequency depend on the game: see
`ladder.py`.
"""

from collections.abc import Callable
from typing import Any

from holmgang.engine.course import Course
from holmgang.engine.keys import derive, draw, draw_below
from holmgang.engine.mix import sample
from holmgang.games.contract import RED
from holmgang.games.ruleset import Ruleset
from holmgang.players.ladder import mistakes_of
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.oracle import Oracle
from holmgang.solver.search.dispatch import search, takes_turns

DEPTH, DEPTH_IN_TURNS = 2, 4  # look-ahead in rounds without a table,
MOST_MS = 300.0  # and its time limit, which an uncompiled search may reach
WORSE = 1e-6  # tolerance: a position this much worse than a draw accepts one


class GradedPlayer:
    """Draws with the key of its seat, so that the same mixes give the same choices."""

    def __init__(
        self, name: str, oracle_of: Callable[[Ruleset], Oracle], seat: int, key: int
    ) -> None:
        self.name = name
        self._oracle_of = oracle_of
        self._seat, self._key = seat, key
        self._errs, self._any = derive(key, "errs"), derive(key, "any")

    def choose(self, course: Course) -> int:
        mistakes, number = mistakes_of(self.name, course.ruleset), course.round
        right = max(0.0, 1 - sum(mistakes.values()))
        mistake = sample({None: right, **mistakes}, draw(self._errs, number))
        if mistake is not None:
            menu = course.position.menus[self._seat].choices
            if mistake in menu:
                return menu[mistake]
            return list(menu.values())[draw_below(self._any, number, len(menu))]
        best = self._best(course.ruleset, course.position.state)
        return sample(best.red if self._seat == RED else best.blue, draw(self._key, number))

    def accepts_draw(self, course: Course) -> bool:
        """Whether its position is worse than a draw."""
        value = self._best(course.ruleset, course.position.state).value
        return (value if self._seat == RED else -value) < -WORSE

    def _best(self, ruleset: Ruleset, state: Any) -> Evaluation:
        """The best mix, from the table if there is one, otherwise by a short look-ahead."""
        oracle = self._oracle_of(ruleset)
        if oracle.has_table:
            return oracle.evaluate(state, budget_ms=MOST_MS, with_chances=False)
        depth = DEPTH_IN_TURNS if takes_turns(ruleset) else DEPTH
        return search(ruleset, state, depth=depth, budget_ms=MOST_MS)
