"""Thousands of matrix games of every size against SciPy's HiGHS: `python -m bench.matrix_sweep`.

To be run as `bench.matrix` is. Fails, after its table, if a solution of ours is not proven.
"""

import argparse
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.matrix import compiled_run, scipy_highs
from bench.matrix_kinds import KINDS, Matrix, name_of
from bench.page import table
from holmgang.solver import matrix as matrix_games

ALLOWED = 1e-9  # a difference, by the largest absolute entry
ROUNDING = 1e-12  # of the sum of a mix


@dataclass
class MatrixTally:
    """The results for the matrices of one kind."""

    name: str
    count: int = 0
    failures: int = 0
    """Without proof: a gap that is too large, or a mix that is not a distribution."""
    largest_gap: float = 0.0
    largest_deviation: float = 0.0
    unanswered: int = 0
    """By HiGHS."""
    disproved: int = 0
    """Values of HiGHS's that differ from ours by more than is allowed, though ours is proven."""

    def add(self, matrix: Matrix, solution: tuple[float, Any, Any], other: float) -> None:
        value, row_mix, column_mix = solution
        unit = np.abs(matrix).max() or 1.0
        exact = matrix.astype(np.longdouble)  # so that the proof is not the solver's own arithmetic
        low, high = (row_mix @ exact).min(), (exact @ column_mix).max()
        gap = float(high - low) / unit
        is_proven = gap <= ALLOWED and low - ALLOWED * unit <= value <= high + ALLOWED * unit
        self.count += 1
        self.largest_gap = max(self.largest_gap, gap)
        if not (is_proven and is_mix(row_mix) and is_mix(column_mix)):
            self.failures += 1
        if np.isnan(other):
            self.unanswered += 1
            return
        deviation = abs(other - value) / unit
        self.largest_deviation = max(self.largest_deviation, deviation)
        if deviation > ALLOWED and is_proven:
            self.disproved += 1

    def row(self) -> list[str]:
        counts = (self.count, self.failures)
        sizes = (self.largest_gap, self.largest_deviation)
        others = (self.disproved, self.unanswered)
        return [
            self.name,
            *(f"{number:,}" for number in counts),
            *(f"{size:.1e}" for size in sizes),
            *(f"{number:,}" for number in others),
        ]


def is_mix(mix: Any) -> bool:
    return bool((mix >= 0).all()) and abs(mix.sum() - 1) <= ROUNDING


def shape_of(dice: Any, size: int, number: int) -> tuple[int, int]:
    """Two in three are square; of the others the size is that of one side."""
    other = int(dice.integers(1, matrix_games.LIMIT + 1))
    return ((size, size), (size, size), (size, other), (size, size), (size, size), (other, size))[
        number // len(KINDS) % 6
    ]


def sweep(each: int) -> list[MatrixTally]:
    """So many matrices of every size, all kinds in turn."""
    solve, theirs = compiled_run(matrix_games.solve), scipy_highs()
    tallies = [MatrixTally(name_of(kind)) for kind in KINDS]
    for size in range(1, matrix_games.LIMIT + 1):
        dice = np.random.default_rng(size)
        for number in range(each):
            place = number % len(KINDS)
            matrix = KINDS[place](dice, *shape_of(dice, size, number))
            (value,), (row_mix,), (column_mix,) = solve(matrix[None])
            tallies[place].add(matrix, (value, row_mix, column_mix), theirs(matrix[None])[0])
        failures = sum(tally.failures for tally in tallies)
        sys.stderr.write(f"sweep: size {size} of {matrix_games.LIMIT}, {failures} failures\n")
    return tallies


def total_of(tallies: list[MatrixTally]) -> MatrixTally:
    return MatrixTally(
        "all",
        sum(tally.count for tally in tallies),
        sum(tally.failures for tally in tallies),
        max(tally.largest_gap for tally in tallies),
        max(tally.largest_deviation for tally in tallies),
        sum(tally.unanswered for tally in tallies),
        sum(tally.disproved for tally in tallies),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.matrix_sweep")
    parser.add_argument("--each", type=int, default=1000, help="matrices of each size")
    options = parser.parse_args()
    tallies = sweep(options.each)
    total = total_of(tallies)
    lines = [
        f"**Failures: {total.failures} of {total.count:,}** (wanted: 0). {options.each:,} of each",
        f"size from 1 to {matrix_games.LIMIT}, one in three not square, against HiGHS with its",
        "smallest tolerances.",
        "",
        "Ours carries its proof: the value lies between what the two mixes guarantee. How far",
        "those are apart, the *gap*, is recomputed here from the matrix and the mixes, in",
        f"higher precision. A failure is a gap above {ALLOWED:.0e} or an invalid mix. A",
        "*deviation* is the difference of the two values. All are relative to the largest absolute",
        f"entry. Where the deviation is above {ALLOWED:.0e} and the gap is not, HiGHS is off.",
        "",
        *table(
            [
                "kind",
                "matrices",
                "failures",
                "largest gap",
                "largest deviation",
                "HiGHS off",
                "HiGHS without answer",
            ],
            [tally.row() for tally in (total, *tallies)],
        ),
    ]
    print("\n".join(lines))
    if total.failures:
        sys.exit(f"{total.failures} solutions are not proven")


if __name__ == "__main__":
    main()
