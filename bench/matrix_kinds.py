"""Kinds of matrix games: easy ones, those met in solving, and those that are hard on arithmetic."""

from collections.abc import Callable
from typing import Any

import numpy as np

DRIFT = 1e-4  # where a matrix is solved again: how little it is like the last

Matrix = Any  # a two-dimensional array
Batch = Any  # matrices of one size, as an array
MatrixKind = Callable[[Any, int, int], Matrix]


def uniform(dice: Any, rows: int, columns: int) -> Matrix:
    return dice.uniform(-1, 1, (rows, columns))


def nearly_dominated(dice: Any, rows: int, columns: int) -> Matrix:
    """As met in value iteration: some actions are better than others, whatever is chosen."""
    better = dice.random((rows, 3)) @ dice.random((3, columns)) - 0.75
    return np.tanh(better + 0.1 * dice.standard_normal((rows, columns)))


def of_three(dice: Any, rows: int, columns: int) -> Matrix:
    return dice.integers(-1, 2, (rows, columns)).astype(float)


def repeated(dice: Any, rows: int, columns: int) -> Matrix:
    made = dice.integers(-3, 4, (rows, columns)).astype(float)
    return made[dice.integers(0, rows, rows)][:, dice.integers(0, columns, columns)]


def antisymmetric(dice: Any, rows: int, columns: int) -> Matrix:
    """If it is not square, a part of one that is."""
    size = max(rows, columns)
    made = dice.standard_normal((size, size))
    return (made - made.T)[:rows, :columns]


def low_rank(dice: Any, rows: int, columns: int) -> Matrix:
    return dice.standard_normal((rows, 2)) @ dice.standard_normal((2, columns))


def scaled_rows(dice: Any, rows: int, columns: int) -> Matrix:
    return uniform(dice, rows, columns) * 10.0 ** dice.integers(-6, 7, (rows, 1))


def scaled_columns(dice: Any, rows: int, columns: int) -> Matrix:
    return uniform(dice, rows, columns) * 10.0 ** dice.integers(-6, 7, (1, columns))


def scaled_entries(dice: Any, rows: int, columns: int) -> Matrix:
    return uniform(dice, rows, columns) * 10.0 ** dice.integers(-6, 7, (rows, columns))


def nearly_equal(dice: Any, rows: int, columns: int) -> Matrix:
    made = 1 + 1e-9 * dice.standard_normal((rows, columns))
    made[dice.integers(rows), dice.integers(columns)] = dice.choice([-1e6, 0.0, 2.0, 1e6])
    return made


KINDS: tuple[MatrixKind, ...] = (
    uniform,
    nearly_dominated,
    of_three,
    repeated,
    antisymmetric,
    low_rank,
    scaled_rows,
    scaled_columns,
    scaled_entries,
    nearly_equal,
)


def name_of(kind: MatrixKind) -> str:
    return kind.__name__.replace("_", " ")


def batch_of(kind: MatrixKind, size: int, count: int) -> Batch:
    """Square ones, the same at each call."""
    dice = np.random.default_rng([size, *name_of(kind).encode()])
    return np.array([kind(dice, size, size) for _ in range(count)])


def drifting(kind: MatrixKind, size: int) -> Batch:
    """Twenty-five matrices, each followed by forty that are nearly the same."""
    dice = np.random.default_rng(size)
    changes = DRIFT * dice.standard_normal((25, 40, size, size))
    return (batch_of(kind, size, 25)[:, None] + changes).reshape(1000, size, size)
