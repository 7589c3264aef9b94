"""Matrix games: solved by hand, by symmetry, and by the thousand with the gap as the proof.

The gap is computed here once more, with sums that round only once, so nothing rests on the solver.
"""

import random
from array import array
from fractions import Fraction
from importlib import import_module
from math import fsum
from types import FunctionType

import pytest

from holmgang.engine.compiled.native import NumberKernels
from holmgang.errors import UsageError
from holmgang.solver import matrix as matrix_games
from holmgang.solver.matrix import (
    FROM_FINE_SIMPLEX,
    FROM_MIXES,
    FROM_SIMPLEX,
    HIGH,
    LIMIT,
    LOW,
    gap,
    minus_product,
    search,
    solve,
    solve_again,
    solve_matrix,
    work_size,
)

# What is asserted of every solution


def scale(rows):
    return max(1e-300, *(abs(entry) for row in rows for entry in row))


def proven(rows, value, row_mix, column_mix):
    """Asserts that both mixes are distributions and sure of the value; the gap."""
    for mix in (row_mix, column_mix):
        assert all(share >= 0 for share in mix)
        assert fsum(mix) == pytest.approx(1, abs=1e-14)
    low = min(
        fsum(share * row[column] for share, row in zip(row_mix, rows, strict=True))
        for column in range(len(rows[0]))
    )
    high = max(
        fsum(share * entry for share, entry in zip(column_mix, row, strict=True)) for row in rows
    )
    assert high - low <= 1e-12 * scale(rows)
    assert value == pytest.approx((low + high) / 2, rel=0, abs=1e-13 * scale(rows))
    assert max(min(row) for row in rows) <= value + 1e-13 * scale(rows)
    assert min(max(column) for column in zip(*rows, strict=True)) >= value - 1e-13 * scale(rows)
    return high - low


def solved(rows):
    solution = solve_matrix(rows)
    left = proven(rows, solution.value, solution.row_mix, solution.column_mix)
    assert solution.gap == pytest.approx(left, abs=1e-14 * scale(rows))
    assert solution.gap >= 0
    return solution


def flat(rows):
    return [float(entry) for row in rows for entry in row]


def near(numbers):
    return pytest.approx(numbers, rel=0, abs=1e-13)


# By hand

ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
BLOTTO = [  # four regiments against three, two places: (4,0) (0,4) (3,1) (1,3) (2,2)
    [4, 0, 2, 1],
    [0, 4, 1, 2],
    [1, -1, 3, 0],
    [-1, 1, 0, 3],
    [-2, -2, 2, 2],
]
THIRD = 1 / 3

BY_HAND = {
    "one entry": ([[7]], 7, [1], [1]),
    "one row": ([[3, 1, 2]], 1, [1], [0, 1, 0]),
    "one column": ([[3], [5], [4]], 5, [0, 1, 0], [1]),
    "a saddle point": ([[4, 2], [3, 1]], 2, [1, 0], [0, 1]),
    "a saddle point inside": ([[1, 3, 9], [6, 5, 7], [8, 4, 2]], 5, [0, 1, 0], [0, 1, 0]),
    "matching pennies": ([[1, -1], [-1, 1]], 0, [0.5, 0.5], [0.5, 0.5]),
    "two by two": ([[3, 0], [1, 2]], 1.5, [0.25, 0.75], [0.5, 0.5]),
    "three by two": ([[6, 0], [4, 3], [0, 5]], 10 / 3, [0, 5 / 6, 1 / 6], [1 / 3, 2 / 3]),
    "two by three": ([[-6, -4, 0], [0, -3, -5]], -10 / 3, [1 / 3, 2 / 3], [0, 5 / 6, 1 / 6]),
    "rock, paper, scissors": (ROCK_PAPER_SCISSORS, 0, [THIRD] * 3, [THIRD] * 3),
    "paper wins double": (
        [[0, -2, 1], [2, 0, -1], [-1, 1, 0]],
        0,
        [0.25, 0.25, 0.5],
        [0.25, 0.25, 0.5],
    ),
    "a row that is never played": (
        [*ROCK_PAPER_SCISSORS, [-1, -1, -1]],
        0,
        [THIRD, THIRD, THIRD, 0],
        [THIRD] * 3,
    ),
    "hide and seek": (
        [[1, 0, 0], [0, 2, 0], [0, 0, 4]],
        4 / 7,
        [4 / 7, 2 / 7, 1 / 7],
        [4 / 7, 2 / 7, 1 / 7],
    ),
}


@pytest.mark.parametrize(("rows", "value", "row_mix", "column_mix"), BY_HAND.values(), ids=BY_HAND)
def test_solved_by_hand(rows, value, row_mix, column_mix):
    solution = solved(rows)
    assert solution.value == near(value)
    assert solution.row_mix == near(row_mix)
    assert solution.column_mix == near(column_mix)


MORRA = [[0, 2, -3, 0], [-2, 0, 0, 3], [3, 0, 0, -4], [0, -3, 4, 0]]

VALUE_BY_HAND = {  # where there are many optimal mixes
    "all equal": ([[2.5] * 4] * 3, 2.5),
    "nothing": ([[0] * 5] * 5, 0),
    "Blotto": (BLOTTO, 14 / 9),
    "two-finger Morra": (MORRA, 0),
    "every row twice": ([row for row in ROCK_PAPER_SCISSORS for _ in (1, 2)], 0),
    "every column twice": ([[entry for entry in row for _ in (1, 2)] for row in BLOTTO], 14 / 9),
    "many saddle points": ([[2, 1, 1], [1, 1, 1], [0, 1, 1]], 1),
    "equal but for one": ([[1, 1, 1], [1, 1e6, 1], [1, 1, 1]], 1),
    "a trifle and a fortune": ([[1e6, -1e6], [-1e-6, 1e-6]], 0),
    "Hilbert's matrix": ([[1 / (i + j + 1) for j in range(12)] for i in range(12)], 1 / 12),
    "rank one": ([[i * j for j in (-2, -1, 3)] for i in (-1, 2, 5)], 0),
}


@pytest.mark.parametrize(("rows", "value"), VALUE_BY_HAND.values(), ids=VALUE_BY_HAND)
def test_value_by_hand(rows, value):
    assert solved(rows).value == pytest.approx(value, rel=0, abs=1e-13 * max(1, scale(rows)))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20, LIMIT])
def test_identity_is_worth_one_in_its_size(size):
    solution = solved([[float(i == j) for j in range(size)] for i in range(size)])
    assert solution.value == near(1 / size)
    assert solution.row_mix == near([1 / size] * size)
    assert solution.column_mix == near([1 / size] * size)


def test_a_diagonal_is_mixed_by_the_inverses():
    diagonal = [2.0**power for power in range(-8, 9)]
    total = sum(1 / entry for entry in diagonal)
    solution = solved(
        [[entry if i == j else 0.0 for j in range(17)] for i, entry in enumerate(diagonal)]
    )
    assert solution.value == near(1 / total)
    assert solution.row_mix == near([1 / entry / total for entry in diagonal])


@pytest.mark.parametrize("size", [3, 5, 9, 25, 39])
def test_a_wheel_of_odd_size_is_worth_nothing(size):
    """Each action beats the half that follows it: rock, paper, scissors and so on."""
    beats = [0] + [1 if step % 2 else -1 for step in range(1, size)]
    solution = solved([[beats[(i - j) % size] for j in range(size)] for i in range(size)])
    assert solution.value == near(0)
    assert solution.row_mix == near([1 / size] * size)


# Kinds of matrices


def uniform(dice, rows, columns):
    return [[dice.uniform(-1, 1) for _ in range(columns)] for _ in range(rows)]


def of_three(dice, rows, columns):
    return [[dice.choice((-1.0, 0.0, 1.0)) for _ in range(columns)] for _ in range(rows)]


def of_two(dice, rows, columns):
    return [[dice.choice((-1.0, 1.0)) for _ in range(columns)] for _ in range(rows)]


def whole(dice, rows, columns):
    return [[float(dice.randrange(10)) for _ in range(columns)] for _ in range(rows)]


def repeated(dice, rows, columns):
    few = whole(dice, max(1, rows // 2), max(1, columns // 2))
    across = [dice.randrange(len(few[0])) for _ in range(columns)]
    return [[row[column] for column in across] for row in dice.choices(few, k=rows)]


def antisymmetric(dice, rows, columns):
    rows = columns = min(rows, columns)
    half = uniform(dice, rows, columns)
    return [[half[i][j] - half[j][i] for j in range(columns)] for i in range(rows)]


def low_rank(dice, rows, columns):
    rank = dice.randint(1, 3)
    left, right = uniform(dice, rows, rank), uniform(dice, columns, rank)
    return [[sum(a * b for a, b in zip(x, y, strict=True)) for y in right] for x in left]


def nearly_low_rank(dice, rows, columns):
    noise = 10.0 ** -dice.randint(9, 17)
    return [[x + noise * dice.gauss(0, 1) for x in row] for row in low_rank(dice, rows, columns)]


def nearly_whole(dice, rows, columns):
    noise = 10.0 ** -dice.randint(9, 16)
    return [[x + noise * dice.gauss(0, 1) for x in row] for row in of_three(dice, rows, columns)]


def nearly_dominated(dice, rows, columns):
    good, bad = uniform(dice, 1, rows)[0], uniform(dice, 1, columns)[0]
    return [[(x - y) / 2 + dice.gauss(0, 0.05) for y in bad] for x in good]


def nearly_equal(dice, rows, columns):
    made = [[1 + 1e-9 * dice.gauss(0, 1) for _ in range(columns)] for _ in range(rows)]
    made[dice.randrange(rows)][dice.randrange(columns)] = dice.choice((-1e6, 0.0, 2.0, 1e6))
    return made


def scaled_rows(dice, rows, columns):
    factors = [10.0 ** dice.randint(-6, 6) for _ in range(rows)]
    return [
        [factor * x for x in row]
        for factor, row in zip(factors, uniform(dice, rows, columns), strict=True)
    ]


def scaled_columns(dice, rows, columns):
    return [list(row) for row in zip(*scaled_rows(dice, columns, rows), strict=True)]


def scaled_entries(dice, rows, columns):
    return [[x * 10 ** dice.uniform(-8, 8) for x in row] for row in uniform(dice, rows, columns)]


def split(dice, rows, columns):
    """Half of the rows in millions, the others in millionths, and so a third of the columns."""
    return [
        [
            x * (1e6 if 2 * i < rows else 1e-6) * (1e-6 if 3 * j < columns else 1)
            for j, x in enumerate(row)
        ]
        for i, row in enumerate(uniform(dice, rows, columns))
    ]


def smooth(dice, rows, columns):
    """Nearly the same row again and again: as badly conditioned as can be."""
    bend, sign = dice.uniform(0.5, 4), dice.choice((-1, 1))
    return [
        [sign / (1 + bend * (i / rows - j / columns) ** 2) for j in range(columns)]
        for i in range(rows)
    ]


KINDS = (
    uniform,
    of_three,
    of_two,
    whole,
    repeated,
    antisymmetric,
    low_rank,
    nearly_low_rank,
    nearly_whole,
    nearly_dominated,
    nearly_equal,
    scaled_rows,
    scaled_columns,
    scaled_entries,
    split,
    smooth,
)


def name_of(kind):
    return kind.__name__


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_small_ones_of_every_kind(kind):
    dice = random.Random(name_of(kind))
    for _ in range(80):
        solved(kind(dice, dice.randint(1, 7), dice.randint(1, 7)))


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_larger_ones_of_every_kind(kind):
    dice = random.Random(name_of(kind))
    for size in (12, 21):
        solved(kind(dice, size, dice.randint(8, 21)))


# Symmetries


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_value_follows_the_matrix(kind):
    dice = random.Random(name_of(kind))
    for _ in range(10):
        rows = kind(dice, dice.randint(2, 6), dice.randint(2, 6))
        unit = scale(rows)
        value = solved(rows).value
        more = [[x + 3 * unit for x in row] for row in rows]
        assert solved(more).value == pytest.approx(value + 3 * unit, rel=0, abs=1e-11 * unit)
        twice = [[2.5 * x for x in row] for row in rows]
        assert solved(twice).value == pytest.approx(2.5 * value, rel=0, abs=1e-11 * unit)
        turned = [[-x for x in column] for column in zip(*rows, strict=True)]
        assert solved(turned).value == pytest.approx(-value, rel=0, abs=1e-11 * unit)
        across = dice.sample(range(len(rows[0])), len(rows[0]))
        mixed = [[row[column] for column in across] for row in dice.sample(rows, len(rows))]
        assert solved(mixed).value == pytest.approx(value, rel=0, abs=1e-11 * unit)


def test_mixes_are_permuted_with_the_rows_and_columns():
    dice = random.Random(5)
    for _ in range(40):
        rows = uniform(dice, 6, 5)
        down, across = dice.sample(range(6), 6), dice.sample(range(5), 5)
        solution = solved(rows)
        other = solved([[rows[i][j] for j in across] for i in down])
        assert other.row_mix == pytest.approx([solution.row_mix[i] for i in down], abs=1e-10)
        assert other.column_mix == pytest.approx(
            [solution.column_mix[j] for j in across], abs=1e-10
        )


def test_antisymmetric_ones_are_fair():
    dice = random.Random(6)
    for size in (2, 3, 4, 8, 15, 24):
        assert solved(antisymmetric(dice, size, size)).value == near(0)


# On flat arrays


def spaces(rows, columns):
    return [0.0] * rows, [0.0] * columns, [0.0] * work_size(rows, columns)


def test_gap_is_what_the_best_replies_gain():
    assert gap(flat(ROCK_PAPER_SCISSORS), 3, 3, [1, 0, 0], [1, 0, 0]) == 2
    assert gap(flat(ROCK_PAPER_SCISSORS), 3, 3, [1, 0, 0], [THIRD] * 3) == near(1)
    assert gap(flat(BLOTTO), 5, 4, [0, 0, 0, 0, 1], [0.5, 0.5, 0, 0]) == 2 + 2


def test_matrix_is_left_alone_and_bounds_are_told():
    matrix = flat(BLOTTO)
    row_mix, column_mix, work = spaces(5, 4)
    value = solve(matrix, 5, 4, row_mix, column_mix, work)
    assert matrix == flat(BLOTTO)
    assert work[LOW] == near(14 / 9)
    assert work[HIGH] == near(14 / 9)
    assert value == (work[LOW] + work[HIGH]) / 2
    assert gap(matrix, 5, 4, row_mix, column_mix) == max(0.0, work[HIGH] - work[LOW])


@pytest.mark.parametrize(
    ("rows", "columns"), [(LIMIT, LIMIT), (1, LIMIT), (LIMIT, 1), (2, LIMIT), (LIMIT, 3)]
)
@pytest.mark.parametrize("first", [FROM_MIXES, FROM_SIMPLEX, FROM_FINE_SIMPLEX])
def test_limits_and_ways(rows, columns, first):
    made = uniform(random.Random(rows * columns), rows, columns)
    row_mix, column_mix, work = spaces(rows, columns)
    value = search(flat(made), rows, columns, row_mix, column_mix, work, first)
    proven(made, value, row_mix, column_mix)


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_twice_the_precision_alone(kind):
    dice = random.Random(name_of(kind))
    for _ in range(5):
        made = kind(dice, dice.randint(2, 9), dice.randint(2, 9))
        rows, columns = len(made), len(made[0])
        row_mix, column_mix, work = spaces(rows, columns)
        value = search(flat(made), rows, columns, row_mix, column_mix, work, FROM_FINE_SIMPLEX)
        proven(made, value, row_mix, column_mix)


@pytest.mark.parametrize("kind", [of_three, repeated, low_rank, split], ids=name_of)
def test_by_blands_rule_alone(kind, monkeypatch):
    monkeypatch.setattr(matrix_games, "MOST_IDLE", -1)
    dice = random.Random(name_of(kind))
    for _ in range(20):
        solved(kind(dice, dice.randint(3, 9), dice.randint(3, 9)))


def test_the_best_is_kept_where_none_is_good_enough(monkeypatch):
    monkeypatch.setattr(matrix_games, "GOOD_GAP", -1.0)
    dice = random.Random(8)
    for _ in range(20):
        rows = nearly_whole(dice, 8, 8)
        row_mix, column_mix, work = spaces(8, 8)
        value = solve(flat(rows), 8, 8, row_mix, column_mix, work)
        left = proven(rows, value, row_mix, column_mix)
        assert work[HIGH] - work[LOW] == pytest.approx(left, abs=1e-14)


def test_pairs_are_exact_to_twice_the_digits():
    dice = random.Random(9)
    for _ in range(2000):
        a, b, c = (dice.uniform(-1, 1) * 10 ** dice.uniform(-6, 6) for _ in range(3))
        a = dice.choice((a, b * c))
        pairs = [(x, x * dice.uniform(-1, 1) * 1e-16) for x in (a, b, c)]
        exact_a, exact_b, exact_c = (Fraction(x) + Fraction(fine) for x, fine in pairs)
        result, fine = minus_product(*pairs[0], *pairs[1], *pairs[2])
        wrong = Fraction(result) + Fraction(fine) - (exact_a - exact_b * exact_c)
        assert abs(wrong) <= max(abs(exact_a), abs(exact_b * exact_c)) * Fraction(1, 10**31)


# With the mixes of a matrix much like it


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
@pytest.mark.parametrize("change", [0.0, 1e-9, 0.1])
def test_solved_again(kind, change):
    dice = random.Random(name_of(kind))
    made = kind(dice, 6, 7)
    rows, columns = len(made), len(made[0])
    row_mix, column_mix, work = spaces(rows, columns)
    solve(flat(made), rows, columns, row_mix, column_mix, work)
    for _ in range(4):
        made = [[x + change * scale(made) * dice.gauss(0, 1) for x in row] for row in made]
        value = solve_again(flat(made), rows, columns, row_mix, column_mix, work)
        proven(made, value, row_mix, column_mix)


@pytest.mark.parametrize(
    ("row_mix", "column_mix"),
    [
        ([0, 0, 0, 0, 0], [0, 0, 0, 0]),
        ([1, 0, 0, 0, 0], [1, 0, 0, 0]),
        ([0, 0, 0.5, 0.5, 0], [0.2, 0.3, 0.5, 0]),
        ([-1, 3, 0, 0, -1], [7, 0, 0, 7]),
        ([0.2] * 5, [0.25] * 4),
    ],
)
def test_solved_again_from_mixes_that_are_of_no_use(row_mix, column_mix):
    rows = [float(x) for x in row_mix]
    columns = [float(x) for x in column_mix]
    value = solve_again(flat(BLOTTO), 5, 4, rows, columns, [0.0] * work_size(5, 4))
    assert value == near(14 / 9)
    proven(BLOTTO, value, rows, columns)


def test_solved_again_without_a_simplex(monkeypatch):
    """Where the actions stay the same, nothing else is computed."""
    row_mix, column_mix, work = spaces(4, 3)
    before = [[1, 0, 0], [0, 2, 0], [0, 0, 4], [0.1, 0.1, 0.1]]
    after = [[1.1, 0, 0], [0, 2, 0.1], [0, 0, 3], [0.2, 0.1, 0.1]]
    solve(flat(before), 4, 3, row_mix, column_mix, work)
    monkeypatch.setattr(matrix_games, "run_simplex", None)
    proven(after, solve_again(flat(after), 4, 3, row_mix, column_mix, work), row_mix, column_mix)


# Compiled


@pytest.fixture(scope="module")
def compiled():
    """`search`, compiled as it is compiled into larger kernels."""
    numba = pytest.importorskip(
        "numba", reason="numba is not installed: pip install 'holmgang[fast]'"
    )
    extending = import_module("numba.extending")
    for function in vars(matrix_games).values():
        if isinstance(function, FunctionType) and function.__module__ == matrix_games.__name__:
            extending.register_jitable(forceinline=True)(function)
    return numba.njit(error_model="numpy")(search)


def run_compiled(compiled, made, first=FROM_SIMPLEX):
    numpy = import_module("numpy")
    rows, columns = len(made), len(made[0])
    row_mix, column_mix, work = (numpy.array(space) for space in spaces(rows, columns))
    value = compiled(numpy.array(flat(made)), rows, columns, row_mix, column_mix, work, first)
    return value, row_mix.tolist(), column_mix.tolist()


@pytest.mark.thorough
def test_compiled_and_interpreted_agree_to_the_last_digit(compiled):
    dice = random.Random(10)
    for kind in KINDS:
        for size in (2, 4, 5, 9):
            for first in (FROM_SIMPLEX, FROM_FINE_SIMPLEX):
                made = kind(dice, size, dice.randint(1, 9))
                rows, columns = len(made), len(made[0])
                row_mix, column_mix, work = spaces(rows, columns)
                value = search(flat(made), rows, columns, row_mix, column_mix, work, first)
                assert run_compiled(compiled, made, first) == (value, row_mix, column_mix)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_hundreds_of_every_kind_and_size(compiled, kind):
    dice = random.Random(name_of(kind))
    for size in (2, 3, 4, 4, 4, 4, 5, 6, 8, 11, 16):
        for _ in range(15):
            made = kind(dice, size, size)
            proven(made, *run_compiled(compiled, made))
    for _ in range(60):
        made = kind(dice, dice.randint(1, LIMIT), dice.randint(1, LIMIT))
        proven(made, *run_compiled(compiled, made))
    for size in (36, LIMIT):
        for _ in range(4):
            made = kind(dice, size, size)
            proven(made, *run_compiled(compiled, made))


GUARD = array("d", [7.25]) * 64


@pytest.mark.thorough
def test_every_size_stays_within_its_arrays():
    """Compiled as the search has it, with guards behind every array. All sizes of rows and of
    columns from 1 to 63, and every kind of matrix.
    """
    kernel = NumberKernels("search", (matrix_games,))("solve")
    dice = random.Random(63)
    shapes = [(rows, dice.randint(1, LIMIT)) for rows in range(1, LIMIT + 1)]
    shapes += [(dice.randint(1, LIMIT), columns) for columns in range(1, LIMIT + 1)]
    shapes += [(LIMIT, LIMIT)] * len(KINDS)
    for place, shape in enumerate(shapes):
        made = KINDS[place % len(KINDS)](dice, *shape)
        rows, columns = len(made), len(made[0])
        sizes = (rows * columns, rows, columns, work_size(rows, columns))
        matrix, row_mix, column_mix, work = (array("d", [0.0]) * size + GUARD for size in sizes)
        matrix[: rows * columns] = array("d", flat(made))
        value = kernel(matrix, rows, columns, row_mix, column_mix, work)
        proven(made, value, list(row_mix[:rows]), list(column_mix[:columns]))
        for numbers, size in zip((matrix, row_mix, column_mix, work), sizes, strict=True):
            assert numbers[size:] == GUARD


@pytest.mark.parametrize("other", ["holmgang.engine.stream", "holmgang.engine.compiled.kernels"])
def test_names_are_its_own(other):
    """What is compiled together shares one scope, in which nothing may have the same name."""
    names = vars(import_module(other))
    ours = vars(matrix_games)
    shared = {name for name in ours.keys() & names.keys() if not name.startswith("__")}
    assert {name for name in shared - {"SPECS"} if ours[name] is not names[name]} == set()


# What is refused

REFUSED = {
    "no rows": ([], "a matrix must have 1 to 63 rows; not 0"),
    "no columns": ([[], []], "a matrix must have 1 to 63 columns; not 0"),
    "64 rows": ([[0.0]] * 64, "a matrix must have 1 to 63 rows; not 64"),
    "64 columns": ([[0.0] * 64], "a matrix must have 1 to 63 columns; not 64"),
    "ragged": (
        [[1, 2], [3]],
        "all rows of a matrix must have the same length; row 1 has 1 entries, row 0 has 2",
    ),
    "not a number": (
        [[1, 2], [3, float("nan")]],
        "entries must be finite numbers; row 1, column 1 is nan",
    ),
    "infinite": ([[float("-inf")]], "entries must be finite numbers; row 0, column 0 is -inf"),
    "beyond floats": ([[1, 10**400]], "entries must be finite numbers; row 0, column 1 is 1000"),
    "a word": ([["1"]], "entries must be finite numbers; row 0, column 0 is '1'"),
    "nothing": ([[1.0], [None]], "entries must be finite numbers; row 1, column 0 is None"),
}


@pytest.mark.parametrize(("rows", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(rows, message):
    with pytest.raises(UsageError) as refusal:
        solve_matrix(rows)
    assert str(refusal.value).startswith(message)


@pytest.mark.parametrize("unit", [5e-324, 1e-310, 1e-200, 1e200, 8e307])
def test_any_unit(unit):
    solution = solve_matrix([[0, -unit, unit], [unit, 0, -unit], [-unit, unit, 0]])
    assert abs(solution.value) <= 1e-13 * unit
    assert solution.gap <= 1e-12 * unit
    assert solution.row_mix == near([THIRD] * 3)


@pytest.mark.parametrize("number", [True, 1, Fraction(1, 2)])
def test_any_real_number(number):
    assert solve_matrix([[number]]).value == float(number)
