"""Puzzles from the store: the next one, and the one of the day."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.analysis.puzzles.samples import CHOICE, MIX, SAMPLES, fill

from holmgang.analysis.puzzles.keeping import (
    end_of_day,
    keep,
    next_puzzle,
    puzzle_of_the_day,
    solved_puzzle,
)
from holmgang.store import Store


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/puzzles.sqlite3"


@pytest.fixture
def store(url):
    with Store.open(url) as store:
        yield store


def test_puzzles_are_kept_once_and_come_back_whole(store):
    assert [is_new for _, is_new in keep(store, SAMPLES.values())] == [True] * len(SAMPLES)
    assert [is_new for _, is_new in keep(store, SAMPLES.values())] == [False] * len(SAMPLES)
    for row in store.puzzles.find():
        assert solved_puzzle(store, row) == SAMPLES[row.id]


def test_the_next_puzzle_is_near_and_new(store):
    fill(store)
    person = store.people.new_guest().id
    left = set(SAMPLES)
    while left:
        row = next_puzzle(store, None, person)
        left.remove(row.id)
        store.puzzles.attempt(row.id, person, "guard", solved=True)
    assert next_puzzle(store, None, person) is None
    assert next_puzzle(store, "fencing", None) is None
    seen = {next_puzzle(store, "bagh", None, skip=MIX.question.id).id for _ in range(40)}
    assert MIX.question.id not in seen
    assert (
        next_puzzle(store, "defend-the-city-duel", None, skip="ae10290b52ee").id == "ae10290b52ee"
    )


def test_the_puzzle_of_the_day_is_the_same_for_everyone_all_day(url, store):
    now = datetime.now(UTC)
    assert puzzle_of_the_day(store, now) is None
    store.puzzles.add([])
    fill(store)
    first = puzzle_of_the_day(store, now)
    assert SAMPLES[first].question.kind == "choice"
    days = [now + timedelta(days=number) for number in range(1, 40)]
    drawn = [puzzle_of_the_day(store, day) for day in days]
    assert len(set(drawn)) == sum(p.question.kind == "choice" for p in SAMPLES.values())
    with Store.open(url) as other:
        assert [puzzle_of_the_day(other, day) for day in days] == drawn
    late = days[0].replace(hour=23, minute=59, second=59)
    assert puzzle_of_the_day(store, late) == drawn[0]
    assert end_of_day(late) - late == timedelta(seconds=1, microseconds=-late.microsecond)


def test_what_is_made_in_the_course_of_a_day_does_not_change_its_puzzle(store):
    now = datetime.now(UTC)
    list(keep(store, [CHOICE]))
    assert puzzle_of_the_day(store, now) == CHOICE.question.id
    fill(store)
    assert puzzle_of_the_day(store, now) == CHOICE.question.id
