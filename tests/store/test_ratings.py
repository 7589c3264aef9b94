"""Ratings change with the event that ends a match, and once."""

import time

import pytest
from tests.store.held import held
from tests.store.rows import OVER, PLAYING, event

from holmgang.store import Conflict, RatedResult, StoredEvent, StoreError, ratings
from holmgang.store.glicko import START, Glicko, after_match
from holmgang.store.ratings import REACH

DAY = 86400.0


@pytest.fixture
def people(store):
    return [
        store.people.claim(store.people.new_guest().id, name, "hash").id
        for name in ("Ann", "Bob", "Cid")
    ]


def play(store, match, red, blue, score=1.0, *, at=None, game="bagh"):
    """A rated match of two events; returns the changes of the ratings."""
    at = time.time() if at is None else at
    store.append(match, 0, [StoredEvent(1, at, {})], PLAYING).result()
    result = RatedResult(game, red, blue, score)
    return store.append(match, 1, [StoredEvent(2, at, {})], OVER, result).result()


def test_the_result_of_the_append_has_the_changes(store, people):
    ann, bob, _ = people
    changes = play(store, "m", ann, bob)
    red, blue = after_match(START, START, 1)
    assert changes == {"red": [1500, red.rating], "blue": [1500, blue.rating]}
    assert store.ratings.changes("m") == changes
    assert store.ratings.changes("other") is None
    rating = store.ratings.of_person(ann)["bagh"]
    assert rating[:4] == pytest.approx((*red, 1), abs=1e-3)
    assert abs(rating.at - time.time()) < 60
    assert rating.is_provisional


def test_new_accounts_lift_nobody_far(store):
    """Nine accounts made for it lose to one player, as often as a pair may play in a day."""
    star, *puppets = (
        store.people.claim(store.people.new_guest().id, f"P{number}", "hash").id
        for number in range(10)
    )
    for number in range(5):
        for puppet in puppets:
            play(store, f"{puppet}x{number}", star, puppet)
    rating = store.ratings.of_person(star)["bagh"]
    assert rating.rating <= START.rating + REACH
    assert rating.matches == 45


def test_established_opponents_lift_a_player_as_far_as_glicko_says(store):
    ann, *others = (
        store.people.claim(store.people.new_guest().id, f"P{number}", "hash").id
        for number in range(4)
    )
    for number in range(40):  # two wins each in turn, so they stay near each other
        one, two = others[number % 3], others[(number + 1) % 3]
        play(store, f"m{number}", one, two, 1.0 if number // 3 % 2 else 0.0)
    foe = store.ratings.of_person(others[0])["bagh"]
    assert not foe.is_provisional
    before = Glicko(1850.0, 90.0, 0.06)
    after = ratings._bounded(before, before._replace(rating=2400.0), Glicko(*foe[:3]))
    assert after.rating == 2400.0
    changes = play(store, "last", ann, others[0])
    new, _ = after_match(START, Glicko(*foe[:3]), 1)
    assert changes["red"][1] == pytest.approx(new.rating, abs=1e-3)


def test_games_are_rated_apart(store, people):
    ann, bob, _ = people
    play(store, "one", ann, bob)
    play(store, "two", bob, ann, game="fencing")
    assert (
        store.ratings.of_person(ann)["bagh"].rating
        > 1500
        > store.ratings.of_person(ann)["fencing"].rating
    )
    assert list(store.ratings.of_person(ann)) == ["bagh", "fencing"]


def test_a_match_is_rated_once(store, people):
    ann, bob, _ = people
    changes = play(store, "m", ann, bob)
    before = store.ratings.of_person(ann), store.ratings.of_person(bob)
    again = store.append("m", 2, [event(3)], OVER, RatedResult("bagh", ann, bob, 0)).result()
    assert again == changes
    assert [
        r["bagh"].matches for r in (store.ratings.of_person(ann), store.ratings.of_person(bob))
    ] == [1, 1]
    assert store.ratings.of_person(ann)["bagh"].rating == before[0]["bagh"].rating
    assert len(store.ratings.history(ann, "bagh")) == 1


def test_an_append_that_conflicts_rates_nothing_and_can_be_tried_again(store, people):
    """As a server does: it reads the event that it did not know, and ends the match after it."""
    ann, bob, _ = people
    store.append("m", 0, [event(1)], PLAYING).result()
    result = RatedResult("bagh", ann, bob, 1)
    with held(store):
        first = store.append("m", 1, [event(2)], PLAYING)
        late = store.append("m", 1, [event(2, ends=True)], OVER, result)
    first.result()
    with pytest.raises(Conflict):
        late.result()
    assert store.ratings.of_person(ann) == {}
    assert store.ratings.changes("m") is None
    changes = store.append("m", 2, [event(3, ends=True)], OVER, result).result()
    assert changes == store.ratings.changes("m")
    assert store.ratings.of_person(ann)["bagh"].matches == 1


def test_two_ends_of_one_match_rate_it_once(store, people):
    ann, bob, _ = people
    store.append("m", 0, [event(1)], PLAYING).result()
    result = RatedResult("bagh", ann, bob, 1)
    with held(store):
        ends = [store.append("m", 1, [event(2)], OVER, result) for _ in range(5)]
    assert sorted(type(end.exception()).__name__ for end in ends) == ["Conflict"] * 4 + ["NoneType"]
    assert store.ratings.of_person(bob)["bagh"].matches == 1


def test_several_matches_of_one_person_in_one_commit_are_rated_in_turn(store, people):
    ann, bob, cid = people
    for match in "xy":
        store.append(match, 0, [event(1)], PLAYING).result()
    with held(store):
        x = store.append("x", 1, [event(2)], OVER, RatedResult("bagh", ann, bob, 1))
        y = store.append("y", 1, [event(2)], OVER, RatedResult("bagh", cid, ann, 0))
    assert x.result()["red"][1] == y.result()["blue"][0]
    assert store.ratings.of_person(ann)["bagh"].matches == 2


def test_what_cannot_be_rated_is_not_appended_and_harms_nobody(store, people):
    ann, bob, _ = people
    with held(store):
        good = store.append("good", 0, [event(1)], OVER, RatedResult("bagh", ann, bob, 1))
        alone = store.append("alone", 0, [event(1)], OVER, RatedResult("bagh", ann, ann, 1))
        ghost = store.append("ghost", 0, [event(1)], OVER, RatedResult("bagh", ann, 999, 1))
    assert good.result()["red"][0] == 1500
    with pytest.raises(StoreError, match="has both seats"):
        alone.result()
    with pytest.raises(StoreError, match=r"(?i)foreign key"):
        ghost.result()
    assert store.read("alone") == store.read("ghost") == []
    assert store.ratings.of_person(ann)["bagh"].matches == 1


def test_the_deviation_grows_with_time(store, people):
    ann, bob, _ = people
    now = time.time()
    play(store, "long ago", ann, bob, at=now - 300 * DAY)
    play(store, "today", bob, store.people.new_guest().id, at=now)
    ratings = (
        store.ratings.of_person(ann)["bagh"],
        store.ratings.of_person(bob)["bagh"],
    )
    fresh = after_match(START, START, 1)[0].deviation
    assert ratings[0].deviation > fresh + 15
    assert ratings[1].deviation < fresh


def test_history_is_in_order(store, people):
    ann, bob, _ = people
    later = play(store, "b", ann, bob, 0.0, at=2000.0)
    assert store.ratings.history(ann, "bagh") == [(2000.0, later["red"][1])]
    last = play(store, "a", bob, ann, 0.5, at=3000.0)
    assert store.ratings.history(ann, "bagh") == [
        (2000.0, later["red"][1]),
        (3000.0, last["blue"][1]),
    ]
    assert store.ratings.history(ann, "fencing") == []


def test_the_leaderboard_has_accounts_that_play_and_are_known(store, people):
    ann, bob, cid = people
    guest = store.people.new_guest().id
    now = time.time()
    for number in range(25):
        play(store, f"ab{number}", ann, bob, (number % 3) / 2, at=now - 100 + number)
        play(store, f"bg{number}", bob, guest, (number % 2), at=now - 100 + number)
    play(store, "c", cid, guest, at=now)
    for number in range(30):
        play(store, f"old{number}", cid, ann, (number % 3) / 2, at=now - 91 * DAY, game="fencing")
    board = store.ratings.leaderboard("bagh")
    assert {person.name for person, _ in board} == {"Ann", "Bob"}
    assert [rating.rating for _, rating in board] == sorted(
        (rating.rating for _, rating in board), reverse=True
    )
    assert all(rating.deviation < 110 for _, rating in board)
    assert len(store.ratings.leaderboard("bagh", limit=1)) == 1
    assert store.ratings.leaderboard("fencing") == []
