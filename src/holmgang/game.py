"""The names that the rules of a game need. docs/add-a-game.md shows a whole game.

This module imports almost nothing, so that a file with rules is quick to load, and its functions
are compiled together with the rules.
"""

from typing import Annotated, NamedTuple

__all__ = ["BLUE", "NOBODY", "NO_CHOICE", "RED", "Outcome", "Seat", "choice_set"]

RED, BLUE, NOBODY = 0, 1, -1
NO_CHOICE = -1
"""The choice of a seat that has nothing to choose."""

Seat = Annotated[int, "a seat"]
"""The type of a field of `State` that is a seat, such as the one whose turn it is: `RED`, `BLUE` or
`NOBODY`. It is shown as a word, and is the other seat in mirror images.
"""


class Outcome(NamedTuple):
    """The outcome of a state: a member of the game's `Reason`, 0 while the duel goes on, and
    `RED`, `BLUE` or `NOBODY`.
    """

    reason: int
    winner: int


def choice_set(*choices: int) -> int:
    """A set of choices, as `choices` returns it. Sets are joined with `|`.

    >>> choice_set(0, 2) | choice_set(3)
    13
    """
    chosen = 0
    for choice in choices:
        chosen |= 1 << choice
    return chosen
