"""The matrix game of one round: the value of each pair of choices, and both sides' best mixes.

Entries are computed on demand, as few as the solution needs: the mixes of a table or a search are
checked against all replies, and if a reply gains something, the game is solved again with it. So
the mixes and the value are always consistent with the same entries. No choice is worth more to its
side than the value, and an error is never negative, even with rounding in a table's values or rough
estimates of a search.

The other side may have many optimal mixes, against which a choice loses more or less. What a choice
costs is the least of that, so it does not depend on which of them was stored.
"""

from collections.abc import Mapping
from typing import NamedTuple

from holmgang.games.contract import BLUE, NO_CHOICE, RED, State
from holmgang.solver.evaluation import ByChoice, Evaluation, Worths, mean_worth
from holmgang.solver.matrix import solve_matrix
from holmgang.solver.optimal_mixes import Shortfalls
from holmgang.solver.oracle import LOOK_ON, Oracle

SETTLED = 1e-10  # the gain of a best reply that is rounding
NOISE = 1e-7  # a cost that is rounding
UNUSED = 1e-4  # a choice that costs this against one optimal mix is in no mix of its own side


class Payoffs(NamedTuple):
    """The matrix game of a state: what each pair of choices is worth to red."""

    reds: list[int]
    """The choices of the rows; `NO_CHOICE` alone for a seat that has nothing to choose."""
    blues: list[int]
    values: list[list[float]]


class Values:
    """The values of pairs of choices to red, from an oracle or from better known values.

    Without a table, the oracle searches `look_on` rounds ahead from each pair.
    """

    def __init__(
        self, oracle: Oracle, known: Mapping[State, float], *, look_on: int = LOOK_ON
    ) -> None:
        """The values of states in `known` are used instead of the oracle's."""
        self.ruleset = oracle.ruleset
        self.known, self.look_on = known, look_on
        self.budget_ms: float | None = None
        """For the search of one state; None for no limit."""
        self._oracle, self._has_layers = oracle, oracle.has_layers
        self._asked: dict[State, float] = {}

    def pair(self, state: State, red: int, blue: int) -> float:
        """The value of two choices, averaged over chance."""
        if self._has_layers and not self._leads_to_known(state, red, blue):
            return self._oracle.pair_value(state, red, blue, look_on=self.look_on)
        return mean_worth(self.ruleset, state, red, blue, self.after)

    def after(self, state: State) -> float:
        """The value of an undecided state."""
        value = self.known.get(state)
        if value is None:
            value = self._asked.get(state)
        if value is None:
            value = self._asked[state] = self._oracle.value(
                state, look_on=self.look_on, budget_ms=self.budget_ms
            )
        return value

    def _leads_to_known(self, state: State, red: int, blue: int) -> bool:
        resolve = self.ruleset.resolve_unchecked
        throws = self.ruleset.throws(state, red, blue)
        return any(resolve(state, red, blue, face) in self.known for face, _ in throws)


class RoundSolution(NamedTuple):
    """The value of a round to red, an optimal mix of each side, and the worth of each choice."""

    value: float
    red: ByChoice
    blue: ByChoice
    worths: Worths
    """Of each choice against the optimal mix of the other side that favours it most."""
    against_mixes: Worths
    """Of each choice against the other side's mix above."""

    def cost(self, seat: int, choice: int) -> float:
        """The least that a side loses by a choice against any optimal mix of the other: its error.
        0 for a choice that some optimal mix makes as good as the best.
        """
        return self._cost(self.worths, seat, choice)

    def cost_against_mix(self, seat: int, choice: int) -> float:
        """What a side loses by a choice against the other's mix."""
        return self._cost(self.against_mixes, seat, choice)

    def costs(self, seat: int) -> ByChoice:
        return {choice: self.cost(seat, choice) for choice in self.worths[seat]}

    def _cost(self, worths: Worths, seat: int, choice: int) -> float:
        if choice == NO_CHOICE:
            return 0.0
        side = 1 if seat == RED else -1
        return max(0.0, side * (self.value - worths[seat][choice]))


class MatrixGame:
    """The choices of both seats in an undecided state; `NO_CHOICE` alone where there are none."""

    def __init__(
        self,
        values: Values,
        state: State,
        evaluation: Evaluation,
        made: tuple[int, int] = (NO_CHOICE, NO_CHOICE),
    ) -> None:
        """The game has the choices on offer, those of the mixes, and those that were `made`, since
        more choices may be legal than a menu lists.
        """
        self.values, self.state, self.evaluation = values, state, evaluation
        self.menus = [
            list(dict.fromkeys([*values.ruleset.choices(state, seat), *mix, choice]))
            for seat, mix, choice in zip(
                (RED, BLUE), (evaluation.red, evaluation.blue), made, strict=True
            )
        ]
        for menu in self.menus:
            if len(menu) > 1 and NO_CHOICE in menu:
                menu.remove(NO_CHOICE)
        self._entries: dict[tuple[int, int], float] = {}

    def entry(self, red: int, blue: int) -> float:
        value = self._entries.get((red, blue))
        if value is None:
            value = self.values.pair(self.state, red, blue)
            if self.evaluation.depth and NO_CHOICE in (red, blue):
                value = within_proof(self.evaluation, red, blue, value)
            self._entries[red, blue] = value
        return value

    def payoffs(self) -> Payoffs:
        """All entries."""
        reds, blues = self.menus
        return Payoffs(reds, blues, [[self.entry(red, blue) for blue in blues] for red in reds])

    def solve(self) -> RoundSolution:
        """The solution, starting from the mixes of the evaluation, which are kept if no reply gains
        anything against them.
        """
        reds, blues = self.menus
        row, column = (
            {choice: share for choice, share in mix.items() if share > 0} or {NO_CHOICE: 1.0}
            for mix in (self.evaluation.red, self.evaluation.blue)
        )
        is_solved = False
        while True:
            red_worths = {
                each: sum(share * self.entry(each, other) for other, share in column.items())
                for each in reds
            }
            blue_worths = {
                each: sum(share * self.entry(other, each) for other, share in row.items())
                for each in blues
            }
            best_red = max(reds, key=red_worths.__getitem__)
            best_blue = min(blues, key=blue_worths.__getitem__)
            high, low = red_worths[best_red], blue_worths[best_blue]
            is_closed = is_solved and best_red in row and best_blue in column
            if high - low <= SETTLED or is_closed:
                break
            row, column = self._solve_part(sorted({*row, best_red}), sorted({*column, best_blue}))
            is_solved = True
        value = high if blues == [NO_CHOICE] else low if reds == [NO_CHOICE] else (high + low) / 2
        worths = red_worths, blue_worths
        best = (self._best_worths(seat, value, worths) for seat in (RED, BLUE))
        return RoundSolution(
            value,
            asked(reds, row),
            asked(blues, column),
            (asked(reds, next(best)), asked(blues, next(best))),
            (asked(reds, red_worths), asked(blues, blue_worths)),
        )

    def _best_worths(self, seat: int, value: float, worths: Worths) -> ByChoice:
        """The worth to red of each choice against the optimal mix of the other side that favours it
        most, given the worths of all choices against a pair of optimal mixes.
        """
        side = 1 if seat == RED else -1
        costs = {choice: side * (value - worth) for choice, worth in worths[seat].items()}
        # Only choices that cost nothing against one optimal mix can be part of another.
        replies = [
            reply for reply, worth in worths[1 - seat].items() if side * (worth - value) < UNUSED
        ]
        if len(replies) > 1 and max(costs.values()) >= NOISE:
            shortfalls = Shortfalls(
                [[side * self._pair(seat, each, reply) for reply in replies] for each in costs]
            )
            for place, choice in enumerate(costs):
                if costs[choice] >= NOISE:
                    costs[choice] = min(costs[choice], shortfalls.least(place))
        return {
            choice: value if cost < NOISE else value - side * cost for choice, cost in costs.items()
        }

    def _pair(self, seat: int, choice: int, reply: int) -> float:
        return self.entry(choice, reply) if seat == RED else self.entry(reply, choice)

    def _solve_part(self, reds: list[int], blues: list[int]) -> tuple[ByChoice, ByChoice]:
        """The mixes that solve the game restricted to these choices."""
        found = solve_matrix([[self.entry(red, blue) for blue in blues] for red in reds])
        return (
            dict(zip(reds, found.row_mix, strict=True)),
            dict(zip(blues, found.column_mix, strict=True)),
        )


def within_proof(proven: Evaluation, red: int, blue: int, value: float) -> float:
    """The worth of a choice where only one seat chooses: at most the proven value of the state, and
    equal to it for a choice that keeps it.
    """
    if blue == NO_CHOICE:
        low = proven.low if proven.red.get(red, 0.0) > 0 else -1.0
        return min(proven.high, max(low, value))
    high = proven.high if proven.blue.get(blue, 0.0) > 0 else 1.0
    return max(proven.low, min(high, value))


def asked(menu: list[int], numbers: ByChoice) -> ByChoice:
    """A number for each choice of a menu; empty for a seat that has nothing to choose."""
    return {choice: numbers.get(choice, 0.0) for choice in menu if choice != NO_CHOICE}
