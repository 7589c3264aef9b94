"""The probability that someone wins, where a search has proven the value.

A search finds values, not probabilities. The probabilities are computed from its mixes in the state
and in all states that may follow, to the end of the duel.
"""

import time
from itertools import product

from holmgang.games.contract import NO_CHOICE, State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import Evaluation
from holmgang.solver.search.dispatch import search


class CannotFollowError(Exception):
    """There are too many states to follow, or one of them has no exact value."""


def chance_decided(
    ruleset: Ruleset, state: State, evaluation: Evaluation, *, budget_ms: float
) -> float | None:
    """The probability that someone wins if both seats play the mixes of the search; None if the
    evaluation is not exact, or if following the mixes takes longer than the budget.
    """
    if evaluation.decided is not None:
        return evaluation.decided
    if not evaluation.is_exact:
        return None
    followed = MixTracer(ruleset, evaluation.depth, time.monotonic() + budget_ms / 1000)
    try:
        return followed.follow(state, evaluation)
    except CannotFollowError:
        return None


class MixTracer:
    """Follows the mixes from state to state, and caches results."""

    def __init__(self, ruleset: Ruleset, depth: int, deadline: float) -> None:
        self.ruleset, self.depth, self.deadline = ruleset, depth, deadline
        self.known: dict[State, float] = {}

    def follow(self, state: State, evaluation: Evaluation) -> float:
        reds, blues = (
            [(choice, share) for choice, share in (mix or {NO_CHOICE: 1.0}).items() if share > 0]
            for mix in (evaluation.red, evaluation.blue)
        )
        total = 0.0
        for (red, red_share), (blue, blue_share) in product(reds, blues):
            faces = self.ruleset.chance(state, red, blue)
            chances = (
                self.after(self.ruleset.resolve_unchecked(state, red, blue, face))
                for face in range(faces)
            )
            total += red_share * blue_share * sum(chances) / faces
        return total

    def after(self, state: State) -> float:
        """The probability from a state, which may be decided already."""
        utility = self.ruleset.utility(state)
        if utility is not None:
            return abs(utility)
        if state not in self.known:
            if time.monotonic() > self.deadline:
                raise CannotFollowError
            evaluation = search(self.ruleset, state, depth=self.depth)
            if evaluation.decided is None:
                if not evaluation.is_exact:
                    raise CannotFollowError
                self.known[state] = self.follow(state, evaluation)
            else:
                self.known[state] = evaluation.decided
        return self.known[state]
