"""Matrix games against SciPy's HiGHS, nashpy and OpenSpiel: `python -m bench.matrix`.

To be run where those are installed, with `src` on PYTHONPATH; `make bench-solving` does that. What
is not installed is left out with a line. CPU time for each solution, medians of interleaved runs,
and how far the others' values are from ours, which carry their proof.
"""

import argparse
import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from statistics import median
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from bench.matrix_kinds import (
    KINDS,
    Batch,
    batch_of,
    drifting,
    name_of,
    nearly_dominated,
    uniform,
)
from bench.page import table
from holmgang.solver import matrix as matrix_games

SIZES = (4, 8, 16, 36, 40, 63)
ACCURACY_SIZES = (4, 16, 36)

Values = Any  # an array of as many numbers as there are matrices
Solve = Callable[[Batch], Values]


# Contenders


class Contender(NamedTuple):
    name: str
    values: Solve
    many: int
    """How many matrices it is given at once, for the whole to end in good time."""
    largest: int
    """Up to what size it can be relied on to end."""


def contenders() -> Iterator[Contender]:
    """Ours first."""
    makers: dict[str, tuple[Callable[[], Solve], int, int]] = {
        "compiled": (compiled, 1000, matrix_games.LIMIT),
        "plain Python": (interpreted, 5, matrix_games.LIMIT),
        "SciPy HiGHS": (scipy_highs, 20, matrix_games.LIMIT),
        "nashpy LP": (nashpy_linear_program, 20, matrix_games.LIMIT),
        "nashpy Lemke–Howson": (nashpy_lemke_howson, 20, 8),
        "OpenSpiel LP": (open_spiel_lp, 5, matrix_games.LIMIT),
    }
    for name, (maker, many, largest) in makers.items():
        try:
            yield Contender(name, maker(), many, largest)
        except ImportError as error:
            sys.stderr.write(f"{name}: left out, {error}\n")


def compiled() -> Solve:
    run = compiled_run(matrix_games.solve)
    return lambda batch: run(batch)[0]


@cache
def compiled_run(solve: Callable[..., float]) -> Callable[[Batch], tuple[Values, Any, Any]]:
    """Solves a whole batch in compiled code, each with the mixes of the last at hand; the values
    and all mixes.
    """
    numba = import_module("numba")
    register_jitable = import_module("numba.extending").register_jitable
    for function in vars(matrix_games).values():
        if isinstance(function, FunctionType) and function.__module__ == matrix_games.__name__:
            register_jitable(forceinline=True)(function)

    def run(
        flat: Any,
        rows: int,
        columns: int,
        row_mix: Any,
        column_mix: Any,
        work: Any,
        values: Any,
        row_mixes: Any,
        column_mixes: Any,
    ) -> None:
        for index in range(len(flat)):
            values[index] = solve(flat[index], rows, columns, row_mix, column_mix, work)
            row_mixes[index] = row_mix
            column_mixes[index] = column_mix

    fast = numba.njit(error_model="numpy")(run)

    def solutions(batch: Batch) -> tuple[Values, Any, Any]:
        count, rows, columns = batch.shape
        flat, mixes = batch.reshape(count, rows * columns), (np.zeros(rows), np.zeros(columns))
        values, work = np.zeros(count), np.zeros(matrix_games.work_size(rows, columns))
        row_mixes, column_mixes = np.zeros((count, rows)), np.zeros((count, columns))
        fast(flat, rows, columns, *mixes, work, values, row_mixes, column_mixes)
        return values, row_mixes, column_mixes

    return solutions


def interpreted() -> Solve:
    solve = matrix_games.solve_matrix
    return lambda batch: np.array([solve(matrix).value for matrix in batch.tolist()])


def scipy_highs() -> Solve:
    linprog = import_module("scipy.optimize").linprog

    def value_of(matrix: Any) -> float:
        """The row player's mix and what it is sure of, as a linear program; tolerances as small as
        HiGHS has them, and entries up to 1, which is how it is most accurate.
        """
        (rows, columns), unit = matrix.shape, np.abs(matrix).max() or 1.0
        found = linprog(
            np.append(np.zeros(rows), -1.0),
            A_ub=np.hstack([-matrix.T / unit, np.ones((columns, 1))]),
            b_ub=np.zeros(columns),
            A_eq=np.append(np.ones(rows), 0.0)[None],
            b_eq=[1.0],
            bounds=[(0, None)] * rows + [(None, None)],
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        return float("nan") if found.fun is None else float(-found.fun * unit)

    return lambda batch: np.array([value_of(matrix) for matrix in batch])


def nashpy_linear_program() -> Solve:
    nashpy = import_module("nashpy")
    return by_mixes(lambda matrix: nashpy.Game(matrix).linear_program())


def nashpy_lemke_howson() -> Solve:
    nashpy = import_module("nashpy")
    return by_mixes(lambda matrix: nashpy.Game(matrix).lemke_howson(0))


def by_mixes(mixes_of: Callable[[Any], tuple[Any, Any]]) -> Solve:
    def value_of(matrix: Any) -> float:
        try:
            row_mix, column_mix = mixes_of(matrix)
            return float(row_mix @ matrix @ column_mix)
        except (TypeError, ValueError):  # what nashpy raises where its solver gives up
            return float("nan")

    return lambda batch: np.array([value_of(matrix) for matrix in batch])


def open_spiel_lp() -> Solve:
    pyspiel = import_module("pyspiel")
    lp_solver = import_module("open_spiel.python.algorithms.lp_solver")

    def value_of(matrix: Any) -> float:
        game = pyspiel.create_matrix_game(matrix.tolist(), (-matrix).tolist())
        try:
            with redirect_stdout(io.StringIO()):
                return float(lp_solver.solve_zero_sum_matrix_game(game)[2])
        except (TypeError, ValueError):
            return float("nan")

    if np.isnan(value_of(np.eye(2))):
        raise ImportError("its LP solver needs cvxpy and ecos")
    return lambda batch: np.array([value_of(matrix) for matrix in batch])


# Tables


def seconds(run: Callable[[Batch], object], batch: Batch) -> float:
    """CPU time for each matrix."""
    start = time.process_time()
    run(batch)
    return (time.process_time() - start) / len(batch)


def times(running: list[Contender], repeats: int) -> list[str]:
    """Tables of what the others take by what ours takes, and of microseconds."""
    again = compiled_run(matrix_games.solve_again)
    names = [each.name for each in running[1:]]
    ratios: list[list[str]] = []
    microseconds: list[list[str]] = []
    for kind in (uniform, nearly_dominated):
        for size in SIZES:
            sys.stderr.write(f"matrices: {name_of(kind)}, {size} × {size}\n")
            runs = {"again": (again, drifting(kind, size))}
            for each in running:
                if size <= each.largest:
                    runs[each.name] = (each.values, batch_of(kind, size, each.many))
            for run, batch in runs.values():
                run(batch[:1])  # compiled, imported
            taken = [[seconds(*run) for run in runs.values()] for _ in range(repeats)]
            medians = dict(zip(runs, map(median, zip(*taken, strict=True)), strict=True))
            ours, title = medians["compiled"], f"{name_of(kind)}, {size} × {size}"
            ratios.append([title])
            microseconds.append([title])
            for name in names:
                ratios[-1].append(f"{medians[name] / ours:,.0f}" if name in medians else "–")
            for name in ("compiled", "again", *names):
                microseconds[-1].append(f"{1e6 * medians[name]:,.2f}" if name in medians else "–")
    return [
        *table(["times as long as ours", *names], ratios),
        "The same in microseconds for each matrix; *again* is `solve_again`, on one much like the",
        "last.",
        "",
        *table(["µs", "compiled", "compiled, again", *names], microseconds),
    ]


def deviations(running: list[Contender]) -> list[str]:
    """A table of how far the others' values are from ours, by the largest absolute entry."""
    run = compiled_run(matrix_games.solve)
    others = [each for each in running[1:] if each.largest == matrix_games.LIMIT]
    rows = []
    for kind in KINDS:
        sys.stderr.write(f"accuracy: {name_of(kind)}\n")
        found = []
        for size in ACCURACY_SIZES:
            batch = batch_of(kind, size, max(other.many for other in others))
            unit = np.abs(batch).max(axis=(1, 2))
            values, row_mixes, column_mixes = run(batch)
            low = np.einsum("bi,bij->bj", row_mixes, batch).min(axis=1)
            high = np.einsum("bij,bj->bi", batch, column_mixes).max(axis=1)
            wrong = [(high - low) / unit]
            for other in others:
                few = slice(other.many)
                wrong.append(np.abs(other.values(batch[few]) - values[few]) / unit[few])
            found.append(wrong)
        gaps, *errors = (np.concatenate(column) for column in zip(*found, strict=True))
        rows.append([name_of(kind), f"{gaps.max():.0e}", *map(told, errors)])
    names = [each.name for each in others]
    return table(["largest error", "compiled: gap", *names], rows)


def told(errors: Values) -> str:
    answers = errors[~np.isnan(errors)]
    largest = f"{answers.max():.0e}" if answers.any() else "0" if len(answers) else "no answer"
    missing = len(errors) - len(answers)
    return f"{largest}, {missing} of {len(errors)} unanswered" if missing else largest


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.matrix")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    running = list(contenders())
    sizes = ", ".join(map(str, ACCURACY_SIZES))
    lines = [
        "CPU time on one thread. Ours is compiled and called in a loop of compiled code, as the",
        "solver does; the others are called from Python, which is how they can be. *Plain Python*",
        "is our same source, `solve_matrix`, not compiled.",
        "",
        *times(running, options.repeats),
        f"How far the values are from ours, squares of {sizes}, by the largest absolute entry.",
        "Ours is proven: its own error is at most the *gap*. Lemke and Howson's method is left",
        "out: it need not end where a game is degenerate, nor where rounding takes over.",
        "",
        *deviations(running),
    ]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
