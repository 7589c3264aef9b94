"""Where the positions of puzzles come from: played duels, simulated ones, and the table itself."""

import random
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from holmgang.engine.duel import Duel
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import ByChoice
from holmgang.solver.exact.tablebase import Tablebase
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import find_table

ERROR_RATE = 0.3  # of simulated players, who otherwise play the equilibrium
MOST_DUELS = 2000  # simulated
MOST_ROUNDS = 200

FoundState = tuple[State, str]
"""A state and its source."""


def positions(oracle: Oracle, seed: int, played: Iterable[State]) -> Iterator[FoundState]:
    """States of a ruleset that has a table: first those that were played, then alternately one from
    a simulated duel and one from the table, in an order set by the seed, without repetitions.
    """
    ruleset = oracle.ruleset
    draws = random.Random(f"{seed} {ruleset.hash}")
    seen: set[State] = set()
    both = zip_longest(simulated(oracle, draws), tabled(ruleset, random.Random(draws.random())))
    found = [((state, "duel") for state in played)]
    found.append((state, "table") for pair in both for state in pair if state is not None)
    for states in found:
        for state, source in states:
            if state not in seen:
                seen.add(state)
                yield state, source


def of_duel(duel: Duel) -> Iterator[State]:
    """The undecided states of a duel."""
    yield duel.start
    for step in duel.course.steps:
        if duel.ruleset.utility(step.after.state) is None:
            yield step.after.state


def tabled(ruleset: Ruleset, draws: random.Random) -> Iterator[State]:
    """The states of a table, shuffled; none for layers, which cannot be listed."""
    table = find_table(ruleset)
    if isinstance(table, Tablebase):
        places = list(range(table.count))
        draws.shuffle(places)
        for place in places:
            yield table.state(place)


def simulated(oracle: Oracle, draws: random.Random) -> Iterator[State]:
    """The states of duels between two players who err now and then, as people do."""
    if not isinstance(find_table(oracle.ruleset), Tablebase):
        return  # looking every round up would take too long
    for _ in range(MOST_DUELS):
        yield from simulated_duel(oracle, draws)


def simulated_duel(oracle: Oracle, draws: random.Random) -> Iterator[State]:
    ruleset = oracle.ruleset
    state = ruleset.initial()
    for _ in range(MOST_ROUNDS):
        if ruleset.utility(state) is not None:
            return
        yield state
        evaluation = oracle.evaluate(state, with_chances=False)
        red = drawn(ruleset.choices(state, RED), evaluation.red, draws)
        blue = drawn(ruleset.choices(state, BLUE), evaluation.blue, draws)
        face = draws.randrange(ruleset.chance(state, red, blue))
        state = ruleset.resolve_unchecked(state, red, blue, face)


def drawn(menu: list[int], mix: ByChoice, draws: random.Random) -> int:
    if not menu:
        return NO_CHOICE
    if draws.random() < ERROR_RATE:
        return draws.choice(menu)
    return draws.choices(list(mix), list(mix.values()))[0]
