"""Kernels that find sharp mixes: among the optimal mixes, those that gain most from mistakes.

`sharpening.py` explains them. All values are to red.
"""

from typing import NamedTuple

from holmgang.engine.compiled.kernels import Bundle, KernelSpec
from holmgang.solver.exact.sweep_kernels import (
    MIXES,
    SMALL_MATRIX,
    WITH_ROOM,
    WITH_TABLE,
    MatrixScratch,
    pair_value,
)
from holmgang.solver.matrix import solve, solve_again
from holmgang.solver.numbers import Floats, Ints, Numbers

# Indices into `settings`
PATIENCE = 0  # discount of later rounds in the value of a state
WEIGHT = 1  # of the gains from mistakes, relative to the value
SOONER = 2  # discount of later rounds in the gains
TREMBLE = 3  # how often the opponent chooses at random


class Sharp(NamedTuple):
    """The result: sharp mixes and their gains by state, for each side; and scratch space."""

    red_mixes: Floats
    blue_mixes: Floats
    red_gains: Floats
    blue_gains: Floats
    plain: Floats  # the matrix of a state, without gains
    bonus: Floats  # the gain of each choice


def trembled(chance: float, choices: int, tremble: float) -> float:
    """The probability of a choice if the opponent trembles."""
    return (1.0 - tremble) * chance + tremble / choices


def gain_of(option: int, table: Numbers, sooner: float, gains: Floats) -> float:
    """The gain of an option, with later rounds discounted and endless play worth 0, so that a side
    wins soon even if it would also win by waiting.
    """
    total = table.constants[option]
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        total += sooner * table.chances[entry] * gains[table.successors[entry]]
    return total


def gained(
    pair: int, side: int, table: Numbers, settings: Floats, taken: int, gains: Floats
) -> float:
    """The gain of a pair if the side answers by its values and the other side trembles."""
    mean = gain_of(taken, table, settings[SOONER], gains)
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
    settings: Floats,
    values: Floats,
    red_mixes: Floats,
    blue_mixes: Floats,
    picked: Ints,
    sharp: Sharp,
    room: MatrixScratch,
) -> float:
    """One sweep over these states: for each side, writes the mix that gains most against the
    trembling mix of the other side, among the mixes that are optimal by the values. Returns the
    largest change of a gain.
    """
    change, plain, bonus, matrix = 0.0, sharp.plain, sharp.bonus, room.matrix
    red_mix, blue_mix = room.red_mix, room.blue_mix
    for state in range(first, end):
        reds, blues = table.reds[state], table.blues[state]
        red_start, blue_start = table.red_starts[state], table.blue_starts[state]
        for place in range(reds * blues):
            plain[place] = pair_value(
                table.pair_starts[state] + place, table, settings[PATIENCE], values
            )
        for side in (1, -1):
            gains = sharp.red_gains if side > 0 else sharp.blue_gains
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
                solve(matrix, reds, blues, red_mix, blue_mix, room.work)
            else:
                for red in range(reds):
                    red_mix[red] = (sharp.red_mixes if side > 0 else red_mixes)[red_start + red]
                for blue in range(blues):
                    blue_mix[blue] = (blue_mixes if side > 0 else sharp.blue_mixes)[
                        blue_start + blue
                    ]
                solve_again(matrix, reds, blues, red_mix, blue_mix, room.work)
            total = 0.0
            for choice in range(mine):
                if side > 0:
                    sharp.red_mixes[red_start + choice] = red_mix[choice]
                    total += red_mix[choice] * bonus[choice]
                else:
                    sharp.blue_mixes[blue_start + choice] = blue_mix[choice]
                    total += blue_mix[choice] * bonus[choice]
            change = max(change, abs(total - gains[state]))
            gains[state] = total
            if mirrored > 0:  # the mirror image swaps the gains of red and blue
                images = sharp.blue_gains if side > 0 else sharp.red_gains
                images[mirrored + state] = -total
    return change


SPECS = {
    "sharpen": KernelSpec(
        ("picked",),
        ("settings", "values", *MIXES),
        gives_float=True,
        bundles={**WITH_TABLE, **WITH_ROOM, "sharp": Bundle(Sharp, floats=Sharp._fields)},
    ),
}
