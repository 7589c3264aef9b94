"""Tables that are built while the server runs: one after the other, and stopped with it."""

import pytest
from tests.patience import PATIENCE

from holmgang.engine.compiled.native import can_compile
from holmgang.games.ruleset import load
from holmgang.solver.tables import find_table
from holmgang.web import tables
from holmgang.web.tables import TableBuilder

SMALL = "bagh:start_hp=1,max_boost=0"

pytestmark = pytest.mark.skipif(
    not can_compile(), reason="needs numba: pip install 'holmgang[fast]'"
)


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    return tmp_path


def test_a_missing_table_is_built(own_folder, monkeypatch):
    monkeypatch.setattr(tables, "CATALOGUE", [SMALL, "fencing", "magic-duel"])
    builder = TableBuilder(after=0)
    builder.start()
    builder._thread.join(200)
    assert find_table(load(SMALL)) is not None
    assert [path.suffix for path in own_folder.iterdir()] == [".table"]  # only one can be


def test_stopping_ends_the_building(own_folder, monkeypatch):
    monkeypatch.setattr(tables, "CATALOGUE", ["defend-the-city", "bagh"])
    started = []

    class Noted(tables.BackgroundBuild):
        def __init__(self, ruleset):
            super().__init__(ruleset)
            started.append(self)
            builder._stopping.set()

    monkeypatch.setattr(tables, "BackgroundBuild", Noted)
    builder = TableBuilder(after=0)
    builder.start()
    builder._thread.join(PATIENCE)
    assert [background.is_running for background in started] == [False]
    builder.stop()


def test_nothing_is_built_before_its_time(own_folder):
    builder = TableBuilder(after=1000)
    builder.start()
    builder.stop()
    assert list(own_folder.iterdir()) == []
