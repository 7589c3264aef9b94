"""Which players are there, as several processes note it."""

from tests.store.rows import OPEN, PLAYING, event

from holmgang.store.presence import FORGOTTEN, VALID


def listed(store, now, **given):
    return [row.id for row in store.matches.find(now=now, **given)]


def test_a_seat_is_there_if_any_process_says_so(store):
    store.presence.note("one", 100.0, [("m", "red"), ("n", "blue")])
    store.presence.note("two", 100.0, [("m", "red"), ("m", "blue")])
    assert store.presence.seats(["m", "n", "x"], 101.0) == {"m": ["red", "blue"], "n": ["blue"]}
    store.presence.note("two", 101.0, [])
    assert store.presence.seats(["m"], 101.0) == {"m": ["red"]}
    store.presence.end("one")
    assert store.presence.seats(["m", "n"], 101.0) == {}


def test_a_process_that_was_killed_leaves_nobody_behind(store):
    store.presence.note("one", 100.0, [("m", "red")])
    store.presence.note("one", 110.0, None)
    assert store.presence.seats(["m"], 110.0 + VALID - 1) == {"m": ["red"]}
    assert store.presence.seats(["m"], 110.0 + VALID) == {}
    store.presence.note("two", 111.0 + FORGOTTEN, [])
    store.presence.note("one", 111.0 + FORGOTTEN, None)  # it was only late: it notes itself again
    assert store.presence.seats(["m"], 111.0 + FORGOTTEN) == {}


def test_lists_are_narrowed_to_matches_with_a_player(store):
    store.append("open", 0, [event(1)], OPEN).result()
    store.append("full", 0, [event(1)], OPEN._replace(blue_kind="guest")).result()
    store.append("going", 0, [event(1)], PLAYING).result()
    store.presence.note("one", 100.0, [("open", "red"), ("full", "blue")])
    assert listed(store, 101.0, is_attended=True) == ["full", "open"]
    assert listed(store, 101.0, is_attended=False) == ["going"]
    assert listed(store, 101.0, is_attended=True, is_free=True) == ["open"]
    assert listed(store, 101.0, is_free=False) == ["full", "going"]
    assert listed(store, 100.0 + VALID, is_attended=True) == []
