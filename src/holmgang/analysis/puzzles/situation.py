"""A position as one seat sees it, with the values that a table proves."""

from collections.abc import Mapping
from functools import cached_property

from holmgang.analysis.matrix_game import UNUSED
from holmgang.analysis.puzzles.natural import greedy_mix
from holmgang.games.contract import NO_CHOICE, RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import ByChoice, Evaluation
from holmgang.solver.optimal_mixes import Shortfalls
from holmgang.solver.oracle import Oracle


class Situation:
    """The choices of a seat in a state whose evaluation is exact. All values are that seat's."""

    def __init__(self, oracle: Oracle, state: State, seat: int, evaluation: Evaluation) -> None:
        self.ruleset: Ruleset = oracle.ruleset
        self.state, self.seat = state, seat
        self._oracle, self._side = oracle, 1 if seat == RED else -1
        self.value = self._side * evaluation.value
        self.mine, theirs = (evaluation.red, evaluation.blue)[:: self._side]
        self.theirs = theirs or {NO_CHOICE: 1.0}
        self._pairs: dict[tuple[int, int], float] = {}

    @cached_property
    def greedy(self) -> ByChoice:
        return greedy_mix(self.ruleset, self.state, self.seat)

    def pair(self, mine: int, other: int) -> float:
        """The value of two choices, averaged over chance."""
        known = self._pairs.get((mine, other))
        if known is None:
            red, blue = (mine, other)[:: self._side]
            known = self._side * self._oracle.pair_value(self.state, red, blue)
            self._pairs[mine, other] = known
        return known

    def cost_against_mix(self, choice: int) -> float:
        """What a choice loses against the other side's mix."""
        against = ((other, share) for other, share in self.theirs.items() if share > 0)
        return self.value - sum(share * self.pair(choice, other) for other, share in against)

    def cost(self, choice: int) -> float:
        """The least that a choice loses against any optimal mix of the other side."""
        return self._shortfalls.least(self._places[choice])

    def most_cost(self, choice: int) -> float:
        """The most that a choice loses against any optimal mix of the other side: nothing if and
        only if some optimal mix of this side contains it.
        """
        return self._shortfalls.most(self._places[choice])

    def cost_of_mix(self, mix: Mapping[int, float]) -> float:
        """What a mix loses against the best reply to it."""
        return self.value - min(
            sum(share * self.pair(choice, other) for choice, share in mix.items() if share > 0)
            for other in self.theirs
        )

    @cached_property
    def _places(self) -> dict[int, int]:
        return {choice: place for place, choice in enumerate(self.mine)}

    @cached_property
    def _shortfalls(self) -> Shortfalls:
        mine = [(choice, share) for choice, share in self.mine.items() if share > 0]
        replies = [
            other
            for other in self.theirs
            if sum(share * self.pair(choice, other) for choice, share in mine) - self.value < UNUSED
        ]
        return Shortfalls([[self.pair(choice, other) for other in replies] for choice in self.mine])

    def can_end(self, choice: int) -> bool:
        """Whether the choice can end the game at once against the other side's mix."""
        ruleset, state = self.ruleset, self.state
        for other, share in self.theirs.items():
            if share > 0:
                red, blue = (choice, other)[:: self._side]
                for face, _ in ruleset.throws(state, red, blue):
                    after = ruleset.resolve_unchecked(state, red, blue, face)
                    if ruleset.utility(after) is not None:
                        return True
        return False

    def word(self, choice: int) -> str:
        return self.ruleset.word_or_none(choice) or ""
