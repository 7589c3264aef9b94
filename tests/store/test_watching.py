"""What other processes append is told."""

import subprocess
import sys
from queue import Empty, SimpleQueue

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.patience import PATIENCE
from tests.postgres import running_postgres
from tests.store.rows import OPEN, event

from holmgang.store import Store, StoreError
from holmgang.store.watching import messages

APPEND = """
import sys
from tests.store.rows import OPEN, event
from holmgang.store import Store
with Store.open(sys.argv[1]) as store:
    store.append(sys.argv[2], 0, [event(1), event(2)], OPEN).result()
"""


def append_elsewhere(url: str, match: str) -> None:
    subprocess.run([sys.executable, "-c", APPEND, url, match], check=True, timeout=PATIENCE)


@pytest.fixture
def told(store):
    queue = SimpleQueue()
    store.on_append(lambda match, seq: queue.put((match, seq)))
    return queue


def test_appends_of_another_process_are_told(store, url, told):
    append_elsewhere(url, "theirs")
    assert told.get(timeout=PATIENCE) == ("theirs", 2)


def test_own_appends_are_not_told(store, url, told):
    store.append("ours", 0, [event(1)], OPEN).result()
    append_elsewhere(url, "theirs")
    store.append("ours", 1, [event(2)], OPEN).result()
    assert told.get(timeout=PATIENCE) == ("theirs", 2)
    append_elsewhere(url, "more of theirs")
    assert told.get(timeout=PATIENCE) == ("more of theirs", 2)
    with pytest.raises(Empty):
        told.get_nowait()


def test_a_match_that_both_append_to_is_told(store, url, told):
    append_elsewhere(url, "m")
    assert told.get(timeout=PATIENCE) == ("m", 2)
    store.append("m", 2, [event(3)], OPEN).result()
    with Store.open(url) as other:
        other.append("m", 3, [event(4)], OPEN).result()
    assert told.get(timeout=PATIENCE) == ("m", 4)


def test_a_callback_that_fails_does_not_stop_the_others(store, url, told, caplog):
    def fail(match: str, seq: int) -> None:
        raise ValueError(match)

    store.on_append(fail)
    for match in ("one", "two"):
        append_elsewhere(url, match)
        assert told.get(timeout=PATIENCE) == (match, 2)
    assert "a callback of on_append failed" in caplog.text


def test_other_notifications_are_ignored(postgres, caplog):
    import psycopg

    url = postgres.new_database()
    queue = SimpleQueue()
    with Store.open(url) as store, psycopg.connect(url, autocommit=True) as connection:
        store.on_append(lambda match, seq: queue.put((match, seq)))
        for message in ("", "[]", '["x", 3]', '["x", {"m": "n"}]', '["x", {"m": 3}]'):
            connection.execute("SELECT pg_notify('holmgang', %s)", [message])
        assert queue.get(timeout=PATIENCE) == ("m", 3)
    assert caplog.text.count("not a notification of ours") == 4


def test_after_a_restart_of_postgresql_everything_is_to_be_checked(caplog):
    with running_postgres() as server:
        url = server.new_database()
        queue = SimpleQueue()
        with Store.open(url) as store:
            store.on_append(lambda match, seq: queue.put((match, seq)))
            store.append("m", 0, [event(1)], OPEN).result()
            server.stop()
            with pytest.raises(StoreError, match="cannot read the database"):
                store.read("m")
            waiting = store.append("m", 1, [event(2)], OPEN)
            server.start()
            waiting.result(timeout=PATIENCE)  # it was tried until the server was back
            assert queue.get(timeout=PATIENCE) == ("", 0)
            assert store.read("m") == [event(1), event(2)]
            append_elsewhere(url, "theirs")
            assert queue.get(timeout=PATIENCE) == ("theirs", 2)
    assert "no notifications from PostgreSQL" in caplog.text


@given(st.dictionaries(st.text(min_size=1, max_size=200), st.integers(1, 10**6), min_size=1))
def test_messages_are_short_enough_and_complete(last):
    sent = [orjson.loads(message) for message in messages("origin", last)]
    assert {match: seq for _, part in sent for match, seq in part.items()} == last


def test_many_matches_take_several_messages():
    last = {f"match number {n}": n for n in range(5000)}
    sent = list(messages("0123456789abcdef", last))
    assert max(len(message.encode()) for message in sent) < 8000
    assert sum(len(orjson.loads(message)[1]) for message in sent) == 5000
