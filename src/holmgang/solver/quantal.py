"""Play with human mistakes: the logit equilibrium of a matrix game.

Both players know what each choice is worth against the mix of the other, who errs as they do, and
make a choice less often the more it costs: its odds fall by a factor of e for every `temperature`
of cost. At a high temperature all choices are equally likely; as it falls to 0, the mixes approach
optimal ones. (R. McKelvey and T. Palfrey, Quantal response equilibria for normal form games, 1995.)

Costs are measured by what is at stake: the difference between the best and the worst pair of
choices. So a temperature means the same in any state of any game.

A choice that loses at once, whatever the other does, is left out, except for `slips`. If the worths
are only estimates, so is a choice to which a reply wins at once, unless it may win at once itself
or nothing is safer: nobody stakes the duel on an estimate.

The mixes are found by optimistic multiplicative updates, which converge linearly (S. Cen, Y. Wei
and Y. Chi, Fast policy extragradient methods for competitive games with entropy regularization,
2021).
"""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from holmgang.engine.compiled.native import NumberKernels
from holmgang.solver import quantal_kernels


class QuantalMixes(NamedTuple):
    row: list[float]
    column: list[float]


@lru_cache(maxsize=2)
def kernels_of_quantal(*, interpret: bool = False) -> NumberKernels:
    return NumberKernels("quantal", (quantal_kernels,), interpret=interpret)


def solve_quantal(
    matrix: Sequence[Sequence[float]],
    temperature: float,
    slips: float = 0.0,
    *,
    is_cautious: bool = False,
) -> QuantalMixes:
    """The mixes for a matrix given by rows, each a list of what the row player is paid: at most 1,
    at least -1. Compiles nothing.

    >>> solve_quantal([[1.0, -1.0], [-1.0, 1.0]], 0.1)
    QuantalMixes(row=[0.5, 0.5], column=[0.5, 0.5])
    """
    kernels = kernels_of_quantal()
    if not kernels.is_cached("quantal"):
        kernels = kernels_of_quantal(interpret=True)
    rows, columns = len(matrix), len(matrix[0])
    entries = array("d", (entry for row in matrix for entry in row))
    row_mix, column_mix = array("d", bytes(8 * rows)), array("d", bytes(8 * columns))
    settings = array("d", (temperature, slips, is_cautious))
    work = array("d", bytes(8 * quantal_kernels.WORK_SIZE))
    kernels("quantal")(entries, rows, columns, settings, row_mix, column_mix, work)
    return QuantalMixes(row_mix.tolist(), column_mix.tolist())
