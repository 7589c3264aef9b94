"""Puzzles and attempts: one of a person at a puzzle, rated once, whoever else is at it."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.patience import PATIENCE

from holmgang.store import NewPuzzle, Store, StoreError, puzzles
from holmgang.store.glicko import START, Glicko, after_match
from holmgang.store.puzzles import FIRST_DEVIATION


def puzzle(number=1, game="bagh", rating=1500.0, **changes):
    given = {
        "id": f"p{number}",
        "game": game,
        "ruleset": game,
        "kind": "choice",
        "seat": "red",
        "state": {"hp": number},
        "right_count": 1,
        "tolerance": 0.0,
        "source": "table",
        "solution": {"secret": number},
        "rating": rating,
    }
    return NewPuzzle(**{**given, **changes})


@pytest.fixture
def ann(store):
    return store.people.claim(store.people.new_guest().id, "Ann", "hash").id


def test_a_puzzle_is_kept_once(store):
    assert store.puzzles.add([puzzle(1), puzzle(2)]) == 2
    assert store.puzzles.add([puzzle(2, rating=9), puzzle(3, game="fencing")]) == 1
    row = store.puzzles.row("p2")
    assert (row.rating, row.state, row.attempts) == (1500.0, {"hp": 2}, 0)
    assert not hasattr(row, "solution")
    assert store.puzzles.solution("p2") == {"secret": 2}
    assert store.puzzles.row("p9") is None
    assert store.puzzles.row("p\0") is None
    assert store.puzzles.solution("p9") is None
    assert store.puzzles.counts() == {"bagh": 2, "fencing": 1}
    assert [row.id for row in store.puzzles.find("bagh")] == ["p1", "p2"]
    assert [each for each, _ in store.puzzles.ids("choice")] == ["p1", "p2", "p3"]
    assert store.puzzles.ids("mix") == []


def test_puzzles_that_were_judged_in_another_way_are_not_seen(store, ann, monkeypatch):
    monkeypatch.setattr(puzzles, "JUDGING", 1)
    store.puzzles.add([puzzle(1)])
    monkeypatch.undo()
    store.puzzles.add([puzzle(2)])
    assert store.puzzles.row("p1") is None
    assert store.puzzles.solution("p1") is None
    assert [row.id for row in store.puzzles.find()] == ["p2"]
    assert [row.id for row in store.puzzles.find("bagh")] == ["p2"]
    assert [row.id for row in store.puzzles.nearest(None, ann, 1500.0, 9)] == ["p2"]
    assert [each for each, _ in store.puzzles.ids("choice")] == ["p2"]
    assert store.puzzles.counts() == {"bagh": 1}
    with pytest.raises(StoreError):
        store.puzzles.attempt("p1", ann, "guard", solved=True)


def test_puzzles_of_rules_that_were_changed_in_the_code_are_not_seen(store, ann, monkeypatch):
    """Until they are made again, by the rules as they are now."""
    with monkeypatch.context() as patch:
        patch.setattr("holmgang.games.ruleset.game_digest", lambda game: "as it was")
        assert store.puzzles.add([puzzle(1), puzzle(2)]) == 2
        assert store.puzzles.add([puzzle(1)]) == 0
        assert store.puzzles.counts() == {"bagh": 2}
        store.puzzles.attempt("p1", ann, "guard", solved=True)
    assert store.puzzles.row("p1") is None
    assert store.puzzles.solution("p1") is None
    assert store.puzzles.nearest("bagh", ann, 1500.0, 9) == []
    assert store.puzzles.counts() == {}
    assert store.puzzles.add([puzzle(1, solution={"secret": "new"}, rating=1700.0)]) == 1
    assert store.puzzles.counts() == {"bagh": 1}
    assert store.puzzles.solution("p1") == {"secret": "new"}
    row = store.puzzles.row("p1")
    assert (row.rating, row.attempts) == (1700.0, 0)


def test_an_attempt_is_rated_like_a_match_against_the_puzzle(store, ann):
    store.puzzles.add([puzzle(rating=1600.0)])
    made = store.puzzles.attempt("p1", ann, "guard", solved=True)
    mine, its = after_match(START, Glicko(1600.0, FIRST_DEVIATION, START.volatility), 1.0)
    assert (made.before, made.after) == (1500.0, mine.rating)
    assert (made.puzzle_before, made.puzzle_after) == (1600.0, its.rating)
    row = store.puzzles.row("p1")
    assert (row.rating, row.deviation, row.attempts, row.solved) == (
        its.rating,
        its.deviation,
        1,
        1,
    )
    rating = store.puzzles.ratings(ann)["bagh"]
    assert rating.rating == mine.rating
    assert (rating.attempts, rating.solved) == (1, 1)
    assert abs(rating.at - time.time()) < 60
    assert store.puzzles.attempt_of("p1", ann) == made
    assert store.puzzles.attempt_of("p1", ann + 1) is None
    assert store.ratings.of_person(ann) == {}  # matches are another matter


def test_only_the_first_attempt_counts(store, ann):
    store.puzzles.add([puzzle()])
    first = store.puzzles.attempt("p1", ann, {"attack": 0.5}, solved=False)
    again = store.puzzles.attempt("p1", ann, "guard", solved=True)
    assert again == first
    assert first.answer == {"attack": 0.5}
    assert store.puzzles.row("p1").attempts == 1
    assert store.puzzles.ratings(ann)["bagh"].attempts == 1


def test_a_guest_is_not_rated(store):
    store.puzzles.add([puzzle()])
    guest = store.people.new_guest().id
    made = store.puzzles.attempt("p1", guest, "guard", solved=True)
    assert (made.before, made.after, made.puzzle_before, made.puzzle_after) == (None,) * 4
    assert made.solved
    row = store.puzzles.row("p1")
    assert (row.rating, row.attempts) == (1500.0, 0)
    assert store.puzzles.ratings(guest) == {}
    account = store.people.claim(guest, "Bob", "hash").id
    assert store.puzzles.attempt("p1", account, "boost", solved=False) == made


def test_what_does_not_exist_cannot_be_attempted(store, ann):
    store.puzzles.add([puzzle()])
    for missing in (("p9", ann), ("p1", 999)):
        with pytest.raises(StoreError, match="there is no puzzle"):
            store.puzzles.attempt(*missing, "guard", solved=True)
    assert store.puzzles.ratings(ann) == {}


def test_the_nearest_puzzles_are_those_not_attempted(store, ann):
    store.puzzles.add([puzzle(n, rating=1000.0 + 100 * n) for n in range(1, 9)])
    store.puzzles.add([puzzle(20, game="fencing", rating=1510.0)])
    assert [row.id for row in store.puzzles.nearest(None, ann, 1512.0, 3)] == [
        "p20",
        "p5",
        "p6",
    ]
    store.puzzles.attempt("p5", ann, "guard", solved=True)
    assert [row.id for row in store.puzzles.nearest("bagh", ann, 1512.0, 2)] == ["p6", "p4"]
    assert [row.id for row in store.puzzles.nearest("bagh", None, 1112.0, 1)] == ["p1"]
    assert store.puzzles.nearest("chess\0", ann, 1500.0) == []


def test_threads_that_attempt_the_same_puzzle_make_one_attempt(store, ann):
    store.puzzles.add([puzzle()])
    with ThreadPoolExecutor(8) as pool:
        made = list(
            pool.map(lambda n: store.puzzles.attempt("p1", ann, n, solved=n % 2 == 0), range(16))
        )
    assert len(set(made)) == 1
    assert store.puzzles.ratings(ann)["bagh"].attempts == 1


RACE = """
import sys
from holmgang.store import Store
url, person, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with Store.open(url) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(1, 21):
        made = store.puzzles.attempt(f"p{number}", person, first, solved=first == 1)
        print(made.answer)
"""


@pytest.mark.thorough
def test_two_processes_rate_each_puzzle_once(url):
    """As with two tabs of a browser at two servers: every rating follows from the one before."""
    with Store.open(url) as store:
        ann = store.people.claim(store.people.new_guest().id, "Ann", "hash").id
        store.puzzles.add([puzzle(number) for number in range(1, 21)])
        racers = [
            subprocess.Popen(
                [sys.executable, "-c", RACE, url, str(ann), str(first)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for first in (0, 1)
        ]
        for racer in racers:
            assert racer.stdout.readline() == "ready\n"
        for racer in racers:
            racer.stdin.write("go\n")
            racer.stdin.flush()
        told = [racer.communicate(timeout=PATIENCE)[0].split() for racer in racers]
        assert told[0] == told[1]
        assert len(told[0]) == 20
        made = [store.puzzles.attempt_of(f"p{number}", ann) for number in range(1, 21)]
        made.sort(key=lambda attempt: attempt.at)
        rating = store.puzzles.ratings(ann)["bagh"]
        assert rating.attempts == 20
        assert {attempt.before for attempt in made} - {attempt.after for attempt in made} == {
            1500.0
        }
        assert rating.rating in {attempt.after for attempt in made}
