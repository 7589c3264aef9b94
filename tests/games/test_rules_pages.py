"""The table of every number in a RULES.md: the rules in their order, with defaults and ranges."""

import re
from pathlib import Path

import pytest

import holmgang.games
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.settings import rule_defaults, rule_ranges

# The catalogue entries whose defaults are the columns of a game's table.
COLUMNS = {
    "bagh": ["bagh", "bagh-advantage"],
    "fencing": ["fencing"],
    "defend_the_city": ["defend-the-city"],
    "magic_duel": ["magic-duel"],
}
ROW = re.compile(r"\| `(\w+)` +\|((?: +-?\d+ \|)+) (-?\d+)(?:–| to )(-?\d+) +\| \S.*\|")


@pytest.mark.parametrize("folder", COLUMNS)
def test_the_page_has_every_rule_with_its_defaults_and_its_range(folder):
    page = Path(holmgang.games.__path__[0], folder, "RULES.md").read_text(encoding="utf-8")
    table = page.partition("Every number, by name")[2]
    entries = [CATALOGUE[name] for name in COLUMNS[folder]]
    shown = [
        (rule, [int(number) for number in defaults.split("|")[:-1]], range(int(low), int(high) + 1))
        for rule, defaults, low, high in ROW.findall(table)
    ]
    assert shown == [
        (rule, [rule_defaults(entry)[rule] for entry in entries], allowed)
        for rule, allowed in rule_ranges(entries[0]).items()
    ]
