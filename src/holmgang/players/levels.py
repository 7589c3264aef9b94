"""The levels: opponents by name, each with a line that says what to expect."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from holmgang.errors import UsageError
from holmgang.games.shape import brief
from holmgang.players.player import Player
from holmgang.players.random import RandomPlayer


class Level(NamedTuple):
    name: str
    line: str
    seat: Callable[[int], Player]
    """Makes the player for one duel from the duel's seed."""


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (Level("random", "picks any legal choice, all equally likely", RandomPlayer),)
}


def find_level(name: str) -> Level:
    if name in LEVELS:
        return LEVELS[name]
    raise UsageError(f"no level {brief(name)}; there are {', '.join(LEVELS)}")
