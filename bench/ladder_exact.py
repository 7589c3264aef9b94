"""Levels against each other in a solved game, exactly: nothing is sampled."""

from array import array
from functools import cache
from typing import Any

import numpy as np

from bench import ladder_kernels
from bench.exact_levels import States, Strategy
from bench.ladder_results import Contender, Result
from bench.ladder_sampled import Effort, Mixes, even, kept, play_levels
from holmgang.engine.compiled.native import NumberKernels
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.players import graded_kernels
from holmgang.players.graded import PairValues
from holmgang.players.ladder import Grade
from holmgang.solver import quantal_kernels
from holmgang.solver.evaluation import mean_worth
from holmgang.solver.exact import sweep_kernels
from holmgang.solver.exact.solve import solve_whole
from holmgang.solver.exact.table import floats
from holmgang.solver.quantal import QuantalMixes, kernels_of_quantal
from holmgang.solver.search.dispatch import search

Numbers = Any  # an array of numpy
MOST_STATES = 5_000  # with more, playing without luck is quicker than the calculation
NEGLIGIBLE = 1e-6  # chance that a game is still going on


class Policy:
    """A contender in every state: both mixes, and the chance of the first option of each pair where
    a seat answers.
    """

    def __init__(self, red: Numbers, blue: Numbers, firsts: Numbers) -> None:
        self.red, self.blue, self.firsts = (
            each if isinstance(each, array) else array("d", each.astype(float))
            for each in (red, blue, firsts)
        )


class SolvedGame:
    is_exact = True

    def __init__(self, ruleset: Ruleset, effort: Effort) -> None:
        self.ruleset, self.effort = ruleset, effort
        self.solution = solve_whole(ruleset, mirror=False)
        self.table = self.solution.table
        self.numbers = self.table.numbers
        self.states = States(self.solution)
        self.kernels = NumberKernels(
            "ladder", (quantal_kernels, sweep_kernels, graded_kernels, ladder_kernels)
        )
        has_answers = any(self.numbers.deciders)
        self.limit = ruleset.entry.round_limit // (2 if has_answers else 1)
        self.index: dict[State, int] = {}
        choices: tuple[list[int], list[int]] = ([], [])
        menus: dict[int, list[int]] = {}
        for number, state in self.table:
            self.index[state] = number
            for seat in (RED, BLUE):
                mask = ruleset.choice_set(state, seat)
                if mask not in menus:
                    menus[mask] = ruleset.choices(state, seat) or [NO_CHOICE]
                choices[seat].extend(menus[mask])
        self.choices = tuple(np.array(each) for each in choices)
        """The choice of each place in an array of mixes, by seat."""
        self.policy = cache(self._policy)
        kernels_of_quantal()("quantal")
        values = self.states.values
        self._pairs = self.states.option_values(values)[self.states.options(values)]
        self._graded: dict[tuple[Grade, State], QuantalMixes] = {}

    def _policy(self, contender: Contender) -> Policy:
        if isinstance(contender, str):
            starts = self.states.option_starts
            strategy = self._strategy(contender)
            firsts = (strategy.picked == starts[:-1]).astype(float)
            if contender == "random":
                firsts -= (np.diff(starts) == 2) / 2
            return Policy(strategy.red, strategy.blue, firsts)
        numbers, size = self.numbers, quantal_kernels.LIMIT
        policy = Policy(
            floats(numbers.red_starts[-1]),
            floats(numbers.blue_starts[-1]),
            floats(len(numbers.option_starts) - 1),
        )
        self.kernels("grade")(
            self.table.count,
            numbers,
            self.solution.values,
            array("d", (contender.temperature, contender.slips, 0.0)),
            policy.red,
            policy.blue,
            policy.firsts,
            floats(size * size),
            floats(size),
            floats(size),
            floats(quantal_kernels.WORK_SIZE),
        )
        return policy

    def _strategy(self, name: str) -> Strategy:
        if name == "random":
            return self.states.at_random
        return self.states.perfect if name == "perfect" else self.states.searches(1)[0]

    def play(self, red: Contender, blue: Contender) -> Result:
        """Calculated if that is quicker, and neither notices anything about the other."""
        notices = any(isinstance(each, Grade) and each.notices for each in (red, blue))
        if notices or self.table.count > MOST_STATES:
            return play_levels(self, red, blue, self.effort)
        return self.calculate(red, blue)

    def calculate(self, red: Contender, blue: Contender) -> Result:
        """All games of two contenders at once."""
        count, mine, theirs = self.table.count, self.policy(red), self.policy(blue)
        here, after, tallies = floats(count), floats(count), floats(3)
        here[self.table.start] = 1.0
        visits = np.zeros(count)
        rounds, left = 0.0, 1.0
        for _ in range(self.limit):
            visits += np.frombuffer(here)
            rounds += left
            self.kernels("march")(
                count,
                self.numbers,
                *(mine.red, theirs.blue, mine.firsts, theirs.firsts),
                *(here, after, tallies),
            )
            here, after = after, here
            left = float(np.frombuffer(here).sum())
            if left < NEGLIGIBLE:
                break
        win, loss, draw = tallies
        endless = self.ruleset.endless_utility
        win, loss = win + left * (endless > 0), loss + left * (endless < 0)
        draw += left * (endless == 0)
        picks = self._picks(RED, mine.red, visits), self._picks(BLUE, theirs.blue, visits)
        return Result(win + draw / 2, rounds, left, 0.0, picks, 0, 0.0)

    def _picks(self, seat: int, mixes: "array[float]", visits: Numbers) -> dict[str, float]:
        sizes = np.frombuffer((self.numbers.reds, self.numbers.blues)[seat], dtype=np.int64)
        weights = np.repeat(visits, sizes) * np.frombuffer(mixes)
        sums = np.bincount(self.choices[seat] + 1, weights)[1:]
        total = float(sums.sum())
        return {
            self.ruleset.word(choice): float(share) / total
            for choice, share in enumerate(sums)
            if share > 0
        }

    # Playing one by one, for levels that notice repetitions and for plans

    def values(self, state: State) -> PairValues:
        number = self.index.get(state)
        if number is None:  # an answer to a round, which belongs to the pair of choices
            reds, blues = (self.ruleset.choices(state, seat) or [NO_CHOICE] for seat in (RED, BLUE))
            rows = [
                [mean_worth(self.ruleset, state, red, blue, self._value) for blue in blues]
                for red in reds
            ]
            return PairValues(rows, True)
        start, columns = self.numbers.pair_starts[number], self.numbers.blues[number]
        end = start + self.numbers.reds[number] * columns
        return PairValues(self._pairs[start:end].reshape(-1, columns).tolist(), True)

    def value(self, state: State) -> float | None:
        number = self.index.get(state)
        if number is not None:
            return self.solution.values[number]
        matrix = self.values(state).matrix  # a single seat chooses
        is_red = bool(self.ruleset.choice_set(state, RED))
        return max(row[0] for row in matrix) if is_red else min(matrix[0])

    def graded(self, grade: Grade, state: State) -> QuantalMixes:
        return kept(self._graded, (grade, state), lambda: self.values(state).mixes(grade))

    def named(self, name: str, state: State) -> Mixes:
        if name == "random":
            return even(self.ruleset, state)
        number = self.index.get(state)
        menus = [self.ruleset.choices(state, seat) for seat in (RED, BLUE)]
        if number is None:
            if name == "greedy":
                found = search(self.ruleset, state, depth=1)
                return found.red, found.blue
            matrix, value = self.values(state).matrix, self.value(state)
            flat = [entry for row in matrix for entry in row]
            best = (menus[RED] or menus[BLUE])[flat.index(value)]
            return ({best: 1.0}, {}) if menus[RED] else ({}, {best: 1.0})
        policy = self.policy(name)
        red, blue = self.numbers.red_starts[number], self.numbers.blue_starts[number]
        return (
            dict(zip(menus[RED], policy.red[red:], strict=False)),
            dict(zip(menus[BLUE], policy.blue[blue:], strict=False)),
        )

    def _value(self, state: State) -> float:
        return self.solution.values[self.index[state]]
