"""The loop of `bench.ladder` over all states of a solved game, for the compiler.

`table` is the game in numbers (see `holmgang.solver.numbers`), without mirror images.
"""

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.numbers import NUMBERS, Floats, Numbers

# The layout of `tallies`
WINS, LOSSES, DRAWS = range(3)


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
    "march": KernelSpec(
        (),
        ("red_mixes", "blue_mixes", "red_firsts", "blue_firsts", "here", "after", "tallies"),
        bundles={"table": NUMBERS},
    ),
}
