"""Loops that write a game down in numbers; see `numbers.py` for what they write.

They are compiled as `holmgang.engine.compiled.kernels` are, and see the same globals.
"""

from typing import Any

from holmgang.engine.compiled.kernels import EMPTY, WIDTH, Array, KernelSpec, is_on, slot_of
from holmgang.engine.stream import count_bits
from holmgang.solver.numbers import NUMBERS, Numbers

game: Any = None  # a ruleset puts its own in the place of these
rules: Any = None
pack: Any = None
unpack: Any = None
FIELDS: int = 0

MOST_FOLDED = 2  # a seat that chooses alone between so few is answered within the pair

# What is counted while a table is written, and the room for each
STATES, PAIRS, OPTIONS, ENTRIES_USED, DONE = range(5)
COUNTS = 5
FINISHED, NESTED, AFTER_THROW = -1, -2, -3  # how writing ended, if not for want of room


def is_folded(state: Any) -> bool:
    """Whether only one seat chooses here, and between so few that the pair before covers it."""
    red, blue = game.choices(rules, state, 0), game.choices(rules, state, 1)
    if red != 0 and blue != 0:
        return False
    return 0 < count_bits(red | blue) <= MOST_FOLDED


def worth(outcome: Any) -> float:
    """A finished duel to red: 1, -1, or 0 for a draw."""
    if outcome.winner == 0:
        return 1.0
    if outcome.winner == 1:
        return -1.0
    return 0.0


def canonical(state: Any, is_symmetric: int, row: Array) -> int:
    """Packs the state or its mirror image into the start of `row`, whichever has the lower row. 0
    if that is the state itself, 1 for the mirror image, 2 if they are the same.
    """
    pack(state, row, 0)
    if is_symmetric == 0:
        return 0
    pack(game.mirror(rules, state), row, FIELDS)
    for place in range(FIELDS):
        if row[place] != row[FIELDS + place]:
            if row[place] < row[FIELDS + place]:
                return 0
            for field in range(FIELDS):
                row[field] = row[FIELDS + field]
            return 1
    return 2


def number_of(
    state: Any,
    is_symmetric: int,
    rows: Array,
    slots: Array,
    size: int,
    row: Array,
    counts: Array,
    rooms: Array,
    table: Numbers,
) -> int:
    """The number of an undecided state, which is entered if it is new, or the bitwise complement
    of its mirror image's number. `rooms[STATES]`, which is no state's, if there is no more room.
    """
    turned = canonical(state, is_symmetric, row)
    slot = slot_of(row, 0, rows, slots, size)
    index: int = slots[slot]
    if index == EMPTY:
        index = counts[STATES]
        if index == rooms[STATES]:
            return index
        slots[slot] = index
        for field in range(FIELDS):
            rows[index * FIELDS + field] = row[field]
        first = unpack(row, 0)
        table.reds[index] = max(1, count_bits(game.choices(rules, first, 0)))
        table.blues[index] = max(1, count_bits(game.choices(rules, first, 1)))
        table.levels[index] = 1 if turned == 2 else 0
        counts[STATES] += 1
    return ~index if turned == 1 else index


def write_option(
    state: Any,
    red: int,
    blue: int,
    is_symmetric: int,
    rows: Array,
    slots: Array,
    size: int,
    row: Array,
    counts: Array,
    rooms: Array,
    table: Numbers,
) -> int:
    """Writes where these choices may lead, each successor with its chance, as one more option.
    `FINISHED`, or why it could not be written: `AFTER_THROW`, or what there is no room for.
    """
    if counts[OPTIONS] == rooms[OPTIONS]:
        return OPTIONS
    option, first = counts[OPTIONS], counts[ENTRIES_USED]
    end = first
    constant, decided = 0.0, 0.0
    faces = game.chance(rules, state, red, blue)
    for group in range(game.face_groups(rules, state, red, blue)):
        face, weight = game.face_group(rules, state, red, blue, group)
        if weight == 0:
            continue
        after = game.resolve(rules, state, red, blue, face)
        share = weight / faces
        outcome = game.outcome(rules, after)
        if outcome.reason != 0:
            constant += share * worth(outcome)
            decided += share * abs(worth(outcome))
            continue
        if is_folded(after):
            return AFTER_THROW
        index = number_of(after, is_symmetric, rows, slots, size, row, counts, rooms, table)
        if index == rooms[STATES]:
            return STATES
        at = first
        while at < end and table.successors[at] != index:
            at += 1
        if at == end:
            if end == rooms[ENTRIES_USED]:
                return ENTRIES_USED
            table.successors[at] = index
            table.chances[at] = 0.0
            end += 1
        table.chances[at] += share
    table.constants[option] = constant
    table.decided[option] = decided
    counts[OPTIONS] = option + 1
    counts[ENTRIES_USED] = end
    table.entry_starts[option + 1] = end
    return FINISHED


def write_pair(
    state: Any,
    red: int,
    blue: int,
    is_symmetric: int,
    rows: Array,
    slots: Array,
    size: int,
    row: Array,
    counts: Array,
    rooms: Array,
    table: Numbers,
) -> int:
    """Writes all options of a pair of choices; the result is that of `write_option`, or `NESTED` if
    an answer is followed by another.
    """
    if counts[PAIRS] == rooms[PAIRS]:
        return PAIRS
    pair = counts[PAIRS]
    from_state, decider, answers = state, 0, 0
    if game.chance(rules, state, red, blue) == 1:
        middle = game.resolve(rules, state, red, blue, 0)
        if game.outcome(rules, middle).reason == 0 and is_folded(middle):
            from_state = middle
            decider = 1 if game.choices(rules, middle, 0) != 0 else -1
            answers = game.choices(rules, middle, 0) | game.choices(rules, middle, 1)
    for answer in range(-1, WIDTH - 1):
        if not is_on(answers, answer):
            continue
        now_red, now_blue = red, blue
        if decider != 0:
            now_red, now_blue = (answer, -1) if decider > 0 else (-1, answer)
        ended = write_option(
            from_state,
            now_red,
            now_blue,
            is_symmetric,
            rows,
            slots,
            size,
            row,
            counts,
            rooms,
            table,
        )
        if ended == AFTER_THROW and decider != 0:
            return NESTED
        if ended != FINISHED:
            return ended
    table.deciders[pair] = decider
    table.option_starts[pair + 1] = counts[OPTIONS]
    counts[PAIRS] = pair + 1
    return FINISHED


def write_table(
    is_symmetric: int,
    rows: Array,
    slots: Array,
    size: int,
    row: Array,
    counts: Array,
    rooms: Array,
    table: Numbers,
) -> int:
    """Writes all states that can be reached from those entered, and their pairs, options and
    entries, state by state from where `counts` says. `FINISHED`, `NESTED`, `AFTER_THROW`, or what
    there is no more room for: then it can be called again with more. `row` has room for two states.
    """
    while counts[DONE] < counts[STATES]:
        index = counts[DONE]
        pairs, options, entries = counts[PAIRS], counts[OPTIONS], counts[ENTRIES_USED]
        state = unpack(rows, index * FIELDS)
        red_menu, blue_menu = game.choices(rules, state, 0), game.choices(rules, state, 1)
        table.pair_starts[index] = pairs
        for red in range(-1, WIDTH - 1):
            if not is_on(red_menu, red):
                continue
            for blue in range(-1, WIDTH - 1):
                if not is_on(blue_menu, blue):
                    continue
                ended = write_pair(
                    state, red, blue, is_symmetric, rows, slots, size, row, counts, rooms, table
                )
                if ended != FINISHED:
                    counts[PAIRS], counts[OPTIONS], counts[ENTRIES_USED] = pairs, options, entries
                    return ended
        counts[DONE] = index + 1
    return FINISHED


SPECS = {
    "write_table": KernelSpec(
        ("rows", "slots", "row", "counts", "rooms"), bundles={"table": NUMBERS}
    ),
}
