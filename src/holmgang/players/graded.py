"""The graded levels, `beginner` to `hard`: the best known choice, with occasional mistakes.

A level makes mistakes in a certain share of its choices, as beginners do: habits, such as guarding
for fear of being hit, or random choices. The habits and their frequency depend on the game: see
`ladder.py`.
"""

from holmgang.engine.course import Course
from holmgang.engine.keys import derive, draw, draw_below
from holmgang.engine.mix import sample
from holmgang.games.contract import State
from holmgang.games.ruleset import Ruleset
from holmgang.players.ladder import mistakes_of
from holmgang.players.mixing import Evaluate, MixingPlayer, OracleOf
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.search.dispatch import search, takes_turns

DEPTH, DEPTH_IN_TURNS = 2, 4  # look-ahead in rounds without a table,
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


class GradedPlayer(MixingPlayer):
    """Draws from the best mix, or makes a mistake."""

    def __init__(self, name: str, evaluate: Evaluate, seat: int, key: int) -> None:
        super().__init__(name, evaluate, seat, key)
        self._errs, self._any = derive(key, "errs"), derive(key, "any")

    def choose(self, course: Course) -> int:
        mistakes, number = mistakes_of(self.name, course.ruleset), course.round
        right = max(0.0, 1 - sum(mistakes.values()))
        mistake = sample({None: right, **mistakes}, draw(self._errs, number))
        if mistake is None:
            return super().choose(course)
        menu = course.position.menus[self._seat].choices
        if mistake in menu:
            return menu[mistake]
        return list(menu.values())[draw_below(self._any, number, len(menu))]
