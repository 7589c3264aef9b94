"""A game that is to be played, by the names of the bots: who sits where, and which of their games.

The id of a fixture is the fixture as text, and is the id of its task and its result. So whoever
reads a log of results knows who played, and a game that is planned twice is one game.
"""

import hashlib
import re
from typing import NamedTuple

from holmgang.engine.stream import game_key
from holmgang.errors import UsageError
from holmgang.games.shape import brief

NAME = r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*"
"""Of a bot: it can be part of a file's name, and has no two hyphens in a row."""
ID = re.compile(rf"({NAME}(?:@[0-9]+)?)--({NAME}(?:@[0-9]+)?)--([0-9]+)")
"""`@2` is the version of a bot in a league."""


class Fixture(NamedTuple):
    """Game `number` of two bots with these seats; the one with the seats swapped is its twin."""

    red: str
    blue: str
    number: int

    @property
    def id(self) -> str:
        """The fixture as text.

        >>> Fixture("ann", "bob", 3).id
        'ann--bob--3'
        """
        return f"{self.red}--{self.blue}--{self.number}"

    @property
    def twin(self) -> "Fixture":
        return Fixture(self.blue, self.red, self.number)

    def seed(self, seed: int) -> int:
        """The seed of its chance: the same for its twin, and independent of all other games."""
        one, other = sorted((self.red, self.blue))
        digest = hashlib.sha256(Fixture(one, other, self.number).id.encode()).digest()
        return game_key(seed, int.from_bytes(digest[:8], "big"))


def parse_fixture(text: str) -> Fixture:
    """The fixture of that id. Raises UsageError."""
    parts = ID.fullmatch(text)
    if parts is None:
        raise UsageError(f"{brief(text)} is not the id of a game, such as ann--bob--3")
    return Fixture(parts[1], parts[2], int(parts[3]))


def pair(bot: str, other: str, number: int) -> tuple[Fixture, Fixture]:
    """Both fixtures of that number: each bot has each seat once, with the same chance."""
    fixture = Fixture(bot, other, number)
    return fixture, fixture.twin
