"""The ladder of levels for people: how large their mistakes are, and how strong they are.

The figures are in `ladder.json`, by game; `python -m bench.ladder` sets and measures them. A game
that is not listed has the default grades and no ratings.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import log10
from typing import NamedTuple, TypedDict

from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset

LADDER = ("beginner", "easy", "medium", "hard", "perfect")
"""Weakest first."""
GRADED = LADDER[:-1]
DEFAULT = ""
SLIPS = {"beginner": 0.0004}  # probability of a choice that loses at once, if there is one
TIMIDITY = {"beginner": 0.8, "easy": 0.4}
"""How often a level makes a timid choice just because it is timid, in games with such choices."""
NOTICING = ("medium", "hard")  # the levels that notice what their opponent repeats
FRESH = 10  # a level tires after the round limit divided by this,
TIRING_ROUNDS = 10  # and the size of its mistakes then doubles in this number of rounds
LUCKY_SPAN = 350  # if `random` and `perfect` are fewer Elo apart, luck decides a lot


class Grade(NamedTuple):
    """How a level makes mistakes; see `solver/quantal.py`."""

    temperature: float
    slips: float
    notices: bool = False
    """Whether it responds to what its opponent repeats; see `graded.py`."""
    timidity: float = 0.0
    """How often it makes a timid choice regardless of the cost."""

    def after(self, rounds: int, round_limit: int) -> "Grade":
        """The grade after this many rounds: a level tires, so that no duel lasts forever."""
        tired = max(0, rounds - round_limit // FRESH) // TIRING_ROUNDS
        return self._replace(temperature=self.temperature * 2 ** min(tired, 20)) if tired else self


class LadderFigures(TypedDict):
    temperatures: dict[str, dict[str, float]]
    """By ruleset or game, and by level; `DEFAULT` is for other games."""
    ratings: dict[str, dict[str, dict[str, int]]]
    """By game, level and seat. The levels include `random`."""


@cache
def figures() -> LadderFigures:
    text = files("holmgang.players").joinpath("ladder.json").read_text(encoding="utf-8")
    known: LadderFigures = json.loads(text)
    return known


def grade_of(level: str, ruleset: Ruleset) -> Grade:
    """The grade of a level in a game; the default grade if the game has not been calibrated."""
    known = figures()["temperatures"]
    name = ruleset.text if ruleset.text in known else ruleset.entry.name
    temperature = known.get(name, known[DEFAULT])[level]
    return grade(temperature, level)


def grade(temperature: float, level: str) -> Grade:
    return Grade(temperature, SLIPS.get(level, 0.0), level in NOTICING, TIMIDITY.get(level, 0.0))


def ratings(game: str) -> Mapping[str, Mapping[str, int]]:
    """The measured Elo rating of each level in each seat; empty if the game was not measured."""
    return figures()["ratings"].get(game, {})


def is_luck(game: str) -> bool:
    """Whether luck decides a lot: even `random` often scores against `perfect`."""
    rated = ratings(game)
    return bool(rated) and span(rated) < LUCKY_SPAN


def span(rated: Mapping[str, Mapping[str, int]]) -> float:
    """The Elo difference of `perfect` and `random`, from the expected score over both seats."""
    ahead = (
        rated["perfect"][mine] - rated["random"][other] for mine, other in (SEATS, reversed(SEATS))
    )
    score = sum(1 / (1 + 10 ** (-lead / 400)) for lead in ahead) / len(SEATS)
    return 400 * log10(score / (1 - score))
