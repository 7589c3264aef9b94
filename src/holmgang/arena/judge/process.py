"""A bot's process: sends it lines, reads its answers, measures their time, and ends it.

It uses pipes and a poll loop. The judge asks one bot at a time, and both share one core, so a round
trip takes as long as two context switches. `BotProcesses` has the bots of a judge and stops those
that are not being asked; keeper.py, a separate process, starts and ends them.
"""

import array
import json
import os
import re
import secrets
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from holmgang.arena.judge.clock import Clock
from holmgang.arena.judge.groups import ControlGroup, remove_orphaned_groups
from holmgang.arena.judge.keeper import below, children, orphans
from holmgang.arena.judge.leftovers import name_prefix, remove_orphaned_folders
from holmgang.arena.judge.stopper import Freezer, Signals, Stopper, wait_until_still
from holmgang.errors import UsageError
from holmgang.games.shape import JsonObject, printable
from holmgang.players.player import Failed

LONGEST_LINE = 65_536
KEPT_OF_STDERR = 65_536
CHUNK = 65_536
SHORT = 256  # bytes, enough for most answers
WATCH_MS = 10.0  # how long before the limit the judge starts to poll the clocks,
LOOK_MS = 1.0  # and the polling interval
SLOW_NS = 1_000_000  # if the last answer of a bot took longer, others are stopped before its next,
ALONE_MS = 10.0  # otherwise after this time: an earlier timer costs too much
TOLERATED_NS = 2_000_000  # processor time that a bot may use while it is not asked,
TIDYING_NS = 200_000  # plus this after each answer
SAMPLE_MS = 3.0  # sampling interval for short-lived threads, if no group counts their wait
GRACE_MS = 200  # time for a bot that has closed its output to exit by itself
KEEPER = Path(__file__).with_name("keeper.py")


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a bot."""

    command: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    depth: int = 0
    """The number of our processes above the bot's own."""
    uid: int | None = None
    limits: Mapping[str, int] = field(default_factory=dict)
    stage: Mapping[str, object] | None = None
    """Paths to make visible to a process that could not reach them."""
    group: ControlGroup | None = None
    """The control group of the process."""
    ponders: bool = False
    """Whether it may run while it is not being asked."""
    files: Sequence[int] = ()
    """Files to inherit besides the three standard streams. `{file 0}` in the command becomes the
    number of the first."""
    kind: "type[Process] | None" = None
    """A subclass of `Process` (default: `Process` itself)."""


class TranscriptLine(NamedTuple):
    """A line that was sent to a bot or written by it."""

    moment: float
    mark: str
    text: bytes


class BotProcesses:
    """The bots of one judge. They end when this is closed, or when the judge dies."""

    def __init__(self) -> None:
        if not sys.platform.startswith("linux"):
            raise UsageError("bots are refereed on Linux only; levels can play everywhere")
        remove_orphaned_folders()
        remove_orphaned_groups()
        self.folder = Path(tempfile.mkdtemp(prefix=name_prefix()))
        """A temporary folder for as long as bots run; other users may pass through it."""
        self.folder.chmod(0o711)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._keeper = subprocess.Popen(  # noqa: S603 - a file of ours
                [sys.executable, "-I", "-S", str(KEEPER), str(theirs.fileno()), str(self.folder)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._socket = ours
        self._running: list[Process] = []

    def start(self, launch: Launch) -> "Process":
        """Raises `Failed` if the program cannot be started at all."""
        self.rest()
        token, group = secrets.token_hex(8), launch.group
        pipes = [os.pipe2(os.O_CLOEXEC) for _ in range(3)]
        (bot_in, to_bot), (from_bot, bot_out), (from_err, bot_err) = pipes
        try:
            answered = self._ask(
                {
                    "start": {
                        "argv": list(launch.command),
                        "env": dict(launch.environment),
                        "folder": launch.folder,
                        "token": token,
                        "limits": dict(launch.limits),
                        "uid": launch.uid,
                        "stage": launch.stage,
                        "groups": [] if group is None else group.files,
                    }
                },
                [bot_in, bot_out, bot_err, *launch.files],
            )
        finally:
            for each in (bot_in, bot_out, bot_err):
                os.close(each)
        if "pid" not in answered:
            for each in (to_bot, from_bot, from_err):
                os.close(each)
            raise Failed("crash", f"cannot start {launch.command[0]}: {answered.get('error')}")
        pid = answered["pid"]
        clock = Clock(pid, depth=launch.depth, group=group)
        stopper: Stopper | None = None
        if not launch.ponders:
            stopper = Freezer.of(group) or Signals(partial(self._family, pid, token))
        process = (launch.kind or Process)(
            self, pid, (to_bot, from_bot, from_err), clock, stopper, launch
        )
        self._running.append(process)
        return process

    def rest(self, but: "Process | None" = None) -> None:
        """Stops all bots, or all but one, until their next request."""
        for process in self._running:
            if process is not but:
                process.rest()

    def _family(self, pid: int, token: str) -> list[int]:
        """The processes of a bot."""
        bots = {process.pid for process in self._running}
        return [pid, *below(pid), *orphans(self._keeper.pid, bots, token)]

    def end(self, process: "Process", grace_ms: int = 0) -> int | None:
        """Ends a bot and everything that it has started. Returns its exit code if it exited by
        itself within `grace_ms`.
        """
        self._running.remove(process)
        if self._socket.fileno() < 0:
            return None  # all have been killed
        code: int | None = self._ask({"end": process.pid, "grace_ms": grace_ms}).get("code")
        return code

    def _ask(self, message: JsonObject, files: Sequence[int] = ()) -> JsonObject:
        given = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
        try:
            self._socket.sendmsg([json.dumps(message).encode()], given)
            answer: JsonObject = json.loads(self._socket.recv(CHUNK))
        except (OSError, ValueError) as error:
            raise UsageError(f"the keeper of the bots is gone: {error}") from None
        return answer

    def kill(self) -> None:
        """Ends all bots at once; their files here stay open."""
        self._socket.close()
        self._keeper.wait()

    def close(self) -> None:
        """Ends all bots and closes their files."""
        self.kill()
        for process in self._running:
            process.release()
        self._running = []


class Process:
    """A running bot.

    Its turn lasts from `ask` to `end_turn`. Afterwards most bots just wait for the next request,
    and stopping them would cost more than a fast answer does. So a bot is stopped only while a slow
    bot is being asked, or while the judge is busy for long. A bot that has used processor time out
    of turn is stopped after every turn from then on, and no bot is asked before it has stopped.
    """

    def __init__(
        self,
        processes: BotProcesses,
        pid: int,
        pipes: tuple[int, int, int],
        clock: Clock,
        stopper: Stopper | None,
        launch: Launch,
    ) -> None:
        self.pid = pid
        self.clock = clock
        self.is_restless = False
        """Whether it has used processor time out of turn."""
        self._processes = processes
        self._layers, self._group = launch.depth, launch.group
        self.is_slow = True
        """Whether its last answer took so long that stopping the others is worth the cost."""
        self._stopper = stopper
        self._is_stopped = False
        self._used_ns: int | None = None
        """Processor time at the last check."""
        self._allowed_ns = TOLERATED_NS
        """Processor time that it may use until the next check."""
        self._to_bot, self._from_bot, self._from_err = to_bot, from_bot, from_err = pipes
        self.transcript: list[TranscriptLine] = []
        """The lines of a process that is logged; otherwise empty."""
        self._heard = b""
        self._stderr = b""
        self._err_is_open = True
        self._unsaid = b""
        self._poll = select.poll()
        for file in (to_bot, from_bot, from_err):
            os.set_blocking(file, False)
        self._poll.register(from_bot, select.POLLIN)
        self._poll.register(from_err, select.POLLIN)
        self._usual = [(from_bot, select.POLLIN)]

    @property
    def is_running(self) -> bool:
        return self.pid != 0

    def take_stderr(self) -> bytes:
        """The end of what the bot has written to standard error since the last call."""
        if self.is_running:
            self._read_stderr()
        said, self._stderr = self._stderr, b""
        return said

    def tell(self, lines: bytes) -> None:
        """Queues lines that need no answer; they are sent with the next request."""
        self._unsaid += lines

    def flush(self) -> None:
        """Sends queued lines as far as the pipe has room, without waiting."""
        with suppress(OSError):
            self._unsaid = self._unsaid[os.write(self._to_bot, self._unsaid) :]

    def ask(self, line: bytes, limit_ms: float, hard_ms: float) -> bytes:
        """Sends a line, starts the clock and returns the bot's next line. Raises like `hear`."""
        if self._unsaid:
            line, self._unsaid = self._unsaid + line, b""
        if self.is_slow:
            self._processes.rest(but=self)
        self.clock.start()
        if self.clock.gap_ns > SLOW_NS and not self._is_stopped:
            self._look_at_use()
        try:
            sent = os.write(self._to_bot, line)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            raise self._gone() from None
        if self._is_stopped:
            self._resume()
        if sent < len(line):
            self._processes.rest(but=self)
            self._send_slowly(line[sent:], limit_ms, hard_ms)
        if not self._heard:  # nearly always: one event, one line
            events = self._poll.poll(min(ALONE_MS, limit_ms))
            if events == self._usual:
                chunk = os.read(self._from_bot, SHORT)
                if chunk.find(b"\n") == len(chunk) - 1 >= 0:
                    return chunk[:-1]
                self._keep(chunk)
            elif not events:
                self._processes.rest(but=self)
        return self._hear(limit_ms, hard_ms)

    def end_turn(self) -> tuple[float, float]:
        """Ends the turn. Returns the charged milliseconds and the wall-clock milliseconds."""
        charged, wall = self.clock.charge()
        self.is_slow = charged * 1e6 > SLOW_NS
        used = self.clock.cpu_ns
        self._allowed_ns += used + TIDYING_NS
        if self.is_restless:
            self.rest()
            self.clock.charge()  # its processes may have run on until they stopped
            charged += max(0, self.clock.cpu_ns - used) / 1e6
            wall = max(charged, wall)
        return charged, wall

    def has_started(self) -> None:
        """Excludes our wrapper processes from measuring and stopping. To be called after the bot's
        first line, when all its processes exist.
        """
        self.clock.look()
        ours, place = [], [self.pid]
        for _ in range(self._layers):
            ours += place
            place = [child for pid in place for child in children(pid)]
        if self._group is not None and place:
            self._group.release(ours)

    def rest(self) -> None:
        """Stops the bot until its next request."""
        if self._stopper is None or self._is_stopped:
            return
        self._is_stopped = True
        self._stopper.stop()
        if self.is_restless:
            wait_until_still(self._stopper)
        self._look_at_use()

    def _look_at_use(self) -> None:
        """Checks whether the bot has used processor time out of turn."""
        if self._stopper is None:
            return
        used = self._stopper.used_ns()
        if self._used_ns is not None:
            self.is_restless |= used - self._used_ns > self._allowed_ns
        self._used_ns, self._allowed_ns = used, TOLERATED_NS

    def _resume(self) -> None:
        if self._stopper is not None and self._is_stopped:
            self._is_stopped = False
            self._stopper.resume()

    def hear(self, limit_ms: float, hard_ms: float) -> bytes:
        """The bot's next line, without its end. Raises `Failed` as soon as it is certain that no
        line comes in time. A line that is returned may still be late: the clock decides.
        """
        return self._hear(limit_ms, hard_ms)

    def _hear(self, limit_ms: float, hard_ms: float) -> bytes:
        while True:
            line, end, rest = self._heard.partition(b"\n")
            if len(line) > LONGEST_LINE:
                raise Failed("invalid", f"a line of more than {LONGEST_LINE} bytes")
            if end:
                self._heard = rest
                return line
            for file, _ in self._wait(self.time_left(limit_ms, hard_ms)):
                if file != self._from_bot:
                    self._read_stderr()
                else:
                    with suppress(BlockingIOError):
                        self._keep(os.read(self._from_bot, CHUNK))

    def _wait(self, wait_ms: float) -> list[tuple[int, int]]:
        """Sleeps until the bot writes something. If it did so while the judge read the clocks, or
        waited for the processor, that wait of the judge is not charged.
        """
        if self.clock.needs_samples:
            self.clock.sample()
            wait_ms = min(wait_ms, SAMPLE_MS)
        look = self.clock.glance()
        events = self._poll.poll(0)
        if not events:
            self.clock.resume(look)
            events = self._poll.poll(wait_ms)
        return events

    def _keep(self, chunk: bytes) -> None:
        if not chunk:
            raise self._gone()
        self._heard += chunk

    def _read_stderr(self) -> None:
        try:
            chunk = os.read(self._from_err, CHUNK)
        except BlockingIOError:
            return
        if chunk:
            self._stderr = (self._stderr + chunk)[-KEPT_OF_STDERR:]
        elif self._err_is_open:
            self._poll.unregister(self._from_err)
            self._err_is_open = False

    def time_left(self, limit_ms: float, hard_ms: float) -> float:
        """Milliseconds until the next check of the clocks. Raises `Failed` if time has run out."""
        passed = self.clock.wall_ms()
        if passed < limit_ms:
            return max(LOOK_MS, limit_ms - WATCH_MS - passed)
        charged, wall = self.clock.charge_sleeping(limit_ms)
        if wall > hard_ms:
            told = f"no answer within the wall-clock limit of {hard_ms:g} ms"
            raise Failed("timeout", told, (charged, wall))
        if charged > limit_ms:
            if self._poll.poll(0):  # an answer came meanwhile; the clock decides if it was late
                return 0.0
            raise Failed("timeout", f"no answer within {limit_ms:g} ms", (charged, wall))
        return max(0.0, min(limit_ms - charged, hard_ms - wall))

    def _send_slowly(self, rest: bytes, limit_ms: float, hard_ms: float) -> None:
        """Sends the rest of a line for which the pipe had no room."""
        poll = select.poll()
        poll.register(self._to_bot, select.POLLOUT)
        while rest:
            poll.poll(limit_ms)
            self.time_left(limit_ms, hard_ms)
            try:
                rest = rest[os.write(self._to_bot, rest) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._gone() from None

    def _gone(self) -> Failed:
        self._resume()  # so that it can exit
        code = self.end(GRACE_MS)
        how = "it closed its output" if code is None else exit_sentence(code)
        last = last_words(self._stderr.decode("utf-8", errors="replace"))
        return Failed("crash", f"{how}: {printable(last[:200])}" if last else how)

    def end(self, grace_ms: int = 0) -> int | None:
        """Ends the bot if it still runs. Returns its exit code if it exited by itself."""
        if self.pid == 0:
            return None
        code = self._processes.end(self, grace_ms)
        self.release()
        return code

    def release(self) -> None:
        """Reads the rest of the standard error of a bot that has ended, and closes all files."""
        self.pid = 0
        with suppress(OSError):
            while chunk := os.read(self._from_err, CHUNK):
                self._stderr = (self._stderr + chunk)[-KEPT_OF_STDERR:]
        self.clock.close()
        if self._stopper is not None:
            self._stopper.close()
        self._is_stopped = True
        for file in (self._to_bot, self._from_bot, self._from_err):
            os.close(file)


def exit_sentence(code: int) -> str:
    if code < 0 or 128 < code < 128 + signal.NSIG:  # bubblewrap adds 128 to a signal
        return f"it was ended by signal {-code if code < 0 else code - 128}"
    return f"it ended with exit code {code}"


ADDED = re.compile(r"\s++(?!what\(\))|note: |stack backtrace:|Node\.js v|$")
"""Lines that runtimes add to an error message, such as stack traces and advice."""


def last_words(stderr: str) -> str:
    """The line of standard error that most likely says why a program has failed."""
    lines = stderr.partition("\n\ngoroutine ")[0].rstrip().split("\n")
    telling = [line for line in lines if not ADDED.match(line)]
    return (telling or lines)[-1].strip()


# One core for a judge and its bots


class CpuCore:
    """A core that one judge claims for itself; its thread and its bots are pinned to it.

    Each core is claimed by binding an abstract socket name, which the kernel releases when the
    judge dies. If all cores are claimed, nothing is pinned.
    """

    def __init__(self) -> None:
        self._before = os.sched_getaffinity(0)
        self._claim: socket.socket | None = None
        for core in sorted(self._before, reverse=True):
            claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                claim.bind(f"\0holmgang core {core}")
            except OSError:
                claim.close()
                continue
            self._claim = claim
            os.sched_setaffinity(0, {core})
            return

    def close(self) -> None:
        if self._claim is not None:
            self._claim.close()
            os.sched_setaffinity(0, self._before)
