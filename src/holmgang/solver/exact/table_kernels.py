"""Kernels that tabulate a game in numbers; `numbers.py` describes the result.

They are bound to a game, and take its rules as an argument.
"""

from typing import NamedTuple

from holmgang.engine.compiled.kernels import (
    EMPTY,
    FIELDS,
    WIDTH,
    Bundle,
    GameRules,
    GameState,
    KernelSpec,
    game,
    is_answer,
    is_on,
    pack,
    rules_of,
    slot_of,
    unpack,
    worth,
)
from holmgang.engine.stream import count_bits
from holmgang.solver.numbers import NUMBERS, Ints, Numbers

# Indices into `counts`, and except for DONE into `rooms`
STATES, PAIRS, OPTIONS, ENTRIES_USED, DONE = range(5)
COUNTS = 5
FINISHED, NESTED, AFTER_THROW = -1, -2, -3  # results of writing; others name an array that is full


class TableDraft(NamedTuple):
    """The states of a table that is being written, apart from `Numbers`."""

    # 1 if only one of two mirror images is listed; the size of `slots`; 1 if answers are folded
    # into the round before, and not listed as states of their own
    settings: Ints
    rows: Ints  # the packed states
    slots: Ints  # a hash table of them
    row: Ints  # room for two packed states
    counts: Ints
    rooms: Ints


def canonical(rules: GameRules, state: GameState, is_symmetric: int, row: Ints) -> int:
    """Packs the state or its mirror image, whichever is lower, into the start of `row`. Returns 0
    for the state itself, 1 for the mirror image, 2 if they are the same.
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


def number_of(rules: GameRules, state: GameState, draft: TableDraft, table: Numbers) -> int:
    """The number of an undecided state, or the bitwise complement of its mirror image's number. A
    new state is entered; without room for it the result is `rooms[STATES]`.
    """
    row, rows, slots, counts = draft.row, draft.rows, draft.slots, draft.counts
    turned = canonical(rules, state, draft.settings[0], row)
    slot = slot_of(row, 0, rows, slots, draft.settings[1])
    index = slots[slot]
    if index == EMPTY:
        index = counts[STATES]
        if index == draft.rooms[STATES]:
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
    rules: GameRules, state: GameState, red: int, blue: int, draft: TableDraft, table: Numbers
) -> int:
    """Writes the possible successors of these choices, with their chances, as one more option.
    Returns `FINISHED`, `AFTER_THROW`, or the index of the array that is full.
    """
    counts, rooms = draft.counts, draft.rooms
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
        outcome = game.outcome(rules, after)
        if outcome.reason != 0:
            constant += weight * worth(outcome)
            decided += weight * abs(worth(outcome))
            continue
        if draft.settings[2] == 1 and is_answer(rules, after):
            return AFTER_THROW
        index = number_of(rules, after, draft, table)
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
        table.chances[at] += weight
    for at in range(first, end):  # divided only once, so that a chance is the nearest float
        table.chances[at] /= faces
    table.constants[option] = constant / faces
    table.decided[option] = decided / faces
    counts[OPTIONS] = option + 1
    counts[ENTRIES_USED] = end
    table.entry_starts[option + 1] = end
    return FINISHED


def write_pair(
    rules: GameRules, state: GameState, red: int, blue: int, draft: TableDraft, table: Numbers
) -> int:
    """Writes all options of a pair of choices. Returns the same as `write_option`, or `NESTED` if
    an answer is followed by another.
    """
    counts = draft.counts
    if counts[PAIRS] == draft.rooms[PAIRS]:
        return PAIRS
    pair = counts[PAIRS]
    from_state, decider, answers = state, 0, 0
    if draft.settings[2] == 1 and game.chance(rules, state, red, blue) == 1:
        middle = game.resolve(rules, state, red, blue, 0)
        if game.outcome(rules, middle).reason == 0 and is_answer(rules, middle):
            from_state = middle
            decider = 1 if game.choices(rules, middle, 0) != 0 else -1
            answers = game.choices(rules, middle, 0) | game.choices(rules, middle, 1)
    for answer in range(-1, WIDTH - 1):
        if not is_on(answers, answer):
            continue
        now_red, now_blue = red, blue
        if decider != 0:
            now_red, now_blue = (answer, -1) if decider > 0 else (-1, answer)
        ended = write_option(rules, from_state, now_red, now_blue, draft, table)
        if ended == AFTER_THROW and decider != 0:
            return NESTED
        if ended != FINISHED:
            return ended
    table.deciders[pair] = decider
    table.option_starts[pair + 1] = counts[OPTIONS]
    counts[PAIRS] = pair + 1
    return FINISHED


def write_table(given: Ints, draft: TableDraft, table: Numbers) -> int:
    """Writes all states that can be reached from those entered, with their pairs, options and
    entries. Returns `FINISHED`, `NESTED`, `AFTER_THROW`, or the index of the array that is full;
    when called again with more room, it continues where it stopped. `given` are the values of the
    rules: they are not constants here, so that all rulesets of a game share one kernel.
    """
    rules, counts = rules_of(given), draft.counts
    while counts[DONE] < counts[STATES]:
        index = counts[DONE]
        pairs, options, entries = counts[PAIRS], counts[OPTIONS], counts[ENTRIES_USED]
        state = unpack(draft.rows, index * FIELDS)
        red_menu, blue_menu = game.choices(rules, state, 0), game.choices(rules, state, 1)
        table.pair_starts[index] = pairs
        for red in range(-1, WIDTH - 1):
            if not is_on(red_menu, red):
                continue
            for blue in range(-1, WIDTH - 1):
                if not is_on(blue_menu, blue):
                    continue
                ended = write_pair(rules, state, red, blue, draft, table)
                if ended != FINISHED:
                    counts[PAIRS], counts[OPTIONS], counts[ENTRIES_USED] = pairs, options, entries
                    return ended
        counts[DONE] = index + 1
    return FINISHED


SPECS = {
    "write_table": KernelSpec(("given",), bundles={"draft": Bundle(TableDraft), "table": NUMBERS}),
}
