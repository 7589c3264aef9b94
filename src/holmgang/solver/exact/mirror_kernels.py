"""Kernels that compare the states of a table with their mirror images.

They are bound to a ruleset like `holmgang.engine.compiled.kernels`.
"""

from holmgang.engine.compiled.kernels import (
    FIELDS,
    WIDTH,
    GameState,
    KernelSpec,
    game,
    is_on,
    pack,
    rules,
    unpack,
)
from holmgang.engine.stream import GAMMA, mix, word
from holmgang.solver.numbers import Ints


def results_digest(state: GameState, red: int, blue: int, is_turned: int, row: Ints) -> int:
    """A digest of what can follow these choices, with its chances and outcomes; if `is_turned`, of
    the mirror images of that.
    """
    total = word(0)
    for group in range(game.face_groups(rules, state, red, blue)):
        face, weight = game.face_group(rules, state, red, blue, group)
        after = game.resolve(rules, state, red, blue, face)
        outcome = game.outcome(rules, after)
        winner = outcome.winner
        if is_turned == 1:
            pack(game.mirror(rules, after), row, 0)
            if winner >= 0:
                winner = 1 - winner
        else:
            pack(after, row, 0)
        digest = word(4 * outcome.reason + winner + 1)
        for place in range(FIELDS):
            digest = word(word(digest ^ word(row[place])) * word(GAMMA))
        total = word(total + word(word(weight) * mix(digest)))
    return total


def is_crooked(state: GameState, row: Ints) -> bool:
    """Whether the rules treat a state and its mirror image differently."""
    image = game.mirror(rules, state)
    pack(state, row, 0)
    pack(game.mirror(rules, image), row, FIELDS)
    for place in range(FIELDS):
        if row[place] != row[FIELDS + place]:
            return True
    reds, blues = game.choices(rules, state, 0), game.choices(rules, state, 1)
    if game.choices(rules, image, 0) != blues or game.choices(rules, image, 1) != reds:
        return True
    for red in range(-1, WIDTH - 1):
        if not is_on(reds, red):
            continue
        for blue in range(-1, WIDTH - 1):
            if not is_on(blues, blue):
                continue
            expected = results_digest(state, red, blue, 1, row)
            if results_digest(image, blue, red, 0, row) != expected:
                return True
    return False


def first_crooked(count: int, rows: Ints, row: Ints) -> int:
    """The first state that the rules treat differently from its mirror image; -1 if there is none.
    `row` has room for two states.
    """
    for index in range(count):
        if is_crooked(unpack(rows, index * FIELDS), row):
            return index
    return -1


SPECS = {"first_crooked": KernelSpec(("rows", "row"))}
