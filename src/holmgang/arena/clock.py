"""Time, charged fairly on a busy machine.

A bot is charged the time in which it ran or chose to sleep, and not the time in which it wanted to
run and another program had the processor: the wall clock, less the wait in the run queue that the
kernel counts for each of its threads (`schedstat`), and at least the processor time it used. The
judge's own wait, between an answer and the judge's seeing it, is not charged either: if there was
one, the kernel knows when the bot ran last.

Up to a millisecond nothing is corrected, as nothing could hang on it. Nor are the kernel's counters
read before every request: what they said less than half a millisecond ago is right to within that.
"""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TRIFLE_NS = 1_000_000
FRESH_NS = 500_000  # so old what was read before a request may be
SET_NS = 50_000_000  # so old what is known of the core's own clock may be
LOOK_MS = 10.0  # from so many on, it is worth while to look closer
DOUBT_MS = 0.2  # if the judge itself has waited longer, the kernel knows when the bot ran last
LONGEST = 64  # of a line of schedstat
TICKS = os.sysconf("SC_CLK_TCK")
NS = 1_000_000  # in a millisecond
RAN = re.compile(r"^se\.exec_start\s*:\s*(\d+)\.(\d{6})$", re.MULTILINE)
NAPS = re.compile(r"^nr_voluntary_switches\s*:\s*(\d+)$", re.MULTILINE)


class Spent(NamedTuple):
    """What the kernel has counted for a thread, in nanoseconds."""

    cpu: int
    waited: int


def parse_schedstat(text: bytes) -> Spent:
    """The counters in a line of /proc/PID/schedstat.

    >>> parse_schedstat(b"1461532 112497 3")
    Spent(cpu=1461532, waited=112497)
    """
    cpu, waited, _ = text.split()
    return Spent(int(cpu), int(waited))


class Thread(NamedTuple):
    """A thread of a bot, and its counters as an open file."""

    pid: int
    tid: int
    file: int


class Clock:
    """Measures one bot. `start` before a request, then `charge` as often as one wants to know."""

    def __init__(self, pid: int, *, depth: int = 0) -> None:
        """`pid` is at the top of the bot's processes; those less than `depth` below it are ours."""
        self._pid = pid
        self._depth = depth
        self._threads: dict[int, Thread] = {}
        self._before: list[tuple[Thread, bytes]] = []
        self._judge = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        self._judge_before = b"0 0 0"
        self._started = time.perf_counter_ns()
        self._read_at = -FRESH_NS
        self._is_new = True
        self._is_pinned = len(os.sched_getaffinity(0)) == 1
        self._core_began: int | None = None
        self._set_at = -SET_NS
        self._life_before: Life | None = None

    def close(self) -> None:
        for thread in self._threads.values():
            os.close(thread.file)
        self._threads = {}
        if self._judge >= 0:
            os.close(self._judge)
            self._judge = -1

    def start(self) -> None:
        """The time runs from now on."""
        self._started = time.perf_counter_ns()
        if self._started - self._read_at > FRESH_NS:
            self._read_all()

    def _read_all(self) -> None:
        if self._is_pinned and self._started - self._set_at > SET_NS:
            self._set_by_core()
        pread = os.pread
        try:
            self._before = [
                (thread, pread(thread.file, LONGEST, 0)) for thread in self._threads.values()
            ]
        except OSError:  # a thread has ended
            self.look()
            self._before = [(thread, self._read(thread)) for thread in self._threads.values()]
        self._judge_before = pread(self._judge, LONGEST, 0)
        self._started = self._read_at = time.perf_counter_ns()

    def mark(self) -> bytes:
        """How long the judge itself has waited so far."""
        return os.pread(self._judge, LONGEST, 0)

    def resume(self, mark: bytes) -> None:
        """Nothing had been said when this mark was made: what the judge waited before it does not
        count, as the bot was still at work.
        """
        self._judge_before = mark

    def wall_ms(self) -> float:
        return (time.perf_counter_ns() - self._started) / NS

    def charge(self, *, has_answered: bool = True) -> tuple[float, float]:
        """Milliseconds to be charged, and by the wall, up to now."""
        now = time.perf_counter_ns()
        wall = now - self._started
        if wall < TRIFLE_NS:
            ms = wall / NS
            return ms, ms
        judge = parse_schedstat(os.pread(self._judge, LONGEST, 0))
        judge_waited = judge.waited - parse_schedstat(self._judge_before).waited
        answered = max(0, wall - judge_waited)  # it may have waited just before the start
        if wall < LOOK_MS * NS:
            return self._less_waiting(answered) / NS, wall / NS
        life = self._life()
        if judge_waited > DOUBT_MS * NS and life is not None and life.sleeps:
            ran = 0 if self._core_began is None else self._core_began + life.ran - self._started
            answered = max(answered, min(wall, ran))
        self._look_for_new(wall)
        charged = self._less_waiting(answered)
        if has_answered and self._never_slept(life):
            charged = min(charged, self._spent().cpu)
        return charged / NS, wall / NS

    def charge_sleeping(self, limit_ms: float) -> tuple[float, float]:
        """The same for a bot that has not answered yet. While it wants to run, how long it has
        waited this time is not known, so only its processor time is charged.
        """
        charged, wall = self.charge(has_answered=False)
        if charged > limit_ms and any(self._wants_to_run(thread) for thread in self._now()):
            cpu, _ = self._spent()
            return min(charged, cpu / NS), wall
        return charged, wall

    def look(self) -> None:
        """Finds the bot's threads anew."""
        self._is_new = False
        self._read_at = -FRESH_NS  # what was read may be of threads that are gone
        found = set()
        for pid, tid in threads_below(self._pid, self._depth):
            found.add(tid)
            if tid not in self._threads:
                try:
                    file = os.open(f"/proc/{pid}/task/{tid}/schedstat", os.O_RDONLY)
                except OSError:
                    continue  # it has just ended
                self._threads[tid] = Thread(pid, tid, file)
        for tid in self._threads.keys() - found:
            os.close(self._threads.pop(tid).file)

    # Inside

    def _set_by_core(self) -> None:
        """Finds out when the core's own clock began, by ours. It stands still while the host of a
        virtual machine has taken the core away, so that moment moves: by the one known before a
        request, nothing that happened since seems later than it was.
        """
        self._set_at = time.perf_counter_ns()
        time.thread_time_ns()  # has the kernel note that this thread runs now
        life = read_life(Path("/proc/thread-self/sched"), sleeps=False)
        self._core_began = None if life is None else self._set_at - life.ran

    def _now(self) -> list[Thread]:
        return [thread for thread, _ in self._before]

    def _less_waiting(self, answered: int) -> int:
        """Nanoseconds to charge for an answer that was there then. Threads that waited at the same
        time have waited more than the wall says, so the processor time is the least.
        """
        cpu, waited = self._spent()
        return min(max(cpu, answered - waited), answered)

    def _life(self) -> "Life | None":
        """What the kernel tells of a bot that has one thread, on a core that it shares with the
        judge. Of others, it cannot be known what they did meanwhile.
        """
        if not self._is_pinned or len(self._before) != 1:
            return None
        thread = self._before[0][0]
        sleeps = stat_fields(thread)[:1] == ["S"]
        return read_life(Path(f"/proc/{thread.pid}/task/{thread.tid}/sched"), sleeps=sleeps)

    def _never_slept(self, life: "Life | None") -> bool:
        """Whether the bot has not slept since it was asked, but for the end, when it waits to be
        asked again. Then all it can be charged is processor time: if more time has passed, it was
        the machine's, as when a host takes a virtual processor away.
        """
        before, self._life_before = self._life_before, life
        if life is None or before is None or not before.sleeps:
            return False
        return life.naps - before.naps == life.sleeps

    def _spent(self) -> Spent:
        """What all threads have spent since the start."""
        cpu = waited = 0
        for thread, before in self._before:
            now, then = parse_schedstat(self._read(thread)), parse_schedstat(before)
            cpu += max(0, now.cpu - then.cpu)
            waited += max(0, now.waited - then.waited)
        return Spent(cpu, waited)

    def _read(self, thread: Thread) -> bytes:
        try:
            return os.pread(thread.file, LONGEST, 0)
        except OSError:
            return b"0 0 0"  # it has ended, and its share is lost

    def _look_for_new(self, wall: int) -> None:
        """Adds the threads that began during this request, which are all if the bot was only just
        started; those that are older and were not known are known from the next one on.
        """
        known, is_new = set(self._threads), self._is_new
        self.look()
        self._is_new = is_new
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        began = int((now - wall / 1e9) * TICKS)
        for tid, thread in self._threads.items():
            if tid not in known and (is_new or start_tick(thread) >= began):
                self._before.append((thread, b"0 0 0"))

    def _wants_to_run(self, thread: Thread) -> bool:
        return stat_fields(thread)[:1] == ["R"]


class Life(NamedTuple):
    """A thread's life up to a moment at which it slept, or did not."""

    sleeps: bool
    ran: int
    """When it last had the processor, in nanoseconds of the kernel's own clock for that core."""
    naps: int
    """How often it has given the processor away."""


def read_life(file: Path, *, sleeps: bool) -> Life | None:
    """What /proc/PID/sched says; None if the kernel does not have it."""
    try:
        text = file.read_text()
    except OSError:
        return None
    ran, naps = RAN.search(text), NAPS.search(text)
    if ran is None or naps is None:
        return None
    return Life(sleeps, int(ran[1]) * NS + int(ran[2]), int(naps[1]))


def stat_fields(thread: Thread) -> list[str]:
    """The fields of /proc/PID/task/TID/stat from the state on; none if it has ended."""
    try:
        text = Path(f"/proc/{thread.pid}/task/{thread.tid}/stat").read_text(errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def start_tick(thread: Thread) -> int:
    """When the thread began, in clock ticks after the machine's start; never, if it has ended."""
    fields = stat_fields(thread)
    return int(fields[19]) if len(fields) > 19 else -1


def threads_below(pid: int, depth: int) -> Iterator[tuple[int, int]]:
    """Process and thread numbers of all that is at least `depth` levels below a process."""
    waiting = [(pid, depth)]
    while waiting:
        pid, depth = waiting.pop()
        try:
            threads = [int(thread.name) for thread in Path(f"/proc/{pid}/task").iterdir()]
        except OSError:
            continue  # it has just ended
        for tid in threads:
            if depth <= 0:
                yield pid, tid
            try:
                below = Path(f"/proc/{pid}/task/{tid}/children").read_text()
            except OSError:
                continue
            waiting += [(int(child), depth - 1) for child in below.split()]
