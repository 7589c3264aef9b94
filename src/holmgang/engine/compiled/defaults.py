"""Default versions of the optional functions of a rules file.

See `holmgang.games.contract.RulesModule`. `binding.py` adds them to a game that lacks them.
"""

from typing import Any

chance: Any = None  # binding replaces these three by the game's own
initial: Any = None
outcome: Any = None


def endless(rules: object) -> Any:
    """The outcome of a duel that never ends: that of an undecided state, so a draw."""
    return outcome(rules, initial(rules))


def face_groups(rules: object, state: object, red: int, blue: int) -> int:
    """The number of groups of equivalent faces: every face is its own group."""
    count: int = chance(rules, state, red, blue)
    return count


def face_group(rules: object, state: object, red: int, blue: int, group: int) -> tuple[int, int]:
    return group, 1
