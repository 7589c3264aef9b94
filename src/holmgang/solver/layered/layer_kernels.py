"""Kernels of the layered solver that call the rules: they enumerate places and their successors.

They are bound to a ruleset like `holmgang.engine.compiled.kernels`. A *place* is a state without
its turn and its scores, which only grow. The *board* is one long array of the values of everything
that may follow a turn: blocks of all places, for each later turn at the same score; blocks of
arrivals, which are the places where a new score begins; and at the end a loss, a draw and a win.
The result of two choices is then a single number, its *code*: an index into the board.
`turn_kernels.py` solves the matrix games of these codes.
"""

from typing import NamedTuple

from holmgang.engine.compiled.kernels import (
    EMPTY,
    FIELDS,
    WIDTH,
    Bundle,
    GameState,
    KernelSpec,
    game,
    is_on,
    pack,
    rules,
    slot_of,
    unpack,
    worth,
)
from holmgang.engine.stream import count_bits
from holmgang.solver.numbers import Ints

STEPS = 4  # a round takes fewer turns than this
POINTS = 3  # a seat scores fewer points than this in a round
AXIS = 4  # numbers for each axis: its field, its least value, its span, the start of its ranks
NOT_LAYERED = -2  # a successor has no position on the board


class Ground(NamedTuple):
    """The data that all turns and scores share."""

    fields: Ints  # of a packed state that hold the turn and both scores
    rows: Ints  # a packed state for each place
    pair_starts: Ints  # where the pairs of choices of each place start
    arrivals: Ints  # the number among arrivals of each place, or EMPTY
    axes: Ints  # the other fields: see AXIS
    ranks: Ints  # for each value of each axis, its share of the key of a place, or EMPTY
    places: Ints  # the place of each key, or EMPTY


def kind_of(row: Ints, now: Ints, fields: Ints) -> int:
    """The progress of turn and scores in a packed state, as one number, or NOT_LAYERED. Numbers
    below STEPS mean an unchanged score.
    """
    step = row[fields[0]] - now[0]
    red = row[fields[1]] - now[1]
    blue = row[fields[2]] - now[2]
    if step < 1 or step >= STEPS or red < 0 or red >= POINTS or blue < 0 or blue >= POINTS:
        return NOT_LAYERED
    return int((red * POINTS + blue) * STEPS + step)


def set_now(row: Ints, now: Ints, fields: Ints) -> None:
    for place in range(3):
        row[fields[place]] = now[place]


# Enumerating places


def enter(
    state: GameState, rows: Ints, capacity: int, found: int, slots: Ints, size: int, row: Ints
) -> int:
    """Inserts an undecided state if it is new. Returns the number of states; -1 without room."""
    pack(state, row, 0)
    slot = slot_of(row, 0, rows, slots, size)
    if slots[slot] != EMPTY:
        return found
    if found == capacity:
        return -1
    slots[slot] = found
    pack(state, rows, found * FIELDS)
    return found + 1


def enumerate_places(
    rows: Ints,
    capacity: int,
    slots: Ints,
    size: int,
    row: Ints,
    fields: Ints,
    now: Ints,
    kinds: Ints,
    arrivals: Ints,
) -> int:
    """Writes every place that can be reached to `rows`, with turn and scores of the start, and
    marks the kinds of step seen and the places where a new score begins. Returns the number of
    places, -1 if there is no room for all, or NOT_LAYERED.
    """
    found = enter(game.initial(rules), rows, capacity, 0, slots, size, row)
    for place in range(3):
        now[place] = rows[fields[place]]
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
                if game.chance(rules, state, red, blue) != 1:
                    return NOT_LAYERED
                after = game.resolve(rules, state, red, blue, 0)
                if game.outcome(rules, after).reason != 0:
                    continue
                pack(after, row, 0)
                kind = kind_of(row, now, fields)
                if kind < 0:
                    return kind
                kinds[kind] = 1
                set_now(row, now, fields)
                found = enter(unpack(row, 0), rows, capacity, found, slots, size, row)
                if found < 0:
                    return found
                if kind >= STEPS:
                    arrivals[slots[slot_of(row, 0, rows, slots, size)]] = 1
    return found


def count_choices(count: int, rows: Ints, reds: Ints, blues: Ints) -> int:
    """Writes the number of choices of each seat at each place, at least 1. Returns the number of
    pairs.
    """
    pairs = 0
    for index in range(count):
        state = unpack(rows, index * FIELDS)
        reds[index] = max(1, count_bits(game.choices(rules, state, 0)))
        blues[index] = max(1, count_bits(game.choices(rules, state, 1)))
        pairs += reds[index] * blues[index]
    return pairs


# Successors


def place_of(row: Ints, ground: Ground) -> int:
    """The place of a packed state, or EMPTY."""
    key = 0
    for axis in range(FIELDS - 3):
        at = axis * AXIS
        value = row[ground.axes[at]] - ground.axes[at + 1]
        if value < 0 or value >= ground.axes[at + 2]:
            return EMPTY
        rank = ground.ranks[ground.axes[at + 3] + value]
        if rank == EMPTY:
            return EMPTY
        key += rank
    return int(ground.places[key])


def code_of(
    state: GameState,
    red: int,
    blue: int,
    now: Ints,
    ground: Ground,
    blocks: Ints,
    draw_code: int,
    row: Ints,
) -> int:
    """The code of the result of two choices, or NOT_LAYERED."""
    after = game.resolve(rules, state, red, blue, 0)
    outcome = game.outcome(rules, after)
    if outcome.reason != 0:
        return draw_code + int(worth(outcome))
    pack(after, row, 0)
    kind = kind_of(row, now, ground.fields)
    if kind < 0 or blocks[kind] == EMPTY:
        return NOT_LAYERED
    place = place_of(row, ground)
    if place != EMPTY and kind >= STEPS:
        place = ground.arrivals[place]
    if place == EMPTY:
        return NOT_LAYERED
    return int(blocks[kind] + place)


def tabulate_turn(
    first: int,
    end: int,
    stride: int,
    is_check: int,
    now: Ints,
    ground: Ground,
    blocks: Ints,
    draw_code: int,
    codes: Ints,
    row: Ints,
) -> int:
    """Writes the codes of every stride-th place at the turn and the scores `now`; with `is_check`,
    compares them instead. Returns how many differ, or NOT_LAYERED.
    """
    different = 0
    for place in range(first, end, stride):
        for field in range(FIELDS):
            row[field] = ground.rows[place * FIELDS + field]
        set_now(row, now, ground.fields)
        state = unpack(row, 0)
        red_menu, blue_menu = game.choices(rules, state, 0), game.choices(rules, state, 1)
        pair, pair_end = ground.pair_starts[place], ground.pair_starts[place + 1]
        for red in range(-1, WIDTH - 1):
            if not is_on(red_menu, red):
                continue
            for blue in range(-1, WIDTH - 1):
                if not is_on(blue_menu, blue):
                    continue
                if pair == pair_end or game.chance(rules, state, red, blue) != 1:
                    return NOT_LAYERED
                code = code_of(state, red, blue, now, ground, blocks, draw_code, row)
                if code < 0:
                    return NOT_LAYERED
                if is_check == 0:
                    codes[pair] = code
                elif codes[pair] != code:
                    different += 1
                pair += 1
        if pair != pair_end:
            return NOT_LAYERED
    return different


SPECS = {
    "count_choices": KernelSpec(("rows", "reds", "blues")),
    "enumerate_places": KernelSpec(("rows", "slots", "row", "fields", "now", "kinds", "arrivals")),
    "tabulate_turn": KernelSpec(
        ("now", "blocks", "codes", "row"), bundles={"ground": Bundle(Ground)}
    ),
}
