"""A bot as a process: what it is told, what it says, how long it takes, and its end.

Pipes and a poll loop, nothing else: the judge asks one bot at a time, and both share one core, so
a line goes there and back as fast as the kernel can switch. `BotProcesses` keeps them together,
and stops those that are not asked; keeper.py, a process of its own, is what starts and ends them.
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
from typing import Any, NamedTuple

from holmgang.arena.judge.clock import Clock
from holmgang.arena.judge.groups import ControlGroup, remove_orphaned_groups
from holmgang.arena.judge.keeper import below, children, orphans
from holmgang.arena.judge.leftovers import name_prefix, remove_orphaned_folders
from holmgang.arena.judge.stopper import Freezer, Signals, Stopper, wait_until_still
from holmgang.errors import UsageError
from holmgang.games.shape import printable
from holmgang.players.player import Failed

LONGEST_LINE = 65_536
KEPT_OF_STDERR = 65_536
CHUNK = 65_536
SHORT = 256  # enough for most answers
WATCH_MS = 10.0  # so long before time runs out, the judge begins to look at the clocks
LOOK_MS = 1.0  # again and again after so many
SLOW_NS = 1_000_000  # if a bot's last answer took longer, others are stopped when it is asked,
ALONE_MS = 10.0  # else after so long: an alarm before the next tick costs more than a fast answer
TOLERATED_NS = 2_000_000  # of processor time that a bot may use while it is not asked,
TIDYING_NS = 200_000  # besides this after each answer
SAMPLE_MS = 3.0  # how often short-lived threads are looked for, where no group counts their wait
GRACE_MS = 200  # for a bot whose output has ended to end itself and say how
KEEPER = Path(__file__).with_name("keeper.py")


@dataclass(frozen=True, slots=True)
class Launch:
    """All that it takes to start a bot."""

    command: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    depth: int = 0
    """How many processes of ours are above the bot's own."""
    uid: int | None = None
    limits: Mapping[str, int] = field(default_factory=dict)
    stage: Mapping[str, Any] | None = None
    """Paths to be shown to a process that could not reach them."""
    group: ControlGroup | None = None
    """The control group that the process is entered into."""
    ponders: bool = False
    """Whether it may run while it is not asked."""
    files: Sequence[int] = ()
    """Files to inherit besides the three standard streams. `{file 0}` in the command becomes the
    number of the first."""
    kind: "type[Process] | None" = None
    """A subclass of `Process` (default: `Process` itself)."""


class TranscriptLine(NamedTuple):
    """Something that was sent to a bot or that it wrote."""

    moment: float
    mark: str
    text: bytes


class BotProcesses:
    """The bots of one judge. When it is closed, or the judge dies in any way, they end."""

    def __init__(self) -> None:
        if not sys.platform.startswith("linux"):
            raise UsageError("bots are refereed on Linux only; levels can play everywhere")
        remove_orphaned_folders()
        remove_orphaned_groups()
        self.folder = Path(tempfile.mkdtemp(prefix=name_prefix()))
        """For whatever is needed as long as bots run; others may pass through it."""
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
        """Stops all bots, or all but one, until they are asked again."""
        for process in self._running:
            if process is not but:
                process.rest()

    def _family(self, pid: int, token: str) -> list[int]:
        """The processes of a bot."""
        bots = {process.pid for process in self._running}
        return [pid, *below(pid), *orphans(self._keeper.pid, bots, token)]

    def end(self, process: "Process", grace_ms: int = 0) -> int | None:
        """Ends a bot and all it has started. Gives the exit code, if it ended by itself, for which
        it is given some grace.
        """
        self._running.remove(process)
        if self._socket.fileno() < 0:
            return None  # all have been killed
        code: int | None = self._ask({"end": process.pid, "grace_ms": grace_ms}).get("code")
        return code

    def _ask(self, message: dict[str, Any], files: Sequence[int] = ()) -> dict[str, Any]:
        given = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
        try:
            self._socket.sendmsg([json.dumps(message).encode()], given)
            answer: dict[str, Any] = json.loads(self._socket.recv(CHUNK))
        except (OSError, ValueError) as error:
            raise UsageError(f"the keeper of the bots is gone: {error}") from None
        return answer

    def kill(self) -> None:
        """Ends all bots at once; what belongs to them here stays open."""
        self._socket.close()
        self._keeper.wait()

    def close(self) -> None:
        """Ends all bots."""
        self.kill()
        for process in self._running:
            process.release()
        self._running = []


class Process:
    """One bot that runs.

    It may run from `ask` to `end_turn`. Most bots only wait for the next request afterwards, and
    stopping them would cost more than a fast answer does. So a bot is stopped when another one is
    asked that is slow, or turns out to be, and when the judge has other things to do that may take
    long. One that has used processor time out of turn is stopped at the end of every turn from then
    on, and nobody is asked before it stands still.
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
        """Whether its last answer took long enough to be worth stopping the others for."""
        self._stopper = stopper
        self._is_stopped = False
        self._used_ns: int | None = None
        """Processor time when it was last looked at."""
        self._allowed_ns = TOLERATED_NS
        """Processor time that it may have used since."""
        self._to_bot, self._from_bot, self._from_err = to_bot, from_bot, from_err = pipes
        self.transcript: list[TranscriptLine] = []
        """Filled in by a process that is logged."""
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
        """The last that the bot has written to its standard error since this was called last."""
        if self.is_running:
            self._read_stderr()
        said, self._stderr = self._stderr, b""
        return said

    def tell(self, lines: bytes) -> None:
        """Says something that needs no answer, together with the next request."""
        self._unsaid += lines

    def flush(self) -> None:
        """Says what is left to be said, as far as the bot takes it without being waited for."""
        with suppress(OSError):
            self._unsaid = self._unsaid[os.write(self._to_bot, self._unsaid) :]

    def ask(self, line: bytes, limit_ms: float, hard_ms: float) -> bytes:
        """Says the line, starts the clock, and gives the next line that the bot says, as `hear`."""
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
        """The bot has answered. Milliseconds to be charged, and by the wall."""
        charged, wall = self.clock.charge()
        self.is_slow = charged * 1e6 > SLOW_NS
        used = self.clock.cpu_ns
        self._allowed_ns += used + TIDYING_NS
        if self.is_restless:
            self.rest()
            self.clock.charge()  # until it stood still, its processes may have gone on
            charged += max(0, self.clock.cpu_ns - used) / 1e6
            wall = max(charged, wall)
        return charged, wall

    def has_started(self) -> None:
        """The bot has said something, so all that it needs is there: from now on, only what belongs
        to it is counted and stopped.
        """
        self.clock.look()
        ours, place = [], [self.pid]
        for _ in range(self._layers):
            ours += place
            place = [child for pid in place for child in children(pid)]
        if self._group is not None and place:
            self._group.release(ours)

    def rest(self) -> None:
        """Stops the bot until it is asked again."""
        if self._stopper is None or self._is_stopped:
            return
        self._is_stopped = True
        self._stopper.stop()
        if self.is_restless:
            wait_until_still(self._stopper)
        self._look_at_use()

    def _look_at_use(self) -> None:
        """Notices a bot that has used processor time out of turn."""
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
                if file == self._from_bot:
                    self._read_answer()
                else:
                    self._read_stderr()

    def _wait(self, wait_ms: float) -> list[tuple[int, int]]:
        """Sleeps until the bot says something. If it has while the judge was looking at the clock,
        or waiting for the processor to do so, that wait of the judge is still not charged.
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

    def _read_answer(self) -> None:
        try:
            chunk = os.read(self._from_bot, CHUNK)
        except BlockingIOError:
            return
        self._keep(chunk)

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
        """Milliseconds until it is time to look again. Raises `Failed` if time has run out."""
        passed = self.clock.wall_ms()
        if passed < limit_ms:
            return max(LOOK_MS, limit_ms - WATCH_MS - passed)
        charged, wall = self.clock.charge_sleeping(limit_ms)
        if wall > hard_ms:
            told = f"no answer within the wall-clock limit of {hard_ms:g} ms"
            raise Failed("timeout", told, (charged, wall))
        if charged > limit_ms:
            if self._poll.poll(0):  # it came while the judge looked at the clock, which will tell
                return 0.0
            raise Failed("timeout", f"no answer within {limit_ms:g} ms", (charged, wall))
        return max(0.0, min(limit_ms - charged, hard_ms - wall))

    def _send_slowly(self, rest: bytes, limit_ms: float, hard_ms: float) -> None:
        """Goes on with a line for which the pipe had no room."""
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
        self._resume()  # it may be about to end
        code = self.end(GRACE_MS)
        how = "it closed its output" if code is None else exit_sentence(code)
        last = last_words(self._stderr.decode("utf-8", errors="replace"))
        return Failed("crash", f"{how}: {printable(last[:200])}" if last else how)

    def end(self, grace_ms: int = 0) -> int | None:
        """Ends the bot, if it has not ended; gives its exit code, if it had one of its own."""
        if self.pid == 0:
            return None
        code = self._processes.end(self, grace_ms)
        self.release()
        return code

    def release(self) -> None:
        """The bot has ended: reads what it said to the end, and closes all files."""
        self.pid = 0
        with suppress(OSError):  # what it said to the end
            while chunk := os.read(self._from_err, CHUNK):
                self._stderr = (self._stderr + chunk)[-KEPT_OF_STDERR:]
        self.clock.close()
        if self._stopper is not None:
            self._stopper.close()
        self._is_stopped = True
        for file in (self._to_bot, self._from_bot, self._from_err):
            os.close(file)


def exit_sentence(code: int) -> str:
    if code < 0 or 128 < code < 128 + signal.NSIG:  # which bubblewrap makes of the former
        return f"it was ended by signal {-code if code < 0 else code - 128}"
    return f"it ended with exit code {code}"


ADDED = re.compile(r"\s++(?!what\(\))|note: |stack backtrace:|Node\.js v|$")
"""Lines that runtimes add to the reason why a program has failed: where it was, and advice."""


def last_words(stderr: str) -> str:
    """The line of standard error that says why a program has ended, as far as can be guessed."""
    lines = stderr.partition("\n\ngoroutine ")[0].rstrip().split("\n")
    telling = [line for line in lines if not ADDED.match(line)]
    return (telling or lines)[-1].strip()


# One core for a judge and its bots


class CpuCore:
    """A core that the judge's thread and the bots that it starts keep to, and no other judge.

    A name that is taken in the kernel stands for each core, so a judge that dies gives it back. If
    all are taken, nothing is pinned.
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
