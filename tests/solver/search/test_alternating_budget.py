"""A search stops when its time is up, also on a busy machine."""

import subprocess
import sys
import time
from dataclasses import replace

import pytest

from holmgang.games.magic_duel import rules
from holmgang.games.ruleset import load
from holmgang.solver.search.alternating import search_alternating

HOURS_MS = 10_000_000
MARGIN_MS = 150  # slices of the processor that others may take, several at a time


@pytest.fixture
def start():
    ruleset = load("magic-duel")
    state = rules.initial(ruleset.rules)
    search_alternating(ruleset, state, depth=1)  # compiled before anything is timed
    return ruleset, state


@pytest.fixture
def busy_machine(start):
    spinning = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
    others = [subprocess.Popen(spinning, stdout=subprocess.PIPE) for _ in range(2)]
    for other in others:
        other.stdout.readline()
    yield
    for other in others:
        other.kill()
        other.communicate()


def timed(*arguments, **limits):
    started = time.monotonic()
    found = search_alternating(*arguments, **limits)
    return found, 1000 * (time.monotonic() - started)


@pytest.mark.timed
@pytest.mark.usefixtures("busy_machine")
@pytest.mark.parametrize("interpret", [False, True])
@pytest.mark.parametrize("budget_ms", [20, 300])
def test_the_budget_is_kept_under_load(start, budget_ms, interpret):
    found, taken_ms = timed(*start, budget_ms=budget_ms, interpret=interpret)
    assert taken_ms < budget_ms + MARGIN_MS
    assert found.depth >= 1


@pytest.mark.timed
def test_the_budget_is_used(start):
    found, taken_ms = timed(*start, budget_ms=200)
    assert taken_ms >= 200
    assert found.depth >= 8


def test_one_round_ahead_is_always_seen(start):
    found = search_alternating(*start, budget_ms=0)
    assert found.depth == 1
    ahead = search_alternating(*start, depth=1)  # which may give away a draw that is proven
    assert ahead == replace(found, decided=None)


def test_the_earlier_of_both_limits_counts(start):
    assert search_alternating(*start, budget_ms=HOURS_MS, depth=6).depth == 6


def test_a_proven_end_needs_no_more_time(start):
    ruleset, _ = start
    state = ruleset.parse_state("r1/25.0.0.0/5.0.0.900")
    found = search_alternating(ruleset, state, budget_ms=HOURS_MS)
    assert (found.value, found.depth) == (1, 1)
