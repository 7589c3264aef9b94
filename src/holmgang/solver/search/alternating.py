"""Search for games in which the seats take turns: alpha-beta with iterative deepening.

The game's folder has modules for it, which are compiled like the rules: `estimate.py` (how good a
state looks), `dominance.py` (which choices need to be searched) and perhaps `holding.py` (where a
seat is proven never to lose).

The search runs in slices of some milliseconds and checks the clock after each, so it stops in time
on a busy machine, and Ctrl-C works.
"""

import time
from array import array
from functools import lru_cache
from math import inf
from types import ModuleType

from holmgang.engine.compiled.native import Announce, Kernels, silent, zeros
from holmgang.engine.stream import draw
from holmgang.errors import UsageError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import Evaluation, Source
from holmgang.solver.search import alternating_kernels as node
from holmgang.solver.search.estimates import estimate_of

SLICE, SLICE_INTERPRETED = 1 << 13, 1 << 7  # nodes between two checks of the clock
LEAST_BUCKETS, MOST_BUCKETS = 1 << 10, 1 << 18  # of the table: up to 8 MiB
BUCKETS_EACH_MS = 1 << 9
COMPARED = 7  # depth of the search that tells whether a smaller amount is as good


def search_alternating(
    ruleset: Ruleset,
    state: State,
    *,
    budget_ms: float | None = None,
    depth: int | None = None,
    interpret: bool = False,
    announce: Announce = silent,
) -> Evaluation:
    """The best choice in a state, within a time limit or to a depth.

    The evaluation is that of the deepest completed search, of at least one round. The time limit
    does not include compiling. `low` and `high` are both 1 or -1 if a win or a loss is forced;
    otherwise they tell who is proven never to lose, and no choice gives that away. With a depth of
    1 a choice may give it away: such a search is meant to see only one round.

    Raises `StateError` if the duel is over, and `UsageError` if no limit is given or the game has
    chance or simultaneous choices.
    """
    check_limits(budget_ms, depth)
    check_state(ruleset, state)
    kernels = searcher_of(ruleset, interpret=interpret)
    kernels("search", announce)
    deadline = None if budget_ms is None else time.monotonic() + budget_ms / 1000
    doubted = 0 if depth == 1 else doubted_choices(ruleset, state)
    search = Search(kernels, state, buckets_for(budget_ms, depth), doubted)
    score, choice, seen = 0, node.UNKNOWN, 0
    while seen < (depth or node.MOST_DEPTH) and abs(score) < node.PROVEN:
        if not search.deepen(seen + 1, None if seen == 0 else deadline):
            break
        seen += 1
        score, choice = search.score, search.choice
    chosen = smallest_as_good(kernels, state, choice, min(seen, COMPARED))
    return evaluation(ruleset, state, score, chosen, seen, keeps_hold=depth != 1)


def smallest_as_good(kernels: Kernels, state: State, choice: int, depth: int) -> int:
    """Among the choices that a worthwhile choice represents, the first one that a search of this
    depth finds as good as the strongest: a shield of 40 instead of one of 32,768.
    """
    ruleset = kernels.ruleset
    *smaller, strongest = dominance_of(ruleset).stood_for(ruleset.rules, state, choice)
    if not smaller:
        return int(strongest)
    seat = RED if ruleset.choices(state, RED) else BLUE

    def worth(chosen: int) -> tuple[bool, int]:
        red, blue = (chosen, NO_CHOICE) if seat == RED else (NO_CHOICE, chosen)
        after = ruleset.resolve_unchecked(state, red, blue, 0)
        search = Search(kernels, after, LEAST_BUCKETS)
        for rounds_ahead in range(1, depth + 1):
            search.deepen(rounds_ahead)
        return is_held(ruleset, after, seat), search.score if seat == RED else -search.score

    best = worth(strongest)
    return next((each for each in smaller if worth(each) >= best), int(strongest))


def check_limits(budget_ms: float | None, depth: int | None) -> None:
    if budget_ms is None and depth is None:
        raise UsageError("a search needs a limit: budget_ms, depth, or both")
    if budget_ms is not None and not 0 <= budget_ms < inf:
        raise UsageError(f"budget_ms must be a number of milliseconds, 0 or more; not {budget_ms}")
    if depth is not None and not 1 <= depth <= node.MOST_DEPTH:
        raise UsageError(f"depth must be from 1 to {node.MOST_DEPTH} rounds; not {depth}")


def check_state(ruleset: Ruleset, state: State) -> None:
    ruleset.check_undecided(state)
    if len([seat for seat in (RED, BLUE) if ruleset.choices(state, seat)]) != 1:
        raise not_alternating(ruleset)


def not_alternating(ruleset: Ruleset) -> UsageError:
    return UsageError(
        f"{ruleset.text} cannot be searched by alpha-beta, which needs a game without dice in which"
        " one seat chooses at a time"
    )


@lru_cache(maxsize=64)
def searcher_of(ruleset: Ruleset, *, interpret: bool = False) -> Kernels:
    modules = (dominance_of(ruleset), estimate_of(ruleset), node)
    return Kernels(ruleset, modules, interpret=interpret)


def dominance_of(ruleset: Ruleset) -> ModuleType:
    dominance = ruleset.game.dominance
    if dominance is None:
        raise UsageError(f"{ruleset.text} has no dominance.py, which this search needs")
    return dominance


def buckets_for(budget_ms: float | None, depth: int | None) -> int:
    """The number of buckets, a power of two: allocating them must take only part of the time."""
    wanted = 1 << (depth or node.MOST_DEPTH) + 3
    if budget_ms is not None:
        wanted = min(wanted, int(budget_ms * BUCKETS_EACH_MS))
    return 1 << min(MOST_BUCKETS, max(LEAST_BUCKETS, wanted)).bit_length() - 1


class Search:
    """The data of searches from one state: stack, table, killers and history."""

    def __init__(self, kernels: Kernels, state: State, buckets: int, doubted: int = 0) -> None:
        """A doubted choice counts only if it forces a win."""
        fields = len(kernels.layout.names)
        self.ruleset = kernels.ruleset
        self.begin, self.search = kernels.bound.kernels["begin"], kernels("search")
        self.slice = SLICE if kernels.is_compiled else SLICE_INTERPRETED
        self.frames = zeros(node.MOST_DEPTH * node.FRAME)
        self.frames[node.PICK] = node.UNKNOWN
        self.cursor = zeros(node.CURSOR)
        self.rows = zeros(node.MOST_DEPTH * fields)
        kernels.bound.kernels["pack"](state, self.rows, 0)
        self.salts = array("q", [draw(0, place, 0) >> 1 | 1 for place in range(fields)])
        self.table = zeros(buckets * node.BUCKET)
        self.buckets = buckets
        self.doubted = doubted
        self.killers = array("q", [node.UNKNOWN]) * (2 * node.MOST_DEPTH)
        self.history = zeros(2 << node.CHOICE_BITS)

    @property
    def score(self) -> int:
        return self.frames[node.BEST]

    @property
    def choice(self) -> int:
        """The choice on the menu, on which one heal represents all heals."""
        return self.frames[node.PICK]

    @property
    def nodes(self) -> int:
        """Choices searched so far."""
        return self.cursor[node.NODES]

    def deepen(self, depth: int, deadline: float | None = None) -> bool:
        """Searches to this depth. Returns False if the deadline passes first."""
        status = self.begin(self.rows, self.frames, self.choice, self.doubted, self.cursor)
        while status == node.MORE:
            if deadline is not None and time.monotonic() >= deadline:
                return False
            stack = self.rows, self.frames, self.salts, self.table, self.buckets
            order = self.killers, self.history, self.cursor
            status = self.search(depth, self.slice, *stack, *order)
        if status == node.NOT_ALTERNATING:
            raise not_alternating(self.ruleset)
        return True


def evaluation(
    ruleset: Ruleset, state: State, score: int, choice: int, depth: int, *, keeps_hold: bool
) -> Evaluation:
    """The evaluation with this choice. With `keeps_hold`, a seat that is proven never to lose makes
    no choice that gives that away.
    """
    if abs(score) > node.PROVEN:
        value = low = high = 1.0 if score > 0 else -1.0
    else:
        low, high = proven_bounds(ruleset, state)
        value = min(high, max(low, score / node.ESTIMATE))
    mix = {choice: 1.0}
    is_red = bool(ruleset.choices(state, RED))
    is_known = abs(value) == 1 or (low == high and keeps_hold)
    decided = abs(value) if is_known else None
    red, blue = (mix, {}) if is_red else ({}, mix)
    source = Source.PROOF if low == high else Source.SEARCH
    return Evaluation(value, low, high, red, blue, decided, source, depth)


def proven_bounds(ruleset: Ruleset, state: State) -> tuple[float, float]:
    low = 0.0 if is_held(ruleset, state, RED) else -1.0
    high = 0.0 if is_held(ruleset, state, BLUE) else 1.0
    return low, high


def is_held(ruleset: Ruleset, state: State, seat: int) -> bool:
    """Whether the seat is proven never to lose an undecided state."""
    holding = ruleset.game.holding
    return holding is not None and bool(holding.holds(ruleset.rules, state, seat))


def doubted_choices(ruleset: Ruleset, state: State) -> int:
    """The set of choices after which the seat is no longer proven never to lose."""
    seat = RED if ruleset.choices(state, RED) else BLUE
    if not is_held(ruleset, state, seat):
        return 0
    dominance = dominance_of(ruleset)
    looked_at = dominance.worthwhile(ruleset.rules, state, ruleset.choice_set(state, seat))
    doubted = 0
    for entry in range(looked_at.bit_length()):
        if looked_at >> entry & 1:
            choice = dominance.strongest(ruleset.rules, state, entry)
            red, blue = (choice, NO_CHOICE) if seat == RED else (NO_CHOICE, choice)
            after = ruleset.resolve_unchecked(state, red, blue, 0)
            if not ruleset.ending(after).reason and not is_held(ruleset, after, seat):
                doubted |= 1 << entry
    return doubted if doubted != looked_at else 0
