"""Bots that mean harm: `python hostile.py DEED [ARGUMENT…]`.

A deed is done at the first request. If the bot is still there after it, it prints the
result on standard error and plays on as if nothing had happened.
"""

import ctypes
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

TMP = Path("/tmp")  # noqa: S108 - the sandbox's own
OUTSIDE = Path("/proc/1/root")  # the files of the first process that it sees


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def report(*words):
    print(*words, file=sys.stderr, flush=True)


def attempt(name, deed):
    """Tries something that must not work, and says whether it did."""
    try:
        found = deed()
    except (OSError, subprocess.SubprocessError) as error:
        report(f"{name}: refused, {error}")
    else:
        report(f"{name}: DONE {found}")


def listed(folder):
    return sorted(path.name for path in Path(folder).iterdir()) if Path(folder).exists() else []


def fork_bomb(*_):
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.001)


def memory_bomb(*_):
    hoard = []
    while True:
        hoard.append(b"x" * (16 << 20))


def many_memory_bombs(*_):
    for _ in range(8):
        if os.fork() == 0:
            break
    memory_bomb()


def shared_memory_bomb(*_):
    import mmap

    attempt("shared memory", lambda: mmap.mmap(-1, 1 << 30))
    attempt("memory file", lambda: os.memfd_create("hoard"))
    attempt("memory of zeros", lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 1 << 30))


def file_flood(*_):
    def flood():
        for number in range(10_000):
            (TMP / str(number)).write_bytes(b"x" * (1 << 20))
        return "10 GB written"

    attempt("flood", flood)
    attempt("big file", lambda: (TMP / "big").write_bytes(b"x" * (100 << 20)))
    for number in range(10_000):
        (TMP / str(number)).unlink(missing_ok=True)


def write_files(folder, *_):
    for place in (folder, "/", "/usr", "/etc", "/dev", "/proc/sys/kernel"):
        attempt(f"write to {place}", lambda place=place: Path(place, "mine").write_text("x"))


def network(*_):
    def connect(family, address):
        with socket.socket(family) as connection:
            connection.settimeout(2)
            connection.connect(address)

    attempt("internet", lambda: connect(socket.AF_INET, ("127.0.0.1", 22)))
    attempt("internet 6", lambda: connect(socket.AF_INET6, ("::1", 22)))
    attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
    attempt("netlink", lambda: socket.socket(socket.AF_NETLINK))
    report("interfaces", listed("/sys/class/net"))


def call(name, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def other_core():
    """The call may succeed, but must change nothing."""
    before = os.sched_getaffinity(0)
    others = set(range(os.cpu_count())) - before
    os.sched_setaffinity(0, others or {0})
    if os.sched_getaffinity(0) == before:
        raise OSError(f"still on {before}")


def answers(*calls):
    """Says how the kernel answers system calls: `NAME=NUMBER,ARGUMENT,…`."""
    libc = ctypes.CDLL(None, use_errno=True)
    zeros = ctypes.create_string_buffer(64)
    for each in calls:
        name, _, numbers = each.partition("=")
        arguments = [zeros if word == "zeros" else int(word) for word in numbers.split(",")]
        failed = libc.syscall(*arguments) < 0
        report(name, errno.errorcode[ctypes.get_errno()] if failed else "done")


def trace(*_):
    attempt("ptrace", lambda: call("ptrace", 16, 1, 0, 0))
    attempt("process memory", lambda: call("process_vm_readv", 1, 0, 0, 0, 0, 0))
    attempt("unshare", lambda: call("unshare", 0x10000000))
    attempt("mount", lambda: call("mount", b"none", bytes(TMP), b"tmpfs", 0, None))
    attempt("keyring", lambda: call("syscall", 250, 0, 0))
    attempt("bpf", lambda: call("syscall", 321, 0, 0, 0))
    attempt("io_uring", lambda: call("syscall", 425, 1, 0))
    attempt("affinity", other_core)
    attempt("namespace by clone", lambda: call("syscall", 56, 0x10000000 | 17, 0, 0, 0, 0))


def signals(judge, *_):
    attempt("judge", lambda: os.kill(int(judge), signal.SIGTERM))
    attempt("parent's parent", (OUTSIDE / "root").readlink)
    report("highest", max(int(name) for name in listed("/proc") if name.isdigit()))


def read_files(*secrets):
    for secret in secrets:
        attempt(f"read {secret}", lambda secret=secret: Path(secret).read_bytes()[:20])
    report("home", listed(Path.home()), listed("/root"), listed("/home"))


def escape(*_):
    for path in (OUTSIDE / "etc" / "passwd", "/proc/kcore", "/proc/1/mem"):
        attempt(path, lambda path=path: os.read(os.open(path, os.O_RDONLY), 1))
    attempt("core pattern", lambda: Path("/proc/sys/kernel/core_pattern").write_text("|x"))
    attempt("sysrq", lambda: Path("/proc/sysrq-trigger").write_text("h"))
    attempt("setuid", lambda: os.setuid(0))
    attempt("device", lambda: os.mknod(TMP / "disk", 0o60600, os.makedev(254, 0)))
    attempt("chroot", lambda: os.chroot(TMP))
    report("user", os.getuid(), "groups", os.getgroups())


def long_line(*_):
    while True:
        sys.stdout.write("x" * (1 << 20))


def many_lines(*_):
    while True:
        sys.stdout.write('{"id": 0, "choice": "attack"}\n' * 1000)


def close_output(*_):
    os.close(1)
    time.sleep(60)


def sleep_long(*_):
    time.sleep(60)


def stop_itself(*_):
    os.kill(os.getpid(), signal.SIGSTOP)


def stderr_flood(*_):
    for _ in range(200):
        sys.stderr.write("x" * (1 << 16))


def never_read(*_):
    """Said before the first request: see `main`."""


def double_answer(*_):
    """Said to the first request: see `main`."""


def main():
    deed, *arguments = (word for word in sys.argv[1:] if not word.startswith("mark="))
    asked = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"name": deed, "author": "tests", "protocol": 1})
            if deed == "never_read":
                time.sleep(60)
        elif message["type"] == "choose":
            asked += 1
            if asked == 1:
                globals()[deed](*arguments)
                if deed == "double_answer":
                    say({"id": message["id"], "choice": "boost"})
                    say({"id": message["id"], "choice": "attack"})
                    say({"id": message["id"], "seat": "blue", "choice": "heal"})
                    continue
            say({"id": message["id"], "choice": message["choices"][asked % 3]})


main()
