"""`holmgang` in processes that start in a moment: importing it takes longer than most commands.

    forked.run(["value", "bagh"], capture_output=True)
    forked.Popen(["serve", "--no-open"], stdout=subprocess.PIPE)

are `subprocess.run` and `subprocess.Popen` of `python -m holmgang` with these words. The process is
forked from one that has imported the modules of the command; everything else about it is as usual:
its environment, folder, streams, session, signals and exit code, and that it is a child of the
tests' process. What it does on its way to the first line of `holmgang` is for other tests, which
start the interpreter.
"""

import atexit
import ctypes
import fcntl
import gc
import io
import json
import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import termios
import threading
import warnings
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from holmgang import cli

BASIC = ("holmgang.cli.main", "orjson", "typer._adapters")
COMPILED = ("numba",)
DATABASE = ("holmgang.store", "sqlalchemy.dialects.sqlite.pysqlite")
MORE = {
    "analyse": COMPILED,
    "backup": DATABASE,
    "check-game": COMPILED,
    "dataset": COMPILED,
    "play": ("holmgang.terminal.plain", "holmgang.terminal.screen.play"),
    "puzzles": (*DATABASE, *COMPILED),
    "serve": (
        *DATABASE,
        "pydantic.v1",  # FastAPI looks into it
        "sqlalchemy.dialects.postgresql.psycopg",
        "uvicorn.lifespan.on",
        "uvicorn.protocols.http.httptools_impl",
        "uvicorn.protocols.websockets.websockets_sansio_impl",
        "uvloop",
    ),
    "simulate": COMPILED,
    "solve": COMPILED,
    "value": COMPILED,
}
"""What commands need besides what they import in `holmgang/cli/`."""
LATE_IMPORT = re.compile(r"^ +from (holmgang[\w.]*) import", re.MULTILINE)
AT_START = ("LC_ALL", "PYTHONHASHSEED", "PYTHONPATH", "PYTHONUTF8")
"""Variables that the interpreter reads when it starts, and that cannot be changed later."""
PR_SET_CHILD_SUBREAPER = 36
LONGEST = 1 << 20  # bytes of a request


class Popen(subprocess.Popen):
    """`holmgang` with these words. With `in_terminal`, its standard input becomes the terminal that
    controls its session.
    """

    def __init__(self, words: Sequence[str], *, in_terminal: bool = False, **options: Any) -> None:
        self._in_terminal = in_terminal
        super().__init__([str(word) for word in words], **options)

    def _execute_child(
        self, args, _executable, preexec_fn, _close, pass_fds, cwd, env, _info, _flags, _shell,
        p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite,
        _restore, gid, gids, uid, umask, start_new_session, process_group,
    ):  # fmt: skip
        assert (preexec_fn, pass_fds, gid, gids, uid, umask) == (None, (), None, None, None, -1)
        environment = dict(os.environ if env is None else env)
        own = ((name, os.environ.get(name)) for name in AT_START)
        changed = [name for name, value in own if environment.get(name, value) != value]
        assert not changed, f"start the interpreter to change {changed}"
        asked = {
            "words": args,
            "cwd": str(cwd or os.getcwd()),  # noqa: PTH109
            "env": environment,
            "session": start_new_session,
            "group": process_group,
            "terminal": self._in_terminal,
        }
        streams = [p2cread, c2pwrite, errwrite]
        self.pid = source().fork(asked, [own if own >= 0 else n for n, own in enumerate(streams)])
        self._child_created = True
        self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)


def run(words: Sequence[str], *, check: bool = False, **options: Any):
    """As `subprocess.run`."""
    given, timeout = options.pop("input", None), options.pop("timeout", None)
    if given is not None:
        options["stdin"] = subprocess.PIPE
    if options.pop("capture_output", False):
        options["stdout"] = options["stderr"] = subprocess.PIPE
    with Popen(words, **options) as process:
        try:
            shown, said = process.communicate(given, timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(words, process.returncode, shown, said)
    if check:
        done.check_returncode()
    return done


class Source:
    """The process that forks, as seen from the tests. It ends when its socket is closed."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        self._prctl = ctypes.CDLL(None, use_errno=True).prctl
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forked", str(theirs.fileno())],
                cwd=Path(__file__).parents[1],  # a test may have left it
                pass_fds=[theirs.fileno()],
                env={
                    **os.environ,
                    "OPENBLAS_NUM_THREADS": "1",
                },  # a process with threads cannot fork
            )

        atexit.register(self._end)

    def _end(self) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait()

    def fork(self, asked: dict[str, Any], streams: list[int]) -> int:
        """The id of a new child of this process."""
        with self._lock:
            # The new process is the child of one that ends, so it becomes ours.
            self._prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            try:
                socket.send_fds(self._socket, [json.dumps(asked).encode()], streams)
                return int(self._socket.recv(100))
            finally:
                self._prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


_sources: list[Source] = []


def source() -> Source:
    """The one of this process, started when it is first needed."""
    if not _sources:
        _sources.append(Source())
    return _sources[0]


@cache
def prepare(command: str) -> None:
    """Imports what a command will need."""
    path = Path(cli.__file__).with_name(f"{command.replace('-', '_')}.py")
    late = LATE_IMPORT.findall(path.read_text("utf-8")) if path.exists() else []
    for module in (*late, *MORE.get(command, ())):
        import_module(module)
    gc.freeze()  # so that it is not looked through at the end of each process


def serve(requests: socket.socket) -> None:
    """Forks until the socket is closed. Returns in the forked processes, which are ready."""
    for module in BASIC:
        import_module(module)
    while True:
        text, streams, _, _ = socket.recv_fds(requests, LONGEST, 3)
        if not text:
            sys.exit()
        asked = json.loads(text)
        for word in asked["words"][:1]:
            prepare(word)
        told, tell = os.pipe()  # the id of the new process, which waits for its end
        between = os.fork()
        if between == 0:
            between_ends, ending = os.pipe()
            child = os.fork()
            if child == 0:
                requests.close()
                os.close(ending)
                os.read(between_ends, 1)  # nothing: now it is the child of the tests' process
                for descriptor in (between_ends, told, tell):
                    os.close(descriptor)
                become(asked, streams)
                return
            os.write(tell, b"%d" % child)
            os._exit(0)
        os.waitpid(between, 0)
        requests.send(os.read(told, 100))
        for descriptor in (told, tell, *streams):
            os.close(descriptor)


def become(asked: dict[str, Any], streams: list[int]) -> None:
    """Makes this process like a new one."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if asked["session"]:
        os.setsid()
    if asked["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if asked["group"] is not None and asked["group"] >= 0:
        os.setpgid(0, asked["group"])
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    sys.path[0] = asked["cwd"]
    sys.stdin, sys.stdout, sys.stderr = (opened(number) for number in range(3))
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    if asked["env"].get("PYTHONWARNINGS"):
        warnings.simplefilter(asked["env"]["PYTHONWARNINGS"])
    sys.argv = ["holmgang", *asked["words"]]
    signal.signal(signal.SIGINT, signal.default_int_handler)


def opened(number: int) -> io.TextIOWrapper:
    """A standard stream as the interpreter opens it."""
    binary = open(number, "rb" if number == 0 else "wb", closefd=False)  # noqa: SIM115
    encoding, _, errors = os.environ.get("PYTHONIOENCODING", "").partition(":")
    return io.TextIOWrapper(
        binary,
        encoding=encoding or "utf-8",
        errors="backslashreplace" if number == 2 else errors or "strict",
        line_buffering=number == 2 or binary.isatty(),
    )


def main() -> NoReturn:
    serve(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module("holmgang", run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    main()
