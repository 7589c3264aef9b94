"""Loops over any game, written once: playouts, enumeration, batches.

Each is an ordinary function that uses the globals `game`, `rules`, `pack`, `unpack`, `rules_of` and
`FIELDS`, which `binding.py` sets for one ruleset. Compiled or interpreted, they give the same
results. Their arguments are whole numbers and flat arrays (anything that can be indexed); `SPECS`
says which.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from holmgang.engine.stream import (
    BLUE_LANE,
    CHANCE_LANE,
    GAMMA,
    RED_LANE,
    below,
    below_often_power,
    count_bits,
    draw,
    game_key,
    mix,
    number,
    pick,
    word,
)

Array = Any  # a flat array of 64-bit numbers
GameState = Any  # the State of the game that is bound
GameRules = Any  # its Rules
WIDTH = 64  # size of a set of choices
EMPTY = -1
MOST_ANSWERS = 2

game: Any = None  # binding.py replaces these
rules: Any = None
pack: Any = None
unpack: Any = None
rules_of: Any = None
FIELDS: int = 0


# Playouts


def throw(state: GameState, key: int, n: int, red: int, blue: int) -> int:
    """The face of the die in round n; rounds are counted from 0."""
    faces = game.chance(rules, state, red, blue)
    if faces > 1:
        return below(draw(key, n, CHANCE_LANE), faces)
    return 0


def random_choice(state: GameState, key: int, n: int, seat: int) -> int:
    menu = game.choices(rules, state, seat)
    if menu == 0:
        return -1
    return pick(draw(key, n, seat), menu)


def end_of(outcome: Any) -> int:
    """An outcome as one number: 3 * reason + winner + 1, which is 0 for a draw by the limit."""
    end: int = 3 * outcome.reason + outcome.winner + 1
    return end


def worth(outcome: Any) -> float:
    """The value of a finished duel to red: 1, -1, or 0 for a draw."""
    if outcome.winner == 0:
        return 1.0
    if outcome.winner == 1:
        return -1.0
    return 0.0


def is_answer(rules: GameRules, state: GameState) -> bool:
    """Whether only one seat chooses, between at most two options. For a search, this is not a
    separate round.
    """
    red, blue = game.choices(rules, state, 0), game.choices(rules, state, 1)
    if red != 0 and blue != 0:
        return False
    return 0 < count_bits(red | blue) <= MOST_ANSWERS


def playouts(
    seed: int, first: int, count: int, limit: int, ends: Array, lengths: Array, picks: Array
) -> int:
    """Plays `count` games from number `first` on, with random choices; returns the rounds played.

    Counts outcomes in `ends` (by `end_of`), numbers of rounds in `lengths`, and choices in `picks`
    (at WIDTH * seat + choice).
    """
    rounds = 0
    for index in range(first, first + count):
        key = game_key(seed, index)
        state = game.initial(rules)
        n, reason, end = 0, 0, end_of(game.endless(rules))
        while reason == 0 and n < limit:
            red = random_choice(state, key, n, RED_LANE)
            blue = random_choice(state, key, n, BLUE_LANE)
            if red >= 0:
                picks[red] += 1
            if blue >= 0:
                picks[WIDTH + blue] += 1
            state = game.resolve(rules, state, red, blue, throw(state, key, n, red, blue))
            n += 1
            outcome = game.outcome(rules, state)
            reason = outcome.reason
            if reason != 0:
                end = end_of(outcome)
        ends[end] += 1
        lengths[n] += 1
        rounds += n
    return rounds


# Policies: a table of states, each with a weight for every choice, and weights for all other
# states. Those of place p start at p * stride + first, so that both seats can share an array.


def weighted(bits: int, menu: int, weights: Array, at: int) -> int:
    """A choice drawn by its weight; all choices are equally likely if no weight is positive."""
    total, rest = 0, menu
    while rest != 0:
        total += weights[at + lowest_bit(rest)]
        rest &= rest - 1
    if total == 0:
        return pick(bits, menu)
    left, rest, chosen = below_often_power(bits, total), menu, -1
    while rest != 0:  # the whole menu: a processor predicts an early exit badly
        choice = lowest_bit(rest)
        chosen = choice if left >= 0 else chosen
        left -= weights[at + choice]
        rest &= rest - 1
    return chosen


def lowest_bit(menu: int) -> int:
    """The first choice of a set that is not empty."""
    return count_bits((menu & -menu) - 1)


def slot_of(row: Array, at: int, rows: Array, slots: Array, size: int) -> int:
    """The slot of the row at `at`, or the empty slot for it. `size` is a power of two."""
    digest = word(0)
    for place in range(FIELDS):
        digest = word(word(digest ^ word(row[at + place])) * word(GAMMA))
    slot = number(mix(digest) & word(size - 1))
    while slots[slot] != EMPTY:
        other = slots[slot] * FIELDS
        place = 0
        while place < FIELDS and rows[other + place] == row[at + place]:
            place += 1
        if place == FIELDS:
            return slot
        slot = (slot + 1) & (size - 1)
    return slot


def fill_slots(rows: Array, count: int, slots: Array, size: int) -> int:
    """Inserts all rows into empty slots; returns the number of duplicates."""
    doubles = 0
    for index in range(count):
        slot = slot_of(rows, index * FIELDS, rows, slots, size)
        if slots[slot] == EMPTY:
            slots[slot] = index
        else:
            doubles += 1
    return doubles


def policy_place(
    state: GameState, row: Array, rows: Array, count: int, slots: Array, size: int
) -> int:
    """The place of a state in the table of a policy; `count` for all other states."""
    if count > 0:
        pack(state, row, 0)
        found = slots[slot_of(row, 0, rows, slots, size)]
        if found != EMPTY:
            return number(found)
    return count


def policy_choice(state: GameState, key: int, n: int, seat: int, weights: Array, at: int) -> int:
    menu = game.choices(rules, state, seat)
    if menu == 0:
        return -1
    return weighted(draw(key, n, seat), menu, weights, at)


def policy_playouts(
    seed: int,
    first: int,
    count: int,
    limit: int,
    ends: Array,
    lengths: Array,
    picks: Array,
    row: Array,
    is_shared: int,
    red_rows: Array,
    red_count: int,
    red_slots: Array,
    red_size: int,
    red_weights: Array,
    red_stride: int,
    red_first: int,
    blue_rows: Array,
    blue_count: int,
    blue_slots: Array,
    blue_size: int,
    blue_weights: Array,
    blue_stride: int,
    blue_first: int,
) -> int:
    """Like `playouts`, with a policy for each seat. `is_shared` is 1 if their tables have the same
    states in the same places.
    """
    rounds = 0
    for index in range(first, first + count):
        key = game_key(seed, index)
        state = game.initial(rules)
        n, reason, end = 0, 0, end_of(game.endless(rules))
        while reason == 0 and n < limit:
            mine = policy_place(state, row, red_rows, red_count, red_slots, red_size)
            theirs = mine
            if is_shared == 0:
                theirs = policy_place(state, row, blue_rows, blue_count, blue_slots, blue_size)
            red_at, blue_at = mine * red_stride + red_first, theirs * blue_stride + blue_first
            red = policy_choice(state, key, n, RED_LANE, red_weights, red_at)
            blue = policy_choice(state, key, n, BLUE_LANE, blue_weights, blue_at)
            if red >= 0:
                picks[red] += 1
            if blue >= 0:
                picks[WIDTH + blue] += 1
            state = game.resolve(rules, state, red, blue, throw(state, key, n, red, blue))
            n += 1
            outcome = game.outcome(rules, state)
            reason = outcome.reason
            if reason != 0:
                end = end_of(outcome)
        ends[end] += 1
        lengths[n] += 1
        rounds += n
    return rounds


def is_on(menu: int, choice: int) -> bool:
    """Whether the menu has the choice; -1 is on an empty menu."""
    if choice < 0:
        return menu == 0
    return menu >> choice & 1 == 1


# Batches


def step_rows(
    count: int, rows: Array, red: Array, blue: Array, faces: Array, after: Array, ends: Array
) -> int:
    """Resolves one round for each of many states. Writes 0 to `ends` where the duel goes on, else
    `end_of` the outcome. Returns the number of duels that ended.
    """
    ended = 0
    for index in range(count):
        state = unpack(rows, index * FIELDS)
        state = game.resolve(rules, state, red[index], blue[index], faces[index])
        pack(state, after, index * FIELDS)
        outcome = game.outcome(rules, state)
        ends[index] = 0
        if outcome.reason != 0:
            ends[index] = end_of(outcome)
            ended += 1
    return ended


def batch_step(
    seed: int,
    limit: int,
    count: int,
    games: Array,
    rounds: Array,
    rows: Array,
    menus: Array,
    paused: Array,
    red: Array,
    blue: Array,
    ends: Array,
    final_rows: Array,
) -> int:
    """Plays one round at every index that is not paused, with dice from the seed. Where a game
    ends, its outcome is written to `ends` (-1: a draw by the limit) and its last state to
    `final_rows`, and the next game starts at that index. Returns the number of games that ended.
    """
    ended = 0
    for index in range(count):
        ends[index] = 0
        if paused[index] != 0:
            continue
        key = game_key(seed, games[index])
        state = unpack(rows, index * FIELDS)
        mine = red[index] if menus[2 * index] != 0 else -1
        theirs = blue[index] if menus[2 * index + 1] != 0 else -1
        face = throw(state, key, rounds[index], mine, theirs)
        state = game.resolve(rules, state, mine, theirs, face)
        rounds[index] += 1
        outcome = game.outcome(rules, state)
        ends[index] = end_of(outcome)
        if outcome.reason != 0 or rounds[index] >= limit:
            if outcome.reason == 0:
                ends[index] = end_of(game.endless(rules))
                if ends[index] == 0:
                    ends[index] = -1
            pack(state, final_rows, index * FIELDS)
            state = game.initial(rules)
            games[index] += count
            rounds[index] = 0
            ended += 1
        pack(state, rows, index * FIELDS)
        menus[2 * index] = game.choices(rules, state, 0)
        menus[2 * index + 1] = game.choices(rules, state, 1)
    return ended


def policy_choices(
    seed: int,
    count: int,
    games: Array,
    rounds: Array,
    rows: Array,
    seat: int,
    row: Array,
    policy_rows: Array,
    policy_count: int,
    slots: Array,
    size: int,
    weights: Array,
    stride: int,
    first: int,
    chosen: Array,
) -> int:
    """Writes the choice that a policy makes for a seat in every state, with the draws of
    `policy_playouts`; -1 where the seat has no choice. Returns the number of choices made.
    """
    made = 0
    for index in range(count):
        state = unpack(rows, index * FIELDS)
        place = policy_place(state, row, policy_rows, policy_count, slots, size)
        at = place * stride + first
        key = game_key(seed, games[index])
        chosen[index] = policy_choice(state, key, rounds[index], seat, weights, at)
        if chosen[index] >= 0:
            made += 1
    return made


# Kernels that can be called from outside


class Bundle(NamedTuple):
    """Arrays that are passed as one argument: the type `made`, a NamedTuple of them, and the names
    of the arrays of floats.
    """

    made: Any
    floats: tuple[str, ...] = ()


class KernelSpec(NamedTuple):
    """Which arguments of a kernel are arrays of ints or floats; all others are whole numbers."""

    ints: tuple[str, ...] = ()
    floats: tuple[str, ...] = ()
    gives_float: bool = False
    bundles: Mapping[str, Bundle] = MappingProxyType({})

    def flat(self, parameters: Iterable[str]) -> dict[str, str]:
        """Every argument of the compiled function with its kind: int, ints or floats."""
        flat: dict[str, str] = {}
        for name in parameters:
            if name in self.bundles:
                made, floats = self.bundles[name]
                flat.update(
                    (f"{name}_{f}", "floats" if f in floats else "ints") for f in made._fields
                )
            else:
                arrays = "ints" if name in self.ints else "floats"
                flat[name] = arrays if name in self.ints + self.floats else "int"
        return flat


TALLIES = ("ends", "lengths", "picks")

SPECS = {
    "playouts": KernelSpec(TALLIES),
    "fill_slots": KernelSpec(("rows", "slots")),
    "policy_playouts": KernelSpec(
        (
            *TALLIES,
            "row",
            *("red_rows", "red_slots", "red_weights"),
            *("blue_rows", "blue_slots", "blue_weights"),
        )
    ),
    "step_rows": KernelSpec(("rows", "red", "blue", "faces", "after", "ends")),
    "batch_step": KernelSpec(
        ("games", "rounds", "rows", "menus", "paused", "red", "blue", "ends", "final_rows")
    ),
    "policy_choices": KernelSpec(
        ("games", "rounds", "rows", "row", "policy_rows", "slots", "weights", "chosen")
    ),
}
