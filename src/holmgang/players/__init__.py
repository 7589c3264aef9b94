"""Who can take a seat: one protocol, and the levels by name.

People are not here: they sit at a terminal or a browser, and those bring their own `Player`.
"""

from holmgang.players.levels import KINDS, Level, find_level
from holmgang.players.player import Player

__all__ = ["KINDS", "Level", "Player", "find_level"]
