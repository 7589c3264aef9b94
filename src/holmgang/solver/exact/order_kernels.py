"""Kernels that renumber the states of a ruleset, so that most successors have a lower number.

A sweep in ascending order then propagates values as far as possible. States that can reach each
other form a block (a strongly connected component). No state leads to a later block, so blocks can
be solved one after the other. Within a block, states are in reverse order of discovery: successors
were mostly found later, and their data is stored in that order.
"""

from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.solver.numbers import NUMBERS, Ints, Numbers


def first_entry(state: int, table: Numbers) -> int:
    return table.entry_starts[table.option_starts[table.pair_starts[state]]]


def end_entry(state: int, table: Numbers) -> int:
    pair = table.pair_starts[state] + table.reds[state] * table.blues[state]
    return table.entry_starts[table.option_starts[pair]]


def listed(successor: int) -> int:
    """The listed state of a successor: itself, or its mirror image."""
    return ~successor if successor < 0 else successor


def order_states(
    count: int,
    table: Numbers,
    order: Ints,
    blocks: Ints,
    seen: Ints,
    lowest: Ints,
    path: Ints,
    open_states: Ints,
) -> int:
    """Writes the states block by block to `order`, and the starts of the blocks and the end of the
    last one to `blocks` (Tarjan's algorithm). Returns the number of blocks. `seen` must be all 0;
    `path` has two elements for each state, and `blocks` one more element than there are states.
    """
    clock, found, waiting = 0, 0, 0
    for root in range(count):
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
            if lowest[state] == oldest:  # the root of a block
                while waiting > 0 and seen[open_states[waiting - 1]] >= oldest:
                    waiting -= 1
                    lowest[open_states[waiting]] = found
                    seen[open_states[waiting]] = -1
                found += 1
    return sort_by_block(count, found, order, blocks, lowest, path)


def sort_by_block(
    count: int, found: int, order: Ints, blocks: Ints, block_of: Ints, work: Ints
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
    """Whether an answer can decide if a state follows itself."""
    first = source.pair_starts[old]
    for pair in range(first, first + source.reds[old] * source.blues[old]):
        start, end = source.option_starts[pair], source.option_starts[pair + 1]
        if end > start + 1:
            for entry in range(source.entry_starts[start], source.entry_starts[end]):
                if target.successors[entry] == state:
                    return True
    return False


def renumber(
    count: int, mirrored: int, order: Ints, places: Ints, source: Numbers, target: Numbers
) -> int:
    """Copies the states to `target` in the given order of old numbers, with the successors
    renumbered, and writes the new number of each old one to `places`. Mirror images start at number
    `mirrored`. Returns the number of entries.
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
