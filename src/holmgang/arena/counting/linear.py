"""Solves positive definite systems of a few hundred unknowns by Cholesky decomposition.

The arena works without numpy. In plain Python, with inner loops of `sum(map(mul, …))`, the inverse
for 200 bots takes a fraction of a second.
"""

from math import sqrt
from operator import mul

Rows = list[list[float]]


def factor(matrix: Rows) -> Rows:
    """The lower triangle L with L Lᵀ = matrix: row i has i + 1 entries.

    >>> factor([[4.0, 2.0], [2.0, 5.0]])
    [[2.0], [1.0, 2.0]]

    Reads only the lower triangle of the matrix. Raises ValueError if it is not positive definite.
    """
    lower: Rows = []
    for i, given in enumerate(matrix):
        row: list[float] = []
        for j in range(i):  # `row` has j entries, so the sums end there
            row.append((given[j] - sum(map(mul, row, lower[j]))) / lower[j][j])
        row.append(sqrt(given[i] - sum(map(mul, row, row))))
        lower.append(row)
    return lower


def solve(lower: Rows, right: list[float]) -> list[float]:
    """The x with L Lᵀ x = right.

    >>> solve(factor([[4.0, 2.0], [2.0, 5.0]]), [8.0, 8.0])
    [1.5, 1.0]
    """
    half: list[float] = []
    for row, value in zip(lower, right, strict=True):
        half.append((value - sum(map(mul, row, half))) / row[-1])
    for i in reversed(range(len(lower))):
        row = lower[i]
        half[i] /= row[i]
        for j in range(i):
            half[j] -= row[j] * half[i]
    return half


def inverse(lower: Rows) -> Rows:
    """The inverse of L Lᵀ, exactly symmetric.

    >>> inverse(factor([[4.0, 0.0], [0.0, 16.0]]))
    [[0.25, 0.0], [0.0, 0.0625]]
    """
    size = len(lower)
    columns: Rows = []  # the columns of the inverse of L, column j from row j down
    for j in range(size):
        column = [1 / lower[j][j]]
        for i in range(j + 1, size):
            row = lower[i]
            column.append(-sum(map(mul, row[j:i], column)) / row[i])
        columns.append(column)
    whole = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            entry = sum(map(mul, columns[i], columns[j][i - j :]))
            whole[i][j] = whole[j][i] = entry
    return whole
