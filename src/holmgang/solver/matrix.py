"""Zero-sum matrix games of up to 63 by 63, solved up to rounding, with a certificate.

The column player pays the row player the chosen entry. A solution is a mix for each, such that no
reply to either mix gains anything. The gain of the best replies is the *gap*, computed from the
given matrix: a small gap proves the solution, whatever the method did. `solve_matrix` takes lists.
`solve`, `solve_again` and `gap` work on flat arrays, allocate nothing, and can be compiled as part
of larger loops.

Saddle points and games of 2 by 2 are solved directly, others by the simplex method. If rounding
errors spoil its result, the mixes are computed again from the actions that it found; if that does
not help, the simplex method is repeated with twice the precision.
"""

from collections.abc import Sequence
from math import frexp, inf, isfinite, ldexp, nan
from numbers import Real
from typing import NamedTuple

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.errors import UsageError
from holmgang.solver.numbers import Floats

__all__ = ["LIMIT", "MatrixSolution", "gap", "solve", "solve_again", "solve_matrix", "work_size"]

LIMIT = 63  # of rows and of columns: the number of choices that a choice set can hold
GOOD_GAP = 1e-13  # a sufficient gap, relative to the largest absolute entry
ROUNDING = 1e-15  # smaller numbers may be rounding errors
FINE_ROUNDING = 1e-24  # the same with twice the precision
MOST_IDLE = 40  # exchanges in a row without a gain
HUGE = 1e300
CALLED = ("search",)  # too large to be inlined
SPLIT = 134217729.0  # 2**27 + 1 splits the digits of a float into two halves

# The ways to find mixes, tried in this order
FROM_MIXES, FROM_SIMPLEX, FROM_ACTIONS, FROM_FINE_SIMPLEX = range(4)

# The layout of `work`: two numbers, fields of one size, and the table
FIELD = LIMIT + 1
LOW = 0  # the payoff that the row mix secures
HIGH = 1  # the payoff to which the column mix limits the row player
LEVELS = 2  # of the basic variables, one for each row of the table
COSTS = LEVELS + FIELD  # of the other variables, one for each column of the table
BASIC = COSTS + FIELD  # the labels of the basic variables: j for the probability of column j,
OTHER = BASIC + FIELD  # columns + i for the shortfall of row i; the labels of the others
COLUMN = OTHER + FIELD  # the entering column of the table, or other numbers by row
ROW = COLUMN + FIELD  # the leaving row, or other numbers by column
RATIOS = ROW + FIELD
ORDER = RATIOS + FIELD
ROW_ACTIONS = ORDER + FIELD
COLUMN_ACTIONS = ROW_ACTIONS + FIELD
BEST_ROW_MIX = COLUMN_ACTIONS + FIELD
BEST_COLUMN_MIX = BEST_ROW_MIX + FIELD
FINE_LEVELS = BEST_COLUMN_MIX + FIELD
FINE_COSTS = FINE_LEVELS + FIELD
FINE_COLUMN = FINE_COSTS + FIELD
FINE_ROW = FINE_COLUMN + FIELD
TABLE = FINE_ROW + FIELD


def work_size(rows: int, columns: int) -> int:
    """The length of the array `work`."""
    return TABLE + 2 * (rows + 1) * (columns + 1)


def gap(matrix: Floats, rows: int, columns: int, row_mix: Floats, column_mix: Floats) -> float:
    """The sum of the gains of the best replies to both mixes: 0 if both are optimal.

    The value of the game differs from the payoff that either mix secures by at most the gap.
    """
    high = -HUGE
    for row in range(rows):
        payoff = 0.0
        for column in range(columns):
            payoff += column_mix[column] * matrix[row * columns + column]
        high = max(high, payoff)
    low = HUGE
    for column in range(columns):
        payoff = 0.0
        for row in range(rows):
            payoff += row_mix[row] * matrix[row * columns + column]
        low = min(low, payoff)
    return max(0.0, high - low)


def solve(
    matrix: Floats, rows: int, columns: int, row_mix: Floats, column_mix: Floats, work: Floats
) -> float:
    """Writes an optimal mix for each player. Returns the value: the mean of LOW and HIGH.

    The matrix is flat, row after row, and not changed. `work` has `work_size(rows, columns)`
    elements; afterwards LOW and HIGH are set. Nothing is checked: sizes must be 1 to 63, entries at
    most 1e290.
    """
    return search(matrix, rows, columns, row_mix, column_mix, work, FROM_SIMPLEX)


def solve_again(
    matrix: Floats, rows: int, columns: int, row_mix: Floats, column_mix: Floats, work: Floats
) -> float:
    """The same as `solve`, but faster if the given mixes solved a similar matrix.

    It first tries the actions of these mixes, in other proportions. This takes a half or a third of
    the time for large matrices, and saves no time up to 6 by 6.
    """
    return search(matrix, rows, columns, row_mix, column_mix, work, FROM_MIXES)


def search(
    matrix: Floats,
    rows: int,
    columns: int,
    row_mix: Floats,
    column_mix: Floats,
    work: Floats,
    first_way: int,
) -> float:
    set_bounds(matrix, rows, columns, work)
    start = 0
    largest = work[COSTS]
    smallest = work[ROW]
    for column in range(1, columns):
        if work[COSTS + column] < work[COSTS + start]:
            start = column
        largest = max(largest, work[COSTS + column])
        smallest = min(smallest, work[ROW + column])
    most = work[COSTS + start]
    safe = row_above(matrix, rows, columns, most)
    if safe >= 0:
        set_pure(rows, row_mix, safe)
        set_pure(columns, column_mix, start)
        work[LOW] = most
        work[HIGH] = most
        return float(most)
    if rows == 2 and columns == 2:
        mix_two(matrix, row_mix, column_mix)
        certify(matrix, rows, columns, row_mix, column_mix, work)
        return float(0.5 * work[LOW] + 0.5 * work[HIGH])

    unit = 1.0 / (largest - smallest)
    enough = GOOD_GAP * max(largest, -smallest)
    best = HUGE
    low = 0.0
    high = 0.0
    for way in range(first_way, FROM_FINE_SIMPLEX + 1):
        is_mixed = True
        if way in (FROM_SIMPLEX, FROM_FINE_SIMPLEX):
            set_table(matrix, rows, columns, start, unit, work)
            if way == FROM_FINE_SIMPLEX:
                refine_table(matrix, rows, columns, start, unit, work)
            run_simplex(rows, columns, way == FROM_FINE_SIMPLEX, work)
            read_table(rows, columns, row_mix, column_mix, work)
        else:
            if way == FROM_MIXES:
                count = actions_of_mixes(rows, columns, row_mix, column_mix, work)
            else:
                count = actions_of_table(rows, columns, work)
            is_mixed = mix_actions(matrix, rows, columns, count, row_mix, column_mix, work)
        if is_mixed:
            normalise(rows, row_mix)
            normalise(columns, column_mix)
            left = certify(matrix, rows, columns, row_mix, column_mix, work)
            if left <= enough:
                return float(0.5 * work[LOW] + 0.5 * work[HIGH])
            if left < best:
                best = left
                low = work[LOW]
                high = work[HIGH]
                copy(rows, row_mix, 0, work, BEST_ROW_MIX)
                copy(columns, column_mix, 0, work, BEST_COLUMN_MIX)
    copy(rows, work, BEST_ROW_MIX, row_mix, 0)
    copy(columns, work, BEST_COLUMN_MIX, column_mix, 0)
    work[LOW] = low
    work[HIGH] = high
    return float(0.5 * low + 0.5 * high)


# Without the simplex method


def set_bounds(matrix: Floats, rows: int, columns: int, work: Floats) -> None:
    """Writes the largest entry of each column to COSTS and the smallest to ROW."""
    for column in range(columns):
        work[COSTS + column] = matrix[column]
        work[ROW + column] = matrix[column]
    for row in range(1, rows):
        at = row * columns
        if at >= 0:  # always true, but it makes the compiler vectorise the loop
            for column in range(columns):
                entry = matrix[at + column]
                work[COSTS + column] = max(entry, work[COSTS + column])
                work[ROW + column] = min(entry, work[ROW + column])


def row_above(matrix: Floats, rows: int, columns: int, bar: float) -> int:
    """The first row without an entry below the bar, or -1. If the bar is the smallest of the
    columns' largest entries, this row has a saddle point.
    """
    for row in range(rows):
        at = row * columns
        column = 0
        while column < columns and matrix[at + column] >= bar:
            column += 1
        if column == columns:
            return row
    return -1


def set_pure(size: int, mix: Floats, action: int) -> None:
    set_nothing(size, mix)
    mix[action] = 1.0


def set_nothing(size: int, mix: Floats) -> None:
    for action in range(size):
        mix[action] = 0.0


def mix_two(matrix: Floats, row_mix: Floats, column_mix: Floats) -> None:
    """Solves a 2 by 2 game without a saddle point: each mix makes the other player indifferent."""
    across = abs(matrix[0] - matrix[1])
    below = abs(matrix[3] - matrix[2])
    row_mix[0] = below / (across + below)
    row_mix[1] = across / (across + below)
    down = abs(matrix[0] - matrix[2])
    beside = abs(matrix[3] - matrix[1])
    column_mix[0] = beside / (down + beside)
    column_mix[1] = down / (down + beside)


# The simplex method. The column player minimises v, the largest payoff of a row. The variables are
# the probability of each column and the shortfall of each row, its payoff subtracted from v. None
# may be negative. Some variables are basic, the others are 0. The table states that
#
#     basic variable + sum of (entry * other variable) = level       for each basic variable
#     v - sum of (cost * other variable) = current v
#
# At the optimum, the costs of the shortfalls are the row player's mix.


def set_table(
    matrix: Floats, rows: int, columns: int, start: int, unit: float, work: Floats
) -> None:
    """Writes the table in which the column player plays only `start`, with payoffs times `unit`.

    The shortfalls of all rows are basic, except for the row with the largest payoff, which is
    replaced by the probability of that column.
    """
    top = 0
    for row in range(1, rows):
        if matrix[row * columns + start] > matrix[top * columns + start]:
            top = row
    source = top * columns
    most = matrix[source + start]
    if source >= 0:
        for column in range(columns):
            work[ROW + column] = matrix[source + column]
    for row in range(rows):
        source = row * columns
        at = TABLE + source
        short = most - matrix[source + start]
        if source >= 0 and at >= 0:
            for column in range(columns):
                work[at + column] = (matrix[source + column] - work[ROW + column] + short) * unit
        work[at + start] = -1.0
        work[LEVELS + row] = short * unit
        work[BASIC + row] = float(columns + row)
    at = TABLE + top * columns
    for column in range(columns):
        work[at + column] = 1.0
        work[COSTS + column] = (work[ROW + column] - most) * unit
        work[OTHER + column] = float(column)
    work[at + start] = 0.0
    work[LEVELS + top] = 1.0
    work[COSTS + start] = 1.0
    work[BASIC + top] = float(start)
    work[OTHER + start] = float(columns + top)


def run_simplex(rows: int, columns: int, is_fine: bool, work: Floats) -> None:
    """Exchanges variables until v is minimal, or a limit is reached.

    After many exchanges without a gain it uses Bland's rule, which cannot cycle.
    """
    rounding = FINE_ROUNDING if is_fine else ROUNDING
    idle = 0
    for _ in range((100 if is_fine else 8) * (rows + columns)):
        by_label = idle > MOST_IDLE
        coming = coming_column(columns, by_label, rounding, work)
        if coming < 0:
            return
        leaving = leaving_row(rows, columns, coming, by_label, rounding, work)
        if leaving < 0:
            return
        idle = 0 if work[LEVELS + leaving] > rounding else idle + 1
        if is_fine:
            exchange_finely(rows, columns, leaving, coming, work)
        else:
            exchange(rows, columns, leaving, coming, work)


def coming_column(columns: int, by_label: bool, rounding: float, work: Floats) -> int:
    """The column with the lowest cost, or with the lowest label, or -1 if v is minimal."""
    found = -1
    best = -rounding
    for column in range(columns):
        if work[COSTS + column] < best:
            if not by_label:
                best = work[COSTS + column]
                found = column
            elif found < 0 or work[OTHER + column] < work[OTHER + found]:
                found = column
    return found


def leaving_row(
    rows: int, columns: int, coming: int, by_label: bool, rounding: float, work: Floats
) -> int:
    """The row whose variable falls to 0 first as the new one grows, or -1. Copies the column to
    COLUMN. Of several such rows, it is the one with the largest pivot, or with the lowest label.
    """
    at = TABLE + coming
    for row in range(rows):
        work[COLUMN + row] = work[at]
        at += columns
    for row in range(rows):
        slope = work[COLUMN + row]
        falls = slope > 10.0 * rounding
        level = max(work[LEVELS + row], 0.0) + rounding
        work[RATIOS + row] = (level if falls else HUGE) / (slope if falls else 1.0)
    found = -1
    ratio = HUGE
    for row in range(rows):
        if work[RATIOS + row] < ratio:
            ratio = work[RATIOS + row]
            found = row
    if found < 0:
        return -1
    for row in range(rows):
        slope = work[COLUMN + row]
        work[RATIOS + row] = slope if work[LEVELS + row] <= ratio * slope else 0.0
    slope = work[COLUMN + found]
    for row in range(rows):
        if by_label:
            if work[RATIOS + row] > 10.0 * rounding and work[BASIC + row] < work[BASIC + found]:
                found = row
        elif work[RATIOS + row] > slope:
            slope = work[RATIOS + row]
            found = row
    return found


def exchange(rows: int, columns: int, leaving: int, coming: int, work: Floats) -> None:
    """Makes the variable of the column basic, in place of the variable of the row."""
    inverse = 1.0 / work[COLUMN + leaving]
    at = TABLE + leaving * columns
    if at >= 0:
        for column in range(columns):
            work[ROW + column] = work[at + column] * inverse
    for row in range(rows):
        at = TABLE + row * columns
        factor = work[COLUMN + row]
        if at >= 0 and factor != 0.0:
            for column in range(columns):
                work[at + column] -= factor * work[ROW + column]
            work[at + coming] = -factor * inverse
    at = TABLE + leaving * columns
    if at >= 0:
        for column in range(columns):
            work[at + column] = work[ROW + column]
    work[at + coming] = inverse
    cost = work[COSTS + coming]
    for column in range(columns):
        work[COSTS + column] -= cost * work[ROW + column]
    work[COSTS + coming] = -cost * inverse
    level = work[LEVELS + leaving] * inverse
    for row in range(rows):
        work[LEVELS + row] -= level * work[COLUMN + row]
    work[LEVELS + leaving] = level
    label = work[BASIC + leaving]
    work[BASIC + leaving] = work[OTHER + coming]
    work[OTHER + coming] = label


# The same with twice the precision. Each number is the sum of two; the second one, called fine, is
# too small to change the first. This is slow, and rarely needed except for badly scaled matrices.
# It depends on the rounding of each operation, so it must not be compiled with `fastmath`.


def refine_table(
    matrix: Floats, rows: int, columns: int, start: int, unit: float, work: Floats
) -> None:
    """Computes the table of `set_table` with twice the precision."""
    fine = (rows + 1) * (columns + 1)
    top = int(work[OTHER + start]) - columns
    most = matrix[top * columns + start]
    for row in range(rows):
        at = TABLE + row * columns
        short = minus_product(most, 0.0, 1.0, 0.0, matrix[row * columns + start], 0.0)
        for column in range(columns):
            work[fine + at + column] = 0.0
            if row != top and column != start:
                more = minus_product(
                    matrix[row * columns + column],
                    0.0,
                    1.0,
                    0.0,
                    matrix[top * columns + column],
                    0.0,
                )
                more = minus_product(more[0], more[1], -1.0, 0.0, short[0], short[1])
                more = minus_product(0.0, 0.0, -unit, 0.0, more[0], more[1])
                work[at + column] = more[0]
                work[fine + at + column] = more[1]
        if row != top:
            short = minus_product(0.0, 0.0, -unit, 0.0, short[0], short[1])
            work[LEVELS + row] = short[0]
            work[FINE_LEVELS + row] = short[1]
    work[FINE_LEVELS + top] = 0.0
    for column in range(columns):
        if column != start:
            more = minus_product(matrix[top * columns + column], 0.0, 1.0, 0.0, most, 0.0)
            more = minus_product(0.0, 0.0, -unit, 0.0, more[0], more[1])
            work[COSTS + column] = more[0]
            work[FINE_COSTS + column] = more[1]
    work[FINE_COSTS + start] = 0.0


def exchange_finely(rows: int, columns: int, leaving: int, coming: int, work: Floats) -> None:
    fine = (rows + 1) * (columns + 1)
    for row in range(rows):
        at = TABLE + row * columns + coming
        work[FINE_COLUMN + row] = work[fine + at]
        work[at] = 0.0
        work[fine + at] = 0.0
    pivot = work[COLUMN + leaving]
    inverse = 1.0 / pivot
    rest = minus_product(1.0, 0.0, inverse, 0.0, pivot, work[FINE_COLUMN + leaving])
    fine_inverse = inverse * rest[0]
    at = TABLE + leaving * columns
    for column in range(columns):
        work[ROW + column] = 0.0
        work[FINE_ROW + column] = 0.0
    subtract_finely(columns, ROW, FINE_ROW, -inverse, -fine_inverse, at, fine + at, work)
    for column in range(columns):
        work[at + column] = 0.0
        work[fine + at + column] = 0.0
    work[ROW + coming] = inverse
    work[FINE_ROW + coming] = fine_inverse
    work[COLUMN + leaving] = -1.0
    work[FINE_COLUMN + leaving] = 0.0
    for row in range(rows):
        at = TABLE + row * columns
        factor = work[COLUMN + row]
        fine_factor = work[FINE_COLUMN + row]
        subtract_finely(columns, at, fine + at, factor, fine_factor, ROW, FINE_ROW, work)
    cost = work[COSTS + coming]
    fine_cost = work[FINE_COSTS + coming]
    work[COSTS + coming] = 0.0
    work[FINE_COSTS + coming] = 0.0
    subtract_finely(columns, COSTS, FINE_COSTS, cost, fine_cost, ROW, FINE_ROW, work)
    level = minus_product(
        0.0, 0.0, -work[LEVELS + leaving], -work[FINE_LEVELS + leaving], inverse, fine_inverse
    )
    work[LEVELS + leaving] = 0.0
    work[FINE_LEVELS + leaving] = 0.0
    subtract_finely(rows, LEVELS, FINE_LEVELS, level[0], level[1], COLUMN, FINE_COLUMN, work)
    label = work[BASIC + leaving]
    work[BASIC + leaving] = work[OTHER + coming]
    work[OTHER + coming] = label


def subtract_finely(
    size: int,
    at: int,
    fine_at: int,
    factor: float,
    fine_factor: float,
    source: int,
    fine_source: int,
    work: Floats,
) -> None:
    for place in range(size):
        result = minus_product(
            work[at + place],
            work[fine_at + place],
            factor,
            fine_factor,
            work[source + place],
            work[fine_source + place],
        )
        work[at + place] = result[0]
        work[fine_at + place] = result[1]


def minus_product(
    a: float, fine_a: float, b: float, fine_b: float, c: float, fine_c: float
) -> tuple[float, float]:
    """Computes a - b * c, where each number is a pair.

    T. J. Dekker, A floating-point technique for extending the available precision, 1971.
    """
    product = b * c
    scaled = SPLIT * b
    b_head = scaled - (scaled - b)
    b_tail = b - b_head
    scaled = SPLIT * c
    c_head = scaled - (scaled - c)
    c_tail = c - c_head
    lost = b_head * c_head - product + b_head * c_tail + b_tail * c_head + b_tail * c_tail
    lost += b * fine_c + fine_b * c
    difference = a - product
    taken = a - difference
    rest = (a - (difference + taken)) + (taken - product) + (fine_a - lost)
    result = difference + rest
    return result, rest - (result - difference)


def read_table(rows: int, columns: int, row_mix: Floats, column_mix: Floats, work: Floats) -> None:
    set_nothing(rows, row_mix)
    set_nothing(columns, column_mix)
    for row in range(rows):
        label = int(work[BASIC + row])
        if label < columns:
            column_mix[label] = work[LEVELS + row]
    for column in range(columns):
        label = int(work[OTHER + column])
        if label >= columns:
            row_mix[label - columns] = work[COSTS + column]


# Mixes from equally many actions of both players


def actions_of_table(rows: int, columns: int, work: Floats) -> int:
    """Lists the actions that the simplex method found. Returns how many each player has."""
    count = 0
    for row in range(rows):
        if work[BASIC + row] < columns:
            work[COLUMN_ACTIONS + count] = work[BASIC + row]
            count += 1
    count = 0
    for column in range(columns):
        if work[OTHER + column] >= columns:
            work[ROW_ACTIONS + count] = work[OTHER + column] - columns
            count += 1
    return count


def actions_of_mixes(
    rows: int, columns: int, row_mix: Floats, column_mix: Floats, work: Floats
) -> int:
    """Lists the actions of the mixes. Returns how many each player has; 0 if the numbers differ."""
    count = 0
    for row in range(rows):
        if row_mix[row] > 0.0:
            work[ROW_ACTIONS + count] = float(row)
            count += 1
    others = 0
    for column in range(columns):
        if column_mix[column] > 0.0:
            work[COLUMN_ACTIONS + others] = float(column)
            others += 1
    return count if count == others else 0


def mix_actions(
    matrix: Floats,
    rows: int,
    columns: int,
    count: int,
    row_mix: Floats,
    column_mix: Floats,
    work: Floats,
) -> bool:
    """Mixes the listed actions so that the other player is indifferent between the listed ones.

    Returns False, and writes nothing, if the equations do not determine the mixes. They are

        (matrix  1) (column mix)   (0)
        (  1     0) (    -v    ) = (1)     and for the row mix the same, transposed;

    one factorisation with partial pivoting solves both.
    """
    if count == 0 or not factorise(matrix, columns, count, work):
        return False
    size = count + 1
    width = size + 1
    set_nothing(rows, row_mix)
    set_nothing(columns, column_mix)
    for row in range(count, -1, -1):
        at = TABLE + row * width
        work[ROW + row] = work[at + size] / work[at + row]
        for _ in range(row):
            at -= width
            work[at + size] -= work[ROW + row] * work[at + row]
    for column in range(count):
        column_mix[int(work[COLUMN_ACTIONS + column])] = work[ROW + column]
    for row in range(count):
        work[COLUMN + row] = 0.0
    work[COLUMN + count] = 1.0 / work[TABLE + count * width + count]
    for row in range(count, -1, -1):
        at = TABLE + row * width
        share = work[COLUMN + row]
        if at >= 0:
            for before in range(row):
                work[COLUMN + before] -= share * work[at + before]
        place = int(work[ORDER + row])
        if place < count:
            row_mix[int(work[ROW_ACTIONS + place])] = share
    return True


def factorise(matrix: Floats, columns: int, count: int, work: Floats) -> bool:
    """Writes the LU factors of the equations' matrix to TABLE, with the right-hand side as one more
    column, and the order of the rows to ORDER. Returns False if the matrix is (nearly) singular.
    """
    size = count + 1
    width = size + 1
    centre = matrix[int(work[ROW_ACTIONS]) * columns + int(work[COLUMN_ACTIONS])]
    largest = 0.0
    for row in range(count):
        source = int(work[ROW_ACTIONS + row]) * columns
        at = TABLE + row * width
        for column in range(count):
            entry = matrix[source + int(work[COLUMN_ACTIONS + column])] - centre
            work[at + column] = entry
            largest = max(largest, abs(entry))
    unit = 1.0 / largest if largest > 0.0 else 1.0
    last = TABLE + count * width
    for row in range(count):
        at = TABLE + row * width
        for column in range(count):
            work[at + column] *= unit
        work[at + count] = 1.0
        work[at + size] = 0.0
        work[last + row] = 1.0
        work[ORDER + row] = float(row)
    work[last + count] = 0.0
    work[last + size] = 1.0
    work[ORDER + count] = float(count)
    for step in range(size):
        source = TABLE + step * width
        best = step
        pivot = work[source + step]
        for row in range(step + 1, size):
            entry = work[TABLE + row * width + step]
            if abs(entry) > abs(pivot):
                best = row
                pivot = entry
        if abs(pivot) < ROUNDING:
            return False
        if best != step:
            swap(width, work, source, TABLE + best * width)
            swap(1, work, ORDER + step, ORDER + best)
        for row in range(step + 1, size):
            at = TABLE + row * width
            factor = work[at + step] / pivot
            if factor != 0.0 and at >= 0 and source >= 0:
                for column in range(step + 1, width):
                    work[at + column] -= factor * work[source + column]
            work[at + step] = factor
    return True


def swap(size: int, work: Floats, at: int, other: int) -> None:
    for place in range(size):
        kept = work[at + place]
        work[at + place] = work[other + place]
        work[other + place] = kept


# Mixes


def normalise(size: int, mix: Floats) -> None:
    """Makes the mix a distribution; numbers below rounding become 0."""
    total = 0.0
    for action in range(size):
        if mix[action] < ROUNDING:
            mix[action] = 0.0
        total += mix[action]
    if total > 0.0:
        for action in range(size):
            mix[action] /= total
    else:
        mix[0] = 1.0


def copy(size: int, source: Floats, first: int, target: Floats, at: int) -> None:
    for place in range(size):
        target[at + place] = source[first + place]


def certify(
    matrix: Floats, rows: int, columns: int, row_mix: Floats, column_mix: Floats, work: Floats
) -> float:
    """The same as `gap`, vectorised; also sets LOW and HIGH."""
    for column in range(columns):
        work[ROW + column] = 0.0
    for row in range(rows):
        share = row_mix[row]
        at = row * columns
        if share != 0.0 and at >= 0:
            for column in range(columns):
                work[ROW + column] += share * matrix[at + column]
    for row in range(rows):
        work[COLUMN + row] = 0.0
    for column in range(columns):
        share = column_mix[column]
        if share != 0.0:
            at = column
            for row in range(rows):
                work[COLUMN + row] += share * matrix[at]
                at += columns
    low = work[ROW]
    for column in range(1, columns):
        low = min(low, work[ROW + column])
    high = work[COLUMN]
    for row in range(1, rows):
        high = max(high, work[COLUMN + row])
    work[LOW] = low
    work[HIGH] = high
    return max(0.0, float(high - low))


# The interface with lists


class MatrixSolution(NamedTuple):
    """The value to the row player, a mix for each player, and the gap, which proves them."""

    value: float
    row_mix: list[float]
    column_mix: list[float]
    gap: float


def solve_matrix(matrix: Sequence[Sequence[float]]) -> MatrixSolution:
    """The solution of a matrix given by rows, each a list of payoffs to the row player.

    >>> solve_matrix([[3.0, 0.0], [1.0, 2.0]])
    MatrixSolution(value=1.5, row_mix=[0.25, 0.75], column_mix=[0.5, 0.5], gap=0.0)

    Raises UsageError unless there are 1 to 63 rows of equal length, each of 1 to 63 numbers.
    """
    entries = checked(matrix)
    rows, columns = len(matrix), len(matrix[0])
    # Scaling by a power of 2 is exact, and keeps all products and differences in range.
    _, exponent = frexp(max(map(abs, entries)))
    scaled = [ldexp(entry, -exponent) for entry in entries]
    row_mix, column_mix = [0.0] * rows, [0.0] * columns
    work = [0.0] * work_size(rows, columns)
    value = solve(scaled, rows, columns, row_mix, column_mix, work)
    left = gap(scaled, rows, columns, row_mix, column_mix)
    return MatrixSolution(ldexp(value, exponent), row_mix, column_mix, ldexp(left, exponent))


def checked(matrix: Sequence[Sequence[object]]) -> list[float]:
    """All entries, row after row. Raises UsageError."""
    if not 1 <= len(matrix) <= LIMIT:
        raise UsageError(f"a matrix must have 1 to {LIMIT} rows; not {len(matrix)}")
    columns = len(matrix[0])
    if not 1 <= columns <= LIMIT:
        raise UsageError(f"a matrix must have 1 to {LIMIT} columns; not {columns}")
    entries = []
    for row, payoffs in enumerate(matrix):
        if len(payoffs) != columns:
            raise UsageError(
                "all rows of a matrix must have the same length;"
                f" row {row} has {len(payoffs)} entries, row 0 has {columns}"
            )
        for column, payoff in enumerate(payoffs):
            try:
                entry = float(payoff) if isinstance(payoff, Real) else nan
            except OverflowError:  # an int too large for a float
                entry = inf
            if not isfinite(entry):
                raise UsageError(
                    f"entries must be finite numbers; row {row}, column {column} is {payoff!r}"
                )
            entries.append(entry)
    return entries


SPECS = {"solve": KernelSpec((), ("matrix", "row_mix", "column_mix", "work"), gives_float=True)}
