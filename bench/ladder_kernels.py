"""The loops of `bench.ladder` over all states of a solved game, for the compiler.

`table` is the game in numbers (see `holmgang.solver.numbers`), without mirror images.
"""

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.exact.sweep_kernels import option_value, pair_value
from holmgang.solver.numbers import NUMBERS, Floats, Numbers
from holmgang.solver.quantal_kernels import quantal

LEVEL_MIXES = ("red_mixes", "blue_mixes", "firsts")

# The layout of `tallies`
WINS, LOSSES, DRAWS = range(3)


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
    """Sets the mixes of a level in every state, and the chance of the first option of every pair
    where a seat answers.
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


def march(
    count: int,
    table: Numbers,
    red_mixes: Floats,
    blue_mixes: Floats,
    red_firsts: Floats,
    blue_firsts: Floats,
    here: Floats,
    after: Floats,
    tallies: Floats,
) -> int:
    """Plays one round from all states at once: `here` and `after` are the chances to be in each."""
    for state in range(count):
        after[state] = 0.0
    for state in range(count):
        if here[state] <= 0.0:
            continue
        pair = table.pair_starts[state]
        for red in range(table.red_starts[state], table.red_starts[state + 1]):
            for blue in range(table.blue_starts[state], table.blue_starts[state + 1]):
                chance = here[state] * red_mixes[red] * blue_mixes[blue]
                if chance > 0.0:
                    first = red_firsts[pair] if table.deciders[pair] > 0 else blue_firsts[pair]
                    for option in range(table.option_starts[pair], table.option_starts[pair + 1]):
                        share = first if option == table.option_starts[pair] else 1.0 - first
                        left = 1.0
                        start, end = table.entry_starts[option], table.entry_starts[option + 1]
                        for entry in range(start, end):
                            part = table.chances[entry]
                            left -= part
                            after[table.successors[entry]] += chance * share * part
                        decided, constant = table.decided[option], table.constants[option]
                        tallies[WINS] += chance * share * (decided + constant) / 2.0
                        tallies[LOSSES] += chance * share * (decided - constant) / 2.0
                        tallies[DRAWS] += chance * share * (left - decided)
                pair += 1
    return 0


SPECS = {
    "grade": KernelSpec(
        (),
        ("values", "settings", *LEVEL_MIXES, "grid", "row_mix", "column_mix", "work"),
        bundles={"table": NUMBERS},
    ),
    "march": KernelSpec(
        (),
        ("red_mixes", "blue_mixes", "red_firsts", "blue_firsts", "here", "after", "tallies"),
        bundles={"table": NUMBERS},
    ),
}
