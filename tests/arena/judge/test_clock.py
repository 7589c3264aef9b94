"""Time on a busy machine: what a bot is charged, and what it is not.

The host of a virtual machine takes the processor away at any time, which spoils a measurement now
and then; `make soak-clock` counts how often.
"""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.arena.stage import bot, needs_bubblewrap, play

from holmgang.arena.judge import groups
from holmgang.arena.judge.clock import Clock, ClockReading, Thread, threads_below
from holmgang.arena.judge.groups import ControlGroup
from holmgang.arena.task import JudgeSettings

BURN = "while True: pass"

pytestmark = pytest.mark.timed


def has_groups() -> bool:
    group = ControlGroup(memory_mb=64, processes=8)
    usage = group.usage
    for folder in group.folders:
        folder.rmdir()
    return usage is not None


@pytest.fixture
def busy():
    """Three programs that want the core that a judge would take, whichever that is."""
    before = os.sched_getaffinity(0)
    burners = []
    for core in before:
        os.sched_setaffinity(0, {core})
        for _ in range(3):  # each in a session of its own, as the kernel may share by sessions
            command = [sys.executable, "-S", "-c", BURN]
            burners.append(subprocess.Popen(command, start_new_session=True))
    os.sched_setaffinity(0, before)
    yield
    for burner in burners:
        burner.kill()
        burner.wait()


def test_a_bot_that_works_is_not_charged_for_waiting(busy):
    settings = JudgeSettings(trust=True, turn_ms=30, start_ms=60_000, strikes=1000, hard_ms=60_000)
    result = play(bot("player", "work=20"), "random", "bagh:start_hp=2", settings=settings)
    assert result.red.status == "ok", result.red
    walls, charged = result.red.wall_ms[1:], result.red.latencies_ms[1:]
    assert max(walls) > 30  # by the wall it would be late
    assert sum(ms > 30 for ms in charged) <= len(charged) / 3, charged
    assert min(charged) > 19


@pytest.mark.parametrize("habit", ["work=40", "sleep=40"])
def test_a_bot_that_takes_too_long_is_caught(busy, habit):
    settings = JudgeSettings(trust=True, turn_ms=30, start_ms=60_000)
    result = play(bot("player", habit), settings=settings)
    assert (result.red.status, result.rounds) == ("timeout", 1)


@pytest.fixture(params=["with control groups", "without"])
def counted(request, monkeypatch):
    """Who counts the time that threads and processes waited before they ended."""
    if request.param == "without":
        monkeypatch.setattr(groups, "ROOT", Path("/no/such/folder"))
    elif not has_groups():
        pytest.skip("needs the right to make control groups: run as root")


SHORT_LIVED = ["work-thread", "work-child"]


@pytest.mark.parametrize("habit", SHORT_LIVED)
def test_what_ended_before_the_answer_is_not_charged_for_waiting(busy, counted, habit):
    """On this core, 80 ms of work take more than the 160 ms that are allowed."""
    settings = JudgeSettings(trust=True, first_ms=60_000, turn_ms=160, strikes=1000, hard_ms=60_000)
    result = play(
        bot("timed_fencer", f"{habit}=80"), "random", "fencing:league=1,turns=20", settings=settings
    )
    walls, charged = result.red.wall_ms[1:], result.red.latencies_ms[1:]
    assert result.red.status == "ok", result.red
    assert max(walls) > 200  # by the wall it would be late
    assert sum(ms > 160 for ms in charged) < len(charged) / 3, sorted(charged)[-5:]


@pytest.mark.parametrize("habit", [*SHORT_LIVED, "sleep-thread", "sleep-child"])
def test_what_takes_too_long_in_a_thread_or_process_is_caught(busy, counted, habit):
    settings = JudgeSettings(trust=True, first_ms=60_000, turn_ms=30, hard_ms=60_000)
    result = play(bot("timed_fencer", f"{habit}=40"), "random", "fencing", settings=settings)
    assert (result.red.status, result.rounds) == ("timeout", 1)


def test_the_hard_limit_is_by_the_wall(busy):
    settings = JudgeSettings(trust=True, first_ms=900, hard_ms=1000, start_ms=60_000)
    result = play(bot("player", "work=800"), settings=settings)
    assert result.red.status == "timeout"
    assert "wall-clock limit" in result.red.detail


@needs_bubblewrap
@pytest.mark.skipif(not has_groups(), reason="needs the right to make control groups: run as root")
def test_what_has_ended_is_charged_too():
    result = play(bot("relay", "100"), settings=JudgeSettings(start_ms=60_000))
    assert (result.red.status, result.rounds) == ("timeout", 2), result.red


def test_what_sleeps_is_charged_by_the_wall():
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as sleeper:
        sleeper.stdin.write(b"\n")
        sleeper.stdin.flush()
        sleeper.stdout.read(1)  # it has started, and now waits for more
        while Thread(sleeper.pid, sleeper.pid, -1).stat[0] != "S":
            os.sched_yield()
        clock = Clock(sleeper.pid)
        clock.look()
        clock.start()
        time.sleep(0.03)  # what is measured
        charged, wall = clock.charge()
        clock.close()
        sleeper.kill()
    assert 29 < charged <= wall


def test_nobody_is_charged_less_than_nothing(busy):
    clock = Clock(os.getpid())
    look = clock.glance()
    while clock.glance().judge.split()[1] == look.judge.split()[1]:
        work(0.005)  # until the judge has had to wait
    clock.start()
    clock.resume(ClockReading(0, 0, b"0 0 0"))
    time.sleep(0.002)  # more than a trifle, and less than the judge has ever waited
    charged, _ = clock.charge()
    clock.close()
    assert charged >= 0


def test_a_thread_that_began_meanwhile_is_charged_too():
    clock = Clock(os.getpid())
    clock.look()
    known = set(threads_below(os.getpid(), 0))
    clock.start()
    worker = threading.Thread(target=work, args=(0.03,))
    worker.start()
    worker_seen = set(threads_below(os.getpid(), 0)) > known
    work(0.03)
    charged, wall = clock.charge()
    clock.close()
    worker.join()
    assert worker_seen
    assert 30 <= charged <= wall


def work(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
