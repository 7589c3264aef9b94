"""Kernel that computes the mixes of a graded level in all states of a solved game.

`table` is the game in numbers (see `holmgang.solver.numbers`), without mirror images.
"""

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.exact.sweep_kernels import option_value, pair_value
from holmgang.solver.numbers import NUMBERS, Floats, Numbers
from holmgang.solver.quantal_kernels import quantal

LEVEL_MIXES = ("red_mixes", "blue_mixes", "firsts")


def grade(
    count: int,
    table: Numbers,
    values: Floats,
    settings: Floats,
    red_mixes: Floats,
    blue_mixes: Floats,
    firsts: Floats,
    grid: Floats,
    row_mix: Floats,
    column_mix: Floats,
    work: Floats,
) -> int:
    """Writes the mixes of a level in every state, and the probability of the first option of every
    pair after which a seat answers.
    """
    for state in range(count):
        reds, blues, pairs = table.reds[state], table.blues[state], table.pair_starts[state]
        for pair in range(reds * blues):
            grid[pair] = pair_value(pairs + pair, table, 1.0, values)
        quantal(grid, reds, blues, settings, row_mix, column_mix, work)
        for row in range(reds):
            red_mixes[table.red_starts[state] + row] = row_mix[row]
        for column in range(blues):
            blue_mixes[table.blue_starts[state] + column] = column_mix[column]
        for pair in range(pairs, pairs + reds * blues):
            firsts[pair] = 1.0
            first = table.option_starts[pair]
            if table.option_starts[pair + 1] - first == 2:
                grid[0] = option_value(first, table, 1.0, values)
                grid[1] = option_value(first + 1, table, 1.0, values)
                if table.deciders[pair] > 0:
                    quantal(grid, 2, 1, settings, row_mix, column_mix, work)
                    firsts[pair] = row_mix[0]
                else:
                    quantal(grid, 1, 2, settings, row_mix, column_mix, work)
                    firsts[pair] = column_mix[0]
    return 0


SPECS = {
    "grade": KernelSpec(
        (),
        ("values", "settings", *LEVEL_MIXES, "grid", "row_mix", "column_mix", "work"),
        bundles={"table": NUMBERS},
    ),
}
