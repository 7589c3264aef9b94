"""Players: their common interface, and the levels by name.

People do not use this interface: a shell asks them for their choices.
"""

from holmgang.players.levels import KINDS, Level, find_level
from holmgang.players.player import Player

__all__ = ["KINDS", "Level", "Player", "find_level"]
