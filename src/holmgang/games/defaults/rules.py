"""The functions that a rules file may leave out. The compiled kernels take them from here too, so
they use only the names of a rules file.
"""

from typing import Any

initial: Any = None  # in compiled code, these are the game's own
outcome: Any = None


def chance(rules: object, state: object, red: int, blue: int) -> int:
    """The faces of the die: nothing is thrown."""
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
