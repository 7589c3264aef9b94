"""The worth of all pairs of choices in a state, one round ahead: what a person sees at a glance.

Ends of the duel count by the rules, other states by the game's `estimate`.
"""

from array import array
from collections.abc import Sequence
from functools import lru_cache

from holmgang.engine.compiled.native import Kernels
from holmgang.games.contract import State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.exact.table import floats
from holmgang.solver.search import no_estimate, pair_kernels


@lru_cache(maxsize=16)
def kernels_of_pairs(ruleset: Ruleset, *, interpret: bool) -> Kernels:
    modules = (pair_kernels, ruleset.game.estimate or no_estimate)
    return Kernels(ruleset, modules, interpret=interpret)


def estimated_pairs(
    ruleset: Ruleset, state: State, reds: Sequence[int], blues: Sequence[int]
) -> list[list[float]]:
    """A row for each choice of red: its worth to red against each choice of blue."""
    kernels = kernels_of_pairs(ruleset, interpret=False)
    if not kernels.is_cached("fill_pairs"):
        kernels = kernels_of_pairs(ruleset, interpret=True)
    row = array("q", [0]) * len(kernels.layout.names)
    kernels.bound.kernels["pack"](state, row, 0)
    size, width = len(reds), len(blues)
    values = floats(size * width)
    menus = array("q", reds), array("q", blues)
    kernels("fill_pairs")(size, width, row, *menus, values)
    return [values[at : at + width].tolist() for at in range(0, size * width, width)]
