"""Loops over a ruleset in numbers: solve every matrix once, respond to mixes, extrapolate.

They know no game, so that they are compiled once for all rulesets. All values are to red.
"""

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.matrix import solve, solve_again
from holmgang.solver.numbers import NUMBERS, Array, Numbers

SMALL_MATRIX = 36  # entries; up to here there is nothing to gain from the last solution
MOST_LOOPS = 40  # times that one state's matrix is solved in one sweep
STANDS = 1e-14  # a change of a state's own value that is none
FLAT = 0.01  # a slope that the next sweep will do for
CERTAIN = 1.0 - 1e-12
RIDGE = 1e-15
BEST, FIXED, TEST = range(3)  # ways to respond


# Values


def option_value(option: int, table: Numbers, patience: float, values: Array) -> float:
    """What an option is worth if later rounds count `patience` times as much as this one, compared
    with endless play.
    """
    later, goes_on = 0.0, 0.0
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        later += table.chances[entry] * values[table.successors[entry]]
        goes_on += table.chances[entry]
    later = patience * later + (1.0 - patience) * goes_on * table.endless[0]
    total: float = table.constants[option] + later
    return total


def pair_value(pair: int, table: Numbers, patience: float, values: Array) -> float:
    """What a pair is worth if whoever chooses between its options chooses best."""
    first, end = table.option_starts[pair], table.option_starts[pair + 1]
    best = option_value(first, table, patience, values)
    for option in range(first + 1, end):
        other = option_value(option, table, patience, values)
        best = max(best, other) if table.deciders[pair] > 0 else min(best, other)
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
                if table.deciders[pair] != 0:
                    taken = best_option(pair, table.deciders[pair], table, 1.0, values)
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
    mirrored: int,
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
    mixes; the largest change of a value. `settings` has the patience.
    """
    change = 0.0
    for state in range(first, end):
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
        if table.levels[state] != 0:
            value = 0.0
        change = max(change, abs(value - values[state]))
        values[state] = value
        if mirrored > 0:
            values[mirrored + state] = -value
    return change


def level_mixes(count: int, table: Numbers, red_mixes: Array, blue_mixes: Array) -> int:
    """Gives blue red's mix in every state that is its own mirror image; the number of states."""
    for state in range(count):
        if table.levels[state] != 0:
            for choice in range(table.blues[state]):
                blue_mixes[table.blue_starts[state] + choice] = red_mixes[
                    table.red_starts[state] + choice
                ]
    return count


def evaluate(
    first: int,
    end: int,
    mirrored: int,
    table: Numbers,
    red_mixes: Array,
    blue_mixes: Array,
    picked: Array,
    values: Array,
    decided: Array,
) -> float:
    """What both mixes are worth against each other in each of these states, and how likely it is
    that someone wins, once through with the newest numbers; the largest change.
    """
    change, endless = 0.0, table.endless[0]
    for state in range(first, end):
        value, total, leaves = 0.0, 0.0, 0.0
        for red in range(table.reds[state]):
            red_chance = red_mixes[table.red_starts[state] + red]
            if red_chance == 0.0:
                continue
            for blue in range(table.blues[state]):
                chance = red_chance * blue_mixes[table.blue_starts[state] + blue]
                if chance == 0.0:
                    continue
                option = picked[table.pair_starts[state] + red * table.blues[state] + blue]
                value += chance * table.constants[option]
                total += chance * table.decided[option]
                leaves += chance * chance_to_leave(option, state, table)
                for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
                    after = table.successors[entry]
                    if after != state:
                        share = chance * table.chances[entry]
                        value += share * values[after]
                        total += share * decided[after]
        if leaves == 0.0:
            value, total = endless, abs(endless)
        else:
            value, total = value / leaves, min(1.0, total / leaves)
        change = max(change, abs(total - decided[state]), abs(value - values[state]))
        values[state], decided[state] = value, total
        if mirrored > 0:
            values[mirrored + state], decided[mirrored + state] = -value, total
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
    """Writes the option that each pair's decider takes, with the patience in `settings`."""
    for pair in range(pairs):
        picked[pair] = best_option(pair, table.deciders[pair], table, settings[0], values)
    return pairs


def can_stay(option: int, table: Numbers, endless: Array) -> bool:
    """Whether an option surely leads to states of the endless set, and never to an end."""
    total = 0.0
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        if endless[table.successors[entry]] == 0:
            return False
        total += table.chances[entry]
    return total > CERTAIN


def can_make_endless(
    state: int,
    side: int,
    table: Numbers,
    other_start: int,
    other_mixes: Array,
    picked: Array,
    endless: Array,
) -> bool:
    """Whether the responder has a choice that surely stays within the endless set."""
    mine = table.reds[state] if side > 0 else table.blues[state]
    theirs = table.blues[state] if side > 0 else table.reds[state]
    for choice in range(mine):
        stays = True
        for answer in range(theirs):
            if other_mixes[other_start + answer] == 0.0:
                continue
            pair = pair_of(state, side, choice, answer, table)
            inside = can_stay(picked[pair], table, endless)
            if table.deciders[pair] == side:
                for option in range(table.option_starts[pair], table.option_starts[pair + 1]):
                    if can_stay(option, table, endless):
                        inside = True
            if not inside:
                stays = False
                break
        if stays:
            return True
    return False


def shrink_endless(
    count: int,
    mirrored: int,
    table: Numbers,
    red_mixes: Array,
    blue_mixes: Array,
    picked: Array,
    red_endless: Array,
    blue_endless: Array,
) -> int:
    """Takes those states out of each responder's endless set in which it cannot make sure to stay
    there; how many. Once nothing is taken out, it is the set where it can stall for ever.
    """
    removed = 0
    for state in range(count):
        if red_endless[state] != 0 and not can_make_endless(
            state, 1, table, table.blue_starts[state], blue_mixes, picked, red_endless
        ):
            red_endless[state] = 0
            if mirrored > 0:
                blue_endless[mirrored + state] = 0
            removed += 1
        if blue_endless[state] != 0 and not can_make_endless(
            state, -1, table, table.red_starts[state], red_mixes, picked, blue_endless
        ):
            blue_endless[state] = 0
            if mirrored > 0:
                red_endless[mirrored + state] = 0
            removed += 1
    return removed


def response_value(
    state: int,
    side: int,
    choice: int,
    cost: float,
    table: Numbers,
    other_start: int,
    other_mixes: Array,
    picked: Array,
    endless: Array,
    values: Array,
) -> float:
    """What one choice gets against the mix, as in `value_once`. Where an answer decides whether the
    state follows itself, the responder's are found from below: by values that are too high, it
    would wait for what never comes.
    """
    given = (cost, table, other_start, other_mixes, picked, endless, values)
    if table.loops[state] < 2:
        return value_once(state, side, choice, *given)
    before, best, value = values[state], -3.0, -1.0
    for _ in range(MOST_LOOPS):
        values[state] = side * max(-1.0, min(1.0, value))
        value = value_once(state, side, choice, *given)
        if value <= best + STANDS:
            break
        best = value
    values[state] = before
    return best


def value_once(
    state: int,
    side: int,
    choice: int,
    cost: float,
    table: Numbers,
    other_start: int,
    other_mixes: Array,
    picked: Array,
    endless: Array,
    values: Array,
) -> float:
    """What one choice gets against the mix by these values, once the state is left; -2 if it never
    is. Plus the cost, unless the choice is sure to stay where the duel can be made endless: that is
    free, or stalling would gain without end. To the responder.
    """
    total, leaves, stays = 0.0, 0.0, endless[state] != 0
    theirs = table.blues[state] if side > 0 else table.reds[state]
    for answer in range(theirs):
        chance = other_mixes[other_start + answer]
        if chance == 0.0:
            continue
        pair = pair_of(state, side, choice, answer, table)
        taken = picked[pair]
        if table.deciders[pair] == side:
            taken = best_option(pair, side, table, 1.0, values)
        if stays and not can_stay(taken, table, endless):
            stays = False
        if table.loops[state] == 0:
            total += chance * side * option_value(taken, table, 1.0, values)
            leaves += chance
        else:
            total += chance * side * worth_elsewhere(taken, state, table, values)
            leaves += chance * chance_to_leave(taken, state, table)
    if leaves == 0.0:
        return -2.0
    return total / leaves + (0.0 if stays else cost)


def best_response(
    state: int,
    side: int,
    cost: float,
    is_fixed: bool,
    table: Numbers,
    other_start: int,
    other_mixes: Array,
    picked: Array,
    endless: Array,
    values: Array,
    choices: Array,
) -> float:
    """The most that the responder gets from a state by these values, with the cost; at least what
    endless play is worth where the duel can be made endless. To the responder. Its choice is noted,
    -1 for endless play; or if it is fixed, the one that was noted is made.
    """
    place = 2 * state + (0 if side > 0 else 1)
    best = side * table.endless[0] if endless[state] != 0 else -1.0
    first, end = 0, table.reds[state] if side > 0 else table.blues[state]
    if is_fixed:
        first, end = choices[place], choices[place] + 1
        if first < 0:
            return best
        best = -1.0
    for choice in range(first, end):
        value = response_value(
            state,
            side,
            choice,
            cost,
            table,
            other_start,
            other_mixes,
            picked,
            endless,
            values,
        )
        if value > best or (choice == first and endless[state] == 0):
            best = max(best, value)
            choices[place] = choice
        elif choice == first:
            choices[place] = -1
    return min(1.0, best)


def respond(
    first: int,
    end: int,
    mirrored: int,
    way: int,
    table: Numbers,
    settings: Array,
    red_mixes: Array,
    blue_mixes: Array,
    picked: Array,
    red_endless: Array,
    blue_endless: Array,
    highs: Array,
    lows: Array,
    choices: Array,
) -> float:
    """Once through these states: each side's best response to the other's mixes by the newest
    bounds, and a little more, `settings[0]`, for every round. By how much a bound rose at most for
    its responder; `settings[1]` gets by how much one fell at most. One way to do it, `FIXED`, makes
    the choices that were noted before; another, `TEST`, writes no bounds.
    """
    rise, fall = -2.0, 0.0
    for state in range(first, end):
        high = best_response(
            state,
            1,
            settings[0],
            way == FIXED,
            table,
            table.blue_starts[state],
            blue_mixes,
            picked,
            red_endless,
            highs,
            choices,
        )
        rise, fall = max(rise, high - highs[state]), max(fall, highs[state] - high)
        if way != TEST:
            highs[state] = high
            if mirrored > 0:
                lows[mirrored + state] = -high
        low = best_response(
            state,
            -1,
            settings[0],
            way == FIXED,
            table,
            table.red_starts[state],
            red_mixes,
            picked,
            blue_endless,
            lows,
            choices,
        )
        rise, fall = max(rise, low + lows[state]), max(fall, -lows[state] - low)
        if way != TEST:
            lows[state] = -low
            if mirrored > 0:
                highs[mirrored + state] = low
    settings[1] = fall
    return rise


# Best responses by policy iteration, for blocks in which sweeps come to no end. What both sides can
# get from each of `size` states are the unknowns: red's, and then blue's, each to the responder. So
# that nothing is lost where a duel goes on for 1e9 rounds, the equations are solved without a
# subtraction (Grassmann, Taksar and Heyman 1985).


def write_equation(
    unknown: int,
    first: int,
    size: int,
    mirrored: int,
    choice: int,
    cost: float,
    table: Numbers,
    other_start: int,
    other_mixes: Array,
    picked: Array,
    endless: Array,
    values: Array,
    system: Array,
) -> None:
    """Writes the equation of an unknown if its responder makes this choice, or if it is below 0
    plays for ever: the chances of all unknowns that may follow, that of anything else, and what
    that is worth.
    """
    width = 2 * size + 2
    at = unknown * width
    for place in range(width):
        system[at + place] = 0.0
    side = 1 if unknown < size else -1
    if choice < 0:
        system[at + width - 2] = 1.0
        system[at + width - 1] = side * table.endless[0]
        return
    state = first + unknown % size
    theirs = table.blues[state] if side > 0 else table.reds[state]
    leaves, total, stays = 0.0, 0.0, endless[state] != 0
    for answer in range(theirs):
        chance = other_mixes[other_start + answer]
        if chance == 0.0:
            continue
        pair = pair_of(state, side, choice, answer, table)
        taken = picked[pair]
        if table.deciders[pair] == side:
            taken = best_option(pair, side, table, 1.0, values)
        if stays and not can_stay(taken, table, endless):
            stays = False
        total += chance * side * table.constants[taken]
        ends = 1.0
        for entry in range(table.entry_starts[taken], table.entry_starts[taken + 1]):
            after, share = table.successors[entry], chance * table.chances[entry]
            ends -= table.chances[entry]
            is_image = mirrored > 0 and after >= mirrored
            place = (after - mirrored if is_image else after) - first
            if place < 0:
                leaves += share
                total += share * side * values[after]
            else:
                place += 0 if (side > 0) != is_image else size
                if place != unknown:
                    system[at + place] += share
        if ends > 1.0 - CERTAIN:
            leaves += chance * ends
    leaving = leaves
    for place in range(2 * size):
        leaving += system[at + place]
    system[at + width - 2] = leaves
    system[at + width - 1] = total + (0.0 if stays else cost * leaving)


def solve_equations(size: int, endless: float, system: Array) -> None:
    """Writes the solution to the last column. What never leads anywhere is endless play, worth this
    to red, whose unknowns are the first half.
    """
    width = size + 2
    for pivot in range(size - 1, -1, -1):
        at = pivot * width
        total = system[at + size]
        for place in range(pivot):
            total += system[at + place]
        if total == 0.0:
            system[at + size] = total = 1.0
            system[at + size + 1] = endless if 2 * pivot < size else -endless
        for place in range(pivot):
            system[at + place] /= total
        system[at + size] /= total
        system[at + size + 1] /= total
        for row in range(pivot):
            factor = system[row * width + pivot]
            if factor != 0.0:
                for place in range(pivot):
                    system[row * width + place] += factor * system[at + place]
                system[row * width + row] = 0.0
                system[row * width + size] += factor * system[at + size]
                system[row * width + size + 1] += factor * system[at + size + 1]
    for row in range(size):
        for place in range(row):
            system[row * width + size + 1] += (
                system[row * width + place] * system[place * width + size + 1]
            )


def respond_exactly(
    first: int,
    end: int,
    mirrored: int,
    is_first: int,
    table: Numbers,
    settings: Array,
    red_mixes: Array,
    blue_mixes: Array,
    picked: Array,
    red_endless: Array,
    blue_endless: Array,
    highs: Array,
    lows: Array,
    choices: Array,
    system: Array,
) -> int:
    """One step of policy iteration: each responder's best choice by the bounds, and the bounds if
    these choices are made for good. The number of choices that changed. `system` has two rows for
    each state, with two places more.
    """
    size, changed = end - first, 0
    for unknown in range(2 * size):
        side, state = 1 if unknown < size else -1, first + unknown % size
        mixes = blue_mixes if side > 0 else red_mixes
        start = table.blue_starts[state] if side > 0 else table.red_starts[state]
        values = highs if side > 0 else lows
        endless = red_endless if side > 0 else blue_endless
        chosen: int = -1 if is_first != 0 else choices[unknown]
        given = (table, start, mixes, picked, endless, values)
        best = -3.0
        if chosen >= 0:
            best = response_value(state, side, chosen, settings[0], *given)
        forever = side * table.endless[0]
        if endless[state] != 0 and best < forever:
            chosen, best = -1, forever
        for choice in range(table.reds[state] if side > 0 else table.blues[state]):
            value = response_value(state, side, choice, settings[0], *given)
            if value > best + 0.1 * STANDS:
                chosen, best = choice, value
        if is_first != 0 or chosen != choices[unknown]:
            choices[unknown] = chosen
            changed += 1
        write_equation(
            unknown,
            first,
            size,
            mirrored,
            chosen,
            settings[0],
            table,
            start,
            mixes,
            picked,
            endless,
            values,
            system,
        )
    solve_equations(2 * size, table.endless[0], system)
    width = 2 * size + 2
    for place in range(size):
        highs[first + place] = min(1.0, max(-1.0, system[place * width + width - 1]))
        lows[first + place] = max(-1.0, min(1.0, -system[(size + place) * width + width - 1]))
        if mirrored > 0:
            lows[mirrored + first + place] = -highs[first + place]
            highs[mirrored + first + place] = -lows[first + place]
    return changed


# Extrapolation


# A sweep is noted with `add_sweep` for every array that it writes, and weighed with all the others
# that are kept by `weigh_sweeps`; `move_on` then moves each array to the best combination of them.


def add_sweep(
    first: int,
    count: int,
    kept: int,
    newest: int,
    point: Array,
    steps: Array,
    results: Array,
    gram: Array,
    values: Array,
) -> int:
    """Notes a sweep that started at `point` and gave `values`, as number `newest` of `kept`, and
    adds to `gram`, which has room for a square, a column and a row. Returns `kept`.
    """
    last, width = newest * count, kept + 1
    for place in range(count):
        step = values[first + place] - point[place]
        steps[last + place] = step
        results[last + place] = values[first + place]
        for row in range(kept):
            off = steps[row * count + place] - step
            gram[kept * width + row] = off
            gram[row * width + kept] -= off * step
            for column in range(row + 1):
                gram[row * width + column] += off * gram[kept * width + column]
    return kept


def weigh_sweeps(kept: int, newest: int, gram: Array) -> int:
    """Turns the last column of `gram` into the weights of the sweeps whose steps cancel best
    (Anderson's method). Returns `kept`.
    """
    width, largest = kept + 1, 0.0
    for row in range(kept):
        largest = max(largest, gram[row * width + row])
        for column in range(row):
            gram[column * width + row] = gram[row * width + column]
    for row in range(kept):
        gram[row * width + row] += RIDGE * largest
    gram[newest * width + newest] = 1.0
    eliminate(kept, gram)
    return kept


def move_on(
    first: int,
    count: int,
    kept: int,
    newest: int,
    mirrored: int,
    sign: int,
    point: Array,
    results: Array,
    gram: Array,
    values: Array,
    images: Array,
) -> int:
    """Moves `point` and `values` to the combination of results; `images` gets those of the mirror
    images, times `sign`. Returns `kept`.
    """
    last, width = newest * count, kept + 1
    for place in range(count):
        best = results[last + place]
        total = best
        for row in range(kept):
            if row != newest:
                total += gram[row * width + kept] * (results[row * count + place] - best)
        point[place] = min(1.0, max(-1.0, total))
        values[first + place] = point[place]
        if mirrored > 0:
            images[mirrored + first + place] = sign * point[place]
    return kept


def eliminate(size: int, gram: Array) -> None:
    """Solves a symmetric system; the last column becomes the solution. An unknown that the others
    determine already is 0.
    """
    width = size + 1
    for pivot in range(size):
        scale = gram[pivot * width + pivot]
        if scale <= 0.0:  # its sweep brought nothing that the others did not
            for column in range(width):
                gram[pivot * width + column] = 0.0
            continue
        for column in range(pivot, width):
            gram[pivot * width + column] /= scale
        for row in range(size):
            factor = gram[row * width + pivot]
            if row != pivot and factor != 0.0:
                for column in range(pivot, width):
                    gram[row * width + column] -= factor * gram[pivot * width + column]


BUNDLES = {"table": NUMBERS}
MIXES = ("red_mixes", "blue_mixes")
ENDLESS = ("red_endless", "blue_endless")

SPECS = {
    "improve": KernelSpec(
        (),
        ("settings", "values", *MIXES, "matrix", "red_mix", "blue_mix", "work"),
        gives_float=True,
        bundles=BUNDLES,
    ),
    "level_mixes": KernelSpec((), MIXES, bundles=BUNDLES),
    "evaluate": KernelSpec(
        ("picked",), (*MIXES, "values", "decided"), gives_float=True, bundles=BUNDLES
    ),
    "fixed_options": KernelSpec(("picked",), ("settings", "values"), bundles=BUNDLES),
    "shrink_endless": KernelSpec(("picked", *ENDLESS), MIXES, bundles=BUNDLES),
    "respond": KernelSpec(
        ("picked", *ENDLESS, "choices"),
        ("settings", *MIXES, "highs", "lows"),
        gives_float=True,
        bundles=BUNDLES,
    ),
    "respond_exactly": KernelSpec(
        ("picked", *ENDLESS, "choices"),
        ("settings", *MIXES, "highs", "lows", "system"),
        bundles=BUNDLES,
    ),
    "add_sweep": KernelSpec((), ("point", "steps", "results", "gram", "values")),
    "weigh_sweeps": KernelSpec((), ("gram",)),
    "move_on": KernelSpec((), ("point", "results", "gram", "values", "images")),
}
