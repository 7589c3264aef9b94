"""The functions that a rules file may leave out. The compiled kernels use them too, so they refer
only to names that a rules file has.
"""

from typing import Any

initial: Any = None  # in compiled code, these are the game's own
outcome: Any = None


def chance(rules: object, state: object, red: int, blue: int) -> int:
    """The number of faces of the die: 1, because none is thrown."""
    return 1


def endless(rules: object) -> Any:
    """The outcome of a duel that never ends: that of an undecided state, so a draw."""
    return outcome(rules, initial(rules))


def face_groups(rules: object, state: object, red: int, blue: int) -> int:
    """The number of groups of equivalent faces: every face is its own group."""
    count: int = chance(rules, state, red, blue)
    return count


def face_group(rules: object, state: object, red: int, blue: int, group: int) -> tuple[int, int]:
    return group, 1
