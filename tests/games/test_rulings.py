"""Every ruling is pinned by a test whose name or title begins with its id."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]

RULINGS = {
    *(f"B{number}" for number in range(1, 12)),
    *(f"P{number}" for number in range(1, 4)),
    *(f"A{number}" for number in range(1, 3)),
    *(f"F{number}" for number in range(1, 18)),
    *(f"D{number}" for number in range(1, 9)),
    *(f"M{number}" for number in range(1, 14)),
    "LIMITS",
}

# The title of a table's case, an id= of pytest.param, or the name of a test.
PINNED = re.compile(r'^(?:.*\bid="|def test_)?((?:(?:[BPAFDM]\d+|LIMITS)[,_ ]+)+)', re.IGNORECASE)


def pinned_rulings() -> set[str]:
    pinned = set()
    for path in TESTS.rglob("test_*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if match := PINNED.match(line):
                pinned.update(re.findall(r"[BPAFDM]\d+|LIMITS", match[1].upper()))
    return pinned


def test_every_ruling_has_a_test():
    assert pinned_rulings() == RULINGS
