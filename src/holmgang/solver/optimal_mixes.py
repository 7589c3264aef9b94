"""How much each row of a matrix game loses against the optimal mixes of the column player.

A game can have many optimal mixes. Some may pay a row the value and others less, so the loss of a
row depends on the mix. `Shortfalls` computes the least and the greatest loss.

It runs the simplex method of `matrix.py`, which finds one optimal mix, and continues from there
over the optimal mixes only, to minimise or maximise the shortfall of a row.
"""

from collections.abc import Sequence

from holmgang.solver.matrix import (
    BASIC,
    COSTS,
    LEVELS,
    OTHER,
    TABLE,
    normalise,
    run_simplex,
    set_bounds,
    set_table,
    work_size,
)

SLACK = 1e-8
"""Tolerance for optimal mixes: entries from tables have errors of about 1e-9."""


class Shortfalls:
    """The shortfall of each row: how much less than the value it gets against optimal mixes.

    >>> either = Shortfalls([[0.0, 0.0], [0.0, -1.0]])  # the value is 0, whatever the columns' mix
    >>> either.least(1), either.most(1)
    (0.0, 1.0)
    """

    def __init__(self, matrix: Sequence[Sequence[float]]) -> None:
        """The matrix has up to 62 rows, each a list of payoffs to the row player."""
        self._rows, self._columns = rows, columns = len(matrix), len(matrix[0])
        self._matrix = matrix
        entries = [entry for row in matrix for entry in row]
        spread = max(entries) - min(entries)
        self._work = work = [0.0] * work_size(rows, columns)
        set_bounds(entries, rows, columns, work)
        start = min(range(columns), key=lambda column: work[COSTS + column])
        unit = 1.0 / spread if spread else 1.0
        set_table(entries, rows, columns, start, unit, work)
        run_simplex(rows, columns, False, work)
        self.value = max(self._paid(self._mix(work)))
        # One more row fixes the value.
        at = TABLE + rows * columns
        work[at : at + columns] = work[COSTS : COSTS + columns]
        work[LEVELS + rows] = SLACK * unit
        work[BASIC + rows] = float(columns + rows)

    def least(self, row: int) -> float:
        """The least shortfall of a row against an optimal mix."""
        return self._shortfall(row, 1)

    def most(self, row: int) -> float:
        """The greatest shortfall of a row against an optimal mix."""
        return self._shortfall(row, -1)

    def _shortfall(self, row: int, side: int) -> float:
        work, rows, columns = list(self._work), self._rows, self._columns
        label = columns + row
        basic, other = work[BASIC : BASIC + rows], work[OTHER : OTHER + columns]
        if label in basic:
            at = TABLE + basic.index(label) * columns
            work[COSTS : COSTS + columns] = [-side * entry for entry in work[at : at + columns]]
        else:
            work[COSTS : COSTS + columns] = [float(side * (each == label)) for each in other]
        run_simplex(rows + 1, columns, False, work)
        return max(0.0, self.value - self._paid(self._mix(work))[row])

    def _mix(self, work: list[float]) -> list[float]:
        """The column player's mix."""
        mix = [0.0] * self._columns
        for row in range(self._rows + 1):
            label = int(work[BASIC + row])
            if label < self._columns and work[LEVELS + row] > 0:
                mix[label] = work[LEVELS + row]
        normalise(self._columns, mix)
        return mix

    def _paid(self, mix: list[float]) -> list[float]:
        shares = [(column, share) for column, share in enumerate(mix) if share > 0]
        return [sum(share * row[column] for column, share in shares) for row in self._matrix]
