"""Depth-limited search where both seats choose at once: what a state is worth, as far as one sees.

`simultaneous_kernels.py` does the looking ahead. Here it is made ready for a ruleset, asked for one
round more each time, and kept to its budget.
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
from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import Ruleset
from holmgang.solver import matrix as matrix_games
from holmgang.solver.evaluation import Evaluation, Source
from holmgang.solver.search import no_estimate, round_kernels
from holmgang.solver.search import simultaneous_kernels as search_kernels
from holmgang.solver.search.simultaneous_kernels import (
    BLUE_CHOICES,
    BLUE_MASK,
    BLUE_MENU,
    BLUE_SHARES,
    CELLS,
    COLUMNS,
    CONTROL_SIZE,
    DOING,
    ENTERING,
    ENTRY,
    FLOAT_FRAME,
    FRAME,
    GUESSED,
    HASH,
    MOST_PLIES,
    PLY,
    RED_CHOICES,
    RED_MASK,
    RED_MENU,
    RED_SHARES,
    ROWS,
    STAMP,
    VALUE,
)

MOST_DEPTH = MOST_PLIES // 2 - 1  # an answer takes a ply and no round
TABLE_SIZE = 1 << 18
FIRST_CELLS = 100  # how many are looked at before their speed is known
FEWEST_CELLS = 50
UNLIMITED = 1 << 60
PART = 0.3  # of the time that is left: what comes in between may take longer than it did so far
RESERVE_MS = 2.0  # of the budget, for what comes before and after
KEPT_BOARDS = 4


def search_simultaneous(
    ruleset: Ruleset,
    state: Any,
    *,
    budget_ms: float | None = None,
    depth: int | None = None,
    is_full: bool = False,
    interpret: bool = False,
    announce: Announce = silent,
) -> Evaluation:
    """The value and mixes of an undecided state, looking `depth` rounds ahead, or as far as the
    budget lasts, or both; one round in any case.

    The rules' own ends count as they are, all else by the game's `estimate`. An answer of a single
    seat to a round, such as Defend The City's second step, is looked at with it. Where no estimate
    had a part in it the evaluation is exact, and nothing deeper is looked for. `is_full` looks at
    whole matrices, of up to 40 choices each: it finds the same, and takes longer.

    The budget begins when the kernels are ready: the first search by a ruleset may compile them for
    some seconds, of which `announce` is told. Searches may run in several threads at once.

    Raises `StateError` if the duel is over, `UsageError` if there is no limit at all.
    """
    if budget_ms is None and depth is None:
        raise UsageError("a search needs a depth, a budget in milliseconds, or both")
    if depth is not None and not 1 <= depth <= MOST_DEPTH:
        raise UsageError(f"a search looks 1 to {MOST_DEPTH} rounds ahead; not {depth}")
    ruleset.check_undecided(state)
    searcher = searcher_of(ruleset, interpret)
    searcher.make_ready(announce)
    until = None if budget_ms is None else time.perf_counter() + (budget_ms - RESERVE_MS) / 1000
    most = MOST_DEPTH if depth is None else depth
    if not ruleset.is_symmetric:
        return searcher.search(state, most, until, is_full)
    mirrored = ruleset.mirror(state)
    if mirrored < state:  # of two mirror images always the same is searched
        return searcher.search(mirrored, most, until, is_full).mirrored()
    evaluation = searcher.search(state, most, until, is_full)
    return evened(evaluation) if mirrored == state else evaluation


def evened(found: Evaluation) -> Evaluation:
    """The evaluation of a state that is its own mirror image: value 0, one mix for both seats."""
    mix = {choice: (share + found.blue[choice]) / 2 for choice, share in found.red.items()}
    low, high = (0.0, 0.0) if found.is_exact else (found.low, found.high)
    return Evaluation(0.0, low, high, mix, dict(mix), None, found.source, found.depth)


@lru_cache(maxsize=16)
def searcher_of(ruleset: Ruleset, interpret: bool) -> "Searcher":
    return Searcher(ruleset, interpret=interpret)


class Board:
    """The arrays of one search; the kernels say what is in them."""

    def __init__(self, fields: int) -> None:
        limit = matrix_games.LIMIT
        self.states = zeros((MOST_PLIES + 1) * fields)
        self.control = zeros(CONTROL_SIZE)
        self.frames = zeros(MOST_PLIES * FRAME)
        self.numbers = floats(MOST_PLIES * FLOAT_FRAME)
        self.grid = floats(limit * limit)
        self.row_mix, self.column_mix = floats(limit), floats(limit)
        self.work = floats(matrix_games.work_size(limit, limit))
        self.table = zeros(TABLE_SIZE * ENTRY)
        self.bounds = floats(TABLE_SIZE * 2)
        self.salts = array("q", (mix(word((n + 1) * GAMMA)) >> 1 | 1 for n in range(fields)))

    @property
    def arrays(self) -> tuple[Any, ...]:
        return (
            self.states,
            self.control,
            self.frames,
            self.numbers,
            self.grid,
            self.row_mix,
            self.column_mix,
            self.work,
            self.table,
            self.bounds,
            self.salts,
        )


def floats(size: int) -> "array[float]":
    return array("d", bytes(8 * size))


class Searcher:
    """The kernels of a ruleset and boards for them, of which every search takes one for itself."""

    def __init__(self, ruleset: Ruleset, *, interpret: bool) -> None:
        self.ruleset = ruleset
        modules = (round_kernels, ruleset.game.estimate or no_estimate)
        self.rounds = Kernels(ruleset, modules, interpret=interpret)
        solver = NumberKernels("search", (matrix_games,), interpret=interpret)
        linked = {"play_faces": self.rounds, "solve": solver}
        self.kernels = NumberKernels("search", (search_kernels,), linked, interpret=interpret)
        self.fields = len(self.rounds.layout.names)
        self._boards: list[Board] = []
        self._lock = Lock()

    @property
    def is_compiled(self) -> bool:
        return self.kernels.is_cached("look_ahead")

    def make_ready(self, announce: Announce) -> None:
        with self._lock:
            self.kernels("look_ahead", announce)

    @contextmanager
    def board(self) -> Iterator[Board]:
        with self._lock:
            board = self._boards.pop() if self._boards else None
        board = board or Board(self.fields)
        yield board
        with self._lock:
            if len(self._boards) < KEPT_BOARDS:
                self._boards.append(board)

    def search(self, state: Any, depth: int, until: float | None, is_full: bool) -> Evaluation:
        """One round ahead, and one more, and one more."""
        with self.board() as board:
            self._set_up(board, state)
            board.control[STAMP] += 1
            board.control[CELLS] = 0
            for ply in range(MOST_PLIES):  # nothing of an earlier search has a part in this one
                board.frames[ply * FRAME + RED_MASK] = board.frames[ply * FRAME + BLUE_MASK] = 0
            pace = ClockPace(None)  # one round ahead is always looked
            found = None
            for rounds_ahead in range(1, depth + 1):
                if not self._look_ahead(board, rounds_ahead, is_full, pace):
                    break
                found = read(board, rounds_ahead)
                if found.is_exact:
                    break
                pace = ClockPace(until, board.control[CELLS])
        assert found is not None  # noqa: S101 - the first had no limit
        return found

    def _set_up(self, board: Board, state: Any) -> None:
        kernels, game, rules = (
            self.rounds.bound.kernels,
            self.ruleset.game.rules,
            self.ruleset.rules,
        )
        kernels["pack"](state, board.states, 0)
        board.frames[HASH] = kernels["hashed"](0, board.states, board.salts)
        board.frames[RED_MENU] = game.choices(rules, state, RED)
        board.frames[BLUE_MENU] = game.choices(rules, state, BLUE)

    def _look_ahead(self, board: Board, depth: int, is_full: bool, pace: "ClockPace") -> bool:
        """Whether it was done before the budget ended."""
        board.control[PLY], board.control[DOING] = 0, ENTERING
        look_ahead = self.kernels("look_ahead")
        while True:
            cells = pace.cells(board.control[CELLS])
            if cells <= 0:
                return False
            if look_ahead(depth, int(is_full), cells, TABLE_SIZE, *board.arrays):
                return True


class ClockPace:
    """How many cells to look at before the clock is looked at again."""

    def __init__(self, until: float | None, cells_before: int = 0) -> None:
        self.until = until
        self.started = time.perf_counter()
        self.cells_before = cells_before
        self.expected = self.started  # when it was going to be asked again
        self.delay = 0.0  # by how much that was late: on a busy machine it will be again

    def cells(self, so_far: int) -> int:
        """A part of what can be looked at in the time that is left; 0 when there is none."""
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


def read(board: Board, depth: int) -> Evaluation:
    """What is in the first frame."""
    value = board.numbers[VALUE]
    mixes = [
        {
            board.frames[choices + place]: board.numbers[shares + place]
            for place in range(board.frames[size])
            if board.frames[choices + place] >= 0
        }
        for size, choices, shares in (
            (ROWS, RED_CHOICES, RED_SHARES),
            (COLUMNS, BLUE_CHOICES, BLUE_SHARES),
        )
    ]
    is_proven = not board.control[GUESSED] or abs(value) == 1  # no estimate is as much as that
    low, high = (value, value) if is_proven else (-1.0, 1.0)
    decided = 1.0 if is_proven and abs(value) == 1 else None
    source = Source.PROOF if is_proven else Source.SEARCH
    return Evaluation(value, low, high, mixes[RED], mixes[BLUE], decided, source, depth)
