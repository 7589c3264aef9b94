"""The ladder of levels for people: who is on it, how often each errs, how strong each is.

The figures are in `ladder.json`, by game. How often a level errs was set by `python -m bench.ladder
--calibrate`, so that each level beats the one below by a step that can be felt; `python -m
bench.ladder` measured the ratings.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from holmgang.games.ruleset import Ruleset

LADDER = ("beginner", "easy", "medium", "hard", "perfect")
"""Weakest first."""


Mistakes = dict[str, float]
"""How likely a level makes each choice by mistake, by its word; `ANYTHING` is any choice at all."""
ANYTHING = ""


@cache
def figures() -> dict[str, Any]:
    text = files("holmgang.players").joinpath("ladder.json").read_text(encoding="utf-8")
    known: dict[str, Any] = json.loads(text)
    return known


def mistakes_of(level: str, ruleset: Ruleset) -> Mistakes:
    """As calibrated for the game; for one that is not in the ladder, as is usual."""
    known = figures()["mistakes"]
    mistakes: Mistakes = known.get(ruleset.entry.name, known[""])[level]
    return mistakes


def ratings(game: str) -> Mapping[str, int]:
    """The measured Elo rating of each level in a game of the catalogue; empty if there is none."""
    rated: dict[str, int] = figures()["ratings"].get(game, {})
    return rated
