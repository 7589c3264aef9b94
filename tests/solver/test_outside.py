"""Interpreted searches in other processes."""

import threading

import pytest
from tests.patience import PATIENCE

from holmgang.errors import StateError
from holmgang.games.ruleset import load
from holmgang.solver.search import outside
from holmgang.solver.search.dispatch import (
    SearchNeededError,
    instantly,
    interpreted_by,
    search,
    search_here,
)
from holmgang.solver.search.outside import Interpreters, SearchFailedError

BAGH = load("bagh")
START = BAGH.initial()


@pytest.fixture
def interpreters():
    interpreters = Interpreters(1)
    yield interpreters
    interpreters.close()


@pytest.mark.parametrize("name", ["bagh", "defend-the-city", "magic-duel"])
def test_the_same_is_found(interpreters, name):
    ruleset = load(name)
    found = interpreters.search(ruleset, ruleset.initial(), None, 1)
    here = search_here(ruleset, ruleset.initial(), budget_ms=None, depth=1, interpret=True)
    assert found == here


def test_errors_are_passed_on(interpreters):
    over = START._replace(red=START.red._replace(hp=0))
    with pytest.raises(StateError):
        interpreters.search(BAGH, over, None, 1)
    assert interpreters.search(BAGH, START, None, 1).depth == 1


def test_a_process_that_has_ended_is_replaced(interpreters, monkeypatch):
    started, usual = [], outside.start
    monkeypatch.setattr(outside, "start", lambda: started.append(usual()) or started[-1])
    interpreters.search(BAGH, START, None, 1)
    started[0].kill()
    started[0].wait()
    assert interpreters.search(BAGH, START, None, 1).depth == 1
    assert len(started) == 2


def test_closing_ends_a_search_in_progress(monkeypatch):
    interpreters, asked, usual = Interpreters(1), threading.Event(), outside.ask
    monkeypatch.setattr(outside, "ask", lambda *given: asked.set() or usual(*given))
    failed = []

    def run():
        try:
            interpreters.search(BAGH, START, 3_600_000, None)
        except SearchFailedError as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert asked.wait(30)
    interpreters.close()
    thread.join(PATIENCE)
    assert len(failed) == 1
    with pytest.raises(SearchFailedError):
        interpreters.search(BAGH, START, None, 1)


def test_only_what_is_not_compiled_is_searched_elsewhere():
    search(BAGH, START, depth=1)  # compiled now
    with interpreted_by(lambda *_: pytest.fail("it is compiled")):
        assert search(BAGH, START, depth=2).depth == 2


def test_an_instant_answer_looks_one_round_ahead_at_most():
    search(BAGH, START, depth=1)
    with instantly():
        assert search(BAGH, START, depth=1).depth == 1
        with pytest.raises(SearchNeededError):
            search(BAGH, START, depth=2)
        with pytest.raises(SearchNeededError):
            search(BAGH, START, budget_ms=1)
    assert search(BAGH, START, depth=2).depth == 2
