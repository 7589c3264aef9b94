"""Loops of the exact solver over any game: tabulate, iterate, find best responses.

They are compiled as `holmgang.engine.compiled.kernels` are, and see the same globals. A solved game
is a table of numbers:

- a state has a matrix of pairs, one for each choice of red and each of blue;
- a pair has options: one, or two where a single seat answers before the next state (Defend The
  City's step 2), so that such states need no place of their own;
- an option has a constant (what the duel is worth where it ends), the chance that it is decided at
  once, and entries: states that may come next, each with its chance.
"""

from typing import Any

from holmgang.engine.compiled.kernels import EMPTY, WIDTH, Array, Entry, is_on, slot_of
from holmgang.engine.stream import count_bits
from holmgang.solver.matrix import solve

game: Any = None  # a ruleset puts its own in the place of these
rules: Any = None
pack: Any = None
unpack: Any = None
FIELDS: int = 0

PATIENCE = 1.0 - 1e-11  # what a round's delay leaves of a value while mixes are being found
MOST_FOLDED = 2  # a seat with so few choices, alone, is answered within the pair


# Which states there are


def is_folded(state: Any) -> bool:
    """Whether only one seat chooses here, and between so few that it is looked at on the way."""
    red, blue = game.choices(rules, state, 0), game.choices(rules, state, 1)
    if red != 0 and blue != 0:
        return False
    return 0 < count_bits(red | blue) <= MOST_FOLDED


def enter(
    state: Any, rows: Array, capacity: int, found: int, slots: Array, size: int, row: Array
) -> int:
    """Enters an undecided state, unless it is there; how many there are then, -1 if too many."""
    pack(state, row, 0)
    slot = slot_of(row, 0, rows, slots, size)
    if slots[slot] != EMPTY:
        return found
    if found == capacity:
        return -1
    slots[slot] = found
    pack(state, rows, found * FIELDS)
    return found + 1


def enumerate_table(rows: Array, capacity: int, slots: Array, size: int, row: Array) -> int:
    """Writes every undecided state of the table into `rows`, nearest first; how many there are.
    -1: there is no room for all. -2: folded states follow each other, which is not provided for.
    """
    found = enter(game.initial(rules), rows, capacity, 0, slots, size, row)
    done = 0
    while done < found:
        state = unpack(rows, done * FIELDS)
        done += 1
        red_menu, blue_menu = game.choices(rules, state, 0), game.choices(rules, state, 1)
        for red in range(-1, WIDTH - 1):
            if not is_on(red_menu, red):
                continue
            for blue in range(-1, WIDTH - 1):
                if not is_on(blue_menu, blue):
                    continue
                last = state
                for face in range(game.chance(rules, state, red, blue)):
                    after = game.resolve(rules, state, red, blue, face)
                    if after == last or game.outcome(rules, after).reason != 0:
                        continue
                    last = after
                    if not is_folded(after):
                        found = enter(after, rows, capacity, found, slots, size, row)
                    else:
                        found = enter_folded(after, rows, capacity, found, slots, size, row)
                    if found < 0:
                        return found
    return found


def enter_folded(
    state: Any, rows: Array, capacity: int, found: int, slots: Array, size: int, row: Array
) -> int:
    red_menu, blue_menu = game.choices(rules, state, 0), game.choices(rules, state, 1)
    for choice in range(WIDTH - 1):
        if not is_on(red_menu | blue_menu, choice):
            continue
        red, blue = choice if red_menu != 0 else -1, choice if blue_menu != 0 else -1
        last = state
        for face in range(game.chance(rules, state, red, blue)):
            after = game.resolve(rules, state, red, blue, face)
            if after == last or game.outcome(rules, after).reason != 0:
                continue
            last = after
            if is_folded(after):
                return -2
            found = enter(after, rows, capacity, found, slots, size, row)
            if found < 0:
                return found
    return found


# What may follow


def worth(outcome: Any) -> float:
    """A finished duel to red: 1, -1, or 0 for a draw."""
    if outcome.winner == 0:
        return 1.0
    if outcome.winner == 1:
        return -1.0
    return 0.0


def write_option(
    state: Any,
    red: int,
    blue: int,
    rows: Array,
    slots: Array,
    size: int,
    row: Array,
    option: int,
    constants: Array,
    decided: Array,
    first: int,
    end: int,
    most: int,
    successors: Array,
    chances: Array,
) -> int:
    """Adds what these choices may lead to, each with its chance, to the entries of an option that
    begin at `first`; where they end then, -1 if there is no room, -2 if a folded state follows a
    throw, which is not provided for.
    """
    faces = game.chance(rules, state, red, blue)
    share = 1.0 / faces
    last, at = state, -1
    for face in range(faces):
        after = game.resolve(rules, state, red, blue, face)
        if at >= 0 and after == last:  # often the same as just before
            chances[at] += share
            continue
        outcome = game.outcome(rules, after)
        if outcome.reason != 0:
            constants[option] += share * worth(outcome)
            decided[option] += share * abs(worth(outcome))
            at = -1
            continue
        pack(after, row, 0)
        index = slots[slot_of(row, 0, rows, slots, size)]
        if index == EMPTY:
            return -2
        at = first
        while at < end and successors[at] != index:
            at += 1
        if at == end:
            if end == most:
                return -1
            successors[at] = index
            chances[at] = 0.0
            end += 1
        chances[at] += share
        last = after
    return end


def count_choices(count: int, rows: Array, reds: Array, blues: Array) -> int:
    """Writes how many choices each seat has in each state, 1 for having none; all pairs of them."""
    pairs = 0
    for index in range(count):
        state = unpack(rows, index * FIELDS)
        reds[index] = max(1, count_bits(game.choices(rules, state, 0)))
        blues[index] = max(1, count_bits(game.choices(rules, state, 1)))
        pairs += reds[index] * blues[index]
    return pairs


def tabulate(
    count: int,
    rows: Array,
    slots: Array,
    size: int,
    row: Array,
    pair_starts: Array,
    option_starts: Array,
    choosers: Array,
    entry_starts: Array,
    constants: Array,
    decided: Array,
    successors: Array,
    chances: Array,
    most_entries: int,
    totals: Array,
) -> int:
    """Writes the table: for each state where its pairs start; for each pair where its options start
    and who chooses between them (1 red, -1 blue, 0 nobody); for each option where its entries start
    and its constant. `totals` gets the numbers of options and entries. 0, or below 0 where one
    could not be written: see `write_option`.
    """
    pairs, options, entries = 0, 0, 0
    for index in range(count):
        state = unpack(rows, index * FIELDS)
        red_menu, blue_menu = game.choices(rules, state, 0), game.choices(rules, state, 1)
        pair_starts[index] = pairs
        for red in range(-1, WIDTH - 1):
            if not is_on(red_menu, red):
                continue
            for blue in range(-1, WIDTH - 1):
                if not is_on(blue_menu, blue):
                    continue
                option_starts[pairs] = options
                choosers[pairs] = 0
                middle = state
                if game.chance(rules, state, red, blue) == 1:
                    middle = game.resolve(rules, state, red, blue, 0)
                middle_on = game.outcome(rules, middle).reason == 0
                if middle_on and is_folded(middle):
                    red_on, blue_on = game.choices(rules, middle, 0), game.choices(rules, middle, 1)
                    choosers[pairs] = 1 if red_on != 0 else -1
                    for choice in range(WIDTH - 1):
                        if is_on(red_on | blue_on, choice):
                            entry_starts[options] = entries
                            constants[options] = decided[options] = 0.0
                            entries = write_option(
                                middle,
                                choice if red_on != 0 else -1,
                                choice if blue_on != 0 else -1,
                                rows,
                                slots,
                                size,
                                row,
                                options,
                                constants,
                                decided,
                                entries,
                                entries,
                                most_entries,
                                successors,
                                chances,
                            )
                            if entries < 0:
                                return entries
                            options += 1
                else:
                    entry_starts[options] = entries
                    constants[options] = decided[options] = 0.0
                    entries = write_option(
                        state,
                        red,
                        blue,
                        rows,
                        slots,
                        size,
                        row,
                        options,
                        constants,
                        decided,
                        entries,
                        entries,
                        most_entries,
                        successors,
                        chances,
                    )
                    if entries < 0:
                        return entries
                    options += 1
                pairs += 1
    pair_starts[count] = pairs
    option_starts[pairs] = options
    entry_starts[options] = entries
    totals[0], totals[1] = options, entries
    return 0


# Values


def option_value(
    option: int,
    entry_starts: Array,
    constants: Array,
    successors: Array,
    chances: Array,
    values: Array,
) -> float:
    total: float = constants[option]
    for entry in range(entry_starts[option], entry_starts[option + 1]):
        total += chances[entry] * values[successors[entry]]
    return total


def patient_value(
    option: int,
    entry_starts: Array,
    constants: Array,
    successors: Array,
    chances: Array,
    values: Array,
) -> float:
    """As `option_value`, but what comes later counts a trifle less, so that a side which is winning
    does not put it off for ever.
    """
    now: float = constants[option]
    return now + PATIENCE * (
        option_value(option, entry_starts, constants, successors, chances, values) - now
    )


def pair_value(
    pair: int,
    option_starts: Array,
    choosers: Array,
    entry_starts: Array,
    constants: Array,
    successors: Array,
    chances: Array,
    values: Array,
) -> float:
    """What a pair is worth to red, if whoever chooses between its options chooses best."""
    first, end = option_starts[pair], option_starts[pair + 1]
    best = patient_value(first, entry_starts, constants, successors, chances, values)
    for option in range(first + 1, end):
        other = patient_value(option, entry_starts, constants, successors, chances, values)
        best = max(best, other) if choosers[pair] > 0 else min(best, other)
    return best


def improve(
    count: int,
    reds: Array,
    blues: Array,
    pair_starts: Array,
    option_starts: Array,
    choosers: Array,
    entry_starts: Array,
    constants: Array,
    successors: Array,
    chances: Array,
    red_starts: Array,
    blue_starts: Array,
    values: Array,
    red_mixes: Array,
    blue_mixes: Array,
    matrix: Array,
    red_mix: Array,
    blue_mix: Array,
    work: Array,
) -> float:
    """Solves the matrix of every state once, farthest first, with the newest values; writes both
    mixes. The largest change of a value.
    """
    change = 0.0
    for back in range(count):
        state = count - 1 - back
        size = reds[state] * blues[state]
        for pair in range(size):
            matrix[pair] = pair_value(
                pair_starts[state] + pair,
                option_starts,
                choosers,
                entry_starts,
                constants,
                successors,
                chances,
                values,
            )
        value = solve(matrix, reds[state], blues[state], red_mix, blue_mix, work)
        for choice in range(reds[state]):
            red_mixes[red_starts[state] + choice] = red_mix[choice]
        for choice in range(blues[state]):
            blue_mixes[blue_starts[state] + choice] = blue_mix[choice]
        change = max(change, abs(value - values[state]))
        values[state] = value
    return change


def evaluate(
    count: int,
    reds: Array,
    blues: Array,
    pair_starts: Array,
    option_starts: Array,
    choosers: Array,
    entry_starts: Array,
    constants: Array,
    successors: Array,
    chances: Array,
    red_starts: Array,
    blue_starts: Array,
    values: Array,
    red_mixes: Array,
    blue_mixes: Array,
) -> float:
    """What every state is worth under the mixes as they are, once through; the largest change.
    Cheaper than `improve`, and nearly as good for many sweeps after it.
    """
    change = 0.0
    for back in range(count):
        state = count - 1 - back
        total = 0.0
        for red in range(reds[state]):
            red_chance = red_mixes[red_starts[state] + red]
            if red_chance == 0.0:
                continue
            for blue in range(blues[state]):
                blue_chance = blue_mixes[blue_starts[state] + blue]
                if blue_chance == 0.0:
                    continue
                total += (
                    red_chance
                    * blue_chance
                    * pair_value(
                        pair_starts[state] + red * blues[state] + blue,
                        option_starts,
                        choosers,
                        entry_starts,
                        constants,
                        successors,
                        chances,
                        values,
                    )
                )
        change = max(change, abs(total - values[state]))
        values[state] = total
    return change


def chance_decided(
    count: int,
    reds: Array,
    blues: Array,
    pair_starts: Array,
    option_starts: Array,
    choosers: Array,
    entry_starts: Array,
    decided: Array,
    successors: Array,
    chances: Array,
    red_starts: Array,
    blue_starts: Array,
    red_mixes: Array,
    blue_mixes: Array,
    picked: Array,
    values: Array,
) -> float:
    """How likely it is from every state that someone wins under the mixes, once through, beginning
    at 0; the largest change.
    """
    change = 0.0
    for back in range(count):
        state = count - 1 - back
        total = 0.0
        for red in range(reds[state]):
            for blue in range(blues[state]):
                chance = red_mixes[red_starts[state] + red] * blue_mixes[blue_starts[state] + blue]
                if chance > 0.0:
                    option = picked[pair_starts[state] + red * blues[state] + blue]
                    total += chance * option_value(
                        option, entry_starts, decided, successors, chances, values
                    )
        change = max(change, abs(total - values[state]))
        values[state] = total
    return change


# Best responses: one seat plays its mixes for good, the other whatever is best against them.
# `side` is 1 for red as the one who responds, -1 for blue; values are to the responder.


def fixed_options(
    pairs: int,
    option_starts: Array,
    choosers: Array,
    entry_starts: Array,
    constants: Array,
    successors: Array,
    chances: Array,
    values: Array,
    picked: Array,
) -> int:
    """Which option each pair's chooser takes, by the values of the solution."""
    for pair in range(pairs):
        first, end = option_starts[pair], option_starts[pair + 1]
        picked[pair] = first
        best = patient_value(first, entry_starts, constants, successors, chances, values)
        for option in range(first + 1, end):
            other = patient_value(option, entry_starts, constants, successors, chances, values)
            if (other - best) * choosers[pair] > 0.0:
                best = other
                picked[pair] = option
    return pairs


def can_stay(
    option: int, entry_starts: Array, successors: Array, chances: Array, endless: Array
) -> bool:
    """Whether an option surely leads to states of the endless set, and never to an end."""
    total = 0.0
    for entry in range(entry_starts[option], entry_starts[option + 1]):
        if endless[successors[entry]] == 0:
            return False
        total += chances[entry]
    return total > 1.0 - 1e-12


def shrink_endless(
    count: int,
    side: int,
    reds: Array,
    blues: Array,
    pair_starts: Array,
    option_starts: Array,
    choosers: Array,
    entry_starts: Array,
    successors: Array,
    chances: Array,
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
        mine = reds[state] if side > 0 else blues[state]
        theirs = blues[state] if side > 0 else reds[state]
        stays = False
        for choice in range(mine):
            stays = True
            for answer in range(theirs):
                if other_mixes[other_starts[state] + answer] == 0.0:
                    continue
                red = choice if side > 0 else answer
                blue = answer if side > 0 else choice
                pair = pair_starts[state] + red * blues[state] + blue
                inside = can_stay(picked[pair], entry_starts, successors, chances, endless)
                if choosers[pair] == side:
                    for option in range(option_starts[pair], option_starts[pair + 1]):
                        if can_stay(option, entry_starts, successors, chances, endless):
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
    count: int,
    side: int,
    reds: Array,
    blues: Array,
    pair_starts: Array,
    option_starts: Array,
    choosers: Array,
    entry_starts: Array,
    constants: Array,
    successors: Array,
    chances: Array,
    other_starts: Array,
    other_mixes: Array,
    picked: Array,
    endless: Array,
    values: Array,
) -> float:
    """Once through the states: the responder's best against the mixes, or a draw where the duel can
    be made endless. `values` are to red and begin at the worst. The largest change.
    """
    change = 0.0
    for back in range(count):
        state = count - 1 - back
        mine = reds[state] if side > 0 else blues[state]
        theirs = blues[state] if side > 0 else reds[state]
        best = 0.0 if endless[state] != 0 else -1.0
        for choice in range(mine):
            total = 0.0
            for answer in range(theirs):
                chance = other_mixes[other_starts[state] + answer]
                if chance == 0.0:
                    continue
                red = choice if side > 0 else answer
                blue = answer if side > 0 else choice
                pair = pair_starts[state] + red * blues[state] + blue
                value = side * option_value(
                    picked[pair], entry_starts, constants, successors, chances, values
                )
                if choosers[pair] == side:
                    for option in range(option_starts[pair], option_starts[pair + 1]):
                        value = max(
                            value,
                            side
                            * option_value(
                                option, entry_starts, constants, successors, chances, values
                            ),
                        )
                total += chance * value
            best = max(best, total)
        change = max(change, abs(side * best - values[state]))
        values[state] = side * best
    return change


SHAPE = ("reds", "blues", "pair_starts", "option_starts", "choosers", "entry_starts", "successors")
SOLUTION = ("values", "red_mixes", "blue_mixes")

ENTRIES = {
    "enumerate_table": Entry(("rows", "slots", "row")),
    "count_choices": Entry(("rows", "reds", "blues")),
    "tabulate": Entry(
        ("rows", "slots", "row", *SHAPE, "totals"), ("constants", "decided", "chances")
    ),
    "improve": Entry(
        (*SHAPE, "red_starts", "blue_starts"),
        ("constants", "chances", *SOLUTION, "matrix", "red_mix", "blue_mix", "work"),
        gives_float=True,
    ),
    "evaluate": Entry(
        (*SHAPE, "red_starts", "blue_starts"),
        ("constants", "chances", *SOLUTION),
        gives_float=True,
    ),
    "chance_decided": Entry(
        (*SHAPE, "red_starts", "blue_starts", "picked"),
        ("decided", "chances", *SOLUTION),
        gives_float=True,
    ),
    "fixed_options": Entry((*SHAPE, "picked"), ("constants", "chances", "values")),
    "shrink_endless": Entry(
        (*SHAPE, "other_starts", "picked", "endless"), ("chances", "other_mixes")
    ),
    "respond": Entry(
        (*SHAPE, "other_starts", "picked", "endless"),
        ("constants", "chances", "other_mixes", "values"),
        gives_float=True,
    ),
}
