"""Sharpening a ruleset in numbers: among the optimal mixes, those that gain most from mistakes.

`sharpening.py` says why and how. Compiled as `sweep_kernels.py` is. All values are to red.
"""

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.exact.sweep_kernels import (
    BUNDLES,
    MIXES,
    SMALL_MATRIX,
    pair_value,
)
from holmgang.solver.matrix import solve, solve_again
from holmgang.solver.numbers import Array, Numbers

# Places in `settings`
PATIENCE = 0  # what a later round counts in the value of a state
WEIGHT = 1  # of what is gained from mistakes, against that value
SOONER = 2  # what a later round counts in what is gained
TREMBLE = 3  # how often the opponent makes any choice at all


def trembled(chance: float, choices: int, tremble: float) -> float:
    """How likely an opponent who trembles makes one of so many choices."""
    return (1.0 - tremble) * chance + tremble / choices


def gain_of(option: int, table: Numbers, sooner: float, gains: Array) -> float:
    """What an option gains if each later round counts less, and endless play nothing: a win is
    sought soon even where it would come by waiting.
    """
    total: float = table.constants[option]
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        total += sooner * table.chances[entry] * gains[table.successors[entry]]
    return total


def gained(
    pair: int, side: int, table: Numbers, settings: Array, taken: int, gains: Array
) -> float:
    """What a pair is worth by these gains, if the side answers by its values and the other side
    trembles when it answers.
    """
    mean: float = gain_of(taken, table, settings[SOONER], gains)
    first, end = table.option_starts[pair], table.option_starts[pair + 1]
    if table.deciders[pair] == -side and end > first + 1:
        total = 0.0
        for option in range(first, end):
            total += gain_of(option, table, settings[SOONER], gains)
        mean += settings[TREMBLE] * (total / (end - first) - mean)
    return mean


def sharpen(
    first: int,
    end: int,
    mirrored: int,
    table: Numbers,
    settings: Array,
    values: Array,
    red_mixes: Array,
    blue_mixes: Array,
    picked: Array,
    red_gains: Array,
    blue_gains: Array,
    red_sharp: Array,
    blue_sharp: Array,
    plain: Array,
    matrix: Array,
    red_mix: Array,
    blue_mix: Array,
    bonus: Array,
    work: Array,
) -> float:
    """Once through these states: each side's mix that is optimal by the values and, among such
    mixes, gains most against the other side's mix if that trembles. Writes the sharp mixes and
    what they gain; the largest change of a gain.
    """
    change = 0.0
    for state in range(first, end):
        reds, blues = table.reds[state], table.blues[state]
        red_start, blue_start = table.red_starts[state], table.blue_starts[state]
        for place in range(reds * blues):
            plain[place] = pair_value(
                table.pair_starts[state] + place, table, settings[PATIENCE], values
            )
        for side in (1, -1):
            gains = red_gains if side > 0 else blue_gains
            mine = reds if side > 0 else blues
            for choice in range(mine):
                bonus[choice] = 0.0
            for red in range(reds):
                for blue in range(blues):
                    pair = table.pair_starts[state] + red * blues + blue
                    gain = gained(pair, side, table, settings, picked[pair], gains)
                    if side > 0:
                        chance = trembled(blue_mixes[blue_start + blue], blues, settings[TREMBLE])
                        bonus[red] += chance * gain
                    else:
                        chance = trembled(red_mixes[red_start + red], reds, settings[TREMBLE])
                        bonus[blue] += chance * gain
            for red in range(reds):
                for blue in range(blues):
                    choice = red if side > 0 else blue
                    place = red * blues + blue
                    matrix[place] = plain[place] + settings[WEIGHT] * bonus[choice]
            if reds * blues <= SMALL_MATRIX:
                solve(matrix, reds, blues, red_mix, blue_mix, work)
            else:
                for red in range(reds):
                    red_mix[red] = (red_sharp if side > 0 else red_mixes)[red_start + red]
                for blue in range(blues):
                    blue_mix[blue] = (blue_mixes if side > 0 else blue_sharp)[blue_start + blue]
                solve_again(matrix, reds, blues, red_mix, blue_mix, work)
            total = 0.0
            for choice in range(mine):
                if side > 0:
                    red_sharp[red_start + choice] = red_mix[choice]
                    total += red_mix[choice] * bonus[choice]
                else:
                    blue_sharp[blue_start + choice] = blue_mix[choice]
                    total += blue_mix[choice] * bonus[choice]
            change = max(change, abs(total - gains[state]))
            gains[state] = total
            if mirrored > 0:  # red's gains there are what blue's are here
                if side > 0:
                    blue_gains[mirrored + state] = -total
                else:
                    red_gains[mirrored + state] = -total
    return change


SPECS = {
    "sharpen": KernelSpec(
        ("picked",),
        (
            "settings",
            "values",
            *MIXES,
            "red_gains",
            "blue_gains",
            "red_sharp",
            "blue_sharp",
            "plain",
            "matrix",
            "red_mix",
            "blue_mix",
            "bonus",
            "work",
        ),
        gives_float=True,
        bundles=BUNDLES,
    ),
}
