"""A game that is to be played, by the names of the bots: who sits where, and which of their games.

The id of a fixture is the fixture as text, and is the id of its task and its result. So whoever
reads a log of results knows who played, and a game that is planned twice is one game.
"""

import re
from typing import NamedTuple

from holmgang.engine.keys import game_seed
from holmgang.errors import UsageError
from holmgang.games.shape import brief
from holmgang.players.naming import NAME

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
        """Its own seed in a run with this one; its twin has another, so neither game tells anything
        about the draws of the other.
        """
        return game_seed(seed, self.id)


def parse_fixture(text: str) -> Fixture:
    """The fixture of that id. Raises UsageError."""
    parts = ID.fullmatch(text)
    if parts is None:
        raise UsageError(f"{brief(text)} is not the id of a game, such as ann--bob--3")
    return Fixture(parts[1], parts[2], int(parts[3]))


def pair(bot: str, other: str, number: int) -> tuple[Fixture, Fixture]:
    """Both fixtures of that number: each bot has each seat once."""
    fixture = Fixture(bot, other, number)
    return fixture, fixture.twin
