"""Threads that serve clients by turns."""

import threading
from concurrent.futures import wait

import pytest

from holmgang.live.turns import TurnThreads

PATIENCE = 30


@pytest.fixture
def gate():
    gate = threading.Event()
    yield gate
    gate.set()


def test_clients_take_turns(gate):
    threads, done = TurnThreads(1, "test"), []
    jobs = [threads.submit("x", gate.wait)]
    jobs += [threads.submit(who, done.append, who) for who in "aaaabbc"]
    gate.set()
    wait(jobs, PATIENCE)
    threads.close()
    assert "".join(done) == "abcabaa"


def test_one_client_never_occupies_all_threads(gate):
    threads = TurnThreads(4, "test")
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
    threads.close(wait=True)


def test_all_threads_are_used(gate):
    threads, together = TurnThreads(3, "test"), threading.Barrier(3)
    jobs = [threads.submit(who, together.wait, PATIENCE) for who in ("a", "b", None)]
    assert sorted(job.result(PATIENCE) for job in jobs) == [0, 1, 2]
    threads.close(wait=True)


def test_a_job_that_fails_and_one_that_is_cancelled_stop_nobody(gate):
    threads = TurnThreads(1, "test")
    first = threads.submit("a", gate.wait)
    cancelled = threads.submit("a", gate.wait)
    failing = threads.submit("a", int, "x")
    assert cancelled.cancel()
    gate.set()
    assert first.result(PATIENCE)
    with pytest.raises(ValueError, match="invalid literal"):
        failing.result(PATIENCE)
    assert threads.submit("a", lambda: 1).result(PATIENCE) == 1
    threads.close(wait=True)


def test_closing_cancels_what_has_not_begun(gate):
    threads, begun = TurnThreads(1, "test"), threading.Event()
    running = threads.submit("a", lambda: begun.set() or gate.wait())
    waiting = threads.submit("b", gate.wait)
    assert begun.wait(PATIENCE)
    threads.close()
    assert waiting.cancelled()
    assert threads.submit("c", gate.wait).cancelled()
    gate.set()
    assert running.result(PATIENCE)
