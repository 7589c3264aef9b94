"""One layer: all states of one score, solved turn by turn from the last one back."""

from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Self

from holmgang.engine.compiled.kernels import EMPTY
from holmgang.engine.compiled.native import NumberKernels, zeros
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.solver import matrix as matrix_games
from holmgang.solver.evaluation import Evaluation, Source
from holmgang.solver.exact.table import floats
from holmgang.solver.layered import turn_kernels
from holmgang.solver.layered.layer_kernels import POINTS, STEPS
from holmgang.solver.layered.places import Places, Score, StepKind, not_layered

CHECKED = 600  # places that are compared with the rules at every turn, unless it is thorough
CHUNKS = 4  # for each worker: one that is held up does not hold up the others for long
UNIT = 2.0**-53  # what a single rounding may change in a number up to 1
PAIR = "h"  # the type of a kept pair of choices; there are at most 63 times 63


@lru_cache(maxsize=1)
def turn_solver() -> NumberKernels:
    return NumberKernels("layers", (matrix_games, turn_kernels))


@dataclass(frozen=True)
class Arrivals:
    """What is known of a score where it begins: a row of numbers for each turn from the first."""

    first: int
    values: "array[float]"
    decided: "array[float]"
    error: float
    """How far a value may be from what its mixes are sure of."""

    def mirrored(self, mirrors: "array[int]") -> "Arrivals":
        """The same for the score that mirrors this one."""
        size = len(mirrors)
        values, decided = floats(len(self.values)), floats(len(self.decided))
        for at in range(0, len(values), size):
            for number, mirror in enumerate(mirrors):
                values[at + number] = -self.values[at + mirror]
                decided[at + number] = self.decided[at + mirror]
        return Arrivals(self.first, values, decided, self.error)


class Crew:
    """Threads that share the work of a turn, which the compiled kernels do without the
    interpreter's lock; a context manager.
    """

    def __init__(self, workers: int) -> None:
        self._executor = ThreadPoolExecutor(workers) if workers > 1 else None
        self.pieces = CHUNKS * workers if workers > 1 else 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor:
            self._executor.shutdown()

    def each(self, work: Callable[[int], float]) -> list[float]:
        """What the work gives for each piece."""
        run = self._executor.map if self._executor else map
        return list(run(work, range(self.pieces)))


@dataclass(frozen=True)
class Worth:
    """What a pair of choices leads to: a value to red, the chance that someone wins, and how far
    the value may be off.
    """

    value: float
    decided: float
    error: float


class Layer:
    """Solves one score. `values`, `decided`, `pairs` and `errors` have an entry for each turn
    solved so far; unless all are to be kept, only the errors for every turn, the pairs for the
    latest and the rest for the latest few.

    `pairs[turn]` has for each place the pair of choices that both seats are certain to make, or
    NO_SADDLE where they mix. Which of several solutions of a matrix is found may depend on the turn
    after. The pairs tell which it was, so that `evaluate` has the mixes that `decided` is about.
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
        """`arrivals` is asked for the scores that may follow, of which `firsts` has all. A thorough
        layer compares all places with the rules at every turn.
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
        """Goes back as far as this turn."""
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

        def solve_piece(piece: int) -> float:
            return float(
                kernel(
                    *self._pieces[piece],
                    places.reds,
                    places.blues,
                    places.pair_starts,
                    mirrors,
                    int(is_mirrored),
                    self._codes,
                    self._saddles,
                    *self._boards,
                    values,
                    decided,
                    *self._spaces[piece],
                )
            )

        gap = max(self._crew.each(solve_piece))
        self.values[turn], self.decided[turn] = values, decided
        self.errors[turn] = error + gap / 2 + self._rounding
        self.turn = turn
        done = turn + places.longest_step + 1  # no turn that is left to be solved needs it
        if not self._keep:
            self.pairs = {turn: self._saddles}
            self.values.pop(done, None)
            self.decided.pop(done, None)
        else:
            self.pairs[turn] = array(PAIR, self._saddles)
            if done in self.decided:
                self.decided[done] = array("f", self.decided[done])

    # What may follow

    def _tabulate(self, turn: int) -> None:
        """Sees to it that the codes are those of the turn. The last turns, from which the clock may
        run out, have their own; all others share them, and each time some are compared.
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

        def tabulate_piece(piece: int) -> int:
            first, end = self._pieces[piece]
            return int(
                kernel(
                    first + turn % stride,
                    end,
                    stride,
                    int(is_check),
                    now,
                    places.ground,
                    blocks,
                    places.draw_code,
                    self._codes,
                    zeros(places.width),
                )
            )

        if any(self._crew.each(tabulate_piece)):
            raise not_layered(places.ruleset)

    def _set_boards(self, turn: int) -> float:
        """Lays out what may follow the turn; the largest error among it."""
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
        """Whether the place was not solved itself: its mirror image was, for both."""
        is_level = self.score[0] == self.score[1]
        return self.places.is_symmetric and is_level and self.places.mirror(place) < place

    def evaluate(self, state: Any) -> Evaluation:
        """Value and mixes of a state of this score, which must be solved as far as its turn."""
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

    def worth(self, state: Any, red: int, blue: int) -> Worth:
        """What two choices in a state of this score lead to."""
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
    """Writes the mixes that the kernel finds for this matrix; its value and its gap."""
    reds, blues = len(red_mix), len(blue_mix)
    work = [0.0] * matrix_games.work_size(reds, blues)
    matrix = [worth.value for worth in worths]
    value = matrix_games.solve(matrix, reds, blues, red_mix, blue_mix, work)
    return value, work[matrix_games.HIGH] - work[matrix_games.LOW]
