"""Loops of the solver by layers that look at the rules: which places there are, what may follow.

They are compiled as `holmgang.engine.compiled.kernels` are, and see the same globals, and those of
`holmgang.solver.exact.table_kernels`. A *place* is a state apart from its turn and its scores,
which only grow. All that may follow a turn lies on one long *board* of values: blocks of all
places, for each later turn at the same score; blocks of arrivals, which are the places where a new
score begins; and at the end a loss, a draw and a win. What two choices lead to is then a single
number, its *code*: a position on the board. `turn_kernels.py` goes on from there.
"""

from typing import Any, NamedTuple

from holmgang.engine.compiled.kernels import (
    EMPTY,
    WIDTH,
    Array,
    Bundle,
    KernelSpec,
    enter,
    is_on,
    slot_of,
)
from holmgang.engine.stream import count_bits
from holmgang.solver.exact.table_kernels import worth

game: Any = None  # a ruleset puts its own in the place of these
rules: Any = None
pack: Any = None
unpack: Any = None
FIELDS: int = 0

STEPS = 4  # one more than the turns that a round may take
POINTS = 3  # one more than the points that a seat may score in a round
AXIS = 4  # numbers for each axis: its field, its least value, its span, where its ranks begin
NOT_LAYERED = -2  # something may follow that has no position on the board


class Ground(NamedTuple):
    """What is the same for all turns and scores."""

    fields: Array  # of a packed state that hold the turn and both scores
    rows: Array  # a packed state for each place
    pair_starts: Array  # where the pairs of choices of each place start
    arrivals: Array  # the number among arrivals of each place, or EMPTY
    axes: Array  # the other fields: see AXIS
    ranks: Array  # for each axis and value what it adds to the key of a place, or EMPTY
    places: Array  # the place of each key, or EMPTY


def kind_of(row: Array, now: Array, fields: Array) -> int:
    """How far turn and scores of a packed state are on: one number for all three, or NOT_LAYERED.

    Numbers below STEPS are those of an unchanged score.
    """
    step = row[fields[0]] - now[0]
    red = row[fields[1]] - now[1]
    blue = row[fields[2]] - now[2]
    if step < 1 or step >= STEPS or red < 0 or red >= POINTS or blue < 0 or blue >= POINTS:
        return NOT_LAYERED
    return int((red * POINTS + blue) * STEPS + step)


def set_now(row: Array, now: Array, fields: Array) -> None:
    for place in range(3):
        row[fields[place]] = now[place]


# Which places there are


def enumerate_places(
    rows: Array,
    capacity: int,
    slots: Array,
    size: int,
    row: Array,
    fields: Array,
    now: Array,
    kinds: Array,
    arrivals: Array,
) -> int:
    """Writes every place that can be reached into `rows`, with turn and scores of the start; how
    many there are, -1 if there is no room for all. Marks the kinds of step that were seen, and the
    places where a new score begins.
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


def count_choices(count: int, rows: Array, reds: Array, blues: Array) -> int:
    """Writes how many choices each seat has at each place, 1 for having none; all pairs of them."""
    pairs = 0
    for index in range(count):
        state = unpack(rows, index * FIELDS)
        reds[index] = max(1, count_bits(game.choices(rules, state, 0)))
        blues[index] = max(1, count_bits(game.choices(rules, state, 1)))
        pairs += reds[index] * blues[index]
    return pairs


# What may follow


def place_of(row: Array, ground: Ground) -> int:
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
    state: Any,
    red: int,
    blue: int,
    now: Array,
    ground: Ground,
    blocks: Array,
    draw_code: int,
    row: Array,
) -> int:
    """Where on the board that lies which the two choices lead to, or NOT_LAYERED."""
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
    now: Array,
    ground: Ground,
    blocks: Array,
    draw_code: int,
    codes: Array,
    row: Array,
) -> int:
    """Writes the codes of every stride-th place at the turn and the scores `now`, or compares them
    with what is there; how many differ, or NOT_LAYERED.
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
