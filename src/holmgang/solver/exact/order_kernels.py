"""Loops that renumber the states of a ruleset, so that most successors have a lower number.

A sweep over the states in ascending order then carries a result as far as it can go. States that
can reach each other form a block; nothing leads to a later block, so that blocks can be solved one
after the other. Within a block, states are in the reverse of the order in which they were found:
successors were mostly found later, and what belongs to them lies in memory in that order.
"""

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.numbers import NUMBERS, Array, Numbers


def first_entry(state: int, table: Numbers) -> int:
    place: int = table.entry_starts[table.option_starts[table.pair_starts[state]]]
    return place


def end_entry(state: int, table: Numbers) -> int:
    pair = table.pair_starts[state] + table.reds[state] * table.blues[state]
    place: int = table.entry_starts[table.option_starts[pair]]
    return place


def listed(successor: int) -> int:
    """The state that is listed for a successor: itself, or the one whose mirror image it is."""
    return ~successor if successor < 0 else successor


def order_states(
    count: int,
    table: Numbers,
    order: Array,
    blocks: Array,
    seen: Array,
    lowest: Array,
    path: Array,
    open_states: Array,
) -> int:
    """Writes the states block by block, and within a block the last found first; `blocks` gets
    where each block starts, and where the last one ends. The number of blocks (Tarjan's algorithm).
    `seen` is 0; `path` has two places for each state, `blocks` one more.
    """
    clock, found, waiting = 0, 0, 0
    for root in range(count):  # the first one leads to all others, unless there are several starts
        if seen[root] != 0:
            continue
        clock += 1
        seen[root] = lowest[root] = clock
        path[0], path[1], height = root, first_entry(root, table), 1
        while height > 0:
            state, entry = path[2 * height - 2], path[2 * height - 1]
            if entry < end_entry(state, table):
                path[2 * height - 1] = entry + 1
                after = listed(table.successors[entry])
                if seen[after] == 0:
                    clock += 1
                    seen[after] = lowest[after] = clock
                    path[2 * height], path[2 * height + 1] = after, first_entry(after, table)
                    height += 1
                elif seen[after] > 0:  # not in a block yet
                    lowest[state] = min(lowest[state], seen[after])
                continue
            height -= 1
            open_states[waiting] = state
            waiting += 1
            if height > 0:
                before = path[2 * height - 2]
                lowest[before] = min(lowest[before], lowest[state])
            oldest = seen[state]
            if lowest[state] == oldest:  # its block: what was found from here on and is in none yet
                while waiting > 0 and seen[open_states[waiting - 1]] >= oldest:
                    waiting -= 1
                    lowest[open_states[waiting]] = found
                    seen[open_states[waiting]] = -1
                found += 1
    return sort_by_block(count, found, order, blocks, lowest, path)


def sort_by_block(
    count: int, found: int, order: Array, blocks: Array, block_of: Array, work: Array
) -> int:
    for block in range(found + 1):
        blocks[block] = 0
    for state in range(count):
        blocks[block_of[state] + 1] += 1
    for block in range(found):
        blocks[block + 1] += blocks[block]
        work[block] = blocks[block]
    for state in range(count - 1, -1, -1):
        order[work[block_of[state]]] = state
        work[block_of[state]] += 1
    return found


def is_followed_after_an_answer(old: int, state: int, source: Numbers, target: Numbers) -> bool:
    """Whether a seat that answers can choose that a state follows itself."""
    first = source.pair_starts[old]
    for pair in range(first, first + source.reds[old] * source.blues[old]):
        start, end = source.option_starts[pair], source.option_starts[pair + 1]
        if end > start + 1:
            for entry in range(source.entry_starts[start], source.entry_starts[end]):
                if target.successors[entry] == state:
                    return True
    return False


def renumber(
    count: int, mirrored: int, order: Array, places: Array, source: Numbers, target: Numbers
) -> int:
    """Writes all that belongs to the states in another order, and the new numbers of successors in
    their place; `order` has the old numbers, and `places` gets the new ones by the old. Number of
    entries. Mirror images are numbered from `mirrored` on.
    """
    entries = 0
    for state in range(count):
        places[order[state]] = state
    for state in range(count):
        old = order[state]
        target.reds[state], target.blues[state] = source.reds[old], source.blues[old]
        target.red_starts[state + 1] = target.red_starts[state] + source.reds[old]
        target.blue_starts[state + 1] = target.blue_starts[state] + source.blues[old]
        target.levels[state] = source.levels[old]
        target.pair_starts[state] = source.pair_starts[old]
        for entry in range(first_entry(old, source), end_entry(old, source)):
            after = source.successors[entry]
            new = places[listed(after)] + (mirrored if after < 0 else 0)
            target.successors[entry] = new
            entries += 1
            if new == state:
                target.loops[state] = 1
        if target.loops[state] != 0 and is_followed_after_an_answer(old, state, source, target):
            target.loops[state] = 2
    return entries


SPECS = {
    "order_states": KernelSpec(
        ("order", "blocks", "seen", "lowest", "path", "open_states"),
        bundles={"table": NUMBERS},
    ),
    "renumber": KernelSpec(("order", "places"), bundles={"source": NUMBERS, "target": NUMBERS}),
}
