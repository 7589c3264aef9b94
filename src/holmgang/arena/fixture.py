"""A game due in a contest, by the names of the bots, their seats and a number.

Its id is also that of its task and of its result. So a log of results shows who played, and a game
that is planned twice is one game.
"""

import re
from typing import NamedTuple

from holmgang.engine.keys import game_seed
from holmgang.errors import UsageError
from holmgang.games.shape import brief
from holmgang.players.naming import PLAYER_NAME

FIXTURE_ID = re.compile(rf"({PLAYER_NAME}(?:@[0-9]+)?)--({PLAYER_NAME}(?:@[0-9]+)?)--([0-9]+)")
"""`@2` is the version of a bot in a league."""


class Fixture(NamedTuple):
    """Game `number` of two bots with these seats. Its twin has the seats swapped."""

    red: str
    blue: str
    number: int

    @property
    def id(self) -> str:
        """The fixture as a string.

        >>> Fixture("ann", "bob", 3).id
        'ann--bob--3'
        """
        return f"{self.red}--{self.blue}--{self.number}"

    @property
    def twin(self) -> "Fixture":
        return Fixture(self.blue, self.red, self.number)

    def seed(self, seed: int) -> int:
        """The seed of this game in a contest with the given seed. Its twin has another one, so that
        neither game reveals anything about the dice of the other.
        """
        return game_seed(seed, self.id)


def parse_fixture(text: str) -> Fixture:
    """The fixture with this id. Raises UsageError."""
    parts = FIXTURE_ID.fullmatch(text)
    if parts is None:
        raise UsageError(f"{brief(text)} is not the id of a game, such as ann--bob--3")
    return Fixture(parts[1], parts[2], int(parts[3]))


def pair(bot: str, other: str, number: int) -> tuple[Fixture, Fixture]:
    """The fixture and its twin, so that each bot has each seat once."""
    fixture = Fixture(bot, other, number)
    return fixture, fixture.twin
