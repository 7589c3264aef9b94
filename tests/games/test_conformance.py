"""The conformance suite on every game of the catalogue, and on rules that differ."""

import pytest

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.conformance import CHECKS
from holmgang.games.ruleset import load

RULESETS = [
    *CATALOGUE,
    "bagh:max_boost=1",
    "fencing:league=1",
    "fencing:league=2",
    "defend-the-city:overspend=0",
    "magic-duel:shield_limit=3",
]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("check", CHECKS)
def test_conformance(check, ruleset):
    CHECKS[check](load(ruleset))
