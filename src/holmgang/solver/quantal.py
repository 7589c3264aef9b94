"""Play with human mistakes: the logit equilibrium of a matrix game.

Both players know the value of each choice against the mix of the other, who makes mistakes as they
do. The more a choice costs, the less often they make it: its odds fall by a factor of e for every
`temperature` of cost. At a high temperature all choices are equally likely; as it falls to 0, the
mixes approach optimal ones. (R. McKelvey and T. Palfrey, Quantal response equilibria for normal
form games, 1995.)

Costs are measured relative to the stake: the difference between the best and the worst pair of
choices. So a temperature means the same in any state of any game.

A choice that loses at once against every reply is excluded, except for `slips`. If the values are
only estimates, so is a choice that loses at once against some reply, unless it may also win at once
or no choice is safer: nobody stakes the duel on an estimate.

The mixes are found by optimistic multiplicative updates, which converge linearly (S. Cen, Y. Wei
and Y. Chi, Fast policy extragradient methods for competitive games with entropy regularization,
2021).
"""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import NamedTuple

from holmgang.engine.compiled.native import NumberKernels
from holmgang.solver import quantal_kernels


class QuantalMixes(NamedTuple):
    row: list[float]
    column: list[float]
    stake: float
    """Costs are measured relative to this."""

    @property
    def both(self) -> tuple[list[float], list[float]]:
        return self.row, self.column


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
    """The mixes for a matrix given by rows, each a list of payoffs to the row player from -1 to 1.
    Compiles nothing.

    >>> solve_quantal([[1.0, -1.0], [-1.0, 1.0]], 0.1)
    QuantalMixes(row=[0.5, 0.5], column=[0.5, 0.5], stake=2.0)
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
    return QuantalMixes(row_mix.tolist(), column_mix.tolist(), work[quantal_kernels.STAKE])


def answer(
    payments: Sequence[Sequence[float]],
    mix: Sequence[float],
    change: Sequence[float],
    scale: float,
) -> list[float]:
    """The mix of a player who expects the other's mix to change by `change`: the odds of a choice
    rise by a factor of e for every `scale` that it gains. `payments` are the player's payoffs, with
    a row for each choice; `scale` is temperature times stake.

    >>> answer([[1.0, -1.0], [-1.0, 1.0]], [0.5, 0.5], [0.0, 0.0], 0.2)
    [0.5, 0.5]
    """
    gains = [
        sum(payment * more for payment, more in zip(row, change, strict=True)) / scale
        for row in payments
    ]
    most = max(gain for gain, share in zip(gains, mix, strict=True) if share > 0)
    weights = [
        share * exp(gain - most) if share > 0 else 0.0
        for gain, share in zip(gains, mix, strict=True)
    ]
    total = sum(weights)
    return [weight / total for weight in weights]
