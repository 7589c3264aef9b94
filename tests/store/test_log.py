"""The log: what is acknowledged is there, in order, and each number once."""

from concurrent.futures import ThreadPoolExecutor
from traceback import format_exception

import pytest
from tests.store.held import held
from tests.store.rows import OPEN, OVER, PLAYING, event

from holmgang.store import Conflict, Store, StoredEvent, StoreError


def test_what_was_appended_is_read_in_order(store):
    store.append("m", 0, [event(1, a="ä"), event(2)], OPEN).result()
    store.append("m", 2, [event(3, seed=2**64 - 1)], PLAYING).result()
    assert store.read("m") == [event(1, a="ä"), event(2), event(3, seed=2**64 - 1)]
    assert store.read("m", after=2) == [event(3, seed=2**64 - 1)]
    assert store.read("m", after=3) == []
    assert store.read("other") == []


def test_it_is_there_after_reopening(url):
    with Store.open(url) as store:
        future = store.append("m", 0, [event(1)], OPEN)
    assert future.done()
    with Store.open(url) as store:
        assert store.read("m") == [event(1)]


def test_a_number_is_given_once(store):
    store.append("m", 0, [event(1)], OPEN).result()
    store.append("m", 1, [event(2, who="first")], PLAYING).result()
    with pytest.raises(Conflict, match="match m has 2 events, not 1"):
        store.append("m", 1, [event(2, who="second")], OVER).result()
    with pytest.raises(Conflict, match="match m has 2 events, not 0"):
        store.append("m", 0, [event(1)], OPEN).result()
    assert store.read("m") == [event(1), event(2, who="first")]
    assert store.matches.row("m").summary.status == "playing"
    assert store.stats().conflicts == 2


def test_no_number_is_left_out(store):
    store.append("m", 0, [event(1)], OPEN).result()
    with pytest.raises(Conflict, match="match m has 1 events, not 4"):
        store.append("m", 4, [event(5)], OPEN).result()
    with pytest.raises(Conflict, match="match new has 0 events, not 1"):
        store.append("new", 1, [event(2)], OPEN).result()
    assert store.read("new") == []


@pytest.mark.parametrize("numbers", [(), (2,), (1, 3), (2, 1), (1, 1)], ids=str)
def test_events_have_to_follow_what_is_expected(store, numbers):
    with pytest.raises(StoreError, match="the events after 0 of match m are numbered"):
        store.append("m", 0, [event(number) for number in numbers], OPEN)


def test_an_event_has_to_be_json(store):
    with pytest.raises(StoreError, match="an event of match m is not JSON"):
        store.append("m", 0, [StoredEvent(1, 1.0, {"seed": 2**70})], OPEN)


def test_a_person_who_does_not_exist_is_no_conflict(store):
    future = store.append("m", 0, [event(1)], OPEN._replace(red_person=7))
    with pytest.raises(StoreError, match=r"(?i)foreign key") as caught:
        future.result()
    assert not isinstance(caught.value, Conflict)


def test_an_error_does_not_show_what_was_to_be_written(store):
    """Errors are logged, and a choice is secret until the reveal."""
    summary = OPEN._replace(red_person=7, red_name="secret name")
    error = store.append("m", 0, [event(1, choice="secret choice")], summary).exception()
    told = "".join(format_exception(error))
    assert "INSERT INTO matches" in told
    assert "secret" not in told


def test_in_a_group_only_the_conflicting_append_fails(store):
    """All wait for a job that holds the writer, and so share a commit."""
    store.append("m", 0, [event(1)], OPEN).result()
    before = store.stats().commits
    with held(store):
        good = [store.append(f"m{n}", 0, [event(1)], OPEN) for n in range(5)]
        bad = store.append("m", 0, [event(1, late=True)], OPEN)
        good += [store.append(f"m{n}", 1, [event(2)], OPEN) for n in range(5)]
        assert store.stats().queued == 11
    for future in good:
        assert future.result() is None
    with pytest.raises(Conflict):
        bad.result()
    assert [store.read(f"m{n}") for n in range(5)] == [[event(1), event(2)]] * 5
    assert store.read("m") == [event(1)]
    assert store.stats().commits == before + 2


def test_appends_to_one_match_can_wait_in_line(store):
    with held(store):
        futures = [store.append("m", n, [event(n + 1)], OPEN) for n in range(20)]
    for future in futures:
        future.result()
    assert store.read("m") == [event(n + 1) for n in range(20)]


def test_many_threads_append_to_one_match(store):
    """Each tries until it wins a number; nothing is lost and nothing is there twice."""
    store.append("m", 0, [event(1)], OPEN).result()

    def add(name: int) -> None:
        for turn in range(10):
            while True:
                last = store.read("m")[-1].seq
                try:
                    store.append("m", last, [event(last + 1, name=name, turn=turn)], OPEN).result()
                except Conflict:
                    continue
                break

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(8)))
    events = store.read("m")
    assert [one.seq for one in events] == list(range(1, 82))
    for name in range(8):
        assert [e.body["turn"] for e in events[1:] if e.body["name"] == name] == list(range(10))


def test_a_closed_store_refuses(url):
    store = Store.open(url)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="the database is closed"):
        store.append("m", 0, [event(1)], OPEN).result()


def test_an_append_cannot_be_cancelled(store):
    with held(store):
        future = store.append("m", 0, [event(1)], OPEN)
        assert not future.cancel()
    future.result()
    assert store.read("m") == [event(1)]


def test_ids_that_no_database_can_hold_are_unknown(store):
    for match in ("a\0b", "\ud800", "a\nb"):
        assert store.read(match) == []
        assert store.matches.row(match) is None
