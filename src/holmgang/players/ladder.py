"""The ladder of levels for people: how often each errs, and how strong it is.

The figures are in `ladder.json`, by game. `python -m bench.ladder --calibrate` set the frequency of
errors so that each level is noticeably stronger than the one below; `python -m bench.ladder`
measured the ratings.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TypedDict

from holmgang.games.ruleset import Ruleset

LADDER = ("beginner", "easy", "medium", "hard", "perfect")
"""Weakest first."""


Mistakes = dict[str, float]
"""The probability of each choice by mistake, by its word; `ANYTHING` is a random choice."""
ANYTHING = ""


class LadderFigures(TypedDict):
    mistakes: dict[str, dict[str, Mistakes]]
    """By game and level; the empty name is the default for other games."""
    ratings: dict[str, dict[str, int]]
    """By game and level."""


@cache
def figures() -> LadderFigures:
    text = files("holmgang.players").joinpath("ladder.json").read_text(encoding="utf-8")
    known: LadderFigures = json.loads(text)
    return known


def mistakes_of(level: str, ruleset: Ruleset) -> Mistakes:
    """The calibrated mistakes of a level in a game; the default ones for an uncalibrated game."""
    known = figures()["mistakes"]
    return known.get(ruleset.entry.name, known[""])[level]


def ratings(game: str) -> Mapping[str, int]:
    """The measured Elo rating of each level in a game; empty if it was not measured."""
    return figures()["ratings"].get(game, {})
