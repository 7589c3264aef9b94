"""The natural choice: that of a player who looks only one round ahead.

There are two such choices, and both are derived from the levels: the likeliest one of `greedy`, and
the one that does best in a round against `random`.
"""

from collections.abc import Sequence
from functools import partial

from holmgang.games.contract import NO_CHOICE, RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import ByChoice, mean_worth
from holmgang.solver.search import no_estimate
from holmgang.solver.search.dispatch import search

MOST_PAIRS = 64  # of choices that are compared by hand; larger menus are left to `greedy`


def greedy_mix(ruleset: Ruleset, state: State, seat: int) -> ByChoice:
    """How `greedy` chooses."""
    seen = search(ruleset, state, depth=1)
    return seen.red if seat == RED else seen.blue


def natural_choices(ruleset: Ruleset, state: State, seat: int, greedy: ByChoice) -> list[int]:
    """The natural choices of a seat, one or two; only that of `greedy` on a large menu."""
    found = [max(greedy, key=lambda choice: greedy[choice])]
    mine, theirs = ruleset.choices(state, seat), ruleset.choices(state, 1 - seat) or [NO_CHOICE]
    if len(mine) * len(theirs) <= MOST_PAIRS:
        found.append(best_against_random(ruleset, state, seat, mine))
    return list(dict.fromkeys(found))


def best_against_random(ruleset: Ruleset, state: State, seat: int, mine: Sequence[int]) -> int:
    """Of these choices, the one that looks best after one round against a random reply."""
    theirs = ruleset.choices(state, 1 - seat) or [NO_CHOICE]
    look = partial((ruleset.game.estimate or no_estimate).estimate, ruleset.rules)
    side = 1 if seat == RED else -1

    def looks(choice: int) -> float:
        pairs = [(choice, other) if seat == RED else (other, choice) for other in theirs]
        return side * sum(mean_worth(ruleset, state, red, blue, look) for red, blue in pairs)

    return max(mine, key=looks)
