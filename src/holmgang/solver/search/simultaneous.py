"""Depth-limited search in games in which both seats choose at once.

`simultaneous_kernels.py` contains the search itself. This module binds it to a ruleset, runs it
with iterative deepening, and keeps it within its budget.
"""

import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import Any

from holmgang.engine.compiled.native import Announce, Kernels, NumberKernels, silent, zeros
from holmgang.engine.stream import GAMMA, mix, word
from holmgang.errors import UsageError
from holmgang.games.contract import BLUE, RED, State
from holmgang.games.ruleset import Ruleset
from holmgang.solver import matrix as matrix_games
from holmgang.solver.evaluation import Evaluation, Source
from holmgang.solver.exact.table import floats
from holmgang.solver.search import round_kernels
from holmgang.solver.search import simultaneous_kernels as node
from holmgang.solver.search.estimates import estimate_of

MOST_DEPTH = node.MOST_PLIES // 2 - 1  # an answer takes a ply but is not a round
TABLE_SIZE = 1 << 18
FIRST_CELLS = 100  # before the speed is known
FEWEST_CELLS = 50
UNLIMITED = 1 << 60
PART = 0.3  # share of the time left that is used before the clock is checked again
RESERVE_MS = 2.0  # of the budget, for the work before and after the search
KEPT_BOARDS = 4


def search_simultaneous(
    ruleset: Ruleset,
    state: State,
    *,
    budget_ms: float | None = None,
    depth: int | None = None,
    is_full: bool = False,
    interpret: bool = False,
    announce: Announce = silent,
) -> Evaluation:
    """The value and mixes of an undecided state, searched to `depth` rounds or until the budget is
    used up, but at least one round ahead.

    Leaves that end the duel are scored by the rules, other leaves by the game's `estimate`. An
    answer of a single seat to a round, such as Defend The City's second step, belongs to that
    round. A result that depends on no estimate is exact, and ends the search. `is_full` searches
    whole matrices, which takes longer and finds the same.

    The budget does not include compiling, which the first search of a ruleset may have to do and
    reports to `announce`. Searches may run in several threads at once.

    Raises `StateError` if the duel is over, `UsageError` if there is no limit.
    """
    if budget_ms is None and depth is None:
        raise UsageError("a search needs a depth, a budget in milliseconds, or both")
    if depth is not None and not 1 <= depth <= MOST_DEPTH:
        raise UsageError(f"depth must be from 1 to {MOST_DEPTH} rounds; not {depth}")
    ruleset.check_undecided(state)
    searcher = searcher_of(ruleset, interpret)
    searcher.make_ready(announce)
    until = None if budget_ms is None else time.perf_counter() + (budget_ms - RESERVE_MS) / 1000
    most = MOST_DEPTH if depth is None else depth
    fullness = node.ALL_FULL if is_full else node.NONE_FULL
    if not ruleset.is_symmetric:
        return searcher.search(state, most, until, fullness)
    mirrored: Any = ruleset.mirror(state)
    if mirrored < state:  # always searches the same one of two mirror images
        return searcher.search(mirrored, most, until, fullness).mirrored()
    evaluation = searcher.search(state, most, until, fullness)
    return evened(evaluation) if mirrored == state else evaluation


def search_pairs(
    ruleset: Ruleset, state: State, *, depth: int, budget_ms: float
) -> list[list[float]]:
    """The value of each pair of choices to red, with a row for each choice of red, searched like
    the state. A seat that has nothing to choose has a single row or column.
    """
    searcher = searcher_of(ruleset, False)
    searcher.make_ready(silent)
    until = time.perf_counter() + (budget_ms - RESERVE_MS) / 1000
    pairs: list[list[float]] = []
    with searcher.board() as board:
        for _ in searcher.deepen(board, state, depth, until, node.ROOT_FULL):
            columns = board.frames[node.COLUMNS]
            starts = range(node.LOWS, node.LOWS + board.frames[node.ROWS] * columns, columns)
            pairs = [board.numbers[start : start + columns].tolist() for start in starts]
    return pairs


def evened(found: Evaluation) -> Evaluation:
    """The evaluation of a state that is its own mirror image: value 0, one mix for both seats."""
    mix = {choice: (share + found.blue[choice]) / 2 for choice, share in found.red.items()}
    low, high = (0.0, 0.0) if found.is_exact else (found.low, found.high)
    return Evaluation(0.0, low, high, mix, dict(mix), None, found.source, found.depth)


@lru_cache(maxsize=16)
def searcher_of(ruleset: Ruleset, interpret: bool) -> "SearchBoards":
    return SearchBoards(ruleset, interpret=interpret)


class SearchArrays:
    """The arrays of one search; the kernels describe them."""

    def __init__(self, fields: int) -> None:
        limit = matrix_games.LIMIT
        self.states = zeros((node.MOST_PLIES + 1) * fields)
        self.control = zeros(node.CONTROL_SIZE)
        self.frames = zeros(node.MOST_PLIES * node.FRAME)
        self.numbers = floats(node.MOST_PLIES * node.FLOAT_FRAME)
        self.grid = floats(limit * limit)
        self.row_mix, self.column_mix = floats(limit), floats(limit)
        self.work = floats(matrix_games.work_size(limit, limit))
        self.table = zeros(TABLE_SIZE * node.ENTRY)
        self.bounds = floats(TABLE_SIZE * 2)
        self.salts = array("q", (mix(word((n + 1) * GAMMA)) >> 1 | 1 for n in range(fields)))

    @property
    def arrays(self) -> "tuple[array[int] | array[float], ...]":
        return tuple(vars(self).values())  # in the order of the kernel's arguments


class SearchBoards:
    """The kernels of a ruleset, and a pool of boards: each search uses one of them."""

    def __init__(self, ruleset: Ruleset, *, interpret: bool) -> None:
        self.ruleset = ruleset
        modules = (round_kernels, estimate_of(ruleset))
        self.rounds = Kernels(ruleset, modules, interpret=interpret)
        solver = NumberKernels("search", (matrix_games,), interpret=interpret)
        linked = {"play_faces": self.rounds, "solve": solver}
        self.kernels = NumberKernels("search", (node,), linked, interpret=interpret)
        self.fields = len(self.rounds.layout.names)
        self._boards: list[SearchArrays] = []
        self._lock = Lock()

    @property
    def is_compiled(self) -> bool:
        return self.kernels.is_cached("look_ahead")

    def make_ready(self, announce: Announce) -> None:
        with self._lock:
            self.kernels("look_ahead", announce)

    @contextmanager
    def board(self) -> Iterator[SearchArrays]:
        with self._lock:
            board = self._boards.pop() if self._boards else None
        board = board or SearchArrays(self.fields)
        yield board
        with self._lock:
            if len(self._boards) < KEPT_BOARDS:
                self._boards.append(board)

    def search(self, state: State, depth: int, until: float | None, fullness: int) -> Evaluation:
        """Searches by iterative deepening."""
        with self.board() as board:
            *_, found = self.deepen(board, state, depth, until, fullness)
        return found

    def deepen(
        self, board: SearchArrays, state: State, depth: int, until: float | None, fullness: int
    ) -> Iterator[Evaluation]:
        """The evaluations at growing depths; the first one, of one round, has no time limit."""
        self._set_up(board, state)
        board.control[node.STAMP] += 1
        board.control[node.CELLS] = 0
        for ply in range(node.MOST_PLIES):  # forget earlier searches
            frame = ply * node.FRAME
            board.frames[frame + node.RED_MASK] = board.frames[frame + node.BLUE_MASK] = 0
        pace = ClockPace(None)
        for rounds_ahead in range(1, depth + 1):
            if not self._look_ahead(board, rounds_ahead, fullness, pace):
                return
            found = read(board, rounds_ahead)
            yield found
            if found.is_exact:
                return
            pace = ClockPace(until, board.control[node.CELLS])

    def _set_up(self, board: SearchArrays, state: State) -> None:
        kernels = self.rounds.bound.kernels
        kernels["pack"](state, board.states, 0)
        board.frames[node.HASH] = kernels["hashed"](0, board.states, board.salts)
        board.frames[node.RED_MENU] = self.ruleset.choice_set(state, RED)
        board.frames[node.BLUE_MENU] = self.ruleset.choice_set(state, BLUE)

    def _look_ahead(
        self, board: SearchArrays, depth: int, fullness: int, pace: "ClockPace"
    ) -> bool:
        """Searches to a depth. Returns False if the budget was used up first."""
        board.control[node.PLY], board.control[node.DOING] = 0, node.ENTERING
        look_ahead = self.kernels("look_ahead")
        while True:
            cells = pace.cells(board.control[node.CELLS])
            if cells <= 0:
                return False
            if look_ahead(depth, fullness, cells, TABLE_SIZE, *board.arrays):
                return True


class ClockPace:
    """How many cells to search before checking the clock again."""

    def __init__(self, until: float | None, cells_before: int = 0) -> None:
        self.until = until
        self.started = time.perf_counter()
        self.cells_before = cells_before
        self.expected = self.started  # time of the next check
        self.delay = 0.0  # how late the last checks came, on a busy machine

    def cells(self, so_far: int) -> int:
        """A share of the cells that fit in the time left; 0 if no time is left."""
        if self.until is None:
            return UNLIMITED
        now = time.perf_counter()
        self.delay = max(self.delay / 2, now - self.expected)
        left = self.until - now - self.delay
        if left <= 0:
            return 0
        if so_far == self.cells_before:
            self.expected = now + left
            return FIRST_CELLS
        self.expected = now + PART * left
        speed = (so_far - self.cells_before) / (now - self.started)
        return max(FEWEST_CELLS, int(PART * left * speed))


def read(board: SearchArrays, depth: int) -> Evaluation:
    """The result in the first frame."""
    value = board.numbers[node.VALUE]
    mixes = [
        {
            board.frames[choices + place]: board.numbers[shares + place]
            for place in range(board.frames[size])
            if board.frames[choices + place] >= 0
        }
        for size, choices, shares in (
            (node.ROWS, node.RED_CHOICES, node.RED_SHARES),
            (node.COLUMNS, node.BLUE_CHOICES, node.BLUE_SHARES),
        )
    ]
    is_proven = not board.control[node.GUESSED] or abs(value) == 1  # an estimate is never 1
    low, high = (value, value) if is_proven else (-1.0, 1.0)
    decided = 1.0 if is_proven and abs(value) == 1 else None
    source = Source.PROOF if is_proven else Source.SEARCH
    return Evaluation(value, low, high, mixes[RED], mixes[BLUE], decided, source, depth)
