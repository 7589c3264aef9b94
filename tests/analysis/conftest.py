"""Tables of small rulesets, which are built once for all tests here."""

import pytest
from tests.analysis.duels import CITY, CITY_DUEL, SMALL

from holmgang.games.ruleset import load
from holmgang.solver.tables import MOST_BY_THE_WAY, build_table


@pytest.fixture(scope="session", autouse=True)
def solved(tables):
    for text in (SMALL, CITY, CITY_DUEL):
        build_table(load(text), most_states=MOST_BY_THE_WAY)
