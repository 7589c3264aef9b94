"""Where tables are kept and found; play goes on while one is being built."""

import time

import pytest

from holmgang.errors import RecordError, RulesetError, StateError, UsageError
from holmgang.games.ruleset import load
from holmgang.solver.advice import advise
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import (
    Background,
    build_by_the_way,
    build_table,
    find_table,
    layers_path,
    open_table,
    table_path,
    warn_once,
)

SMALL = "bagh:max_boost=1,heal_limit=4"
PATIENCE = 120


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    warn_once.cache_clear()
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
    assert oracle.is_building
    positions = [oracle.position(start)]
    deadline = time.monotonic() + PATIENCE
    while oracle.is_building and time.monotonic() < deadline:
        positions.append(oracle.position(start))
    assert positions[0].depth > 0  # searched
    assert positions[-1].depth == 0  # looked up
    assert positions[-1].is_exact
    assert oracle.has_table


def test_what_cannot_be_tabled_is_searched(folder):
    ruleset = load("fencing")
    start = ruleset.initial()
    position = Oracle(ruleset, budget_ms=20, build=False).position(start)
    assert position.depth >= 1
    assert sum(position.red.values()) == pytest.approx(1)


def test_a_build_that_is_given_up_leaves_nothing(folder):
    background = Background(load("defend-the-city"))
    background.stop()
    assert not list(folder.glob("*.table"))
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
    with pytest.raises(RecordError, match="holmgang solve makes it anew"):
        open_table(path, load(SMALL))


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
    position = Oracle(ruleset, budget_ms=20).position()
    assert position.depth > 0
    (warning,) = caplog.records
    assert "holmgang solve writes it anew (searching instead)" in warning.message


def test_a_position_can_be_asked_for_in_short_and_as_json(folder):
    ruleset = load(SMALL)
    build_table(ruleset, most_states=10_000)
    oracle = Oracle(SMALL, build=False)
    start = ruleset.initial()
    seat = {"hp": 3, "boost": 0, "priority": 0, "shield_damage": 0}
    positions = [
        oracle.position(state)
        for state in (None, start, "3.0.0.0/3.0.0.0", {"red": seat, "blue": seat})
    ]
    assert positions == [positions[0]] * 4
    with pytest.raises(StateError, match="a state in short is"):
        oracle.position("nonsense")


@pytest.mark.parametrize("text", ["bagh", "fencing", "defend-the-city", "magic-duel"])
def test_worths_of_a_searched_state_cover_the_menu(folder, text):
    ruleset = load(text)
    advice = advise(Oracle(ruleset, budget_ms=30, build=False), ruleset.initial())
    asked = [seat for seat in ("red", "blue") if advice.worth[seat]]
    assert asked
    for seat in asked:
        mix = getattr(advice.position, seat)
        assert set(mix) <= set(advice.worth[seat])
        assert all(-1 <= worth <= 1 for worth in advice.worth[seat].values())


@pytest.mark.parametrize("place", ["360.2.0/380.8.0", "100.11.5/200.17.4", "460.11.19/500.2.19"])
def test_worths_of_a_state_that_was_searched_to_the_end_are_exact(folder, place):
    """Four turns before the end: what is chosen is worth the value, and nothing is worth more."""
    ruleset = load("fencing:league=1")
    state = ruleset.parse_state(f"196/{place}")
    advice = advise(Oracle(ruleset, budget_ms=1000, build=False), state)
    position = advice.position
    assert position.is_exact
    assert max(advice.worth["red"].values()) == pytest.approx(position.value, abs=1e-9)
    assert min(advice.worth["blue"].values()) == pytest.approx(position.value, abs=1e-9)
    for seat in ("red", "blue"):
        for choice, chance in getattr(position, seat).items():
            if chance > 0:
                assert advice.worth[seat][choice] == pytest.approx(position.value, abs=1e-9)
