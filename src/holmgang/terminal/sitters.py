"""Who sits at the table: a person at this keyboard, or one of the levels."""

from typing import NamedTuple

from holmgang.errors import UsageError
from holmgang.games.shape import brief
from holmgang.players import KINDS, Level, find_level

HUMAN = "human"


class Sitter(NamedTuple):
    name: str
    level: Level | None

    @property
    def is_human(self) -> bool:
        return self.level is None


def parse_sitter(name: str) -> Sitter:
    """Who goes by that name.

    >>> parse_sitter("random").is_human
    False
    """
    if name == HUMAN:
        return Sitter(HUMAN, None)
    if name.partition(":")[0] in KINDS:
        return Sitter(name, find_level(name))
    raise UsageError(f"nobody is called {brief(name)}; there are {', '.join((HUMAN, *KINDS))}")
