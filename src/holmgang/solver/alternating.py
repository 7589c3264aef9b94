"""Search for games in which the seats take turns: alpha-beta, deeper and deeper while time lasts.

The game's folder brings what a search needs besides the rules, in modules that compile as the rules
do: `estimate.py` (how good a state looks) and `dominance.py` (which choices are enough to look at).
It may bring `holding.py` too: where a seat is proven never to lose.

The search is cut into slices of some milliseconds with a look at the clock after each, so it stops
in time on a busy machine too, and Ctrl-C works.
"""

import time
from array import array
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from holmgang.engine import rounds
from holmgang.engine.compiled.native import Announce, Kernels, silent, zeros
from holmgang.engine.stream import draw
from holmgang.errors import StateError, UsageError
from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import Ruleset
from holmgang.solver import alternating_kernels
from holmgang.solver.alternating_kernels import (
    BEST,
    BUCKET,
    CHOICE_BITS,
    CURSOR,
    ESTIMATE,
    FRAME,
    MORE,
    MOST_DEPTH,
    NODES,
    NOT_ALTERNATING,
    PICK,
    PROVEN,
    UNKNOWN,
)
from holmgang.solver.finding import Finding

SLICE, SLICE_INTERPRETED = 1 << 13, 1 << 7  # nodes between two looks at the clock
LEAST_BUCKETS, MOST_BUCKETS = 1 << 10, 1 << 20  # of the table: up to 32 MiB
BUCKETS_EACH_MS = 1 << 10


def search_alternating(
    ruleset: Ruleset,
    state: Any,
    *,
    budget_ms: float | None = None,
    depth: int | None = None,
    interpret: bool = False,
    announce: Announce = silent,
) -> Finding:
    """The best choice in a state, as far as can be seen in the time or to the depth given.

    The finding is that of the deepest search that was completed; one round ahead always is.
    Compiling, which is done once, is not part of the time. `low` and `high` are both 1 or -1 where
    a win or a loss is forced; otherwise they say who is proven never to lose.

    Raises `StateError` if the duel is over, and `UsageError` if neither limit is given or the game
    is not one in which the seats take turns, without chance.
    """
    check_limits(budget_ms, depth)
    check_state(ruleset, state)
    kernels = searcher_of(ruleset, interpret=interpret)
    kernels("search", announce)
    deadline = None if budget_ms is None else time.monotonic() + budget_ms / 1000
    search = Search(kernels, state, buckets_for(budget_ms, depth))
    score, choice, seen = 0, UNKNOWN, 0
    while seen < (depth or MOST_DEPTH) and abs(score) < PROVEN:
        if not search.deepen(seen + 1, None if seen == 0 else deadline):
            break
        seen += 1
        score, choice = search.score, search.choice
    return finding(ruleset, state, score, choice, seen)


def check_limits(budget_ms: float | None, depth: int | None) -> None:
    if budget_ms is None and depth is None:
        raise UsageError("a search needs a limit: budget_ms, depth, or both")
    if budget_ms is not None and not budget_ms >= 0:
        raise UsageError(f"budget_ms must be a time in milliseconds; not {budget_ms}")
    if depth is not None and not 1 <= depth <= MOST_DEPTH:
        raise UsageError(f"depth must be from 1 to {MOST_DEPTH} rounds; not {depth}")


def check_state(ruleset: Ruleset, state: Any) -> None:
    ended = rounds.outcome(ruleset, state)
    if ended is not None:
        raise StateError(f"the duel is over in this state ({ended.reason})")
    if len([seat for seat in (RED, BLUE) if rounds.menu(ruleset, state, seat)]) != 1:
        raise not_alternating(ruleset)


def not_alternating(ruleset: Ruleset) -> UsageError:
    return UsageError(
        f"{ruleset.text} is not a game in which the seats take turns, one choosing at a time and "
        "nothing left to chance: only such a game can be searched this way"
    )


def own_module(ruleset: Ruleset, name: str) -> ModuleType | None:
    """A module that the game's folder may have beyond the contract."""
    path = f"holmgang.games.{ruleset.game.folder}.{name}"
    return import_module(path) if find_spec(path) else None


@lru_cache(maxsize=64)
def searcher_of(ruleset: Ruleset, *, interpret: bool = False) -> Kernels:
    dominance, estimate = (own_module(ruleset, name) for name in ("dominance", "estimate"))
    if dominance is None or estimate is None:
        raise UsageError(f"{ruleset.text} brings no estimate of its states to search with")
    return Kernels(ruleset, (dominance, estimate, alternating_kernels), interpret=interpret)


def buckets_for(budget_ms: float | None, depth: int | None) -> int:
    """A power of two; so small that making the table takes little of the time."""
    wanted = 1 << (depth or MOST_DEPTH) + 3
    if budget_ms is not None:
        wanted = min(wanted, int(budget_ms * BUCKETS_EACH_MS))
    return 1 << min(MOST_BUCKETS, max(LEAST_BUCKETS, wanted)).bit_length() - 1


class Search:
    """The memory of the searches from one state: the stack, the table, what choices proved good."""

    def __init__(self, kernels: Kernels, state: Any, buckets: int) -> None:
        """Without buckets there is no table: for comparison."""
        fields = len(kernels.layout.names)
        self.ruleset = kernels.ruleset
        self.begin, self.search = kernels.bound.kernels["begin"], kernels("search")
        self.slice = SLICE if kernels.is_compiled else SLICE_INTERPRETED
        self.frames = zeros(MOST_DEPTH * FRAME)
        self.cursor = zeros(CURSOR)
        self.rows = zeros(MOST_DEPTH * fields)
        kernels.bound.kernels["pack"](state, self.rows, 0)
        self.salts = array("q", [draw(0, place, 0) >> 1 | 1 for place in range(fields)])
        self.table = zeros(buckets * BUCKET)
        self.buckets = buckets
        self.killers = array("q", [UNKNOWN]) * (2 * MOST_DEPTH)
        self.history = zeros(2 << CHOICE_BITS)

    @property
    def score(self) -> int:
        return self.frames[BEST]

    @property
    def choice(self) -> int:
        """The number of the choice on the menu: a heal stands for all."""
        return self.frames[PICK]

    @property
    def nodes(self) -> int:
        """Choices looked at since the first search."""
        return self.cursor[NODES]

    def deepen(self, depth: int, deadline: float | None = None) -> bool:
        """Searches to this depth; False if the time was up before it was done."""
        memory = (self.rows, self.frames, self.salts, self.table, self.buckets)
        self.begin(*memory, self.cursor)
        status = MORE
        while status == MORE:
            if deadline is not None and time.monotonic() >= deadline:
                return False
            status = self.search(
                depth, self.slice, *memory, self.killers, self.history, self.cursor
            )
        if status == NOT_ALTERNATING:
            raise not_alternating(self.ruleset)
        return True


def finding(ruleset: Ruleset, state: Any, score: int, choice: int, depth: int) -> Finding:
    rules = ruleset.rules
    if abs(score) > PROVEN:
        value = low = high = 1.0 if score > 0 else -1.0
    else:
        low, high = proven_bounds(ruleset, state)
        value = min(high, max(low, score / ESTIMATE))
    dominance: Any = own_module(ruleset, "dominance")
    mix = {dominance.strongest(rules, state, choice): 1.0}
    is_red = bool(rounds.menu(ruleset, state, RED))
    return Finding(value, mix if is_red else {}, {} if is_red else mix, depth, low, high)


def proven_bounds(ruleset: Ruleset, state: Any) -> tuple[float, float]:
    holding: Any = own_module(ruleset, "holding")
    if holding is None:
        return -1.0, 1.0
    low = 0.0 if holding.holds(ruleset.rules, state, RED) else -1.0
    high = 0.0 if holding.holds(ruleset.rules, state, BLUE) else 1.0
    return low, high
