"""The maximin mixture: shares of bots such that no bot scores more than half against them.

Duels are intransitive: rock beats scissors, and scissors beat paper. A rating, a single number,
cannot express that; the pay-off matrix can, and the mixture sums it up. Against a bot drawn by
these shares, every bot scores at most one half. A bot without a share is no better than a mix of
others. A copy of a bot takes half of its share and changes nothing else, while it would change
everyone's rating.
"""

from collections.abc import Sequence
from math import inf
from operator import mul
from random import Random
from typing import NamedTuple

from holmgang.arena.counting.payoff import BotPayoffs, Matrix
from holmgang.solver.matrix import LIMIT, solve_matrix

RESAMPLES = 100
WORK = 40_000  # matrix entries to solve, over all resamples
MOST_EXCHANGES = 200
TINY = 1e-9  # tolerance of a share or a gain


class Share(NamedTuple):
    """A bot's share in the mixture, with its 95 % interval over plausible matrices."""

    bot: str
    share: float
    low: float
    high: float


def mixture(payoffs: BotPayoffs) -> list[Share]:
    """Every bot's share, largest first. Those above 0 are the support."""
    size = len(payoffs.bots)
    if size == 0:
        return []
    shares = maximin(payoffs.matrix())
    chance = Random(0)  # fixed, so that the same log gives the same table
    tries = max(20, min(RESAMPLES, WORK // size**2))
    columns = zip(*(maximin(payoffs.resampled(chance)) for _ in range(tries)), strict=True)
    ranges = [(seen[tries // 40], seen[tries - 1 - tries // 40]) for seen in map(sorted, columns)]
    found = [
        Share(bot, share, min(low, share), max(high, share))
        for bot, share, (low, high) in zip(payoffs.bots, shares, ranges, strict=True)
    ]
    return sorted(found, key=lambda entry: (-entry.share, -entry.high, entry.bot))


def maximin(matrix: Matrix) -> list[float]:
    """The share of each bot in the maximin mix of a pay-off matrix. Identical bots share equally.

    >>> [round(share, 6) for share in maximin([[0, 1, -1], [-1, 0, 0.5], [1, -0.5, 0]])]
    [0.2, 0.4, 0.4]
    """
    alike: dict[tuple[float, ...], list[int]] = {}
    for place, row in enumerate(matrix):
        alike.setdefault(tuple(row), []).append(place)
    groups = list(alike.values())
    firsts = [group[0] for group in groups]
    distinct = [[matrix[row][column] for column in firsts] for row in firsts]
    shares = [0.0] * len(matrix)
    for group, share in zip(groups, whole_mix(distinct), strict=True):
        for place in group:
            shares[place] = share / len(group)
    return shares


def whole_mix(matrix: Matrix) -> list[float]:
    """The maximin mix of a game of any size, by double oracle.

    Solves a game of a few bots and adds the bot that does best against its mix, until no bot beats
    the mix. Bots without a share make room for others. If more than 40 bots are needed, this is the
    best mix found, and some bot beats it slightly.
    """
    size = len(matrix)
    inside = list(range(min(size, LIMIT)))
    best, least_loss = [0.0] * size, inf
    for _ in range(MOST_EXCHANGES):
        part = solve_matrix([[matrix[row][column] for column in inside] for row in inside])
        mix = cleaned(part.row_mix)
        gains = [
            sum(map(mul, mix, [matrix[rival][column] for column in inside]))
            for rival in range(size)
        ]
        rival = max(range(size), key=gains.__getitem__)
        if gains[rival] < least_loss:
            least_loss, best = gains[rival], spread(mix, inside, size)
        if gains[rival] <= TINY or rival in inside:
            break
        if len(inside) == LIMIT:
            weakest = min(range(LIMIT), key=lambda place: (mix[place], gains[inside[place]]))
            del inside[weakest]
        inside.append(rival)
    return best


def spread(mix: Sequence[float], places: Sequence[int], size: int) -> list[float]:
    shares = [0.0] * size
    for place, share in zip(places, mix, strict=True):
        shares[place] = share
    return shares


def cleaned(mix: Sequence[float]) -> list[float]:
    kept = [share if share > TINY else 0.0 for share in mix]
    total = sum(kept)
    return [share / total for share in kept]
