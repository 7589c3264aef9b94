"""Where tables are kept and found; play goes on while one is being built."""

import importlib
import shutil
import time
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from holmgang.analysis.position import Assessor
from holmgang.engine.compiled.native import Kernels
from holmgang.errors import RecordError, RulesetError, StateError, UsageError
from holmgang.games.assembling import assemble
from holmgang.games.bagh import rules
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import _load, load
from holmgang.solver import background, tables
from holmgang.solver.background import BackgroundBuild, seconds_of_building
from holmgang.solver.evaluation import Source
from holmgang.solver.exact import tablebase
from holmgang.solver.exact.tablebase import check
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import (
    build_by_the_way,
    build_table,
    find_table,
    layers_path,
    open_table,
    table_path,
)

SMALL = "bagh:max_boost=1,heal_limit=4"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    return tmp_path


def test_a_table_is_built_once_and_found(folder):
    ruleset = load(SMALL)
    assert find_table(ruleset) is None
    path = build_table(ruleset, most_states=10_000)
    written = path.stat().st_mtime_ns
    assert path.parent == folder
    assert build_table(ruleset, most_states=10_000).stat().st_mtime_ns == written
    assert find_table(ruleset).ruleset == ruleset
    assert sorted(p.name for p in folder.iterdir()) == [path.name]


def test_a_game_that_is_too_large_leaves_nothing(folder):
    with pytest.raises(UsageError, match="more than 10 states"):
        build_table(load(SMALL), most_states=10)
    assert not list(folder.iterdir())


def test_an_oracle_searches_until_the_table_is_there(folder):
    ruleset = load("bagh")
    start = ruleset.initial()
    oracle = Oracle(ruleset, budget_ms=20)
    assert seconds_of_building(ruleset) is not None
    assert oracle.evaluate(start).source is Source.SEARCH
    deadline = time.monotonic() + PATIENCE
    while seconds_of_building(ruleset) is not None and time.monotonic() < deadline:
        oracle.evaluate(start)
    assert oracle.evaluate(start).source is Source.TABLE
    assert oracle.evaluate(start).is_exact
    assert oracle.has_table
    assert not list(folder.glob("*.lock"))


def test_what_cannot_be_tabled_is_searched(folder):
    ruleset = load("fencing")
    start = ruleset.initial()
    evaluation = Oracle(ruleset, budget_ms=20, build=False).evaluate(start)
    assert evaluation.depth >= 1
    assert sum(evaluation.red.values()) == pytest.approx(1)


def test_a_build_that_is_given_up_leaves_nothing(folder):
    background = BackgroundBuild(load("defend-the-city"))
    deadline = time.monotonic() + PATIENCE
    while not list(folder.glob("*.lock")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert background.is_running  # and has the lock
    background.stop()
    assert not list(folder.iterdir())
    assert background.has_failed


def test_a_table_of_other_rules_is_refused(folder):
    path = build_table(load(SMALL), most_states=10_000)
    other = load("bagh:max_boost=1,heal_limit=5")
    path.rename(table_path(other))
    with pytest.raises(RulesetError, match="is for bagh:"):
        open_table(table_path(other), other)


def test_a_damaged_table_is_refused(folder):
    path = table_path(load(SMALL))
    path.write_bytes(b"nonsense")
    with pytest.raises(RecordError, match="not a Holmgang tablebase"):
        open_table(path, load(SMALL))


def test_a_table_with_another_byte_is_refused(folder):
    path = build_table(load(SMALL), most_states=10_000)
    content = bytearray(path.read_bytes())
    content[-1000] ^= 1
    path.write_bytes(content)
    with pytest.raises(RecordError, match="rebuild it with holmgang solve"):
        open_table(path, load(SMALL))


# Changed rules


def changed_bagh(monkeypatch, folder, name, old, new):
    """Puts a copy of BAGH whose rules were edited in the place of BAGH, as after an update."""
    package = folder / name
    shutil.copytree(Path(rules.__file__).parent, package)
    for path in package.glob("*.py"):
        path.write_text(path.read_text().replace("holmgang.games.bagh", name))
    edited = package / "rules.py"
    assert old in edited.read_text()
    edited.write_text(edited.read_text().replace(old, new))
    monkeypatch.syspath_prepend(folder)
    parts = {
        part: importlib.import_module(f"{name}.{part}")
        for part in ("rules", "notation", "story", "board", "picture", "estimate")
    }
    entry = CATALOGUE["bagh"]
    game = assemble("bagh", **parts)
    monkeypatch.setitem(CATALOGUE, "bagh", entry._replace(game=game))
    monkeypatch.setattr(tables, "_opened", {})
    _load.cache_clear()


@pytest.fixture
def restored():
    """Rulesets are loaded anew after the test."""
    yield
    _load.cache_clear()


HEALS = "hp + rules.heal_amount + me.boost"


def test_a_table_of_rules_that_were_changed_in_the_code_is_not_used(
    folder, monkeypatch, tmp_path_factory, caplog, restored
):
    before = load(SMALL)
    path = build_table(before, most_states=10_000)
    assert Oracle(SMALL, build=False).evaluate().is_exact
    changed_bagh(monkeypatch, tmp_path_factory.mktemp("edited"), "edited_bagh", HEALS, "hp")
    after = load(SMALL)
    assert (after.hash, table_path(after)) == (before.hash, path)
    assert after.code != before.code
    assert Kernels(after)._fingerprint != Kernels(before)._fingerprint  # of compiled code
    assert find_table(after) is None
    found = Oracle(SMALL, budget_ms=20, build=False).evaluate("3.0.0.0/2.0.0.0")
    assert (found.source, found.is_exact) == (Source.SEARCH, False)
    assert "was computed by another version of the code" in caplog.text
    with pytest.raises(RulesetError, match="another version of the code"):
        check(path)


def test_a_table_is_used_after_comments_were_changed(
    folder, monkeypatch, tmp_path_factory, restored
):
    before = load(SMALL)
    build_table(before, most_states=10_000)
    changed_bagh(
        monkeypatch, tmp_path_factory.mktemp("edited"), "noted_bagh", HEALS, f"{HEALS}  # B10\n"
    )
    assert load(SMALL).code == before.code
    assert Kernels(load(SMALL))._fingerprint == Kernels(before)._fingerprint
    assert find_table(load(SMALL)) is not None


def test_a_table_of_another_solver_is_not_used(folder, monkeypatch):
    """A table may be wrong because the solver was."""
    ruleset = load(SMALL)
    build_table(ruleset, most_states=10_000)
    monkeypatch.setattr(tablebase, "TABLE_CODE", tablebase.TABLE_CODE[1:])
    monkeypatch.setattr(tables, "_opened", {})
    assert find_table(ruleset) is None


def test_a_table_that_another_version_keeps_building_is_not_built_again(folder, monkeypatch):
    started = []

    class Built:
        is_running, has_failed = False, False

        def __init__(self, ruleset):
            started.append(ruleset)
            table_path(ruleset).write_bytes(b"of another version")

    monkeypatch.setattr(background, "BackgroundBuild", Built)
    monkeypatch.setattr(background, "_builds", {})
    for _ in range(3):
        Oracle(SMALL)
    assert len(started) == 1


@pytest.mark.parametrize("damage", [b"nonsense", b"", b'{"holmgang_table": 99}\n'])
def test_a_damaged_table_is_ignored_with_one_warning_and_rebuilt(folder, caplog, damage):
    ruleset = load(SMALL)
    path = table_path(ruleset)
    path.write_bytes(damage)
    assert find_table(ruleset) is None
    assert find_table(ruleset) is None
    (warning,) = caplog.records
    assert str(path) in warning.message
    assert warning.message.endswith("(rebuilding it, or searching if it is large)")
    assert build_by_the_way(ruleset) == ""
    assert find_table(ruleset).ruleset == ruleset


def test_damaged_layers_are_ignored_with_one_warning_and_searched(folder, caplog):
    ruleset = load("fencing:league=1")
    layers_path(ruleset).write_bytes(b'{"holmgang_layers": 1}\n')
    assert Oracle(ruleset, budget_ms=20).evaluate().depth > 0
    (warning,) = caplog.records
    assert "rebuild it with holmgang solve (searching instead)" in warning.message


def test_a_state_can_be_asked_for_in_short_and_as_json(folder):
    ruleset = load(SMALL)
    build_table(ruleset, most_states=10_000)
    oracle = Oracle(SMALL, build=False)
    start = ruleset.initial()
    seat = {"hp": 3, "boost": 0, "priority": 0, "shield_damage": 0}
    evaluations = [
        oracle.evaluate(state)
        for state in (None, start, "3.0.0.0/3.0.0.0", {"red": seat, "blue": seat})
    ]
    assert evaluations == [evaluations[0]] * 4
    with pytest.raises(StateError, match="a state as text is"):
        oracle.evaluate("nonsense")


@pytest.mark.parametrize("text", ["bagh", "fencing", "defend-the-city", "magic-duel"])
def test_worths_of_a_searched_state_cover_the_menu(folder, text):
    ruleset = load(text)
    oracle = Oracle(ruleset, budget_ms=30, build=False)
    solution = Assessor(oracle, budget_ms=30).assess(ruleset.initial()).solution
    assert any(solution.worths)
    for seat, (mix, worth) in enumerate(
        zip((solution.red, solution.blue), solution.worths, strict=True)
    ):
        assert set(worth) == {*mix, *ruleset.choices(ruleset.initial(), seat)}
        assert all(-1 <= value <= 1 for value in worth.values())


@pytest.mark.parametrize("place", ["360.2.0/380.8.0", "100.11.5/200.17.4", "460.11.19/500.2.19"])
def test_worths_of_a_state_that_was_searched_to_the_end_are_exact(folder, place):
    """Four turns before the end: what is chosen is worth the value, and nothing is worth more."""
    ruleset = load("fencing:league=1")
    state = ruleset.parse_state(f"196/{place}")
    oracle = Oracle(ruleset, budget_ms=60_000, build=False)
    found = oracle.evaluate(state)
    reds, blues = Assessor(oracle, budget_ms=60_000).assess(state).solution.against_mixes
    assert found.is_exact
    assert found.source is Source.PROOF
    assert max(reds.values()) == pytest.approx(found.value, abs=1e-9)
    assert min(blues.values()) == pytest.approx(found.value, abs=1e-9)
    for mix, worth in ((found.red, reds), (found.blue, blues)):
        for choice, chance in mix.items():
            if chance > 0:
                assert worth[choice] == pytest.approx(found.value, abs=1e-9)
