"""Searching while the search is still being compiled by another process."""

import shutil
import time
from threading import Event

import pytest
from tests.patience import PATIENCE

from holmgang.engine.compiled.objects import cache_folder
from holmgang.games.ruleset import load
from holmgang.players import find_level
from holmgang.solver.search import preparing
from holmgang.solver.search.dispatch import search
from holmgang.solver.search.preparing import is_compiled, is_preparing, prepare, wait_until_prepared

RULESETS = ["bagh:start_hp=4", "magic-duel:max_hp=24"]


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """A cache with nothing in it, and nothing of these rulesets in memory."""
    monkeypatch.setenv("HOLMGANG_CACHE", str(tmp_path))
    monkeypatch.setattr(preparing, "_preparations", {})
    for module in (preparing.simultaneous, preparing.alternating):
        module.searcher_of.cache_clear()
    yield tmp_path
    for preparation in preparing._preparations.values():
        preparation.stop()
    for module in (preparing.simultaneous, preparing.alternating):
        module.searcher_of.cache_clear()


@pytest.fixture(scope="module")
def usual_cache():
    return cache_folder()


@pytest.fixture
def new_rulesets(usual_cache, empty_cache):
    """A cache with nothing of any ruleset in it, but with what all rulesets share."""
    for path in (*usual_cache.glob("search-*.o"), *usual_cache.glob("solver-*.o")):
        shutil.copy2(path, empty_cache)
    return empty_cache


def of_rulesets(cache):
    """The times of the object files that were compiled for one ruleset only."""
    paths = (path for path in cache.glob("*.o") if not path.name.startswith(("search-", "solver-")))
    return {path: path.stat().st_mtime_ns for path in paths}


def first_state(text):
    ruleset = load(text)
    return ruleset, ruleset.initial()


@pytest.mark.slow
@pytest.mark.parametrize("text", RULESETS)
def test_a_search_does_not_wait_for_the_compiler(text, new_rulesets):
    ruleset, state = first_state(text)
    prepare(ruleset)
    early = search(ruleset, state, depth=1)
    assert is_preparing(ruleset)
    assert not of_rulesets(new_rulesets)
    wait_until_prepared(ruleset, Event())
    assert is_compiled(ruleset)
    compiled = of_rulesets(new_rulesets)
    assert compiled
    late = search(ruleset, state, depth=1)
    assert of_rulesets(new_rulesets) == compiled
    assert late.value == pytest.approx(early.value, abs=1e-12)
    assert late.red == pytest.approx(early.red, abs=1e-12)


@pytest.mark.parametrize("text", RULESETS)
def test_an_interpreted_search_keeps_to_its_budget(text, empty_cache):
    ruleset, state = first_state(text)
    prepare(ruleset)
    assert search(ruleset, state, budget_ms=200).depth >= 1
    assert is_preparing(ruleset)


def test_who_is_in_a_hurry_does_not_wait(empty_cache):
    ruleset, _ = first_state(RULESETS[0])
    prepare(ruleset)
    hurry = Event()
    hurry.set()
    wait_until_prepared(ruleset, hurry)
    assert is_preparing(ruleset)


def test_a_preparation_that_is_stopped_leaves_nothing(empty_cache):
    ruleset, _ = first_state(RULESETS[0])
    prepare(ruleset)
    [preparation] = preparing._preparations.values()
    preparation.stop()
    assert not is_preparing(ruleset)
    assert not list(empty_cache.glob("*.o"))


def test_what_is_compiled_needs_no_process(monkeypatch):
    ruleset, state = first_state("bagh")
    search(ruleset, state, depth=1)
    preparing.compile_levels()

    def never(*_, **__):
        raise AssertionError("nothing is left to compile")

    monkeypatch.setattr(preparing, "_preparations", {})
    monkeypatch.setattr(preparing, "start_module", never)
    prepare(ruleset)
    wait_until_prepared(ruleset, Event())
    assert is_compiled(ruleset)


@pytest.mark.thorough
def test_levels_say_how_they_play_until_they_are_ready(new_rulesets, monkeypatch, tmp_path):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path / "tables"))
    ruleset, _ = first_state(RULESETS[0])
    notes = {}
    for name in ("random", "greedy", "search", "perfect"):
        level = find_level(name)
        level.ready(ruleset, lambda sentence: None, wait=False)
        notes[name] = level.ready.note(ruleset)
    assert (notes["random"], notes["greedy"]) == ("", "")
    assert notes["search"] == "compiling; short look-ahead until then"
    assert notes["perfect"] == "searching; building exact table, 0 s"
    deadline = time.monotonic() + PATIENCE
    while find_level("perfect").ready.note(ruleset) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert find_level("perfect").ready.note(ruleset) == ""
