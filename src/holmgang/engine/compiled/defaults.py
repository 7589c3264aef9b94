"""Optional functions of a rules file, for a game that does not have them.

See `holmgang.games.contract.RulesModule`; `binding.py` puts these among the functions of the game.
"""

from typing import Any

chance: Any = None  # these three are the game's own
initial: Any = None
outcome: Any = None


def endless(rules: object) -> Any:
    """What a duel that never ends counts as: a draw, like the outcome of an undecided state."""
    return outcome(rules, initial(rules))


def face_groups(rules: object, state: object, red: int, blue: int) -> int:
    """The number of groups of equal faces: each face is a group of its own."""
    count: int = chance(rules, state, red, blue)
    return count


def face_group(rules: object, state: object, red: int, blue: int, group: int) -> tuple[int, int]:
    return group, 1
