"""Loops over a ruleset in numbers: solve every matrix once, respond to mixes, extrapolate.

They know no game, so that they are compiled once for all rulesets. All values are to red.
"""

from holmgang.engine.compiled.kernels import Entry
from holmgang.solver.matrix import solve, solve_again
from holmgang.solver.numbers import NUMBERS, Array, Numbers

SMALL_MATRIX = 36  # entries; up to here there is nothing to gain from the last solution
MOST_LOOPS = 40  # times that one state's matrix is solved in one sweep
STANDS = 1e-14  # a change of a state's own value that is none
FLAT = 0.01  # a slope that the next sweep will do for
CERTAIN = 1.0 - 1e-12
RIDGE = 1e-15


# Values


def option_value(option: int, table: Numbers, patience: float, values: Array) -> float:
    """What an option is worth if later rounds count `patience` times as much."""
    later = 0.0
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        later += table.chances[entry] * values[table.successors[entry]]
    total: float = table.constants[option] + patience * later
    return total


def pair_value(pair: int, table: Numbers, patience: float, values: Array) -> float:
    """What a pair is worth if whoever chooses between its options chooses best."""
    first, end = table.option_starts[pair], table.option_starts[pair + 1]
    best = option_value(first, table, patience, values)
    for option in range(first + 1, end):
        other = option_value(option, table, patience, values)
        best = max(best, other) if table.choosers[pair] > 0 else min(best, other)
    return best


def own_chance(option: int, state: int, table: Numbers) -> float:
    """How likely it is that an option leads back to the state it belongs to."""
    total = 0.0
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        if table.successors[entry] == state:
            total += table.chances[entry]
    return total


def worth_elsewhere(option: int, state: int, table: Numbers, values: Array) -> float:
    """What an option is worth without what it is worth to be back in the state it belongs to."""
    total: float = table.constants[option]
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        if table.successors[entry] != state:
            total += table.chances[entry] * values[table.successors[entry]]
    return total


def chance_to_leave(option: int, state: int, table: Numbers) -> float:
    """How likely it is that an option does not lead back to the state it belongs to; 0 where that
    is only rounding. Summed up over a mix it is right however small, as 1 less a sum is not: who
    waits for what happens once in 1e13 rounds gets it.
    """
    leaves = 1.0 - own_chance(option, state, table)
    return leaves if leaves > 1.0 - CERTAIN else 0.0


def loop_slope(
    state: int,
    table: Numbers,
    patience: float,
    values: Array,
    red_mix: Array,
    blue_mix: Array,
) -> float:
    """How much the value of a state's matrix changes with the state's own value."""
    total = 0.0
    for red in range(table.reds[state]):
        if red_mix[red] == 0.0:
            continue
        for blue in range(table.blues[state]):
            if blue_mix[blue] > 0.0:
                pair = table.pair_starts[state] + red * table.blues[state] + blue
                taken = table.option_starts[pair]
                if table.choosers[pair] != 0:
                    taken = best_option(pair, table.choosers[pair], table, 1.0, values)
                total += red_mix[red] * blue_mix[blue] * own_chance(taken, state, table)
    slope: float = patience * total
    return slope


def improve_state(
    state: int,
    table: Numbers,
    patience: float,
    values: Array,
    red_mixes: Array,
    blue_mixes: Array,
    matrix: Array,
    red_mix: Array,
    blue_mix: Array,
    work: Array,
) -> float:
    """Solves the matrix of one state with the newest values; its value. A state that may follow
    itself is solved until its own value stands (Newton's method, between bounds): the new value
    grows with the old one, but by less.
    """
    reds, blues = table.reds[state], table.blues[state]
    red_start, blue_start = table.red_starts[state], table.blue_starts[state]
    for choice in range(reds):
        red_mix[choice] = red_mixes[red_start + choice]
    for choice in range(blues):
        blue_mix[choice] = blue_mixes[blue_start + choice]
    low, high = -1.0, 1.0
    before: float = values[state]
    value = before
    for _ in range(MOST_LOOPS):
        for pair in range(reds * blues):
            matrix[pair] = pair_value(table.pair_starts[state] + pair, table, patience, values)
        if reds * blues <= SMALL_MATRIX:
            value = solve(matrix, reds, blues, red_mix, blue_mix, work)
        else:
            value = solve_again(matrix, reds, blues, red_mix, blue_mix, work)
        guess = values[state]
        if table.loops[state] == 0 or abs(value - guess) <= STANDS:
            break
        slope = loop_slope(state, table, patience, values, red_mix, blue_mix)
        if slope < FLAT:
            break
        if value > guess:
            low = max(low, guess)
        else:
            high = min(high, guess)
        guess += (value - guess) / (1.0 - slope)
        if not low <= guess <= high:
            guess = 0.5 * (low + high)
        values[state] = guess
    values[state] = before
    for choice in range(reds):
        red_mixes[red_start + choice] = red_mix[choice]
    for choice in range(blues):
        blue_mixes[blue_start + choice] = blue_mix[choice]
    return value


def improve(
    first: int,
    end: int,
    table: Numbers,
    settings: Array,
    values: Array,
    red_mixes: Array,
    blue_mixes: Array,
    matrix: Array,
    red_mix: Array,
    blue_mix: Array,
    work: Array,
) -> float:
    """Solves the matrix of each of these states once, with the newest values, and writes values and
    mixes; the largest change of a value. Of twins only the first is solved. `settings` has the
    patience.
    """
    change = 0.0
    for state in range(first, end):
        twin = table.twins[state]
        if 0 <= twin < state:
            continue
        value = improve_state(
            state,
            table,
            settings[0],
            values,
            red_mixes,
            blue_mixes,
            matrix,
            red_mix,
            blue_mix,
            work,
        )
        if twin == state:
            value = 0.0
        change = max(change, abs(value - values[state]))
        values[state] = value
        if twin >= 0:
            values[twin] = -value
    return change


def mirror_mixes(count: int, table: Numbers, red_mixes: Array, blue_mixes: Array) -> int:
    """Gives every state that was left to its twin the twin's mixes, with the seats changed; a state
    that is its own twin gets red's for both.
    """
    for state in range(count):
        twin = table.twins[state]
        if 0 <= twin <= state:
            for choice in range(table.blues[state]):
                blue_mixes[table.blue_starts[state] + choice] = red_mixes[
                    table.red_starts[twin] + choice
                ]
            if twin < state:
                for choice in range(table.reds[state]):
                    red_mixes[table.red_starts[state] + choice] = blue_mixes[
                        table.blue_starts[twin] + choice
                    ]
    return count


def chance_decided(
    first: int,
    end: int,
    table: Numbers,
    red_mixes: Array,
    blue_mixes: Array,
    picked: Array,
    values: Array,
) -> float:
    """How likely it is from each of these states that someone wins under the mixes, once through,
    beginning at 0; the largest change.
    """
    change = 0.0
    for state in range(first, end):
        total, leaves = 0.0, 0.0
        for red in range(table.reds[state]):
            red_chance = red_mixes[table.red_starts[state] + red]
            if red_chance == 0.0:
                continue
            for blue in range(table.blues[state]):
                chance = red_chance * blue_mixes[table.blue_starts[state] + blue]
                if chance == 0.0:
                    continue
                option = picked[table.pair_starts[state] + red * table.blues[state] + blue]
                total += chance * table.decided[option]
                leaves += chance * chance_to_leave(option, state, table)
                for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
                    if table.successors[entry] != state:
                        total += chance * table.chances[entry] * values[table.successors[entry]]
        if leaves == 0.0:
            continue
        total = min(1.0, total / leaves)
        change = max(change, abs(total - values[state]))
        values[state] = total
    return change


# Best responses: one seat plays its mixes for good, the other whatever is best against them.
# `side` is 1 for red as the one who responds, -1 for blue.


def pair_of(state: int, side: int, choice: int, answer: int, table: Numbers) -> int:
    """The pair of a choice of the side's and one of the other's."""
    red, blue = (choice, answer) if side > 0 else (answer, choice)
    pair: int = table.pair_starts[state] + red * table.blues[state] + blue
    return pair


def best_option(pair: int, side: int, table: Numbers, patience: float, values: Array) -> int:
    """The option of a pair that gains the side most."""
    option: int = table.option_starts[pair]
    best = side * option_value(option, table, patience, values)
    for other in range(option + 1, table.option_starts[pair + 1]):
        value = side * option_value(other, table, patience, values)
        if value > best:
            option, best = other, value
    return option


def fixed_options(pairs: int, table: Numbers, settings: Array, values: Array, picked: Array) -> int:
    """Writes the option that each pair's chooser takes, with the patience in `settings`."""
    for pair in range(pairs):
        picked[pair] = best_option(pair, table.choosers[pair], table, settings[0], values)
    return pairs


def can_stay(option: int, table: Numbers, endless: Array) -> bool:
    """Whether an option surely leads to states of the endless set, and never to an end."""
    total = 0.0
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        if endless[table.successors[entry]] == 0:
            return False
        total += table.chances[entry]
    return total > CERTAIN


def shrink_endless(
    count: int,
    side: int,
    table: Numbers,
    other_starts: Array,
    other_mixes: Array,
    picked: Array,
    endless: Array,
) -> int:
    """Takes those states out of the endless set in which the responder cannot make sure to stay in
    it; how many. When none is left to take, it is the set where a draw can be had by stalling.
    """
    removed = 0
    for state in range(count):
        if endless[state] == 0:
            continue
        mine = table.reds[state] if side > 0 else table.blues[state]
        theirs = table.blues[state] if side > 0 else table.reds[state]
        stays = False
        for choice in range(mine):
            stays = True
            for answer in range(theirs):
                if other_mixes[other_starts[state] + answer] == 0.0:
                    continue
                pair = pair_of(state, side, choice, answer, table)
                inside = can_stay(picked[pair], table, endless)
                if table.choosers[pair] == side:
                    for option in range(table.option_starts[pair], table.option_starts[pair + 1]):
                        if can_stay(option, table, endless):
                            inside = True
                if not inside:
                    stays = False
                    break
            if stays:
                break
        if not stays:
            endless[state] = 0
            removed += 1
    return removed


def respond(
    first: int,
    end: int,
    side: int,
    table: Numbers,
    other_starts: Array,
    other_mixes: Array,
    picked: Array,
    endless: Array,
    values: Array,
) -> float:
    """Once through these states: the responder's best against the mixes by the newest values, or a
    draw where the duel can be made endless. By how much a value rose at most, for the responder:
    where none does, none of the values is less than can be had, whatever they were at first.
    """
    rise = -2.0
    for state in range(first, end):
        mine = table.reds[state] if side > 0 else table.blues[state]
        theirs = table.blues[state] if side > 0 else table.reds[state]
        best = 0.0 if endless[state] != 0 else -1.0
        for choice in range(mine):
            total, leaves = 0.0, 0.0
            for answer in range(theirs):
                chance = other_mixes[other_starts[state] + answer]
                if chance == 0.0:
                    continue
                pair = pair_of(state, side, choice, answer, table)
                taken = picked[pair]
                if table.choosers[pair] == side:
                    taken = best_option(pair, side, table, 1.0, values)
                if table.loops[state] == 0:
                    total += chance * side * option_value(taken, table, 1.0, values)
                    leaves += chance
                else:
                    total += chance * side * worth_elsewhere(taken, state, table, values)
                    leaves += chance * chance_to_leave(taken, state, table)
            if leaves > 0.0:  # otherwise it is endless
                best = max(best, total / leaves)
        rise = max(rise, best - side * values[state])
        values[state] = side * best
    return rise


# Extrapolation


def extrapolate(
    first: int,
    count: int,
    kept: int,
    newest: int,
    values: Array,
    steps: Array,
    results: Array,
    gram: Array,
    point: Array,
) -> int:
    """Moves a part of `point` from where a sweep started to where sweeps seem to lead, by the last
    few of them (Anderson's method): the combination of results whose steps cancel best. `values`
    are the result of the sweep, which is noted as number `newest` of `kept`; `gram` has room for
    a square, a column and a row.
    """
    last, width = newest * count, kept + 1
    for place in range(kept * width + kept):
        gram[place] = 0.0
    for place in range(count):
        step = values[first + place] - point[first + place]
        steps[last + place] = step
        results[last + place] = values[first + place]
        for row in range(kept):
            off = steps[row * count + place] - step
            gram[kept * width + row] = off
            gram[row * width + kept] -= off * step
            for column in range(row + 1):
                gram[row * width + column] += off * gram[kept * width + column]
    largest = 0.0
    for row in range(kept):
        largest = max(largest, gram[row * width + row])
        for column in range(row):
            gram[column * width + row] = gram[row * width + column]
    for row in range(kept):
        gram[row * width + row] += RIDGE * largest
    gram[newest * width + newest] = 1.0
    eliminate(kept, gram)
    for place in range(count):
        best = results[last + place]
        total = best
        for row in range(kept):
            if row != newest:
                total += gram[row * width + kept] * (results[row * count + place] - best)
        point[first + place] = min(1.0, max(-1.0, total))
    return kept


def eliminate(size: int, gram: Array) -> None:
    """Solves a symmetric system that is not singular; the last column becomes the solution."""
    width = size + 1
    for pivot in range(size):
        scale = gram[pivot * width + pivot]
        for column in range(pivot, width):
            gram[pivot * width + column] /= scale
        for row in range(size):
            factor = gram[row * width + pivot]
            if row != pivot and factor != 0.0:
                for column in range(pivot, width):
                    gram[row * width + column] -= factor * gram[pivot * width + column]


BUNDLES = {"table": NUMBERS}
MIXES = ("red_mixes", "blue_mixes")

ENTRIES = {
    "improve": Entry(
        (),
        ("settings", "values", *MIXES, "matrix", "red_mix", "blue_mix", "work"),
        gives_float=True,
        bundles=BUNDLES,
    ),
    "mirror_mixes": Entry((), MIXES, bundles=BUNDLES),
    "chance_decided": Entry(("picked",), (*MIXES, "values"), gives_float=True, bundles=BUNDLES),
    "fixed_options": Entry(("picked",), ("settings", "values"), bundles=BUNDLES),
    "shrink_endless": Entry(
        ("other_starts", "picked", "endless"), ("other_mixes",), bundles=BUNDLES
    ),
    "respond": Entry(
        ("other_starts", "picked", "endless"),
        ("other_mixes", "values"),
        gives_float=True,
        bundles=BUNDLES,
    ),
    "extrapolate": Entry((), ("values", "steps", "results", "gram", "point")),
}
