"""Lists of matches."""

import pytest
from tests.store.rows import OPEN, OVER, PLAYING, event

from holmgang.store import Store, StoredEvent


@pytest.fixture
def ids(store):
    """Lists ids; there are four matches, created one after the other."""
    for number, (match, summary) in enumerate(
        {
            "waiting": OPEN,
            "secret": OPEN._replace(visibility="link"),
            "going": PLAYING._replace(game="fencing", ruleset="fencing:league=2"),
            "done": OVER,
        }.items()
    ):
        store.append(match, 0, [StoredEvent(1, 100.0 + number, {})], summary).result()

    def find(**given):
        return [row.id for row in store.matches.find(**given)]

    return find


def test_the_newest_come_first(ids):
    assert ids() == ["done", "going", "secret", "waiting"]
    assert ids(limit=2) == ["done", "going"]
    assert ids(before=102.0) == ["secret", "waiting"]
    assert ids(limit=0) == []


def test_each_condition_narrows_the_list(ids):
    assert ids(status="open") == ["secret", "waiting"]
    assert ids(status=("open", "playing")) == ["going", "secret", "waiting"]
    assert ids(status="open", visibility="lobby") == ["waiting"]
    assert ids(game="fencing") == ["going"]
    assert ids(game="chess") == []
    assert ids(person=1) == []


def test_a_row_has_the_last_summary_and_both_times(store):
    store.append("m", 0, [event(1)], OPEN).result()
    store.append("m", 1, [event(2), event(3)], PLAYING).result()
    row = store.matches.row("m")
    assert row == ("m", 3, 1001.0, 1003.0, PLAYING)
    assert store.matches.find() == [row]
    assert type(row.summary.rated) is bool
    assert store.matches.row("other") is None


def test_two_servers_keep_the_summary_right(url):
    """Each remembers what it wrote last; the other may have changed it since."""
    with Store.open(url) as one, Store.open(url) as two:
        one.append("m", 0, [event(1)], PLAYING).result()
        one.append("m", 1, [event(2)], PLAYING).result()
        two.append("m", 2, [event(3)], OVER).result()
        one.append("m", 3, [event(4)], PLAYING).result()
        assert two.matches.row("m") == ("m", 4, 1001.0, 1004.0, PLAYING)
        one.append("m", 4, [event(5)], PLAYING._replace(rounds=7)).result()
        assert two.matches.row("m").summary.rounds == 7
        assert two.matches.live() == ["m"]


def test_playing_lists_what_goes_on(store, ids):
    assert ids()
    assert store.matches.live() == ["waiting", "secret", "going"]
