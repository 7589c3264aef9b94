"""What searches of some depths get against each other, exactly: `python -m bench.exact_levels`.

It prints what is in bench/EXACT_LEVELS.md.

Where all states can be listed, a level is a mix for each of them, and a duel of two levels is a
chain from state to state, of which the value can be worked out with nothing left to chance. The
value of a state at depth d is that of the matrix game with the values at depth d - 1, those at
depth 0 being the game's estimates, as a search finds them.
"""

import argparse
import sys
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from holmgang.engine.compiled.native import zeros
from holmgang.games.ruleset import load
from holmgang.solver import matrix
from holmgang.solver.exact.solve import Solution, TableSolver, solve_whole, sweeping
from holmgang.solver.exact.sweep_kernels import MatrixScratch
from holmgang.solver.exact.table import StateTable, floats
from holmgang.solver.search import no_estimate

Numbers = Any  # an array of numpy

RULESETS = ("bagh", "bagh-advantage", "defend-the-city-duel", "defend-the-city")
SETTLED = 1e-9
INTRODUCTION = """# Searches against each other, exactly

Written by `python -m bench.exact_levels {arguments}`; not by hand. Red's search is down, blue's
across, and the values are to red: 1 is a win, -1 a loss. Nothing is left to chance, so there are
no intervals. The level `greedy` is depth 1; how deep `search` looks depends on its time."""
MOST_ROUNDS = 5000


class Strategy(NamedTuple):
    """How both seats choose in every state, and which option is taken where a single one answers
    (see `holmgang.solver.numbers`).
    """

    red: Numbers
    blue: Numbers
    picked: Numbers
    other: Numbers = None
    """The option that is taken as often as the one in `picked`; None if that is always taken."""


class States:
    """The states of a solved ruleset, as arrays."""

    def __init__(self, solution: Solution) -> None:
        self.table = solution.table
        self.values = seen(solution.values)
        for name, numbers in self.table.numbers._asdict().items():
            setattr(self, name, seen(numbers))
        self.perfect = Strategy(
            seen(solution.red_mixes), seen(solution.blue_mixes), self.options(self.values)
        )

    def __getattr__(self, name: str) -> Numbers:
        """Tells only what is missing: the arrays of the table are set when it is made."""
        raise AttributeError(name)

    @property
    def at_random(self) -> Strategy:
        return Strategy(
            np.repeat(1 / self.reds, self.reds),
            np.repeat(1 / self.blues, self.blues),
            self.option_starts[:-1],
            self.option_starts[1:] - 1,
        )

    def option_values(self, values: Numbers) -> Numbers:
        sums = np.concatenate([[0.0], np.cumsum(self.chances * values[self.successors])])
        return self.constants + sums[self.entry_starts[1:]] - sums[self.entry_starts[:-1]]

    def options(self, values: Numbers) -> Numbers:
        """The better option of each pair to whoever chooses, by these values."""
        worth, first = self.option_values(values), self.option_starts[:-1]
        second = np.minimum(first + 1, len(worth) - 1)
        has_two = np.diff(self.option_starts) == 2
        is_better = (worth[second] - worth[first]) * self.deciders > 0
        return first + (has_two & is_better)

    def estimates(self) -> Numbers:
        ruleset, width = self.table.ruleset, self.table.fields
        estimate = (ruleset.game.estimate or no_estimate).estimate
        unpack = self.table.kernels.bound.kernels["unpack"]
        return np.array(
            [
                estimate(ruleset.rules, unpack(self.table.rows, state * width))
                for state in range(self.table.count)
            ]
        )

    def searches(self, depth: int) -> list[Strategy]:
        """Of depth 1, 2 and so on. Where a win is certain, deeper ones look no further."""
        found: list[Strategy] = []
        values = self.estimates()
        for _ in range(depth):
            picked, is_won = self.options(values), np.abs(values) >= 1
            values, red, blue = one_deeper(self.table, values)
            if found:
                red = np.where(np.repeat(is_won, self.reds), found[-1].red, red)
                blue = np.where(np.repeat(is_won, self.blues), found[-1].blue, blue)
            found.append(Strategy(red, blue, picked))
        return found


def seen(numbers: "array[Any]") -> Numbers:
    return np.frombuffer(numbers, dtype=np.int64 if numbers.typecode == "q" else np.float64)


def one_deeper(table: StateTable, values: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Every matrix solved once with these values: new values, red's mixes, blue's."""
    count, numbers = table.count, table.numbers
    numbers = numbers._replace(loops=zeros(count))
    reds, blues = max(numbers.reds), max(numbers.blues)
    work = floats(matrix.work_size(reds, blues))
    room = MatrixScratch(floats(reds * blues), floats(reds), floats(blues), work)
    improve, patience = sweeping()("improve"), array("d", [1.0])
    old, new = array("d", values.tolist()), floats(count)
    red, blue = floats(numbers.red_starts[-1]), floats(numbers.blue_starts[-1])
    for state in range(count):
        improve(state, state + 1, 0, numbers, patience, old, red, blue, room)
        new[state], old[state] = old[state], values[state]
    return seen(new), seen(red), seen(blue)


def others_of(strategy: Strategy) -> Numbers:
    return strategy.picked if strategy.other is None else strategy.other


class Chain:
    """A duel of two strategies."""

    def __init__(self, states: States, red: Strategy, blue: Strategy) -> None:
        count = states.table.count
        sizes = states.reds * states.blues
        state = np.repeat(np.arange(count), sizes)
        pair = np.arange(len(state)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        columns = states.blues[state]
        mine = red.red[states.red_starts[state] + pair // columns]
        other = blue.blue[states.blue_starts[state] + pair % columns]
        stored = states.pair_starts[state] + pair
        taken = np.concatenate(
            [
                np.where(states.deciders > 0, *picks)[stored]
                for picks in ((red.picked, blue.picked), (others_of(red), others_of(blue)))
            ]
        )
        is_played = np.tile(mine * other > 0, 2)
        state, option = np.tile(state, 2)[is_played], taken[is_played]
        chance = np.tile(mine * other / 2, 2)[is_played]
        self.count = count
        self.endless = states.endless[0]
        self.ends = np.bincount(state, chance * states.constants[option], count)
        first = states.entry_starts[option]
        entries = states.entry_starts[option + 1] - first
        played = np.repeat(np.arange(len(option)), entries)
        entry = np.arange(len(played)) - np.repeat(np.cumsum(entries) - entries - first, entries)
        self.before, self.after = state[played], states.successors[entry]
        self.chance = chance[played] * states.chances[entry]

    def values(self) -> Numbers:
        """Of every state, to red."""
        values: Numbers = np.full(self.count, self.endless)
        for _ in range(MOST_ROUNDS):
            newer = self.ends + np.bincount(
                self.before, self.chance * values[self.after], self.count
            )
            change = np.abs(newer - values).max()
            values = newer
            if change < SETTLED:
                break
        return values

    def visits(self, start: int, most_rounds: int = 200) -> Numbers:
        """How often each state is come to."""
        here: Numbers = np.zeros(self.count)
        here[start] = 1.0
        total = here.copy()
        for _ in range(most_rounds):
            here = np.bincount(self.after, self.chance * here[self.before], self.count)
            total += here
        return total


def best_reply(states: States, other: Strategy, seat: int, *, picks_at_random: bool) -> float:
    """What the best reply to a level gets from the start, to the seat that replies (0 is red).

    A level that picks at random takes each of two options half the time.
    """
    sign = 1 - 2 * seat
    sizes = states.reds * states.blues
    state = np.repeat(np.arange(states.table.count), sizes)
    pair = np.arange(len(state)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    stored = states.pair_starts[state] + pair
    red = states.red_starts[state] + pair // states.blues[state]
    blue = states.blue_starts[state] + pair % states.blues[state]
    mine, chance = (red, other.blue[blue]) if seat == 0 else (blue, other.red[red])
    starts = (states.red_starts if seat == 0 else states.blue_starts)[:-1]
    first = states.option_starts[:-1]
    second = np.where(np.diff(states.option_starts) == 2, first + 1, first)
    is_my_option = states.deciders * sign > 0
    # What perfect play is sure of, so every step is a lower bound. From 0 it would be too much:
    # where play can go round in circles, a hope of not losing yet would never be given up.
    values = states.values
    for _ in range(MOST_ROUNDS):
        worth = sign * states.option_values(values)
        theirs = (worth[first] + worth[second]) / 2 if picks_at_random else worth[other.picked]
        each = np.where(is_my_option, np.maximum(worth[first], worth[second]), theirs)
        newer = sign * np.maximum.reduceat(np.bincount(mine, each[stored] * chance), starts)
        change, values = np.abs(newer - values).max(), newer
        if change < SETTLED:
            break
    return float(sign * values[states.table.start])


def best_replies(states: States, level: str) -> tuple[float, float]:
    """What the best reply to a level gets as red, and as blue."""
    strategy = {
        "random": lambda: states.at_random,
        "greedy": lambda: states.searches(1)[0],
        "perfect": lambda: states.perfect,
    }[level]()
    at_random = level == "random"
    red = best_reply(states, strategy, 0, picks_at_random=at_random)
    return red, best_reply(states, strategy, 1, picks_at_random=at_random)


def print_best_replies(rulesets: Sequence[str]) -> None:
    for text in rulesets:
        print(f"\n## {text}\n\n| against | as red | as blue |\n|---|---:|---:|")
        states = States(solve_whole(load(text), mirror=False))
        for level in ("random", "greedy", "perfect"):
            red, blue = best_replies(states, level)
            print(f"| {level} | {red + 0.0:+.4f} | {blue + 0.0:+.4f} |", flush=True)


def print_sharpness(rulesets: Sequence[str]) -> None:
    """What perfect play gets against `random`, and its exploitability, before the mixes were chosen
    that gain most from mistakes (see `holmgang.solver.exact.sharpening`), and with them.
    """
    print("| ruleset | mixes | as red | as blue | exploitability |\n|---|---|---:|---:|---:|")
    for text in rulesets:
        solution = solve_whole(load(text), mirror=False)
        states, table = States(solution), solution.table
        attempt, proof = TableSolver(table, sweeping(), lambda said: None).solve()
        plain = states.perfect._replace(red=seen(attempt.red_mixes), blue=seen(attempt.blue_mixes))
        for name, mixes, gap in (
            ("any optimal", plain, proof.exploitability),
            ("sharp", states.perfect, solution.exploitability),
        ):
            red = Chain(states, mixes, states.at_random).values()[table.start]
            blue = -Chain(states, states.at_random, mixes).values()[table.start]
            print(f"| {text} | {name} | {red:+.4f} | {blue:+.4f} | {gap:.1e} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.exact_levels")
    parser.add_argument("rulesets", nargs="*", default=RULESETS)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--best-replies", action="store_true", help="to levels, in place of depths")
    parser.add_argument("--sharp", action="store_true", help="perfect against random, in place")
    options = parser.parse_args()
    if options.sharp:
        print_sharpness(options.rulesets)
        return
    if options.best_replies:
        print_best_replies(options.rulesets)
        return
    print(INTRODUCTION.format(arguments=" ".join(sys.argv[1:])))
    for text in options.rulesets:
        states = States(solve_whole(load(text), mirror=False))
        levels = {f"depth {n}": found for n, found in enumerate(states.searches(options.depth), 1)}
        levels |= {"perfect": states.perfect}
        print(f"\n## {text}\n\n|  | {' | '.join(levels)} |\n|---|{'---:|' * len(levels)}")
        for name, red in levels.items():
            values = (Chain(states, red, blue).values() for blue in levels.values())
            row = " | ".join(f"{value[states.table.start] + 0.0:+.4f}" for value in values)
            print(f"| {name} | {row} |", flush=True)


if __name__ == "__main__":
    main()
