"""The least and the most that rows lose to optimal mixes, against all corners of these mixes."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holmgang.solver.optimal_mixes import Shortfalls


def solved(equations):
    """The solution of linear equations, each with its right-hand side last; None if not unique."""
    left = [[*row] for row in equations]
    size = len(left)
    for place in range(size):
        pivot = next((row for row in left[place:] if row[place]), None)
        if pivot is None:
            return None
        left.remove(pivot)
        left.insert(place, pivot)
        for row in left:
            if row is not pivot and row[place]:
                factor = row[place] / pivot[place]
                row[:] = [mine - factor * its for mine, its in zip(row, pivot, strict=True)]
    return [left[place][-1] / left[place][place] for place in range(size)]


def corners(matrix):
    """The corners of the set of the column player's optimal mixes with the value, in fractions:
    all points at which enough of the conditions hold with equality, and the lowest of these.
    """
    columns = len(matrix[0])
    one = [*[Fraction(1)] * columns, Fraction(0), Fraction(1)]  # the mix, the value, right side
    paid = [[*map(Fraction, row), Fraction(-1), Fraction(0)] for row in matrix]
    absent = [
        [Fraction(column == each) for each in range(columns)] + [Fraction(0), Fraction(0)]
        for column in range(columns)
    ]
    found = set()
    for tight in combinations([*paid, *absent], columns):
        point = solved([one, *tight])
        if point is None or min(point[:columns]) < 0:
            continue
        *mix, value = point
        if all(
            sum(share * entry for share, entry in zip(mix, row, strict=True)) <= value
            for row in matrix
        ):
            found.add((value, tuple(mix)))
    value = min(value for value, _ in found)
    return value, [mix for each, mix in found if each == value]


def by_corners(matrix):
    """For each row, the least and the most that it loses."""
    value, mixes = corners(matrix)
    losses = [
        [value - sum(share * entry for share, entry in zip(mix, row, strict=True)) for mix in mixes]
        for row in matrix
    ]
    return float(value), [(float(min(each)), float(max(each))) for each in losses]


MATRICES = st.integers(1, 4).flatmap(
    lambda columns: st.lists(
        st.lists(st.integers(-2, 2), min_size=columns, max_size=columns), min_size=1, max_size=4
    )
)


@settings(max_examples=300)
@given(MATRICES)
def test_the_same_as_by_corners(matrix):
    value, expected = by_corners(matrix)
    found = Shortfalls(matrix)
    assert found.value == pytest.approx(value, abs=1e-9)
    losses = [(found.least(row), found.most(row)) for row in range(len(matrix))]
    for (least, most), (least_exact, most_exact) in zip(losses, expected, strict=True):
        assert least == pytest.approx(least_exact, abs=1e-6)
        assert most == pytest.approx(most_exact, abs=1e-6)


@settings(max_examples=100)
@given(MATRICES, st.integers(0, 2**32))
def test_noise_of_a_table_never_makes_a_row_look_worse(matrix, seed):
    """With errors of 1e-9 in the entries, as tables have, the least loss is no larger."""
    noise = [(1e-9 * ((seed >> bit) % 3 - 1)) for bit in range(16)]
    noisy = [
        [entry + noise[(4 * i + j) % 16] for j, entry in enumerate(row)]
        for i, row in enumerate(matrix)
    ]
    _, expected = by_corners(matrix)
    found = Shortfalls(noisy)
    for row, (least, _) in enumerate(expected):
        assert found.least(row) <= least + 1e-7
        assert found.least(row) >= least - 1e-6
