"""The part of the simultaneous search that calls the rules: one cell of a node.

Compiled for each ruleset together with the game's `estimate.py`, and linked to
`simultaneous_kernels.py`, which calls it and describes the arrays.
"""

from typing import TYPE_CHECKING

from holmgang.engine.compiled.kernels import (
    FIELDS,
    GameState,
    KernelSpec,
    game,
    is_answer,
    pack,
    rules,
    unpack,
    worth,
)
from holmgang.engine.stream import mix, number, word
from holmgang.solver.numbers import Floats, Ints
from holmgang.solver.search.simultaneous_kernels import (
    ANSWERING,
    ANYTHING,
    AT_COLUMN,
    AT_ROW,
    BLUE_CHOICES,
    BLUE_MENU,
    CELL_ALPHA,
    CELL_BETA,
    CELL_HIGH,
    CELL_LOW,
    DEPTH,
    FACE,
    FACES,
    FLOAT_FRAME,
    FRAME,
    HASH,
    IS_GUESSED,
    RED_CHOICES,
    RED_MENU,
)

if TYPE_CHECKING:

    def estimate(rules: object, state: GameState) -> float: ...  # the game's own


def play_faces(ply: int, states: Ints, frames: Ints, numbers: Floats, salts: Ints) -> int:
    """Resolves the faces of the current cell of a ply, starting with FACE. Returns 0 when all are
    added up, or 1 if a face leads to a state that must be searched, which is set up as the next
    ply.
    """
    at, on = ply * FRAME, ply * FLOAT_FRAME
    red = frames[at + RED_CHOICES + frames[at + AT_ROW]]
    blue = frames[at + BLUE_CHOICES + frames[at + AT_COLUMN]]
    if frames[at + FACES] == 0:
        frames[at + FACES] = game.chance(rules, unpack(states, ply * FIELDS), red, blue)
        if frames[at + FACES] > 1:
            numbers[on + CELL_ALPHA] = -ANYTHING
            numbers[on + CELL_BETA] = ANYTHING
    while frames[at + FACE] < frames[at + FACES]:
        state = unpack(states, ply * FIELDS)  # again: it is too large to keep in registers
        after = game.resolve(rules, state, red, blue, frames[at + FACE])
        outcome = game.outcome(rules, after)
        if outcome.reason != 0:
            value = worth(outcome)
        else:
            answers = 1 if frames[at + ANSWERING] == 0 and is_answer(rules, after) else 0
            left = frames[at + DEPTH] - 1 + answers
            if left > 0:
                pack(after, states, (ply + 1) * FIELDS)
                frames[at + FRAME + DEPTH] = left
                frames[at + FRAME + ANSWERING] = answers
                frames[at + FRAME + HASH] = hashed((ply + 1) * FIELDS, states, salts)
                frames[at + FRAME + RED_MENU] = game.choices(rules, after, 0)
                frames[at + FRAME + BLUE_MENU] = game.choices(rules, after, 1)
                return 1
            value = estimate(rules, after)
            frames[at + IS_GUESSED] = 1
        numbers[on + CELL_LOW] += value
        numbers[on + CELL_HIGH] += value
        frames[at + FACE] += 1
    return 0


def hashed(at: int, states: Ints, salts: Ints) -> int:
    """A hash of the state in the row at `at`; never 0."""
    digest = word(0)
    for place in range(FIELDS):
        digest = word(digest + word(states[at + place]) * word(salts[place]))
    return number(mix(digest) >> 1) | 1


SPECS = {"play_faces": KernelSpec(("states", "frames", "salts"), ("numbers",))}
