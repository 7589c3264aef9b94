"""Compiled and interpreted are the same rules: every choice, throw, state and outcome agrees.

A sample for every ruleset here; a million rounds of each with `make soak`.
"""

import pytest
from tests.engine.compiled import digests
from tests.soak import LIMIT, first_difference

from holmgang.engine.compiled.native import Kernels, zeros
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load

VARIANTS = (
    "fencing:league=2",
    "defend-the-city:overspend=0,max_score=6,stamina=12",
    "magic-duel:shield_limit=3,minions=1,moves=3",
    "bagh:max_boost=1,start_hp=9",
)


@pytest.mark.thorough
@pytest.mark.parametrize("text", [*CATALOGUE, *VARIANTS])
def test_every_round_of_a_sample_agrees(text):
    assert first_difference(load(text), rounds=20_000) is None


def test_a_difference_would_be_found():
    """The comparison can fail: other rules give other digests."""
    row = zeros(8)
    found = []
    for text in ("bagh", "bagh:heal_limit=9"):
        out = zeros(50)
        Kernels(load(text), (digests,), interpret=True)("digests")(1, 0, 50, LIMIT, out, row)
        found.append(list(out))
    assert found[0] != found[1]
