"""One layer: all states of one score, solved turn by turn from the last one back."""

from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Self

from holmgang.engine.compiled.kernels import EMPTY
from holmgang.engine.compiled.native import NumberKernels, zeros
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State
from holmgang.solver import matrix as matrix_games
from holmgang.solver.evaluation import Evaluation, Source
from holmgang.solver.exact.table import floats
from holmgang.solver.layered import turn_kernels
from holmgang.solver.layered.layer_kernels import POINTS, STEPS
from holmgang.solver.layered.places import Places, Score, StepKind, not_layered

CHECKED = 600  # places compared with the rules at every turn, unless `thorough`
CHUNKS = 4  # for each worker, so that a slow one does not hold up the others
UNIT = 2.0**-53  # rounding error of a number up to 1
PAIR = "h"  # array type of pairs of choices, of which there are at most 63 times 63


@lru_cache(maxsize=1)
def turn_solver() -> NumberKernels:
    return NumberKernels("layers", (matrix_games, turn_kernels))


@dataclass(frozen=True)
class Arrivals:
    """Values of the places where a score begins, with a row for each turn from the first."""

    first: int
    values: "array[float]"
    decided: "array[float]"
    error: float
    """Largest difference between a value and the value that its mixes secure."""

    def mirrored(self, mirrors: "array[int]") -> "Arrivals":
        """The arrivals of the mirrored score."""
        size = len(mirrors)
        values, decided = floats(len(self.values)), floats(len(self.decided))
        for at in range(0, len(values), size):
            for number, mirror in enumerate(mirrors):
                values[at + number] = -self.values[at + mirror]
                decided[at + number] = self.decided[at + mirror]
        return Arrivals(self.first, values, decided, self.error)


class Crew:
    """Threads that share the work of a turn: compiled kernels release the interpreter's lock."""

    def __init__(self, workers: int) -> None:
        self._executor = ThreadPoolExecutor(workers) if workers > 1 else None
        self.pieces = CHUNKS * workers if workers > 1 else 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor:
            self._executor.shutdown()

    def each(self, work: Callable[[int], float]) -> list[float]:
        """The results of the work for each piece."""
        run = self._executor.map if self._executor else map
        return list(run(work, range(self.pieces)))


@dataclass(frozen=True)
class Worth:
    """The value of a pair of choices, the probability that someone wins, and the largest error."""

    value: float
    decided: float
    error: float


class Layer:
    """Solves one score. `values`, `decided`, `pairs` and `errors` have an entry for each turn
    solved; without `keep`, `pairs` has only the latest turn, `values` and `decided` the latest few.

    `pairs[turn]` has the pair of choices of each place if both mixes are pure, otherwise NO_SADDLE.
    If a matrix has several solutions, the one found may depend on the next turn. With the pairs,
    `evaluate` returns the same mixes from which `decided` was computed.
    """

    def __init__(
        self,
        places: Places,
        score: Score,
        firsts: dict[Score, int],
        arrivals: Callable[[Score], Arrivals],
        crew: Crew,
        *,
        keep: bool = False,
        thorough: bool = False,
    ) -> None:
        """`arrivals` returns the arrivals of a score that may follow; `firsts` has all such scores.
        A `thorough` layer compares all places with the rules at every turn.
        """
        self.places, self.score = places, score
        self.turn = places.turns
        self.values: dict[int, array[float]] = {}
        self.decided: dict[int, array[float]] = {}
        self.pairs: dict[int, array[int]] = {}
        self.errors: dict[int, float] = {}
        self._keep, self._thorough, self._crew = keep, thorough, crew
        pieces = crew.pieces
        cuts = (places.count * piece // pieces for piece in range(pieces + 1))
        self._pieces = list(pairwise(cuts))
        self._spaces = [self._space() for _ in self._pieces]
        self._following: dict[StepKind, Arrivals] = {}
        for kind in places.blocks:
            after = (score[0] + kind.red, score[1] + kind.blue)
            if kind.scores and places.canonical(after) in firsts:
                self._following[kind] = arrivals(after)
        self._codes = zeros(places.pair_starts[-1])
        self._saddles = array("q", [turn_kernels.NO_SADDLE]) * places.count
        self._boards = floats(places.board_size), floats(places.board_size)
        for board, ends in zip(self._boards, ((-1.0, 0.0, 1.0), (1.0, 0.0, 1.0)), strict=True):
            board[places.draw_code - 1 :] = array("d", ends)
        self._rounding = (2 * places.most_choices + 4) * UNIT

    def _space(self) -> tuple["array[float]", ...]:
        size = self.places.most_choices
        work = matrix_games.work_size(size, size)
        return floats(size * size), floats(size), floats(size), floats(work)

    def solve_to(self, turn: int) -> None:
        """Solves all turns back to this one."""
        while self.turn > turn:
            self._solve_turn(self.turn - 1)

    def _solve_turn(self, turn: int) -> None:
        places = self.places
        self._tabulate(turn)
        error = self._set_boards(turn)
        values, decided = floats(places.count), floats(places.count)
        is_mirrored = places.is_symmetric and self.score[0] == self.score[1]
        mirrors = places.mirrors if is_mirrored else zeros(1)
        kernel = turn_solver()("solve_turn")
        given = places.reds, places.blues, places.pair_starts, mirrors, int(is_mirrored)
        changed = self._codes, self._saddles, *self._boards, values, decided

        def solve_piece(piece: int) -> float:
            return float(kernel(*self._pieces[piece], *given, *changed, *self._spaces[piece]))

        gap = max(self._crew.each(solve_piece))
        self.values[turn], self.decided[turn] = values, decided
        self.errors[turn] = error + gap / 2 + self._rounding
        self.turn = turn
        done = turn + places.longest_step + 1  # not needed by earlier turns
        if not self._keep:
            self.pairs = {turn: self._saddles}
            self.values.pop(done, None)
            self.decided.pop(done, None)
        else:
            self.pairs[turn] = array(PAIR, self._saddles)
            if done in self.decided:
                self.decided[done] = array("f", self.decided[done])

    # Successors

    def _tabulate(self, turn: int) -> None:
        """Writes the codes of the turn. Only the last turns, in which the clock may run out, have
        codes of their own; the others share theirs, and some of those are compared with the rules.
        """
        places = self.places
        blocks = array("q", [EMPTY]) * (POINTS * POINTS * STEPS)
        for kind, start in places.blocks.items():
            is_there = kind in self._following or not kind.scores
            if is_there and turn + kind.step < places.turns:
                blocks[kind.number] = start
        is_check = turn < places.turns - places.longest_step - 1
        is_sample = is_check and not self._thorough
        stride = max(1, places.count // CHECKED) if is_sample else 1
        now = array("q", (turn, *self.score))
        kernel = places.kernels("tabulate_turn")

        given = stride, int(is_check), now, places.ground, blocks, places.draw_code, self._codes

        def tabulate_piece(piece: int) -> int:
            first, end = self._pieces[piece]
            return int(kernel(first + turn % stride, end, *given, zeros(places.width)))

        if any(self._crew.each(tabulate_piece)):
            raise not_layered(places.ruleset)

    def _set_boards(self, turn: int) -> float:
        """Fills the boards for the turn. Returns the largest error of the values on them."""
        places, error = self.places, 0.0
        size = len(places.arrivals)
        board, decided_board = self._boards
        for kind, start in places.blocks.items():
            after = turn + kind.step
            following = self._following.get(kind)
            if after >= places.turns or (kind.scores and following is None):
                continue
            if following is None:
                values, decided = self.values[after], self.decided[after]
                error = max(error, self.errors[after])
            else:
                at = (after - following.first) * size
                values, decided = (
                    numbers[at : at + size] for numbers in (following.values, following.decided)
                )
                error = max(error, following.error)
            board[start : start + len(values)] = values
            decided_board[start : start + len(decided)] = decided
        return error

    # Single states

    def is_kept_mirrored(self, place: int) -> bool:
        """Whether the mirror image of the place was solved instead."""
        is_level = self.score[0] == self.score[1]
        return self.places.is_symmetric and is_level and self.places.mirror(place) < place

    def evaluate(self, state: State) -> Evaluation:
        """Evaluates a state of this score; its turn must be solved."""
        ruleset = self.places.ruleset
        place, turn, _ = self.places.find(state)
        if self.is_kept_mirrored(place):
            mirror = ruleset.mirror(state)
            return self.evaluate(mirror).mirrored()
        menus = [ruleset.choices(state, seat) for seat in (RED, BLUE)]
        reds, blues = (menu or [NO_CHOICE] for menu in menus)
        worths = [self.worth(state, red, blue) for red in reds for blue in blues]
        red_mix, blue_mix = [0.0] * len(reds), [0.0] * len(blues)
        pair = self.pairs[turn][place]
        if pair == turn_kernels.NO_SADDLE:
            value, gap = solve_worths(worths, red_mix, blue_mix)
        else:
            red_mix[pair // len(blues)] = blue_mix[pair % len(blues)] = 1.0
            value, gap = worths[pair].value, 0.0
        shares = (red_share * blue_share for red_share in red_mix for blue_share in blue_mix)
        decided = sum(share * w.decided for share, w in zip(shares, worths, strict=True))
        error = max(w.error for w in worths) + gap / 2 + self._rounding
        return Evaluation(
            value,
            max(-1.0, value - error),
            min(1.0, value + error),
            dict(zip(menus[RED], red_mix, strict=False)),
            dict(zip(menus[BLUE], blue_mix, strict=False)),
            decided,
            Source.LAYERS,
        )

    def worth(self, state: State, red: int, blue: int) -> Worth:
        """The worth of two choices in a state of this score."""
        places = self.places
        after = places.ruleset.resolve_unchecked(state, red, blue, 0)
        utility = places.ruleset.utility(after)
        if utility is not None:
            return Worth(utility, abs(utility), 0.0)
        place, turn, score = places.find(after)
        if score == self.score:
            return Worth(self.values[turn][place], self.decided[turn][place], self.errors[turn])
        step = turn - places.find(state)[1]
        known = self._following[StepKind(step, score[0] - self.score[0], score[1] - self.score[1])]
        at = (turn - known.first) * len(places.arrivals) + places.ground.arrivals[place]
        return Worth(known.values[at], known.decided[at], known.error)


def solve_worths(
    worths: list[Worth], red_mix: list[float], blue_mix: list[float]
) -> tuple[float, float]:
    """Solves the matrix of worths and writes the mixes. Returns the value and the gap."""
    reds, blues = len(red_mix), len(blue_mix)
    work = [0.0] * matrix_games.work_size(reds, blues)
    matrix = [worth.value for worth in worths]
    value = matrix_games.solve(matrix, reds, blues, red_mix, blue_mix, work)
    return value, work[matrix_games.HIGH] - work[matrix_games.LOW]
