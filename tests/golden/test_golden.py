import pytest
from tests.golden import FOLDER, MOST_LINES, SEEDS, golden_path, playthrough

from holmgang.games.catalogue import CATALOGUE


@pytest.mark.parametrize("name", SEEDS)
def test_golden(name):
    kept = golden_path(name).read_text(encoding="utf-8")
    assert playthrough(name, SEEDS[name]) == kept, (
        "if this is meant: make golden, and review the diff"
    )
    assert len(kept.splitlines()) < MOST_LINES


def test_there_is_one_for_each_game():
    assert list(SEEDS) == list(CATALOGUE)
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SEEDS)
