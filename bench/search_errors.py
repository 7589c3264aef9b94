"""Measures how far the search is off where exact values are known, for docs/analysis.md.

    python -m bench.search_errors fencing:league=1,points_to_win=3,lead_to_win=1,turns=24

Each ruleset needs a table or layers (`holmgang solve`). Positions are taken from duels of players
who follow the exact mixes and err in three rounds of ten. Each is assessed by a search of `--ms`
milliseconds that does not know the table, as an analysis does it without one.
"""

import argparse
import random
import statistics
from collections.abc import Iterator
from typing import Any

from holmgang.analysis.position import Assessor
from holmgang.analysis.puzzles.positions import simulated_duel
from holmgang.errors import UsageError
from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import load
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import SolvedTable

NOTHING = 0.005  # less is shown as 0.00
LIMITS = (0.1, 0.2, 0.3, 0.5)


class Searcher(Oracle):
    """An oracle that knows no table."""

    def _look_for_table(self) -> SolvedTable | None:
        return None


def sampled(oracle: Oracle, seed: int) -> Iterator[Any]:
    """Positions, at most three of a duel, none twice."""
    draws, seen = random.Random(seed), set()
    while True:
        states = list(simulated_duel(oracle, draws))
        for state in draws.sample(states, min(3, len(states))):
            if state not in seen:
                seen.add(state)
                yield state


def measure(text: str, positions: int, budget_ms: float, seed: int) -> None:
    ruleset = load(text)
    table = Oracle(ruleset, build=False)
    if not table.has_table:
        raise UsageError(f"{text} has no table; holmgang solve {text} makes one")
    exact = Assessor(table)
    search = Assessor(Searcher(ruleset, build=False), budget_ms=budget_ms)
    values, costs, depths = [], [], []
    pairs: list[tuple[float, float]] = []
    for state in sampled(table, seed):
        truth, guess = exact.assess(state), search.assess(state)
        if guess.is_exact:  # the search has seen the end of the duel
            continue
        values.append(abs(guess.value - truth.value))
        depths.append(guess.depth)
        for seat in (RED, BLUE):
            true_costs = truth.solution.costs(seat)
            pairs += [(cost, true_costs[each]) for each, cost in guess.solution.costs(seat).items()]
        if len(values) == positions:
            break
    costs = [abs(guess - true) for guess, true in pairs]
    print(f"{text}: {positions} positions, {len(pairs)} choices, {budget_ms:g} ms each,")
    print(f"looking {statistics.median(depths):g} rounds ahead (median)")
    for name, errors in (("value", values), ("cost", costs)):
        ranked = sorted(errors)
        print(
            f"  {name}: off by {statistics.mean(errors):.3f} on average,"
            f" 90 % by at most {ranked[int(0.9 * len(ranked))]:.3f}, at most {ranked[-1]:.3f}"
        )
    for limit in LIMITS:
        found = [true for guess, true in pairs if guess >= limit]
        innocent = sum(true < NOTHING for true in found)
        guilty = sum(true >= limit for true in found)
        print(
            f"  cost of {limit} or more by the search: {len(found)} choices,"
            f" {guilty} of them truly, {innocent} cost nothing"
        )
    missed = sum(true >= LIMITS[0] > guess for guess, true in pairs)
    print(f"  cost of {LIMITS[0]} or more that the search does not see: {missed} choices")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="+")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--ms", type=float, default=150.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for text in options.rulesets:
        measure(text, options.positions, options.ms, options.seed)


if __name__ == "__main__":
    main()
