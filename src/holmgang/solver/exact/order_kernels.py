"""Loops that renumber the states of a ruleset, so that most of what may follow has a lower number.

Then one sweep over the states, in ascending order, carries a result as far as it can go. States
that can reach each other form a block; blocks follow each other so that nothing leads to a later
one, and can be solved one after the other.
"""

from holmgang.engine.compiled.kernels import Entry
from holmgang.solver.numbers import NUMBERS, Array, Numbers


def first_entry(state: int, table: Numbers) -> int:
    place: int = table.entry_starts[table.option_starts[table.pair_starts[state]]]
    return place


def order_states(
    count: int,
    table: Numbers,
    order: Array,
    blocks: Array,
    left: Array,
    seen: Array,
    lowest: Array,
    path: Array,
    open_states: Array,
) -> int:
    """Writes the states block by block, and within a block as a search in depth leaves them;
    `blocks` gets where each block starts, and where the last one ends. How many blocks there are
    (Tarjan's algorithm). `seen` is 0; `path` has two places for each state, `blocks` one more.
    """
    clock, leavings, found, waiting, height = 1, 0, 0, 0, 1
    path[0], path[1] = 0, first_entry(0, table)
    seen[0] = lowest[0] = clock
    while height > 0:
        state, entry = path[2 * height - 2], path[2 * height - 1]
        if entry < first_entry(state + 1, table):
            path[2 * height - 1] = entry + 1
            after = table.successors[entry]
            if seen[after] == 0:
                clock += 1
                seen[after] = lowest[after] = clock
                path[2 * height], path[2 * height + 1] = after, first_entry(after, table)
                height += 1
            elif seen[after] > 0:  # not in a block yet
                lowest[state] = min(lowest[state], seen[after])
            continue
        height -= 1
        left[state] = leavings
        leavings += 1
        open_states[waiting] = state
        waiting += 1
        if height > 0:
            before = path[2 * height - 2]
            lowest[before] = min(lowest[before], lowest[state])
        if lowest[state] == seen[state]:
            while waiting > 0 and lowest[open_states[waiting - 1]] >= seen[state]:
                waiting -= 1
                lowest[open_states[waiting]] = found
                seen[open_states[waiting]] = -1
            found += 1
    return sort_by_block(count, found, order, blocks, left, lowest, path)


def sort_by_block(
    count: int, found: int, order: Array, blocks: Array, left: Array, block_of: Array, work: Array
) -> int:
    for state in range(count):
        order[left[state]] = state
    for block in range(found + 1):
        blocks[block] = 0
    for state in range(count):
        blocks[block_of[state] + 1] += 1
    for block in range(found):
        blocks[block + 1] += blocks[block]
        work[block] = blocks[block]
    for place in range(count):
        left[place] = order[place]
    for place in range(count):
        state = left[place]
        order[work[block_of[state]]] = state
        work[block_of[state]] += 1
    return found


def renumber(count: int, order: Array, places: Array, source: Numbers, target: Numbers) -> int:
    """Writes all that belongs to the states in another order; `order` has the old numbers, and
    `places` the new ones by the old. How many entries there are.
    """
    pairs, options, entries = 0, 0, 0
    for state in range(count):
        old = order[state]
        target.reds[state], target.blues[state] = source.reds[old], source.blues[old]
        target.red_starts[state + 1] = target.red_starts[state] + source.reds[old]
        target.blue_starts[state + 1] = target.blue_starts[state] + source.blues[old]
        target.pair_starts[state] = pairs
        for pair in range(source.pair_starts[old], source.pair_starts[old + 1]):
            target.option_starts[pairs] = options
            target.choosers[pairs] = source.choosers[pair]
            pairs += 1
            for option in range(source.option_starts[pair], source.option_starts[pair + 1]):
                target.entry_starts[options] = entries
                target.constants[options] = source.constants[option]
                target.decided[options] = source.decided[option]
                options += 1
                for entry in range(source.entry_starts[option], source.entry_starts[option + 1]):
                    after = places[source.successors[entry]]
                    target.successors[entries] = after
                    target.chances[entries] = source.chances[entry]
                    entries += 1
                    if after == state:
                        target.loops[state] = 1
    target.pair_starts[count] = pairs
    target.option_starts[pairs] = options
    target.entry_starts[options] = entries
    return entries


ENTRIES = {
    "order_states": Entry(
        ("order", "blocks", "left", "seen", "lowest", "path", "open_states"),
        bundles={"table": NUMBERS},
    ),
    "renumber": Entry(("order", "places"), bundles={"source": NUMBERS, "target": NUMBERS}),
}
