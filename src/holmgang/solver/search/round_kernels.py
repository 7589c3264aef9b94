"""A cell of a node, as the search needs it: all of the search that has to know the rules.

Compiled for each ruleset, with the game's `estimate.py` in the same scope, and linked to
`simultaneous_kernels.py`, which calls it and says what is in the arrays.
"""

from typing import TYPE_CHECKING, Any

from holmgang.engine.compiled.kernels import Array, KernelSpec
from holmgang.engine.stream import count_bits, mix, number, word
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

game: Any = None  # a ruleset puts its own in the place of these
rules: Any = None
pack: Any = None
unpack: Any = None
FIELDS: int = 0
if TYPE_CHECKING:

    def estimate(rules: Any, state: Any) -> float: ...  # the game's own


MOST_ANSWERS = 2


def play_faces(ply: int, states: Array, frames: Array, numbers: Array, salts: Array) -> int:
    """Resolves the faces of the cell that a ply looks at, from FACE on, until all are added up: 0.
    Or until one leaves a state to be searched: 1. It is in the next row, and the next frame says
    what it is.
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
        state = unpack(states, ply * FIELDS)  # each time: it is too large to be kept in registers
        after = game.resolve(rules, state, red, blue, frames[at + FACE])
        outcome = game.outcome(rules, after)
        if outcome.reason != 0:
            value = worth(outcome)
        else:
            answers = 1 if frames[at + ANSWERING] == 0 and is_answered(after) else 0
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


def worth(outcome: Any) -> float:
    """A finished duel to red: 1, -1, or 0 for a draw."""
    if outcome.winner == 0:
        return 1.0
    if outcome.winner == 1:
        return -1.0
    return 0.0


def is_answered(state: Any) -> bool:
    """Whether a single seat answers by one word or another; that is no round of its own."""
    red, blue = game.choices(rules, state, 0), game.choices(rules, state, 1)
    if red != 0 and blue != 0:
        return False
    return 0 < count_bits(red | blue) <= MOST_ANSWERS


def hashed(at: int, states: Array, salts: Array) -> int:
    """A number for the state in the row there; never 0."""
    digest = word(0)
    for place in range(FIELDS):
        digest = word(digest + word(states[at + place]) * word(salts[place]))
    return number(mix(digest) >> 1) | 1


SPECS = {"play_faces": KernelSpec(("states", "frames", "salts"), ("numbers",))}
