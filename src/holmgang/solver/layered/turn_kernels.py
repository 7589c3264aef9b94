"""Kernels of the layered solver that do not depend on the game: all matrix games of one turn."""

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.matrix import HIGH, LOW, solve
from holmgang.solver.numbers import Floats, Ints

NO_SADDLE = -1


def is_saddle(saddle: int, at: int, reds: int, blues: int, codes: Ints, board: Floats) -> bool:
    """Whether neither seat gains by leaving this pair of choices."""
    row, column = at + saddle // blues * blues, at + saddle % blues
    value = board[codes[at + saddle]]
    low, high = value, value
    for blue in range(blues):
        low = min(low, board[codes[row + blue]])
    for red in range(reds):
        high = max(high, board[codes[column + red * blues]])
    return bool(low == value == high)


def pure_pair(reds: int, blues: int, red_mix: Floats, blue_mix: Floats) -> int:
    """The pair of choices if both mixes are pure, or NO_SADDLE."""
    for red in range(reds):
        for blue in range(blues):
            if red_mix[red] == 1.0 and blue_mix[blue] == 1.0:
                return red * blues + blue
    return NO_SADDLE


def mean(
    at: int, reds: int, blues: int, red_mix: Floats, blue_mix: Floats, codes: Ints, board: Floats
) -> float:
    total = 0.0
    for red in range(reds):
        if red_mix[red] > 0.0:
            for blue in range(blues):
                if blue_mix[blue] > 0.0:
                    share = red_mix[red] * blue_mix[blue]
                    total += share * board[codes[at + red * blues + blue]]
    return total


def solve_turn(
    first: int,
    end: int,
    reds: Ints,
    blues: Ints,
    pair_starts: Ints,
    mirrors: Ints,
    is_mirrored: int,
    codes: Ints,
    saddles: Ints,
    board: Floats,
    decided_board: Floats,
    values: Floats,
    decided: Floats,
    matrix: Floats,
    red_mix: Floats,
    blue_mix: Floats,
    work: Floats,
) -> float:
    """Writes the value of each place and the probability that someone wins under the mixes. Returns
    the largest gap. If `is_mirrored`, one of two mirror images is solved for both.

    Most matrices have a saddle point, usually the same one as in the next turn, so that pair is
    tried first.
    """
    largest = 0.0
    for place in range(first, end):
        if is_mirrored != 0 and mirrors[place] < place:
            continue
        at, saddle = pair_starts[place], saddles[place]
        if saddle != NO_SADDLE and is_saddle(saddle, at, reds[place], blues[place], codes, board):
            value = board[codes[at + saddle]]
            chance = decided_board[codes[at + saddle]]
        else:
            for pair in range(pair_starts[place + 1] - at):
                matrix[pair] = board[codes[at + pair]]
            value = solve(matrix, reds[place], blues[place], red_mix, blue_mix, work)
            largest = max(largest, work[HIGH] - work[LOW])
            chance = mean(at, reds[place], blues[place], red_mix, blue_mix, codes, decided_board)
            saddles[place] = pure_pair(reds[place], blues[place], red_mix, blue_mix)
        if is_mirrored != 0:
            values[mirrors[place]] = -value
            decided[mirrors[place]] = chance
        values[place] = value
        decided[place] = chance
    return largest


SPECS = {
    "solve_turn": KernelSpec(
        ("reds", "blues", "pair_starts", "mirrors", "codes", "saddles"),
        (
            *("board", "decided_board", "values", "decided"),
            *("matrix", "red_mix", "blue_mix", "work"),
        ),
        gives_float=True,
    ),
}
