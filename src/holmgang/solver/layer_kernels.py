"""Loops of the solver by layers: find the places, look up what follows, solve one turn.

They are compiled as `holmgang.engine.compiled.kernels` are, and see the same globals, and those of
`holmgang.solver.kernels`. A *place* is a state apart from its turn and its scores, which only grow.
All that may follow a turn lies on one long *board* of values: blocks of all places, for each later
turn at the same score; blocks of arrivals, which are the places where a new score begins; and at
the end a loss, a draw and a win. What two choices lead to is then a single number, its *code*: a
position on the board.
"""

from typing import Any

from holmgang.engine.compiled.kernels import EMPTY, WIDTH, Array, Entry, is_on, slot_of
from holmgang.solver.kernels import enter, worth
from holmgang.solver.matrix import HIGH, LOW, solve

game: Any = None  # a ruleset puts its own in the place of these
rules: Any = None
pack: Any = None
unpack: Any = None
FIELDS: int = 0

STEPS = 4  # one more than the turns that a round may take
POINTS = 3  # one more than the points that a seat may score in a round
AXIS = 4  # numbers for each axis: its field, its least value, its span, where its ranks begin
NOT_LAYERED = -2  # something may follow that has no position on the board


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


# What may follow


def place_of(row: Array, axes: Array, axis_count: int, ranks: Array, places: Array) -> int:
    """The place of a packed state, or EMPTY. Each axis is a field; its values have ranks."""
    key = 0
    for axis in range(axis_count):
        at = axis * AXIS
        value = row[axes[at]] - axes[at + 1]
        if value < 0 or value >= axes[at + 2]:
            return EMPTY
        rank = ranks[axes[at + 3] + value]
        if rank == EMPTY:
            return EMPTY
        key += rank
    return int(places[key])


def code_of(
    state: Any,
    red: int,
    blue: int,
    row: Array,
    now: Array,
    fields: Array,
    axes: Array,
    axis_count: int,
    ranks: Array,
    places: Array,
    arrivals: Array,
    blocks: Array,
    draw_code: int,
) -> int:
    """Where on the board that lies which the two choices lead to, or NOT_LAYERED."""
    after = game.resolve(rules, state, red, blue, 0)
    outcome = game.outcome(rules, after)
    if outcome.reason != 0:
        return draw_code + int(worth(outcome))
    pack(after, row, 0)
    kind = kind_of(row, now, fields)
    if kind < 0 or blocks[kind] == EMPTY:
        return NOT_LAYERED
    place = place_of(row, axes, axis_count, ranks, places)
    if place != EMPTY and kind >= STEPS:
        place = arrivals[place]
    if place == EMPTY:
        return NOT_LAYERED
    return int(blocks[kind] + place)


def tabulate_turn(
    first: int,
    end: int,
    stride: int,
    is_check: int,
    rows: Array,
    row: Array,
    now: Array,
    fields: Array,
    axes: Array,
    axis_count: int,
    ranks: Array,
    places: Array,
    arrivals: Array,
    blocks: Array,
    draw_code: int,
    pair_starts: Array,
    codes: Array,
) -> int:
    """Writes the codes of every stride-th place at the turn and the scores `now`, or compares them
    with what is there; how many differ, or NOT_LAYERED.
    """
    different = 0
    for place in range(first, end, stride):
        for field in range(FIELDS):
            row[field] = rows[place * FIELDS + field]
        set_now(row, now, fields)
        state = unpack(row, 0)
        red_menu, blue_menu = game.choices(rules, state, 0), game.choices(rules, state, 1)
        pair, pair_end = pair_starts[place], pair_starts[place + 1]
        for red in range(-1, WIDTH - 1):
            if not is_on(red_menu, red):
                continue
            for blue in range(-1, WIDTH - 1):
                if not is_on(blue_menu, blue):
                    continue
                if pair == pair_end or game.chance(rules, state, red, blue) != 1:
                    return NOT_LAYERED
                code = code_of(
                    state,
                    red,
                    blue,
                    row,
                    now,
                    fields,
                    axes,
                    axis_count,
                    ranks,
                    places,
                    arrivals,
                    blocks,
                    draw_code,
                )
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


# Values


def solve_turn(
    first: int,
    end: int,
    reds: Array,
    blues: Array,
    pair_starts: Array,
    mirrors: Array,
    is_mirrored: int,
    codes: Array,
    board: Array,
    decided_board: Array,
    values: Array,
    decided: Array,
    matrix: Array,
    red_mix: Array,
    blue_mix: Array,
    work: Array,
) -> float:
    """Writes what each place is worth to red, and how likely it is that someone wins under the
    mixes found; the largest gap. At a level score one of two mirror images is solved for both.
    """
    largest = 0.0
    for place in range(first, end):
        if is_mirrored != 0 and mirrors[place] < place:
            continue
        at = pair_starts[place]
        for pair in range(pair_starts[place + 1] - at):
            matrix[pair] = board[codes[at + pair]]
        value = solve(matrix, reds[place], blues[place], red_mix, blue_mix, work)
        largest = max(largest, work[HIGH] - work[LOW])
        chance = 0.0
        for red in range(reds[place]):
            if red_mix[red] > 0.0:
                for blue in range(blues[place]):
                    if blue_mix[blue] > 0.0:
                        code = codes[at + red * blues[place] + blue]
                        chance += red_mix[red] * blue_mix[blue] * decided_board[code]
        if is_mirrored != 0:
            values[mirrors[place]] = -value
            decided[mirrors[place]] = chance
        values[place] = value
        decided[place] = chance
    return largest


PLACES = ("rows", "row", "now", "fields", "arrivals")

ENTRIES = {
    "enumerate_places": Entry((*PLACES, "slots", "kinds")),
    "tabulate_turn": Entry((*PLACES, "axes", "ranks", "places", "blocks", "pair_starts", "codes")),
    "solve_turn": Entry(
        ("reds", "blues", "pair_starts", "mirrors", "codes"),
        (
            *("board", "decided_board", "values", "decided"),
            *("matrix", "red_mix", "blue_mix", "work"),
        ),
        gives_float=True,
    ),
}
