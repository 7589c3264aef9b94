"""Kernels over many packed states: their choices, their dice, and their indices in a table.

They are bound to a ruleset like `holmgang.engine.compiled.kernels`.
"""

from holmgang.engine.compiled.kernels import (
    EMPTY,
    FIELDS,
    Array,
    KernelSpec,
    game,
    rules,
    slot_of,
    throw,
    unpack,
)
from holmgang.engine.stream import game_key


def row_menus(count: int, rows: Array, menus: Array) -> int:
    """Writes the choices of both seats as bit sets. Returns the number of states in which a seat
    has a choice.
    """
    open_states = 0
    for index in range(count):
        state = unpack(rows, index * FIELDS)
        menus[2 * index] = game.choices(rules, state, 0)
        menus[2 * index + 1] = game.choices(rules, state, 1)
        if menus[2 * index] != 0 or menus[2 * index + 1] != 0:
            open_states += 1
    return open_states


def row_faces(count: int, rows: Array, red: Array, blue: Array, faces: Array) -> int:
    """Writes the number of faces of the die after these choices. Returns the largest number."""
    most = 0
    for index in range(count):
        faces[index] = game.chance(rules, unpack(rows, index * FIELDS), red[index], blue[index])
        most = max(most, faces[index])
    return most


def row_throws(
    seed: int,
    count: int,
    games: Array,
    rounds: Array,
    rows: Array,
    red: Array,
    blue: Array,
    thrown: Array,
) -> int:
    """Writes the face that `batch_step` throws after these choices. Returns their sum."""
    total = 0
    for index in range(count):
        state, key = unpack(rows, index * FIELDS), game_key(seed, games[index])
        thrown[index] = throw(state, key, rounds[index], red[index], blue[index])
        total += thrown[index]
    return total


def row_numbers(
    count: int, rows: Array, known: Array, slots: Array, size: int, numbers: Array
) -> int:
    """Writes the index of each row among the known rows, or -1 if it is not one of them.
    `fill_slots` must have filled the slots. Returns the number of rows found.
    """
    found = 0
    for index in range(count):
        numbers[index] = slots[slot_of(rows, index * FIELDS, known, slots, size)]
        if numbers[index] != EMPTY:
            found += 1
    return found


SPECS = {
    "row_menus": KernelSpec(("rows", "menus")),
    "row_faces": KernelSpec(("rows", "red", "blue", "faces")),
    "row_throws": KernelSpec(("games", "rounds", "rows", "red", "blue", "thrown")),
    "row_numbers": KernelSpec(("rows", "known", "slots", "numbers")),
}
