"""Players: the interface that all of them have, and the levels by name.

People choose through a shell, which asks them itself.
"""

from holmgang.players.levels import KINDS, Level, find_level
from holmgang.players.player import Player

__all__ = ["KINDS", "Level", "Player", "find_level"]
