"""Sharp mixes: among all optimal ones, those that gain most from an opponent who errs.

Optimal play guarantees the value of a state and no more. Where several mixes are optimal, some wait
for ever while others put pressure on the opponent in every round. Here each side's opponent is
assumed to tremble: it plays the solution, but a random choice in part of the rounds (`TREMBLE`).
What a side gains from that, in every state, is a second objective beside the value, with a
weight so small that the value comes first (`WEIGHT`). A later round counts less by more than that
(`IMPATIENCE`), so a side that is winning wins and does not wait for mistakes.

A mix that is optimal in every single round may still give something away over many: where the duel
can go round in circles, what one state can do without may be the threat that another rests on. So
nothing is believed before it is certified: see `Sweeper.sharpened` in `solve.py`.
"""

from array import array
from typing import Any

from holmgang.engine.compiled.native import NumberKernels
from holmgang.solver.exact.table import StateTable, floats

WEIGHT = 1e-10  # of what is gained from mistakes, against the value of a state
SOONER = 0.97  # what a later round counts in what is gained
TREMBLE = 0.5  # how often the opponent makes any choice at all
MOST_SWEEPS = 200
SETTLED = 1e-3  # a change of a gain that does not matter


def sharp_mixes(
    kernels: NumberKernels,
    table: StateTable,
    values: "array[float]",
    red_mixes: "array[float]",
    blue_mixes: "array[float]",
    picked: "array[int]",
    impatience: float,
    room: tuple[Any, ...],
) -> tuple["array[float]", "array[float]"]:
    """The sharp mixes of red and of blue. `values` are those of the states if later rounds count
    less, mirror images included; the mixes are the solution's.
    """
    settings = array("d", [1.0 - impatience, WEIGHT, SOONER, TREMBLE])
    gains = floats(table.places), floats(table.places)
    sharp = red_mixes[:], blue_mixes[:]
    matrix, red_mix, blue_mix, work = room
    plain, bonus = floats(len(matrix)), floats(max(len(red_mix), len(blue_mix)))
    room = plain, matrix, red_mix, blue_mix, bonus, work
    given = (table.mirrored, table.numbers, settings, values, red_mixes, blue_mixes, picked)
    sharpen = kernels("sharpen")
    for block in table.blocks:
        for _ in range(MOST_SWEEPS):
            change = sharpen(*block, *given, *gains, *sharp, *room)
            if change <= SETTLED:
                break
    kernels("level_mixes")(table.count, table.numbers, *sharp)
    return sharp
