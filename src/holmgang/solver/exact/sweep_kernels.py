"""Kernels of the exact solver: solve every matrix once, respond to fixed mixes, extrapolate.

They do not depend on a game, so they are compiled once for all rulesets. All values are to red.
"""

from typing import NamedTuple

from holmgang.engine.compiled.kernels import Bundle, KernelSpec
from holmgang.solver.matrix import solve, solve_again
from holmgang.solver.numbers import NUMBERS, Floats, Ints, Numbers

SMALL_MATRIX = 36  # entries; for these, starting from the last solution saves no time
MOST_LOOPS = 40  # number of times that the matrix of a state is solved in one sweep
STANDS = 1e-14  # tolerance for a state's own value
FLAT = 0.01  # a smaller slope is left to the next sweep
CERTAIN = 1.0 - 1e-12
RIDGE = 1e-15
BEST, FIXED = range(2)  # modes of `respond`
ULP = 2.0**-52  # twice the relative error of one operation
TINY = 1e-300  # exceeds the error of a product that is too small for a double
NEAR = 1e-11  # the most by which a bound is raised to make it pass the test


class MatrixScratch(NamedTuple):
    """Scratch space for solving one matrix."""

    matrix: Floats
    red_mix: Floats
    blue_mix: Floats
    work: Floats


class Strategies(NamedTuple):
    """The strategies to which responders respond, and where play against them can be endless."""

    red_mixes: Floats
    blue_mixes: Floats
    picked: Ints  # the option taken in each pair
    red_endless: Ints  # 1 for the states in which red can keep the duel from ever ending
    blue_endless: Ints


# Values


def option_value(option: int, table: Numbers, patience: float, values: Floats) -> float:
    """The value of an option if each later round is discounted by `patience`, towards the value of
    endless play.
    """
    later, goes_on = 0.0, 0.0
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        later += table.chances[entry] * values[table.successors[entry]]
        goes_on += table.chances[entry]
    later = patience * later + (1.0 - patience) * goes_on * table.endless[0]
    return table.constants[option] + later


def pair_value(pair: int, table: Numbers, patience: float, values: Floats) -> float:
    """The value of a pair if the best of its options is chosen."""
    first, end = table.option_starts[pair], table.option_starts[pair + 1]
    best = option_value(first, table, patience, values)
    for option in range(first + 1, end):
        other = option_value(option, table, patience, values)
        best = max(best, other) if table.deciders[pair] > 0 else min(best, other)
    return best


def own_chance(option: int, state: int, table: Numbers) -> float:
    """The probability that an option leads back to its own state."""
    total = 0.0
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        if table.successors[entry] == state:
            total += table.chances[entry]
    return total


def worth_elsewhere(option: int, state: int, table: Numbers, values: Floats) -> float:
    """The part of an option's value that does not come from its own state."""
    total = table.constants[option]
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        if table.successors[entry] != state:
            total += table.chances[entry] * values[table.successors[entry]]
    return total


def chance_to_leave(option: int, state: int, table: Numbers) -> float:
    """The probability that an option leaves its own state; 0 if that is only a rounding error. A
    sum of these over a mix stays accurate, unlike 1 minus a sum: even a choice that is made once in
    1e13 rounds counts.
    """
    leaves = 1.0 - own_chance(option, state, table)
    return leaves if leaves > 1.0 - CERTAIN else 0.0


def loop_slope(
    state: int,
    table: Numbers,
    patience: float,
    values: Floats,
    red_mix: Floats,
    blue_mix: Floats,
) -> float:
    """The derivative of the value of a state's matrix with respect to the state's own value."""
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
    return patience * total


def improve_state(
    state: int,
    table: Numbers,
    patience: float,
    values: Floats,
    red_mixes: Floats,
    blue_mixes: Floats,
    room: MatrixScratch,
) -> float:
    """Solves the matrix of a state with the newest values, writes the mixes and returns the value.
    If the state may follow itself, its value is a fixed point, which is found by Newton's method
    between bounds.
    """
    reds, blues = table.reds[state], table.blues[state]
    red_start, blue_start = table.red_starts[state], table.blue_starts[state]
    for choice in range(reds):
        room.red_mix[choice] = red_mixes[red_start + choice]
    for choice in range(blues):
        room.blue_mix[choice] = blue_mixes[blue_start + choice]
    low, high = -1.0, 1.0
    before = values[state]
    value = before
    for _ in range(MOST_LOOPS):
        for pair in range(reds * blues):
            room.matrix[pair] = pair_value(table.pair_starts[state] + pair, table, patience, values)
        if reds * blues <= SMALL_MATRIX:
            value = solve(room.matrix, reds, blues, room.red_mix, room.blue_mix, room.work)
        else:
            value = solve_again(room.matrix, reds, blues, room.red_mix, room.blue_mix, room.work)
        guess = values[state]
        if table.loops[state] == 0 or abs(value - guess) <= STANDS:
            break
        slope = loop_slope(state, table, patience, values, room.red_mix, room.blue_mix)
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
        red_mixes[red_start + choice] = room.red_mix[choice]
    for choice in range(blues):
        blue_mixes[blue_start + choice] = room.blue_mix[choice]
    return value


def improve(
    first: int,
    end: int,
    mirrored: int,
    table: Numbers,
    settings: Floats,
    values: Floats,
    red_mixes: Floats,
    blue_mixes: Floats,
    room: MatrixScratch,
) -> float:
    """One sweep: solves the matrix of each of these states with the newest values, and writes
    values and mixes. Returns the largest change of a value. `settings` has the patience.
    """
    change = 0.0
    for state in range(first, end):
        value = improve_state(state, table, settings[0], values, red_mixes, blue_mixes, room)
        if table.levels[state] != 0:
            value = 0.0
        change = max(change, abs(value - values[state]))
        values[state] = value
        if mirrored > 0:
            values[mirrored + state] = -value
    return change


def level_mixes(count: int, table: Numbers, red_mixes: Floats, blue_mixes: Floats) -> int:
    """Copies red's mix to blue in every state that is its own mirror image. Returns `count`."""
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
    red_mixes: Floats,
    blue_mixes: Floats,
    picked: Ints,
    values: Floats,
    decided: Floats,
) -> float:
    """One sweep that evaluates the mixes against each other: writes the value of each of these
    states and the probability that someone wins. Returns the largest change.
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


# Best responses: one seat's mixes are fixed, and the other seat plays the best response to them.
# `side` is 1 if red responds, -1 if blue does.


def pair_of(state: int, side: int, choice: int, answer: int, table: Numbers) -> int:
    """The pair of a choice of the side and an answer of the other side."""
    red, blue = (choice, answer) if side > 0 else (answer, choice)
    return table.pair_starts[state] + red * table.blues[state] + blue


def best_option(pair: int, side: int, table: Numbers, patience: float, values: Floats) -> int:
    """The best option of a pair for the side."""
    option = table.option_starts[pair]
    best = side * option_value(option, table, patience, values)
    for other in range(option + 1, table.option_starts[pair + 1]):
        value = side * option_value(other, table, patience, values)
        if value > best:
            option, best = other, value
    return option


def fixed_options(
    pairs: int, table: Numbers, settings: Floats, values: Floats, picked: Ints
) -> int:
    """Writes the best option of each pair for its decider, with the patience in `settings`. Returns
    `pairs`.
    """
    for pair in range(pairs):
        picked[pair] = best_option(pair, table.deciders[pair], table, settings[0], values)
    return pairs


def can_stay(option: int, table: Numbers, endless: Ints) -> bool:
    """Whether an option leads only to states of the endless set, and never ends the duel."""
    total = 0.0
    for entry in range(table.entry_starts[option], table.entry_starts[option + 1]):
        if endless[table.successors[entry]] == 0:
            return False
        total += table.chances[entry]
    return total > CERTAIN


def can_make_endless(
    state: int, side: int, table: Numbers, fixed: Strategies, endless: Ints
) -> bool:
    """Whether the responder has a choice that is sure to stay within the endless set."""
    mixes, start = fixed.red_mixes, table.red_starts[state]
    mine, theirs = table.blues[state], table.reds[state]
    if side > 0:
        mixes, start = fixed.blue_mixes, table.blue_starts[state]
        mine, theirs = table.reds[state], table.blues[state]
    for choice in range(mine):
        stays = True
        for answer in range(theirs):
            if mixes[start + answer] == 0.0:
                continue
            pair = pair_of(state, side, choice, answer, table)
            inside = can_stay(fixed.picked[pair], table, endless)
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


def shrink_endless(count: int, mirrored: int, table: Numbers, fixed: Strategies) -> int:
    """Removes from each responder's endless set the states in which it cannot be sure to stay in
    the set. Returns the number removed; once this is 0, the set has the states in which the
    responder can stall forever.
    """
    removed = 0
    for state in range(count):
        for side in (1, -1):
            endless = fixed.red_endless if side > 0 else fixed.blue_endless
            images = fixed.blue_endless if side > 0 else fixed.red_endless
            if endless[state] != 0 and not can_make_endless(state, side, table, fixed, endless):
                endless[state] = 0
                if mirrored > 0:
                    images[mirrored + state] = 0
                removed += 1
    return removed


def response_value(
    state: int,
    side: int,
    choice: int,
    cost: float,
    table: Numbers,
    fixed: Strategies,
    values: Floats,
) -> float:
    """The value of a choice against the mix, as in `value_once`. Where an answer decides whether
    the state follows itself, the responder's answers are found from values that start too low: with
    values that are too high, it would wait for something that never comes.
    """
    if table.loops[state] < 2:
        return value_once(state, side, choice, cost, table, fixed, values)
    before, best, value = values[state], -3.0, -1.0
    for _ in range(MOST_LOOPS):
        values[state] = side * max(-1.0, min(1.0, value))
        value = value_once(state, side, choice, cost, table, fixed, values)
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
    fixed: Strategies,
    values: Floats,
) -> float:
    """The value of a choice against the mix, to the responder, given that the state is left; -2 if
    it never is. The cost is added, unless the choice is sure to stay where the duel can be made
    endless: there, stalling would add it in every round without end.
    """
    mixes, start = fixed.red_mixes, table.red_starts[state]
    theirs, endless = table.reds[state], fixed.blue_endless
    if side > 0:
        mixes, start = fixed.blue_mixes, table.blue_starts[state]
        theirs, endless = table.blues[state], fixed.red_endless
    total, leaves, stays = 0.0, 0.0, endless[state] != 0
    for answer in range(theirs):
        chance = mixes[start + answer]
        if chance == 0.0:
            continue
        pair = pair_of(state, side, choice, answer, table)
        taken = fixed.picked[pair]
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
    fixed: Strategies,
    values: Floats,
    choices: Ints,
) -> float:
    """The best value that the responder can get from a state, with the cost; at least the value of
    endless play if it can stall. Records its choice, -1 for endless play. With `is_fixed`, the
    responder makes the choice recorded before.
    """
    place = 2 * state + (0 if side > 0 else 1)
    can_stall = (fixed.red_endless if side > 0 else fixed.blue_endless)[state] != 0
    best = side * table.endless[0] if can_stall else -1.0
    first, end = 0, table.reds[state] if side > 0 else table.blues[state]
    if is_fixed:
        first, end = choices[place], choices[place] + 1
        if first < 0:
            return best
        best = -1.0
    for choice in range(first, end):
        value = response_value(state, side, choice, cost, table, fixed, values)
        if value > best or (choice == first and not can_stall):
            best = max(best, value)
            choices[place] = choice
        elif choice == first:
            choices[place] = -1
    return min(1.0, best)


def respond(
    first: int,
    end: int,
    mirrored: int,
    mode: int,
    table: Numbers,
    settings: Floats,
    fixed: Strategies,
    highs: Floats,
    lows: Floats,
    choices: Ints,
) -> float:
    """One sweep of best responses: updates the bounds of these states, with the cost `settings[0]`
    for every round. Returns the largest rise of a bound for its responder, and writes the largest
    fall to `settings[1]`. In the mode `FIXED`, responders make the choices recorded before.
    """
    rise, fall = -2.0, 0.0
    for state in range(first, end):
        for side in (1, -1):
            bounds, images = (highs, lows) if side > 0 else (lows, highs)
            best = best_response(
                state, side, settings[0], mode == FIXED, table, fixed, bounds, choices
            )
            before = side * bounds[state]
            rise, fall = max(rise, best - before), max(fall, before - best)
            bounds[state] = side * best
            if mirrored > 0:
                images[mirrored + state] = -side * best
    settings[1] = fall
    return rise


# The test of the bounds. It compares what a round may add to a bound with what it may take away.
# Both are sums of non-negative products, so their relative error is at most that of as many
# operations as there are terms. A successor with the same bound adds exactly 0, whatever the
# rounding. Each bound is the sum of two numbers here: while a responder waits for an event that
# happens once in 1e12 rounds, bounds differ by less than the last digit of a double.


class Bounds(NamedTuple):
    """Bounds, and the remainders (`rests`) to be added to them."""

    highs: Floats
    lows: Floats
    high_rests: Floats
    low_rests: Floats


class BoundSlack(NamedTuple):
    """The gain and the loss of a choice over the bound of a state, rounded to the safe side."""

    up: float
    down: float


class Reach(NamedTuple):
    """The states to which a choice may lead."""

    leaves: float  # the probability that the state is left
    highest: int  # the highest successor; -1 if the duel may end, -2 if none is above the state
    rise: float  # from the state to that successor


def difference(place: int, state: int, side: int, values: Floats, rests: Floats) -> float:
    """The bound of a place minus that of a state, to the responder, rounded up."""
    one, other = values[place], values[state]
    coarse = one - other
    back = coarse - one
    fine = (one - (coarse - back)) - (other + back)  # the rounding error of `coarse`
    fine += rests[place] - rests[state]
    return side * (coarse + fine) + 2.0 * ULP * abs(fine)


def most_gain(
    option: int, state: int, side: int, table: Numbers, values: Floats, rests: Floats
) -> float:
    """The mean gain of an option over the responder's bound of its state, rounded up."""
    up, down, ends = 0.0, 0.0, 1.0
    first, end = table.entry_starts[option], table.entry_starts[option + 1]
    for entry in range(first, end):
        step = difference(table.successors[entry], state, side, values, rests)
        ends -= table.chances[entry]
        if step > 0.0:
            up += table.chances[entry] * step + TINY
        else:
            down -= table.chances[entry] * step
    error = (end - first + 4) * ULP
    if ends > 1.0 - CERTAIN:
        worth = table.constants[option] / ends
        whole = 1.0 if worth > 0.5 else -1.0 if worth < -0.5 else 0.0
        if abs(worth - whole) <= 1.0 - CERTAIN:
            worth = whole
        else:
            up += 2.0 * error
        step = side * ((worth - values[state]) - rests[state]) + 2.0 * ULP * abs(rests[state])
        if step > 0.0:
            up += (ends + error) * step + TINY
        else:
            down -= max(0.0, ends - error) * step
    return up * (1.0 + error) - down * (1.0 - error)


def dearest_option(
    pair: int,
    state: int,
    side: int,
    table: Numbers,
    fixed: Strategies,
    values: Floats,
    rests: Floats,
) -> int:
    """The option that is taken in a pair: if the responder decides, the one that gains most."""
    taken = fixed.picked[pair]
    if table.deciders[pair] == side:
        gain = most_gain(taken, state, side, table, values, rests)
        for option in range(table.option_starts[pair], table.option_starts[pair + 1]):
            other = most_gain(option, state, side, table, values, rests)
            if other > gain:
                taken, gain = option, other
    return taken


def round_of(
    state: int,
    side: int,
    choice: int,
    table: Numbers,
    fixed: Strategies,
    values: Floats,
    rests: Floats,
) -> BoundSlack:
    """The gain and the loss of a round with this choice of the responder."""
    mixes, start, theirs = fixed.red_mixes, table.red_starts[state], table.reds[state]
    if side > 0:
        mixes, start, theirs = fixed.blue_mixes, table.blue_starts[state], table.blues[state]
    up, down = 0.0, 0.0
    for answer in range(theirs):
        chance = mixes[start + answer]
        if chance == 0.0:
            continue
        pair = pair_of(state, side, choice, answer, table)
        taken = dearest_option(pair, state, side, table, fixed, values, rests)
        gain = most_gain(taken, state, side, table, values, rests)
        if gain > 0.0:
            up += chance * gain + TINY
        else:
            down -= chance * gain
    error = (theirs + 4) * ULP
    return BoundSlack(up * (1.0 + error), down * (1.0 - error))


def reach_of(
    state: int,
    side: int,
    choice: int,
    table: Numbers,
    fixed: Strategies,
    values: Floats,
    rests: Floats,
) -> Reach:
    """Where a round with this choice of the responder may lead."""
    mixes, start, theirs = fixed.red_mixes, table.red_starts[state], table.reds[state]
    if side > 0:
        mixes, start, theirs = fixed.blue_mixes, table.blue_starts[state], table.blues[state]
    leaves, highest, rise = 0.0, -2, 0.0
    for answer in range(theirs):
        chance = mixes[start + answer]
        if chance == 0.0:
            continue
        pair = pair_of(state, side, choice, answer, table)
        taken = dearest_option(pair, state, side, table, fixed, values, rests)
        leaves += chance * chance_to_leave(taken, state, table)
        ends = 1.0
        for entry in range(table.entry_starts[taken], table.entry_starts[taken + 1]):
            ends -= table.chances[entry]
            step = difference(table.successors[entry], state, side, values, rests)
            if step > rise and highest != -1:
                highest, rise = table.successors[entry], step
        if ends > 1.0 - CERTAIN:
            highest, rise = -1, 2.0
    return Reach(leaves, highest, rise)


def lift(
    first: int, end: int, mirrored: int, table: Numbers, fixed: Strategies, tested: Bounds
) -> int:
    """Raises the bounds of these states, each for its responder, that a round could raise, or that
    are below the value of endless play although the responder can stall. Returns the number raised:
    0 means that all bounds are proven, -1 that one is off by more than `NEAR`. A bound of 1 needs
    no proof.
    """
    raised = 0
    for state in range(first, end):
        for side in (1, -1):
            bounds, images = (tested.highs, tested.lows)
            rests, rest_images = (tested.high_rests, tested.low_rests)
            if side < 0:
                bounds, images, rests, rest_images = images, bounds, rest_images, rests
            before, rest = bounds[state], rests[state]
            if side * before >= 1.0 and side * rest >= 0.0:
                continue
            can_stall = (fixed.red_endless if side > 0 else fixed.blue_endless)[state] != 0
            if can_stall and side * ((table.endless[0] - before) - rest) > 0.0:
                bounds[state], rests[state] = table.endless[0], 0.0
            for choice in range(table.reds[state] if side > 0 else table.blues[state]):
                play = round_of(state, side, choice, table, fixed, bounds, rests)
                if play.up <= play.down:
                    continue
                reach = reach_of(state, side, choice, table, fixed, bounds, rests)
                if reach.highest >= 0 and reach.rise <= NEAR:
                    bounds[state], rests[state] = bounds[reach.highest], rests[reach.highest]
                elif reach.leaves > 0.0:
                    rests[state] += side * 2.0 * (play.up - play.down) / reach.leaves
                else:
                    return -1
            if bounds[state] != before or rests[state] != rest:
                raised += 1
                if mirrored > 0:
                    images[mirrored + state] = -bounds[state]
                    rest_images[mirrored + state] = -rests[state]
                if side * ((bounds[state] - before) + (rests[state] - rest)) > NEAR:
                    return -1
    return raised


# Best responses by policy iteration, for components in which sweeps do not converge. The unknowns
# are the values that each responder gets from each of `size` states: first red's, then blue's. A
# duel may last 1e9 rounds, so the equations are solved without subtractions, which lose digits
# (Grassmann, Taksar and Heyman 1985).


def write_equation(
    unknown: int,
    first: int,
    size: int,
    mirrored: int,
    choice: int,
    cost: float,
    table: Numbers,
    fixed: Strategies,
    values: Floats,
    system: Floats,
) -> float:
    """Writes the equation of an unknown whose responder makes this choice, or stalls if it is -1:
    the probabilities of the unknowns that may follow, the probability of anything else, and the
    constant term. Returns the cost that this term contains.
    """
    width = 2 * size + 2
    at = unknown * width
    for place in range(width):
        system[at + place] = 0.0
    side, state = 1 if unknown < size else -1, first + unknown % size
    if choice < 0:
        system[at + width - 2] = 1.0
        system[at + width - 1] = side * table.endless[0]
        return 0.0
    mixes, start = fixed.red_mixes, table.red_starts[state]
    theirs, endless = table.reds[state], fixed.blue_endless
    if side > 0:
        mixes, start = fixed.blue_mixes, table.blue_starts[state]
        theirs, endless = table.blues[state], fixed.red_endless
    leaves, total, stays = 0.0, 0.0, endless[state] != 0
    for answer in range(theirs):
        chance = mixes[start + answer]
        if chance == 0.0:
            continue
        pair = pair_of(state, side, choice, answer, table)
        taken = fixed.picked[pair]
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
    paid = 0.0 if stays else cost * leaving
    system[at + width - 2] = leaves
    system[at + width - 1] = total + paid
    return paid


def solve_equations(size: int, endless: float, system: Floats) -> None:
    """Writes the solution to the last column. Red's unknowns are the first half; `endless` is the
    value of endless play to red.
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
    settings: Floats,
    fixed: Strategies,
    highs: Floats,
    lows: Floats,
    choices: Ints,
    system: Floats,
) -> int:
    """One step of policy iteration: finds each responder's best choices by the bounds, and then the
    bounds that follow if it always makes them. Returns the number of choices that changed. `system`
    has two rows for each state, and two more columns than rows.
    """
    size, changed = end - first, 0
    for unknown in range(2 * size):
        side, state = 1 if unknown < size else -1, first + unknown % size
        values = highs if side > 0 else lows
        endless = fixed.red_endless if side > 0 else fixed.blue_endless
        chosen, best = -1 if is_first != 0 else choices[unknown], -3.0
        if chosen >= 0:
            best = response_value(state, side, chosen, settings[0], table, fixed, values)
        forever = side * table.endless[0]
        if endless[state] != 0 and best < forever:
            chosen, best = -1, forever
        for choice in range(table.reds[state] if side > 0 else table.blues[state]):
            value = response_value(state, side, choice, settings[0], table, fixed, values)
            if value > best + 0.1 * STANDS:
                chosen, best = choice, value
        if is_first != 0 or chosen != choices[unknown]:
            choices[unknown] = chosen
            changed += 1
        write_equation(
            unknown, first, size, mirrored, chosen, settings[0], table, fixed, values, system
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


def refine(
    first: int,
    end: int,
    mirrored: int,
    table: Numbers,
    settings: Floats,
    fixed: Strategies,
    tested: Bounds,
    choices: Ints,
    system: Floats,
) -> int:
    """Solves the equations of `respond_exactly` more precisely: corrects the bounds by adding to
    their remainders, with the margin that the test needs for rounding. Returns the number of
    states.
    """
    size = end - first
    width = 2 * size + 2
    for unknown in range(2 * size):
        side, state = 1 if unknown < size else -1, first + unknown % size
        bounds, rests = (tested.highs, tested.high_rests)
        if side < 0:
            bounds, rests = tested.lows, tested.low_rests
        choice = choices[unknown] if side * bounds[state] < 1.0 else -1
        paid = write_equation(
            unknown, first, size, mirrored, choice, settings[0], table, fixed, bounds, system
        )
        missing = 0.0
        if choice >= 0:
            play = round_of(state, side, choice, table, fixed, bounds, rests)
            missing = play.up - play.down + paid + 2.0 * ULP * (play.up + play.down)
        system[unknown * width + width - 1] = missing
    solve_equations(2 * size, 0.0, system)
    for place in range(size):
        tested.high_rests[first + place] += system[place * width + width - 1]
        tested.low_rests[first + place] -= system[(size + place) * width + width - 1]
        if mirrored > 0:
            tested.low_rests[mirrored + first + place] = -tested.high_rests[first + place]
            tested.high_rests[mirrored + first + place] = -tested.low_rests[first + place]
    return size


# Extrapolation (Anderson's method). `add_sweep` records a sweep for each array that it writes,
# `weigh_sweeps` weighs the sweeps kept, and `move_on` moves each array to their best combination.


def add_sweep(
    first: int,
    count: int,
    kept: int,
    newest: int,
    point: Floats,
    steps: Floats,
    results: Floats,
    gram: Floats,
    values: Floats,
) -> int:
    """Records a sweep from `point` to `values` as number `newest` of `kept`, and adds it to `gram`,
    which has room for a square, a column and a row. Returns `kept`.
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


def weigh_sweeps(kept: int, newest: int, gram: Floats) -> int:
    """Replaces the last column of `gram` with the weights for which the steps cancel best. Returns
    `kept`.
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
    point: Floats,
    results: Floats,
    gram: Floats,
    values: Floats,
    images: Floats,
) -> int:
    """Moves `point` and `values` to the weighted results, and writes the values of the mirror
    images, times `sign`, to `images`. Returns `kept`.
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


def eliminate(size: int, gram: Floats) -> None:
    """Solves a symmetric system; the last column becomes the solution. A redundant unknown is 0."""
    width = size + 1
    for pivot in range(size):
        scale = gram[pivot * width + pivot]
        if scale <= 0.0:  # redundant
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


WITH_TABLE = {"table": NUMBERS}
WITH_ROOM = {"room": Bundle(MatrixScratch, floats=MatrixScratch._fields)}
WITH_MIXES = {"fixed": Bundle(Strategies, floats=("red_mixes", "blue_mixes"))}
WITH_BOUNDS = {"tested": Bundle(Bounds, floats=Bounds._fields)}
MIXES = ("red_mixes", "blue_mixes")
BOUNDS = ("settings", "highs", "lows")

SPECS = {
    "improve": KernelSpec(
        (), ("settings", "values", *MIXES), gives_float=True, bundles={**WITH_TABLE, **WITH_ROOM}
    ),
    "level_mixes": KernelSpec((), MIXES, bundles=WITH_TABLE),
    "evaluate": KernelSpec(
        ("picked",), (*MIXES, "values", "decided"), gives_float=True, bundles=WITH_TABLE
    ),
    "fixed_options": KernelSpec(("picked",), ("settings", "values"), bundles=WITH_TABLE),
    "shrink_endless": KernelSpec(bundles={**WITH_TABLE, **WITH_MIXES}),
    "respond": KernelSpec(
        ("choices",), BOUNDS, gives_float=True, bundles={**WITH_TABLE, **WITH_MIXES}
    ),
    "lift": KernelSpec(bundles={**WITH_TABLE, **WITH_MIXES, **WITH_BOUNDS}),
    "refine": KernelSpec(
        ("choices",),
        ("settings", "system"),
        bundles={**WITH_TABLE, **WITH_MIXES, **WITH_BOUNDS},
    ),
    "respond_exactly": KernelSpec(
        ("choices",), (*BOUNDS, "system"), bundles={**WITH_TABLE, **WITH_MIXES}
    ),
    "add_sweep": KernelSpec((), ("point", "steps", "results", "gram", "values")),
    "weigh_sweeps": KernelSpec((), ("gram",)),
    "move_on": KernelSpec((), ("point", "results", "gram", "values", "images")),
}
