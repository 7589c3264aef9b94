"""The groups of equal faces of a die, for a game that does not declare any: each face is its own.

See `holmgang.games.contract.RulesModule`; `binding.py` puts these among the functions of the game.
"""

from typing import Any

chance: Any = None  # the game's own
initial: Any = None
outcome: Any = None


def endless(rules: Any) -> Any:
    """What a duel that never ends counts as: nobody wins, for no reason of the rules."""
    return outcome(rules, initial(rules))


def face_groups(rules: Any, state: Any, red: int, blue: int) -> int:
    count: int = chance(rules, state, red, blue)
    return count


def face_group(rules: Any, state: Any, red: int, blue: int, group: int) -> tuple[int, int]:
    return group, 1
