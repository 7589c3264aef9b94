"""Measures a bot's time fairly on a busy machine.

A bot is charged the time in which it ran or chose to sleep, but not the time in which it was ready
to run while another program had the processor. The charge is the wall-clock time minus the wait for
the processor, and at least the processor time. A control group, if there is one, measures both for
everything that the bot ever started, including processes that have ended; the kernel calls the wait
"pressure". Without a group, both are summed over the threads (`schedstat`). These have to be
sampled often, because the wait of a thread is lost when it ends.

The judge's own wait, from an answer until the judge sees it, is not charged either: if there was
one, the kernel knows when the bot last ran.

The host of a virtual machine takes the processor away now and then, for some milliseconds (steal).
The core's own clock stops meanwhile, which shows how long it took. A bot that slept through it lost
nothing, so steal is charged, except for two parts: the share of the time in which the bot was
working, and the steal after the judge's last look, when the bot may have been about to wake.

Times up to a millisecond are not corrected. The kernel's counters are not read before every
request, because a reading that is less than a millisecond old is wrong by less than that.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from holmgang.arena.judge.groups import ControlGroup, parse_pressure, parse_usage
from holmgang.arena.judge.keeper import read, stat_fields

TRIFLE_NS = 1_000_000  # shorter times are not corrected
FRESH_NS = 1_000_000  # maximum age of the counters read before a request
SET_NS = 5_000_000  # maximum age of a reading of the core's own clock
JIFFY_NS = 4_000_000  # the kernel's tick, in most builds
LOOK_MS = 10.0  # above this, measure precisely
DOUBT_MS = 0.2  # if the judge itself waited longer, ask the kernel when the bot last ran
LONGEST = 64  # bytes to read of schedstat, and of a control group's usage
ENOUGH = 512  # bytes to read of /proc/PID/sched
TICKS = os.sysconf("SC_CLK_TCK")
NS = 1_000_000  # nanoseconds in a millisecond
RAN = re.compile(rb"^se\.exec_start\s*:\s*(\d+)\.(\d{6})$", re.MULTILINE)


class Spent(NamedTuple):
    """The kernel's counters of a thread, in nanoseconds."""

    cpu: int
    waited: int


def parse_schedstat(text: bytes) -> Spent:
    """The counters in a line of /proc/PID/schedstat.

    >>> parse_schedstat(b"1461532 112497 3")
    Spent(cpu=1461532, waited=112497)
    """
    cpu, waited, _ = text.split()
    return Spent(int(cpu), int(waited))


class ClockReading(NamedTuple):
    """A reading of several clocks at one moment, in nanoseconds."""

    wall: int
    core: int | None
    """The core's own clock, if it can be read."""
    judge: bytes
    """The judge's own counters."""


@dataclass(slots=True)
class Thread:
    """A thread of a bot. `file` is the open file of its counters, -1 once the thread has ended."""

    pid: int
    tid: int
    file: int

    @property
    def stat(self) -> list[str]:
        """Its fields in /proc, from the state (R: ready to run, S: sleeping) on; empty if it has
        ended.
        """
        return stat_fields(self.pid, self.tid)

    @property
    def start_tick(self) -> int:
        """When it started, in clock ticks since boot; -1 if it has ended."""
        fields = self.stat
        return int(fields[19]) if fields else -1


@dataclass(slots=True)
class Count:
    """The counters of a thread at the start of a request, and at the last reading."""

    thread: Thread
    before: bytes
    last: bytes

    def read(self) -> None:
        """Reads the counters again. Those of a thread that has ended do not change."""
        with suppress(OSError):
            self.last = os.pread(self.thread.file, LONGEST, 0)


class Clock:
    """Measures one bot: `start` before a request, then `charge` any number of times."""

    def __init__(self, pid: int, *, depth: int = 0, group: ControlGroup | None = None) -> None:
        """`pid` is the root of the bot's process tree; its first `depth` levels are our wrappers.
        `group` is the control group of the whole tree, if there is one.
        """
        self._pid = pid
        self._depth = depth
        self._threads: dict[int, Thread] = {}
        self._counts: list[Count] = []
        self._usage = None if group is None else opened(group.usage)
        self._used_before = 0
        self._pressure = None if group is None else opened(group.pressure)
        self._stalled_before = self._stalled_more = self._forgotten = 0
        self._judge = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        is_pinned = len(os.sched_getaffinity(0)) == 1
        self._core = self._open_core() if is_pinned else None
        self._started = self._charged = time.perf_counter_ns()
        self.gap_ns = 0
        """Nanoseconds between the last charge and the start."""
        self._read_at = -FRESH_NS
        self._is_new = True
        self._set = self._looked = ClockReading(-SET_NS, None, b"0 0 0")
        self.cpu_ns = 0
        """Processor time of the last charged answer; its wall-clock time if not corrected."""
        self.needs_samples = self._pressure is None or not is_pinned
        """Whether `sample` has to be called often, because the wait of a thread is lost when it
        ends. On several cores, the kernel only reports the average of their pressures.
        """

    def close(self) -> None:
        for thread in self._threads.values():
            os.close(thread.file)
        for file in (self._judge, self._core, self._usage, self._pressure):
            if file is not None:
                os.close(file)

    def start(self) -> None:
        """Starts measuring an answer."""
        self._started = time.perf_counter_ns()
        self.gap_ns = self._started - self._charged
        if self._started - self._read_at > FRESH_NS:
            self._read_all()

    def _read_all(self) -> None:
        pread = os.pread
        self._counts = []
        for thread in list(self._threads.values()):
            try:
                now = pread(thread.file, LONGEST, 0)
            except OSError:  # it has ended
                self.look()
                continue
            self._counts.append(Count(thread, now, now))
        self._used_before = self._used()
        self._stalled_before = self._stalled()
        self._stalled_more = self._forgotten = 0
        if self._started - self._set.wall > SET_NS:
            self._set = self.glance()
        self._looked = self._set._replace(judge=pread(self._judge, LONGEST, 0))
        self._started = self._read_at = time.perf_counter_ns()

    def glance(self) -> ClockReading:
        """Reads the clocks."""
        judge = os.pread(self._judge, LONGEST, 0)
        time.thread_time_ns()  # makes the kernel update exec_start of this thread
        core = None if self._core is None else last_run(os.pread(self._core, ENOUGH, 0))
        return ClockReading(time.perf_counter_ns(), core, judge)

    def resume(self, look: ClockReading) -> None:
        """Notes that there was no answer yet at this look, so that earlier waits of the judge and
        earlier steal cannot have delayed one.
        """
        self._looked = look

    def wall_ms(self) -> float:
        return (time.perf_counter_ns() - self._started) / NS

    def charge(self, *, is_sleeping: bool = False) -> tuple[float, float]:
        """Milliseconds to charge since the start, and wall-clock milliseconds."""
        self._charged = now = time.perf_counter_ns()
        wall = now - self._started
        if wall < TRIFLE_NS:
            self.cpu_ns = wall
            ms = wall / NS
            return ms, ms
        judge = parse_schedstat(os.pread(self._judge, LONGEST, 0))
        judge_waited = judge.waited - parse_schedstat(self._looked.judge).waited
        answered = max(0, wall - judge_waited)  # part of the wait may be from before the start
        if wall < LOOK_MS * NS and self._usage is not None:
            return self._less_waiting(answered, wall, 0, 0, is_sleeping) / NS, wall / NS
        seen = self.glance()
        taken, lately = stolen(self._set, seen), stolen(self._looked, seen)
        if judge_waited > DOUBT_MS * NS:
            answered = max(answered, min(wall, self._ran_last()))
        self._look_for_new(wall)
        return self._less_waiting(answered, wall, taken, lately, is_sleeping) / NS, wall / NS

    def charge_sleeping(self, limit_ms: float) -> tuple[float, float]:
        """The same for a bot that has not answered yet. While it waits for the processor, the
        length of that wait is unknown, so only its processor time is charged.
        """
        charged, wall = self.charge(is_sleeping=True)
        if charged <= limit_ms:
            return charged, wall
        if any(count.thread.stat[:1] == ["R"] for count in self._counts):
            return min(charged, self.cpu_ns / NS), wall
        return self.charge()

    def look(self) -> None:
        """Updates the list of the bot's threads."""
        self._is_new = False
        self._read_at = -FRESH_NS  # the last reading may include threads that have ended
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
            thread = self._threads.pop(tid)
            os.close(thread.file)
            thread.file = -1

    def sample(self) -> None:
        """Reads the counters of all threads, including new ones, before they can end."""
        self._look_for_new(time.perf_counter_ns() - self._started)
        for count in self._counts:
            count.read()

    # Internals

    def _open_core(self) -> int | None:
        """The file with the core's own clock, if the kernel has it."""
        try:
            return os.open("/proc/thread-self/sched", os.O_RDONLY)
        except OSError:
            return None

    def _less_waiting(
        self, answered: int, wall: int, taken: int, lately: int, is_sleeping: bool
    ) -> int:
        """Nanoseconds to charge for an answer that came at `answered` and was seen at `wall`.

        `taken` is the steal since the start, `lately` its part after the judge's last look. Threads
        that wait at the same time can add up to more than the wall-clock time, so the charge is at
        least the processor time. That also charges what other processes of the bot used while the
        judge waited for the processor behind them.
        """
        cpu, waited = self._spent(is_sleeping)
        self.cpu_ns = cpu
        share = min(1.0, cpu / max(1, answered - waited - taken))
        spared = lately + int(share * max(0, taken - lately))
        return min(max(cpu, answered - waited - spared), wall)

    def _ran_last(self) -> int:
        """When a bot that now sleeps last had the processor: a lower bound in nanoseconds after
        the start, or 0 if unknown. It is known if the bot has one thread left, on the judge's core.
        Steal only makes that core's clock fall behind, so the bound is never too late.
        """
        left = [count.thread for count in self._counts if count.thread.stat]
        if self._set.core is None or len(left) != 1 or left[0].stat[:1] != ["S"]:
            return 0
        thread = left[0]
        try:
            ran = last_run(Path(f"/proc/{thread.pid}/task/{thread.tid}/sched").read_bytes())
        except OSError:
            return 0
        return 0 if ran is None else self._set.wall + ran - self._set.core - self._started

    def _spent(self, is_sleeping: bool) -> Spent:
        """The bot's processor time and wait since the start.

        Threads that wait at the same time add up to more than the bot's wait as a whole, which its
        control group measures if it is on one core. But each time that measure is read, the kernel
        drops up to a jiffy of it. So it is only read for a final charge; until then, the wait of
        the threads since the last reading is added to it.
        """
        cpu = waited = 0
        for count in self._counts:
            count.read()
            now, then = parse_schedstat(count.last), parse_schedstat(count.before)
            cpu += now.cpu - then.cpu
            waited += now.waited - then.waited
        if self._usage is not None:
            cpu = self._used() - self._used_before
        if self._pressure is not None and not is_sleeping:
            stalled = self._stalled() - self._stalled_before
            self._forgotten += JIFFY_NS
            if len(self._counts) > 1 and not self.needs_samples:
                waited_alone = min(waited, stalled + self._forgotten)
            else:
                waited_alone = waited
            self._stalled_more = max(stalled, waited_alone) - waited
        return Spent(cpu, waited + self._stalled_more)

    def _used(self) -> int:
        """Processor time of everything that the bot ever started; 0 without a control group."""
        return 0 if self._usage is None else parse_usage(os.pread(self._usage, LONGEST, 0))

    def _stalled(self) -> int:
        """Nanoseconds in which the bot waited for the processor; 0 without pressure counters."""
        return 0 if self._pressure is None else parse_pressure(os.pread(self._pressure, ENOUGH, 0))

    def _look_for_new(self, wall: int) -> None:
        """Adds the threads that started during this request, or all threads of a new bot. Older
        threads that were unknown count from the next request on.
        """
        known, is_new = set(self._threads), self._is_new
        self.look()
        self._is_new = is_new
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        began = int((now - wall / 1e9) * TICKS)
        for tid, thread in self._threads.items():
            if tid not in known and (is_new or thread.start_tick >= began):
                self._counts.append(Count(thread, b"0 0 0", b"0 0 0"))


def stolen(earlier: ClockReading, later: ClockReading) -> int:
    """Nanoseconds of steal between two looks.

    >>> stolen(ClockReading(100, 40, b""), ClockReading(200, 110, b""))
    30
    """
    if earlier.core is None or later.core is None:
        return 0
    return max(0, (later.wall - earlier.wall) - (later.core - earlier.core))


def last_run(sched: bytes) -> int | None:
    """When a thread last had the processor, by that core's own clock, in nanoseconds, from the
    text of /proc/PID/sched; None if it is not there.

    >>> last_run(b"se.exec_start                 :      21839275.645387")
    21839275645387
    """
    found = RAN.search(sched)
    return None if found is None else int(found[1]) * NS + int(found[2])


def opened(path: str | None) -> int | None:
    return None if path is None else os.open(path, os.O_RDONLY)


def threads_below(pid: int, depth: int) -> Iterator[tuple[int, int]]:
    """Process and thread ids of all threads at least `depth` levels below a process."""
    waiting = [(pid, depth)]
    while waiting:
        pid, depth = waiting.pop()
        try:
            threads = [int(tid) for tid in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208
        except OSError:
            continue  # it has just ended
        for tid in threads:
            if depth <= 0:
                yield pid, tid
            try:
                below = read(f"/proc/{pid}/task/{tid}/children")
            except OSError:
                continue
            waiting += [(int(child), depth - 1) for child in below.split()]
