"""Matrix games against SciPy's HiGHS, nashpy and OpenSpiel: `python bench/matrix.py`.

To be run with `src` on PYTHONPATH where those are installed; what is not is left out with a line.
Two tables: microseconds of CPU time for each solution, and the largest deviation of the others'
values from ours, by the largest absolute entry or 1. Ours carries its proof: the largest gap, which
bounds its error, is in the same table, computed by NumPy.
"""

import argparse
import io
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from holmgang.solver import matrix as matrix_games

SIZES = (4, 8, 16, 36, 40)
DRIFT = 1e-4  # where a matrix is solved again: how little it is like the last

Batch = Any  # matrices of one size, as an array
Values = Any  # an array of as many numbers


# Kinds of matrices


def uniform(dice: Any, size: int) -> Any:
    return dice.uniform(-1, 1, (size, size))


def nearly_dominated(dice: Any, size: int) -> Any:
    """As met in value iteration: some actions are better than others, whatever is chosen."""
    better = dice.random((size, 3)) @ dice.random((3, size)) - 0.75
    return np.tanh(better + 0.1 * dice.standard_normal((size, size)))


def of_three(dice: Any, size: int) -> Any:
    return dice.integers(-1, 2, (size, size)).astype(float)


def repeated(dice: Any, size: int) -> Any:
    made = dice.integers(-3, 4, (size, size)).astype(float)
    return made[dice.integers(0, size, size)][:, dice.integers(0, size, size)]


def antisymmetric(dice: Any, size: int) -> Any:
    made = dice.standard_normal((size, size))
    return made - made.T


def low_rank(dice: Any, size: int) -> Any:
    return dice.standard_normal((size, 2)) @ dice.standard_normal((2, size))


def scaled_rows(dice: Any, size: int) -> Any:
    return uniform(dice, size) * 10.0 ** dice.integers(-6, 7, (size, 1))


def scaled_columns(dice: Any, size: int) -> Any:
    return uniform(dice, size) * 10.0 ** dice.integers(-6, 7, (1, size))


def nearly_equal(dice: Any, size: int) -> Any:
    made = 1 + 1e-9 * dice.standard_normal((size, size))
    made[dice.integers(size), dice.integers(size)] = dice.choice([-1e6, 0.0, 2.0, 1e6])
    return made


KINDS = (
    uniform,
    nearly_dominated,
    of_three,
    repeated,
    antisymmetric,
    low_rank,
    scaled_rows,
    scaled_columns,
    nearly_equal,
)


def batch_of(kind: Callable[[Any, int], Any], size: int, count: int) -> Batch:
    dice = np.random.default_rng([size, *kind.__name__.encode()])
    return np.array([kind(dice, size) for _ in range(count)])


def drifting(kind: Callable[[Any, int], Any], size: int) -> Batch:
    """Twenty-five matrices, each followed by forty that are nearly the same."""
    dice = np.random.default_rng(size)
    changes = DRIFT * dice.standard_normal((25, 40, size, size))
    return (batch_of(kind, size, 25)[:, None] + changes).reshape(1000, size, size)


# Contenders


class Contender(NamedTuple):
    name: str
    values: Callable[[Batch], Values]
    most: int
    """As many matrices as it may be given at once, for the whole to end in good time."""


def contenders() -> Iterator[Contender]:
    makers = {
        "compiled": compiled,
        "plain Python": interpreted,
        "SciPy HiGHS": scipy_highs,
        "nashpy": nashpy_linear_program,
        "OpenSpiel LP": open_spiel_lp,
    }
    for name, maker in makers.items():
        try:
            yield Contender(name, *maker())
        except ImportError as error:
            print(f"{name}: left out, {error}\n")


def compiled() -> tuple[Callable[[Batch], Values], int]:
    run = compiled_run(matrix_games.solve)
    return lambda batch: run(batch)[0], 1000


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
        size: int,
        row_mix: Any,
        column_mix: Any,
        work: Any,
        values: Any,
        row_mixes: Any,
        column_mixes: Any,
    ) -> None:
        for index in range(len(flat)):
            values[index] = solve(flat[index], size, size, row_mix, column_mix, work)
            row_mixes[index] = row_mix
            column_mixes[index] = column_mix

    fast = numba.njit(error_model="numpy")(run)

    def solutions(batch: Batch) -> tuple[Values, Any, Any]:
        count, size, _ = batch.shape
        values, work = np.zeros(count), np.zeros(matrix_games.work_size(size, size))
        row_mixes, column_mixes = np.zeros((count, size)), np.zeros((count, size))
        flat, mixes = batch.reshape(count, size * size), (np.zeros(size), np.zeros(size))
        fast(flat, size, *mixes, work, values, row_mixes, column_mixes)
        return values, row_mixes, column_mixes

    return solutions


def interpreted() -> tuple[Callable[[Batch], Values], int]:
    return lambda batch: interpreted_run(batch)[0], 20


def interpreted_run(batch: Batch) -> tuple[Values, Any, Any]:
    solutions = [matrix_games.solve_matrix(matrix) for matrix in batch.tolist()]
    values, row_mixes, column_mixes, _ = zip(*solutions, strict=True)
    return np.array(values), np.array(row_mixes), np.array(column_mixes)


def scipy_highs() -> tuple[Callable[[Batch], Values], int]:
    linprog = import_module("scipy.optimize").linprog

    def value_of(matrix: Any) -> float:
        """The row player's mix and what it is sure of, as a linear program; tolerances as small as
        HiGHS has them, and entries up to 1, which is how it is most accurate.
        """
        size, unit = len(matrix), np.abs(matrix).max()
        found = linprog(
            np.append(np.zeros(size), -1.0),
            A_ub=np.hstack([-matrix.T / unit, np.ones((size, 1))]),
            b_ub=np.zeros(size),
            A_eq=np.append(np.ones(size), 0.0)[None],
            b_eq=[1.0],
            bounds=[(0, None)] * size + [(None, None)],
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        return float("nan") if found.fun is None else float(-found.fun * unit)

    return lambda batch: np.array([value_of(matrix) for matrix in batch]), 100


def nashpy_linear_program() -> tuple[Callable[[Batch], Values], int]:
    nashpy = import_module("nashpy")

    def value_of(matrix: Any) -> float:
        try:
            row_mix, column_mix = nashpy.Game(matrix).linear_program()
        except (TypeError, ValueError):  # what it raises where its solver gives up
            return float("nan")
        return float(row_mix @ matrix @ column_mix)

    return lambda batch: np.array([value_of(matrix) for matrix in batch]), 50


def open_spiel_lp() -> tuple[Callable[[Batch], Values], int]:
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
    return lambda batch: np.array([value_of(matrix) for matrix in batch]), 20


# Tables


def seconds(run: Callable[[Batch], object], batch: Batch, repeats: int) -> float:
    """CPU time for each matrix, the best of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        run(batch)
        best = min(best, time.process_time() - start)
    return best / len(batch)


def print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def print_heads(first: str, heads: list[str]) -> None:
    print_row(first, *heads)
    print_row(*["---"] * (len(heads) + 1))


def print_times(running: list[Contender]) -> None:
    print("Microseconds for each\n")
    names = [contender.name for contender in running]
    again = compiled_run(matrix_games.solve_again) if "compiled" in names else None
    print_heads("matrices", [*(["compiled, again"] if again else []), *names])
    for kind in (uniform, nearly_dominated):
        for size in SIZES:
            cells = []
            if again:
                cells.append(f"{1e6 * seconds(again, drifting(kind, size), 9):.2f}")
            for contender in running:
                batch = batch_of(kind, size, contender.most)
                repeats = 9 if contender.name == "compiled" else 1
                contender.values(batch[:1])
                cells.append(f"{1e6 * seconds(contender.values, batch, repeats):.2f}")
            print_row(f"{kind.__name__}, {size} × {size}", *cells)
    print()


def print_deviations(running: list[Contender], most: int) -> None:
    print("Largest gap of ours, and largest deviation of the others' values from ours\n")
    ours, *others = running
    run = compiled_run(matrix_games.solve) if ours.name == "compiled" else interpreted_run
    print_heads("matrices", [f"{ours.name}: gap", *(other.name for other in others)])
    for kind in KINDS:
        for size in (4, 16, 36):
            batch = batch_of(kind, size, ours.most)
            unit = np.maximum(1.0, np.abs(batch).max(axis=(1, 2)))
            values, row_mixes, column_mixes = run(batch)
            low = np.einsum("bi,bij->bj", row_mixes, batch).min(axis=1)
            high = np.einsum("bij,bj->bi", batch, column_mixes).max(axis=1)
            cells = [f"{((high - low) / unit).max():.1e} ({len(batch)})"]
            for other in others:
                count = min(most, other.most, ours.most)
                wrong = np.abs(other.values(batch[:count]) - values[:count]) / unit[:count]
                answers = wrong[~np.isnan(wrong)]
                largest = f"{answers.max():.1e}" if len(answers) else "none"
                cells.append(f"{largest} ({len(answers)} of {count})")
            print_row(f"{kind.__name__}, {size} × {size}", *cells)
    print()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/matrix.py")
    parser.add_argument("--most", type=int, default=100, help="matrices of a kind for the others")
    options = parser.parse_args()
    running = list(contenders())
    print_times(running)
    print_deviations(running, options.most)


if __name__ == "__main__":
    main()
