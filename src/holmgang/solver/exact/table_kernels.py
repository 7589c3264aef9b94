"""Loops that write a game down in numbers; see `numbers.py` for what they write.

They are compiled as `holmgang.engine.compiled.kernels` are, and see the same globals.
"""

from typing import Any

from holmgang.engine.compiled.kernels import EMPTY, WIDTH, Array, Entry, enter, is_on, slot_of
from holmgang.engine.stream import count_bits
from holmgang.solver.numbers import NUMBERS, Numbers

game: Any = None  # a ruleset puts its own in the place of these
rules: Any = None
pack: Any = None
unpack: Any = None
FIELDS: int = 0

MOST_FOLDED = 2  # a seat with so few choices, alone, is answered within the pair


# Which states there are


def is_folded(state: Any) -> bool:
    """Whether only one seat chooses here, and between so few that it is looked at on the way."""
    red, blue = game.choices(rules, state, 0), game.choices(rules, state, 1)
    if red != 0 and blue != 0:
        return False
    return 0 < count_bits(red | blue) <= MOST_FOLDED


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


def count_choices(count: int, rows: Array, reds: Array, blues: Array) -> int:
    """Writes how many choices each seat has in each state, 1 for having none; all pairs of them."""
    pairs = 0
    for index in range(count):
        state = unpack(rows, index * FIELDS)
        reds[index] = max(1, count_bits(game.choices(rules, state, 0)))
        blues[index] = max(1, count_bits(game.choices(rules, state, 1)))
        pairs += reds[index] * blues[index]
    return pairs


def write_option(
    state: Any,
    red: int,
    blue: int,
    rows: Array,
    slots: Array,
    size: int,
    row: Array,
    table: Numbers,
    option: int,
    first: int,
    room: int,
) -> int:
    """Writes what these choices may lead to, each with its chance, as entries of an option from
    `first` on; where they end. -1 if there is no room, -2 if a folded state follows a throw, which
    is not provided for.
    """
    table.entry_starts[option] = first
    table.constants[option] = table.decided[option] = 0.0
    faces = game.chance(rules, state, red, blue)
    share = 1.0 / faces
    last, at, end = state, -1, first
    for face in range(faces):
        after = game.resolve(rules, state, red, blue, face)
        if at >= 0 and after == last:  # often the same as just before
            table.chances[at] += share
            continue
        outcome = game.outcome(rules, after)
        if outcome.reason != 0:
            table.constants[option] += share * worth(outcome)
            table.decided[option] += share * abs(worth(outcome))
            at = -1
            continue
        pack(after, row, 0)
        index = slots[slot_of(row, 0, rows, slots, size)]
        if index == EMPTY:
            return -2
        at = first
        while at < end and table.successors[at] != index:
            at += 1
        if at == end:
            if end == room:
                return -1
            table.successors[at] = index
            table.chances[at] = 0.0
            end += 1
        table.chances[at] += share
        last = after
    return end


def write_numbers(
    count: int, rows: Array, slots: Array, size: int, row: Array, table: Numbers, room: int
) -> int:
    """Writes pairs, options and entries of all states; how many options there are. Below 0 where
    one could not be written: see `write_option`.
    """
    pairs, options, entries = 0, 0, 0
    for index in range(count):
        state = unpack(rows, index * FIELDS)
        red_menu, blue_menu = game.choices(rules, state, 0), game.choices(rules, state, 1)
        table.pair_starts[index] = pairs
        for red in range(-1, WIDTH - 1):
            if not is_on(red_menu, red):
                continue
            for blue in range(-1, WIDTH - 1):
                if not is_on(blue_menu, blue):
                    continue
                table.option_starts[pairs] = options
                table.choosers[pairs] = 0
                from_state, answers = state, 0
                if game.chance(rules, state, red, blue) == 1:
                    middle = game.resolve(rules, state, red, blue, 0)
                    if game.outcome(rules, middle).reason == 0 and is_folded(middle):
                        from_state = middle
                        table.choosers[pairs] = 1 if game.choices(rules, middle, 0) != 0 else -1
                        answers = game.choices(rules, middle, 0) | game.choices(rules, middle, 1)
                for answer in range(-1, WIDTH - 1):
                    if not is_on(answers, answer):
                        continue
                    now_red, now_blue = red, blue
                    if table.choosers[pairs] != 0:
                        now_red = answer if table.choosers[pairs] > 0 else -1
                        now_blue = answer if table.choosers[pairs] < 0 else -1
                    entries = write_option(
                        from_state,
                        now_red,
                        now_blue,
                        rows,
                        slots,
                        size,
                        row,
                        table,
                        options,
                        entries,
                        room,
                    )
                    if entries < 0:
                        return entries
                    options += 1
                pairs += 1
    table.pair_starts[count] = pairs
    table.option_starts[pairs] = options
    table.entry_starts[options] = entries
    return options


ENTRIES = {
    "enumerate_table": Entry(("rows", "slots", "row")),
    "count_choices": Entry(("rows", "reds", "blues")),
    "write_numbers": Entry(("rows", "slots", "row"), bundles={"table": NUMBERS}),
}
