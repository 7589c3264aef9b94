"""Sharp mixes: among all optimal ones, those that gain most from an opponent who errs.

Optimal play guarantees the value of a state and no more. Where several mixes are optimal, some wait
forever while others put pressure on the opponent in every round. Here each side's opponent is
assumed to tremble: it plays the solution, but chooses at random in some rounds (`TREMBLE`). The
gain from that is a second objective besides the value, with a weight so small that the value comes
first (`WEIGHT`). Later rounds are discounted by more than that weight, so a side that is winning
wins and does not wait for mistakes.

A mix that is optimal in every single round may still lose something over many rounds: in a cycle, a
threat that is not needed in one state may be needed in another. So sharp mixes are used only where
they are certified: see `TableSolver.sharpened` in `solve.py`.
"""

from array import array

from holmgang.engine.compiled.native import NumberKernels
from holmgang.solver.exact.sharpen_kernels import Sharp
from holmgang.solver.exact.sweep_kernels import MatrixScratch
from holmgang.solver.exact.table import StateTable, floats

WEIGHT = 1e-10  # of the gains from mistakes, relative to the value
SOONER = 0.97  # discount of later rounds in the gains
TREMBLE = 0.5  # how often the opponent chooses at random
MOST_SWEEPS = 200
SETTLED = 1e-3  # tolerance for a gain


def sharp_mixes(
    kernels: NumberKernels,
    table: StateTable,
    values: "array[float]",
    red_mixes: "array[float]",
    blue_mixes: "array[float]",
    picked: "array[int]",
    impatience: float,
    room: MatrixScratch,
) -> tuple["array[float]", "array[float]"]:
    """The sharp mixes of red and of blue, given the solution. `values` are discounted by
    `impatience` and include mirror images.
    """
    settings = array("d", [1.0 - impatience, WEIGHT, SOONER, TREMBLE])
    mixes = red_mixes[:], blue_mixes[:]
    gains = floats(table.places), floats(table.places)
    plain, bonus = floats(len(room.matrix)), floats(max(len(room.red_mix), len(room.blue_mix)))
    sharp = Sharp(*mixes, *gains, plain, bonus)
    given = (table.mirrored, table.numbers, settings, values, red_mixes, blue_mixes, picked)
    for block in table.blocks:
        for _ in range(MOST_SWEEPS):
            if kernels("sharpen")(*block, *given, sharp, room) <= SETTLED:
                break
    kernels("level_mixes")(table.count, table.numbers, *mixes)
    return mixes
