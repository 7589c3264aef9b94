"""Kernels that compare the states of a table with their mirror images.

They are bound to a game, and take its rules as an argument.
"""

from holmgang.engine.compiled.kernels import (
    FIELDS,
    WIDTH,
    GameRules,
    GameState,
    KernelSpec,
    game,
    is_on,
    pack,
    rules_of,
    unpack,
)
from holmgang.engine.stream import GAMMA, mix, word
from holmgang.solver.numbers import Ints


def results_digest(
    rules: GameRules, state: GameState, red: int, blue: int, is_turned: int, row: Ints
) -> int:
    """A digest of the states that can follow these choices, with their chances and outcomes; with
    `is_turned`, a digest of their mirror images.
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


def is_asymmetric(rules: GameRules, state: GameState, row: Ints) -> bool:
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
            expected = results_digest(rules, state, red, blue, 1, row)
            if results_digest(rules, image, blue, red, 0, row) != expected:
                return True
    return False


def first_asymmetric(given: Ints, count: int, rows: Ints, row: Ints) -> int:
    """The first state that the rules treat differently from its mirror image; -1 if there is none.
    `given` are the values of the rules; `row` has room for two states.
    """
    rules = rules_of(given)
    for index in range(count):
        if is_asymmetric(rules, unpack(rows, index * FIELDS), row):
            return index
    return -1


SPECS = {"first_asymmetric": KernelSpec(("given", "rows", "row"))}
