"""Alpha-beta search in games in which the seats take turns, with its stack in arrays.

Bound to a ruleset like `holmgang.engine.compiled.kernels`; the game's folder provides `estimate`,
`worthwhile`, `strongest` and `likened` (see `alternating.py`). Scores are whole numbers to red: WIN
minus the number of rounds for a forced win, its negative for a loss, and estimates in between.

The score of a search is that of plain minimax over the worthwhile choices to the same depth. The
table, the order of choices and the window only save time: an entry of the table is used only if it
was searched to exactly the same depth, or proves an end within the rounds left.
"""

from typing import TYPE_CHECKING

from holmgang.engine.compiled.kernels import (
    FIELDS,
    GameState,
    KernelSpec,
    game,
    pack,
    rules,
    unpack,
)
from holmgang.engine.stream import count_bits, mix, number, word
from holmgang.solver.numbers import Ints

if TYPE_CHECKING:  # the game's functions, in the same scope when bound

    def estimate(rules: object, state: GameState) -> float: ...
    def worthwhile(rules: object, state: GameState, menu: int) -> int: ...
    def strongest(rules: object, state: GameState, choice: int) -> int: ...
    def likened(rules: object, state: GameState) -> GameState: ...


MOST_DEPTH = 64
WIN = 1 << 20
PROVEN = WIN - 2 * MOST_DEPTH  # scores beyond this are forced ends
ESTIMATE = 1 << 19  # the score of an estimate of 1
UNKNOWN = -1

# A frame of the stack
LOW, HIGH = 0, 1  # the window, which narrows as choices are tried
FLOOR, CEILING = 2, 3  # the initial window
BEST = 4
PICK = 5  # the best choice so far
TRIED = 6  # the choice being searched
LEFT = 7  # the choices not searched yet
SEAT = 8
KEY = 9
HINT = 10  # the best choice of a shallower search
DOUBTED = 11  # choices that count only if they force a win
FRAME = 12

# The position of the search
PLY = 0
NODES = 1
CURSOR = 2

DONE, MORE, NOT_ALTERNATING = 0, 1, 2


# The table: buckets of two entries, the deeper search first; an entry is a key and a packed number

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
CHOICE_BITS, DEPTH_BITS, BOUND_BITS = 6, 7, 2
BUCKET = 4
LEAST_KEPT = 3  # a shallower search takes hardly longer than a look-up


def key_of(rows: Ints, at: int, salts: Ints) -> int:
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


def recall(key: int, table: Ints, size: int) -> int:
    """The entry for a key; 0 if there is none."""
    at = (key & (size - 1)) * BUCKET
    if table[at] == key:
        return number(table[at + 1])
    if table[at + 2] == key:
        return number(table[at + 3])
    return 0


def remember(key: int, entry: int, table: Ints, size: int) -> None:
    at = (key & (size - 1)) * BUCKET
    if table[at] != key and entry_depth(entry) < entry_depth(table[at + 1]):
        at += 2
    table[at] = key
    table[at + 1] = entry


def from_here(score: int, ply: int) -> int:
    """Converts the score of a forced end to count rounds from this state; `from_root` converts it
    back to count from the root.
    """
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
    """Whether the entry is valid for a search of that depth (see the top of this file)."""
    if entry_depth(entry) == depth:
        return True
    score = abs(entry_score(entry))
    return score > PROVEN and WIN - score <= depth


def decides(entry: int, score: int, low: int, high: int) -> bool:
    """Whether the score of an entry settles the window."""
    bound = entry_bound(entry)
    if bound == AT_LEAST:
        return score >= high
    return bound == EXACT or score <= low


# The order of choices


def lowest(choices: int) -> int:
    return count_bits((choices & -choices) - 1)


def next_choice(frames: Ints, at: int, ply: int, killers: Ints, history: Ints) -> int:
    """The next choice: the hint first, then killers, then by history."""
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


def credit(frames: Ints, at: int, ply: int, depth: int, killers: Ints, history: Ints) -> None:
    """Records that a choice caused a cut-off."""
    choice = frames[at + PICK]
    if killers[2 * ply] != choice:
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = choice
    history[frames[at + SEAT] << CHOICE_BITS | choice] += depth * depth


# The search


def opened(
    state: GameState, ply: int, low: int, high: int, key: int, hint: int, frames: Ints
) -> bool:
    """Pushes a state on the stack. Returns False unless exactly one seat chooses in it."""
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


def settle(frames: Ints, at: int, score: int) -> None:
    """Updates the frame with the score of the choice tried."""
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


def closed(frames: Ints, at: int, ply: int, depth: int, table: Ints, size: int) -> None:
    """Stores the result of a state in the table."""
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


def estimated_score(state: GameState) -> int:
    return int(ESTIMATE * estimate(rules, state))


def begin(rows: Ints, frames: Ints, hint: int, doubted: int, cursor: Ints) -> int:
    """Starts a search from the state in the first of `rows`. Returns MORE or NOT_ALTERNATING."""
    if not opened(unpack(rows, 0), 0, -2 * WIN, 2 * WIN, 0, hint, frames):
        return NOT_ALTERNATING
    frames[DOUBTED] = doubted
    cursor[PLY] = 0
    return MORE


def search(
    depth: int,
    allowance: int,
    rows: Ints,
    frames: Ints,
    salts: Ints,
    table: Ints,
    size: int,
    killers: Ints,
    history: Ints,
    cursor: Ints,
) -> int:
    """Continues a search to a depth for up to `allowance` nodes; `begin` starts it.

    Returns DONE when the first of `frames` has the score and the choice, or MORE to be called
    again. `size` is the number of buckets, a power of two, or 0 for no table.
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
