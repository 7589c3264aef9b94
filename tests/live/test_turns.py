"""Threads that serve clients by turns."""

import threading
from concurrent.futures import wait

import pytest
from tests.patience import PATIENCE

from holmgang.live.turns import TurnThreads


@pytest.fixture
def gate():
    return threading.Event()


@pytest.fixture
def pool(gate):
    """Makes threads that end after the test, also after one that fails."""
    made = []

    def make(count):
        made.append(TurnThreads(count, "test"))
        return made[-1]

    yield make
    gate.set()
    for threads in made:
        threads.close(wait=True)


def test_clients_take_turns(pool, gate):
    threads, done = pool(1), []
    jobs = [threads.submit("x", gate.wait)]
    jobs += [threads.submit(who, done.append, who) for who in "aaaabbc"]
    gate.set()
    wait(jobs, PATIENCE)
    assert "".join(done) == "abcabaa"


def test_one_client_never_occupies_all_threads(pool, gate):
    threads = pool(4)
    begun = threading.Semaphore(0)

    def block():
        begun.release()
        gate.wait()

    many = [threads.submit("a", block) for _ in range(40)]
    for _ in range(3):
        assert begun.acquire(timeout=PATIENCE)
    assert threads.submit("b", lambda: "served").result(PATIENCE) == "served"
    assert not begun.acquire(blocking=False)
    assert not any(job.done() for job in many)
    gate.set()
    wait(many, PATIENCE)


def test_all_threads_are_used(pool):
    threads, together = pool(3), threading.Barrier(3)
    jobs = [threads.submit(who, together.wait, PATIENCE) for who in ("a", "b", None)]
    assert sorted(job.result(PATIENCE) for job in jobs) == [0, 1, 2]


def test_a_job_that_fails_and_one_that_is_cancelled_stop_nobody(pool, gate):
    threads = pool(1)
    first = threads.submit("a", gate.wait)
    cancelled = threads.submit("a", gate.wait)
    failing = threads.submit("a", int, "x")
    assert cancelled.cancel()
    gate.set()
    assert first.result(PATIENCE)
    with pytest.raises(ValueError, match="invalid literal"):
        failing.result(PATIENCE)
    assert threads.submit("a", lambda: 1).result(PATIENCE) == 1


def test_closing_cancels_what_has_not_begun(pool, gate):
    threads, begun = pool(1), threading.Event()
    running = threads.submit("a", lambda: begun.set() or gate.wait())
    waiting = threads.submit("b", gate.wait)
    assert begun.wait(PATIENCE)
    threads.close()
    assert waiting.cancelled()
    assert threads.submit("c", gate.wait).cancelled()
    gate.set()
    assert running.result(PATIENCE)
