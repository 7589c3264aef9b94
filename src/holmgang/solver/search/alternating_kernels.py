"""Alpha-beta over any game in which the seats take turns, with its stack in arrays.

Compiled as `holmgang.engine.compiled.kernels` are; the game's folder brings `estimate`,
`worthwhile`, `strongest` and `likened` (see `alternating.py`). Scores are whole numbers to red: WIN
less the rounds that a forced win takes, the same below zero for a loss, and estimates in between.

To a given depth the score is that of plain minimax over the worthwhile choices. The table, the
order of choices and the window save time and nothing else, for an entry of the table counts only if
it was searched exactly as deep, or proves an end within the rounds that are left.
"""

from typing import TYPE_CHECKING, Any

from holmgang.engine.compiled.kernels import Array, KernelSpec
from holmgang.engine.stream import count_bits, mix, number, word

if TYPE_CHECKING:  # the game's own, in the same scope when bound

    def estimate(rules: Any, state: Any) -> float: ...
    def worthwhile(rules: Any, state: Any, menu: int) -> int: ...
    def strongest(rules: Any, state: Any, choice: int) -> int: ...
    def likened(rules: Any, state: Any) -> Any: ...


game: Any = None  # a ruleset puts its own in the place of these
rules: Any = None
pack: Any = None
unpack: Any = None
FIELDS: int = 0

MOST_DEPTH = 64
WIN = 1 << 20
PROVEN = WIN - 2 * MOST_DEPTH  # a score beyond this is a forced end
ESTIMATE = 1 << 19  # the score of an estimate of 1
UNKNOWN = -1

# A frame of the stack
LOW, HIGH = 0, 1  # the window, closing as choices are tried
FLOOR, CEILING = 2, 3  # the window as it was
BEST = 4
PICK = 5  # the choice that is best so far
TRIED = 6  # the choice that is looked at
LEFT = 7  # the choices still to look at
SEAT = 8
KEY = 9
HINT = 10  # what was best here when the search was less deep
DOUBTED = 11  # choices that count only if they force a win
FRAME = 12

# Where the search is
PLY = 0
NODES = 1
CURSOR = 2

DONE, MORE, NOT_ALTERNATING = 0, 1, 2


# The table: buckets of two entries, the deeper search first; an entry is a key and all the rest

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
CHOICE_BITS, DEPTH_BITS, BOUND_BITS = 6, 7, 2
BUCKET = 4
LEAST_KEPT = 3  # to search less deep takes hardly longer than to look it up


def key_of(rows: Array, at: int, salts: Array) -> int:
    total = word(0)
    for place in range(FIELDS):
        total = word(total + word(word(rows[at + place]) * word(salts[place])))
    return number(mix(total) >> 1)


def packed_entry(score: int, bound: int, depth: int, choice: int) -> int:
    entry = (score + 2 * WIN) << BOUND_BITS | bound
    entry = entry << DEPTH_BITS | depth
    return entry << CHOICE_BITS | choice


def entry_choice(entry: int) -> int:
    return entry & ((1 << CHOICE_BITS) - 1)


def entry_depth(entry: int) -> int:
    return entry >> CHOICE_BITS & ((1 << DEPTH_BITS) - 1)


def entry_bound(entry: int) -> int:
    return entry >> (CHOICE_BITS + DEPTH_BITS) & ((1 << BOUND_BITS) - 1)


def entry_score(entry: int) -> int:
    return (entry >> (CHOICE_BITS + DEPTH_BITS + BOUND_BITS)) - 2 * WIN


def recall(key: int, table: Array, size: int) -> int:
    """The entry under a key, 0 if there is none."""
    at = (key & (size - 1)) * BUCKET
    if table[at] == key:
        return number(table[at + 1])
    if table[at + 2] == key:
        return number(table[at + 3])
    return 0


def remember(key: int, entry: int, table: Array, size: int) -> None:
    at = (key & (size - 1)) * BUCKET
    if table[at] != key and entry_depth(entry) < entry_depth(table[at + 1]):
        at += 2
    table[at] = key
    table[at + 1] = entry


def from_here(score: int, ply: int) -> int:
    """A forced end counted from a state, not from where the search began; and `from_root` back."""
    if score > PROVEN:
        return score + ply
    if score < -PROVEN:
        return score - ply
    return score


def from_root(score: int, ply: int) -> int:
    if score > PROVEN:
        return score - ply
    if score < -PROVEN:
        return score + ply
    return score


def counts(entry: int, depth: int) -> bool:
    """Whether the entry holds for a search of that depth: see the top of this file."""
    if entry_depth(entry) == depth:
        return True
    score = abs(entry_score(entry))
    return score > PROVEN and WIN - score <= depth


def decides(entry: int, score: int, low: int, high: int) -> bool:
    """Whether the score of an entry is all that the window asks for."""
    bound = entry_bound(entry)
    if bound == AT_LEAST:
        return score >= high
    return bound == EXACT or score <= low


# Which choice next


def lowest(choices: int) -> int:
    return count_bits((choices & -choices) - 1)


def next_choice(frames: Array, at: int, ply: int, killers: Array, history: Array) -> int:
    """What was best before, then what cut off a sibling, then what has cut off most."""
    left, hint, seat = frames[at + LEFT], frames[at + HINT], frames[at + SEAT]
    if hint >= 0 and left >> hint & 1 == 1:
        return number(hint)
    for place in range(2):
        killer = killers[2 * ply + place]
        if killer >= 0 and left >> killer & 1 == 1:
            return number(killer)
    found, most = -1, -1
    while left != 0:
        choice = lowest(left)
        left &= left - 1
        if history[seat << CHOICE_BITS | choice] > most:
            found, most = choice, history[seat << CHOICE_BITS | choice]
    return found


def credit(frames: Array, at: int, ply: int, depth: int, killers: Array, history: Array) -> None:
    """Notes that a choice cut off the rest."""
    choice = frames[at + PICK]
    if killers[2 * ply] != choice:
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = choice
    history[frames[at + SEAT] << CHOICE_BITS | choice] += depth * depth


# The search


def opened(state: Any, ply: int, low: int, high: int, key: int, hint: int, frames: Array) -> bool:
    """Puts a state on the stack; False if not exactly one seat chooses in it."""
    red, blue = game.choices(rules, state, 0), game.choices(rules, state, 1)
    if (red == 0) == (blue == 0):
        return False
    at = ply * FRAME
    frames[at + LOW] = low
    frames[at + HIGH] = high
    frames[at + FLOOR] = low
    frames[at + CEILING] = high
    frames[at + SEAT] = 0 if red != 0 else 1
    frames[at + BEST] = -2 * WIN if red != 0 else 2 * WIN
    frames[at + PICK] = UNKNOWN
    frames[at + LEFT] = worthwhile(rules, state, red | blue)
    frames[at + KEY] = key
    frames[at + HINT] = hint
    frames[at + DOUBTED] = 0
    return True


def settle(frames: Array, at: int, score: int) -> None:
    """Takes in what the choice that was tried is worth."""
    is_red = frames[at + SEAT] == 0
    tried = frames[at + TRIED]
    if frames[at + DOUBTED] >> tried & 1 == 1 and (score if is_red else -score) <= PROVEN:
        return
    if is_red:
        if score > frames[at + BEST]:
            frames[at + BEST] = score
            frames[at + PICK] = tried
            frames[at + LOW] = max(frames[at + LOW], score)
    elif score < frames[at + BEST]:
        frames[at + BEST] = score
        frames[at + PICK] = tried
        frames[at + HIGH] = min(frames[at + HIGH], score)


def closed(frames: Array, at: int, ply: int, depth: int, table: Array, size: int) -> None:
    """Enters into the table what was found of a state."""
    score, bound = frames[at + BEST], EXACT
    if score <= frames[at + FLOOR]:
        bound = AT_MOST
    elif score >= frames[at + CEILING]:
        bound = AT_LEAST
    entry = packed_entry(from_here(score, ply), bound, depth, frames[at + PICK])
    remember(frames[at + KEY], entry, table, size)


def ended_score(winner: int, ply: int) -> int:
    if winner == 0:
        return WIN - ply
    if winner == 1:
        return ply - WIN
    return 0


def estimated_score(state: Any) -> int:
    return int(ESTIMATE * estimate(rules, state))


def begin(rows: Array, frames: Array, hint: int, doubted: int, cursor: Array) -> int:
    """Begins a search from the state in the first of `rows`: MORE, or NOT_ALTERNATING."""
    if not opened(unpack(rows, 0), 0, -2 * WIN, 2 * WIN, 0, hint, frames):
        return NOT_ALTERNATING
    frames[DOUBTED] = doubted
    cursor[PLY] = 0
    return MORE


def search(
    depth: int,
    allowance: int,
    rows: Array,
    frames: Array,
    salts: Array,
    table: Array,
    size: int,
    killers: Array,
    history: Array,
    cursor: Array,
) -> int:
    """Goes on with a search to a depth, once `begin` has begun it, for so many nodes.

    DONE: the first of `frames` has the score and the choice. MORE: call it again with all as it
    is. `size` is the number of buckets, a power of two; with 0 there is no table.
    """
    ply = cursor[PLY]
    end = cursor[NODES] + allowance
    while cursor[NODES] < end:
        at = ply * FRAME
        is_cut = frames[at + LOW] >= frames[at + HIGH]
        if is_cut or frames[at + LEFT] == 0:
            if ply == 0:
                return DONE
            if is_cut:
                credit(frames, at, ply, depth - ply, killers, history)
            if size > 0 and depth - ply >= LEAST_KEPT:
                closed(frames, at, ply, depth - ply, table, size)
            ply -= 1
            settle(frames, ply * FRAME, frames[at + BEST])
            continue
        cursor[NODES] += 1
        tried = next_choice(frames, at, ply, killers, history)
        frames[at + TRIED] = tried
        frames[at + LEFT] &= ~(1 << tried)
        state = unpack(rows, ply * FIELDS)
        choice = strongest(rules, state, tried)
        red, blue = (choice, -1) if frames[at + SEAT] == 0 else (-1, choice)
        if game.chance(rules, state, red, blue) != 1:
            return NOT_ALTERNATING
        after = game.resolve(rules, state, red, blue, 0)
        outcome = game.outcome(rules, after)
        if outcome.reason != 0:
            settle(frames, at, ended_score(outcome.winner, ply + 1))
            continue
        if ply + 1 == depth:
            settle(frames, at, estimated_score(after))
            continue
        low, high, key, hint = frames[at + LOW], frames[at + HIGH], 0, UNKNOWN
        after = likened(rules, after)
        pack(after, rows, (ply + 1) * FIELDS)
        if size > 0 and depth - ply - 1 >= LEAST_KEPT:
            key = key_of(rows, (ply + 1) * FIELDS, salts)
            entry = recall(key, table, size)
            if entry != 0:
                hint = entry_choice(entry)
                score = from_root(entry_score(entry), ply + 1)
                if counts(entry, depth - ply - 1) and decides(entry, score, low, high):
                    settle(frames, at, score)
                    continue
        if not opened(after, ply + 1, low, high, key, hint, frames):
            return NOT_ALTERNATING
        ply += 1
    cursor[PLY] = ply
    return MORE


SPECS = {
    "search": KernelSpec(("rows", "frames", "salts", "table", "killers", "history", "cursor")),
}
