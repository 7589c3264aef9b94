"""The ladder of levels for people: how large their mistakes are, and how strong they are.

The figures are in `ladder.json`, by game; `python -m bench.ladder` sets and measures them. A game
that is not there has the default grades, and no ratings.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple, TypedDict

from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset

LADDER = ("beginner", "easy", "medium", "hard", "perfect")
"""Weakest first."""
GRADED = LADDER[:-1]
DEFAULT = ""
SLIPS = {"beginner": 0.003}  # how often a choice is made that loses at once, where there is one
LUCKY_SPAN = 350  # Elo from `random` to `perfect`, below which luck decides much


class Grade(NamedTuple):
    """How a level errs; see `solver/quantal.py`."""

    temperature: float
    slips: float


class LadderFigures(TypedDict):
    temperatures: dict[str, dict[str, float]]
    """By game and level; `DEFAULT` is for other games."""
    ratings: dict[str, dict[str, dict[str, int]]]
    """By game, level and seat. `random` is among the levels."""


@cache
def figures() -> LadderFigures:
    text = files("holmgang.players").joinpath("ladder.json").read_text(encoding="utf-8")
    known: LadderFigures = json.loads(text)
    return known


def grade_of(level: str, ruleset: Ruleset) -> Grade:
    """The grade of a level in a game; the default one for a game that was not calibrated."""
    known = figures()["temperatures"]
    temperature = known.get(ruleset.entry.name, known[DEFAULT])[level]
    return Grade(temperature, SLIPS.get(level, 0.0))


def ratings(game: str) -> Mapping[str, Mapping[str, int]]:
    """The measured Elo rating of each level in each seat; empty if it was not measured."""
    return figures()["ratings"].get(game, {})


def is_luck(game: str) -> bool:
    """Whether luck decides much: even `random` often scores against `perfect`."""
    rated = ratings(game)
    if not rated:
        return False
    span = sum(rated["perfect"][seat] - rated["random"][seat] for seat in SEATS) / len(SEATS)
    return span < LUCKY_SPAN
