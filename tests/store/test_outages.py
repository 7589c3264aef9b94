"""Times in which no server ran."""

import time
from concurrent.futures import ThreadPoolExecutor

from holmgang.store import Store


def test_a_new_database_had_no_outage(store):
    store.outages.begin(1000.0)
    assert store.outages.all() == []


def test_a_silence_of_more_than_three_seconds_is_an_outage(store):
    store.outages.begin(1000.0)
    store.outages.begin(1003.0)
    assert store.outages.all() == []
    store.outages.begin(1006.5)
    store.outages.begin(1500.0)
    assert store.outages.all() == [(1003.0, 1006.5), (1006.5, 1500.0)]


def test_a_beat_says_that_a_server_is_alive(url):
    with Store.open(url) as store:
        store.outages.begin(1000.0)
        store.outages.beat(1010.0).result()
    with Store.open(url) as store:
        store.outages.begin(1012.0)
        assert store.outages.all() == []
        before = time.time()
        store.outages.beat().result()
        after = time.time()
        store.outages.begin(after + 100)
        [(began, ended)] = store.outages.all()
        assert before <= began <= after
        assert ended == after + 100


def test_a_clock_that_was_set_back_makes_no_outage(store):
    store.outages.begin(1000.0)
    store.outages.begin(900.0)
    store.outages.begin(1002.0)
    assert store.outages.all() == []


def test_of_many_servers_that_start_at_once_one_notes_the_outage(url):
    with Store.open(url) as store:
        store.outages.begin(1000.0)
    stores = [Store.open(url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda each: each.outages.begin(2000.0), stores))
    assert stores[0].outages.all() == [(1000.0, 2000.0)]
    for each in stores:
        each.close()
