"""The keeper of the bots: a small process between the judge and its bots. It is run as a script.

It starts bots, and ends them with everything that they have started. All of their processes stay
below the keeper: one that loses its parent becomes a child of the keeper. If the judge ends for any
reason, the keeper's socket closes, and the keeper ends all bots and then itself.

A message is a JSON object, with open files attached:
    {"start": {…}}, with the arguments of `Keeper.start`     → {"pid": …} or {"error": …}
    {"end": pid, "grace_ms": …}                              → {"code": …}
"""

import array
import ctypes
import errno
import json
import os
import resource
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
CLONE_NEWNS = 0x0002_0000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16_384, 1 << 18
LONGEST_MESSAGE = 1 << 20
LONGEST_FILE = 1 << 16
MOST_FILES = 16
PAUSE = 0.0005

libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: object) -> None:
    if getattr(libc, name)(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")


class Keeper:
    """Serves one judge until the judge ends."""

    def __init__(self, judge: socket.socket, folder: Path) -> None:
        self.judge = judge
        self.folder = folder
        """The judge's temporary folder, which the keeper removes at the end."""
        self.groups: dict[int, list[Path]] = {}
        """The control groups of each bot, removed after the bot."""
        self.tokens: dict[int, str] = {}
        """The running bots, with the token in the environment of their processes."""
        self.codes: dict[int, int] = {}
        """The exit codes of bots that have exited by themselves."""

    def serve(self) -> None:
        woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        poll = select.poll()
        poll.register(self.judge, select.POLLIN)
        poll.register(woken, select.POLLIN)
        try:
            while True:
                ready = dict(poll.poll())
                if woken in ready:
                    os.read(woken, 4096)
                    self.reap()
                if self.judge.fileno() in ready:
                    message, files = self.receive()
                    if not message:
                        return
                    self.judge.send(json.dumps(self.answer(message, files)).encode())
        except (BrokenPipeError, ConnectionResetError):
            return
        finally:
            self.end_all()

    def receive(self) -> tuple[bytes, list[int]]:
        files = array.array("i")
        size = socket.CMSG_SPACE(MOST_FILES * files.itemsize)
        message, extra, _, _ = self.judge.recvmsg(LONGEST_MESSAGE, size)
        for _, _, given in extra:
            files.frombytes(given[: len(given) - len(given) % files.itemsize])
        return message, list(files)

    def answer(self, message: bytes, files: list[int]) -> dict[str, Any]:
        request = json.loads(message)
        try:
            if "start" in request:
                return {"pid": self.start(files=files, **request["start"])}
            return {"code": self.end(request["end"], request["grace_ms"])}
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            remove([Path(path).parent for path in request.get("start", {}).get("groups", ())])
            return {"error": str(error)}
        finally:
            for each in files:
                os.close(each)

    # The start

    def start(
        self,
        *,
        argv: list[str],
        env: dict[str, str],
        folder: str,
        token: str,
        limits: dict[str, int],
        uid: int | None,
        stage: dict[str, Any] | None,
        groups: list[str],
        files: list[int],
    ) -> int:
        def prepare() -> None:  # in the new process, before exec
            for path in groups:
                Path(path).write_text("0")
            if stage is not None:
                show(**stage)
            for name, limit in limits.items():
                resource.setrlimit(getattr(resource, name), (limit, limit))
            if limits:
                Path("/proc/self/oom_score_adj").write_text("1000")  # to be killed first
            if uid is not None:
                os.setgroups([])
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)
            call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            os.chdir(folder)

        numbers = {f"{{file {place}}}": str(file) for place, file in enumerate(files[3:])}
        bot = subprocess.Popen(  # noqa: S603 - running given commands is the purpose
            [numbers.get(word, word) for word in argv],
            stdin=files[0],
            stdout=files[1],
            stderr=files[2],
            pass_fds=files[3:],
            env={**env, "HOLMGANG_BOT": token},
            preexec_fn=prepare,  # noqa: PLW1509 - the keeper has no threads
            start_new_session=True,
        )
        bot.returncode = 0  # `reap` waits for the process, not this object
        self.tokens[bot.pid] = token
        self.groups[bot.pid] = [Path(path).parent for path in groups]
        return bot.pid

    # The end

    def reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in self.tokens:
                self.codes[pid] = os.waitstatus_to_exitcode(status)

    def end(self, pid: int, grace_ms: int) -> int | None:
        """Kills a bot and everything that it has started, and waits until all of it has ended.
        Returns the exit code if the bot exited by itself within `grace_ms`.
        """
        patience = time.monotonic() + grace_ms / 1000
        self.reap()
        while pid not in self.codes and time.monotonic() < patience:
            time.sleep(PAUSE)
            self.reap()
        code = self.codes.get(pid)
        while left := self.family(pid):
            for each in left:
                kill(each)
            thaw(self.groups[pid])
            time.sleep(PAUSE)
            self.reap()
        del self.tokens[pid]
        self.codes.pop(pid, None)
        remove(self.groups.pop(pid))
        return code

    def family(self, pid: int) -> list[int]:
        """The processes of a bot: its tree, and orphans that have become our children."""
        found = [] if pid in self.codes else [pid, *below(pid)]
        return found + orphans(os.getpid(), self.tokens, self.tokens[pid])

    def end_all(self) -> None:
        while left := below(os.getpid()):
            for each in left:
                kill(each)
            for groups in self.groups.values():
                thaw(groups)
            time.sleep(PAUSE)
            self.reap()
        for groups in self.groups.values():
            remove(groups)
        shutil.rmtree(self.folder, ignore_errors=True)


def thaw(groups: list[Path]) -> None:
    """Thaws control groups, so that killed processes die: a freezer of version 1 prevents it."""
    for group in groups:
        with suppress(OSError):
            (group / "freezer.state").write_text("THAWED")


def remove(groups: list[Path]) -> None:
    """Removes control groups whose processes have ended; the kernel notices with a delay."""
    patience = time.monotonic() + 1
    while groups and time.monotonic() < patience:
        with suppress(FileNotFoundError):
            try:
                groups[-1].rmdir()
            except OSError as error:
                if error.errno == errno.EBUSY:
                    time.sleep(PAUSE)
                    continue
                raise
        groups.pop()


def orphans(keeper: int, bots: Container[int], token: str) -> list[int]:
    """The orphaned processes of the bot with this token, and all below them."""
    found = []
    for child in children(keeper):
        if child not in bots and has_token(child, token):
            found += [child, *below(child)]
    return found


def has_token(pid: int, token: str) -> bool:
    """Whether an orphan may belong to the bot with this token. One that hides its token may belong
    to any bot.
    """
    try:
        said = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        said = b""
    mark = b"HOLMGANG_BOT="
    return mark + token.encode() in said or mark not in said


def children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):  # it has just ended
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - twice as fast
            found += map(int, read(f"/proc/{pid}/task/{thread}/children").split())
    return found


def read(path: str) -> bytes:
    """The content of a small file in /proc, faster than with a file object."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, LONGEST_FILE)
    finally:
        os.close(file)


def stat_fields(pid: int, tid: int | None = None) -> list[str]:
    """The fields of /proc/PID/stat, or of a thread, from the state on; empty if it has ended."""
    task = "" if tid is None else f"/task/{tid}"
    try:
        text = read(f"/proc/{pid}{task}/stat")
    except OSError:
        return []
    return text.decode(errors="replace").rpartition(")")[2].split()


def below(pid: int) -> list[int]:
    found = children(pid)
    for each in found:  # the list grows during the loop
        found += children(each)
    return found


def kill(pid: int) -> None:
    with suppress(OSError):  # it has just ended
        handle = os.pidfd_open(pid)
        try:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)


def show(folder: str, paths: list[str]) -> None:
    """Makes paths visible below `folder` to this process and its children, even if the folders
    above them are closed to the bot's user.
    """
    call("unshare", CLONE_NEWNS)
    call("mount", b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    opened = [os.open(path, os.O_PATH) for path in paths]  # `folder` may hide them
    call("mount", b"tmpfs", folder.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, b"mode=755")
    for number in range(len(paths)):
        shown = Path(folder, str(number))
        if stat.S_ISDIR(os.fstat(opened[number]).st_mode):
            shown.mkdir()
        else:
            shown.touch()
        source = f"/proc/self/fd/{opened[number]}".encode()
        call("mount", source, bytes(shown), None, MS_BIND | MS_REC, None)
        os.close(opened[number])


def main() -> None:
    call("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    Keeper(socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2])).serve()


if __name__ == "__main__":
    main()
