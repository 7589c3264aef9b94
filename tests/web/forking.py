"""Server processes that start in a moment: forked from one that has imported everything.

    python -m tests.web.forking

is that process. It is told what to do in lines of JSON: `{"start": [ARGUMENTS], "log": PATH}` runs
`holmgang ARGUMENTS` and is answered with its process id, `{"end": PID, "signal": N}` with the exit
code. When its standard input ends, as it does when the tests are killed, it kills what it started.
"""

import asyncio
import json
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

NEEDED = (
    "alembic.command",
    "holmgang.cli.main",
    "holmgang.web.server",
    "psycopg",
    "pydantic.v1",  # FastAPI looks into it
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
)


class Forks:
    """The process that forks, as seen from the tests."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._asking = asyncio.Lock()

    @classmethod
    async def begin(cls, environment: dict[str, str]) -> "Forks":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.web.forking",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **environment},
            start_new_session=True,  # Ctrl-C is for the tests, which close its standard input
        )
        return cls(process)

    async def start(self, arguments: list[str], log: Path) -> int:
        """The id of a new process."""
        return await self._ask({"start": arguments, "log": str(log)})

    async def end(self, pid: int, by: signal.Signals) -> int:
        """Sends the signal and waits for the end: the exit code, -9 after SIGKILL."""
        return await self._ask({"end": pid, "signal": int(by)})

    async def close(self) -> None:
        """Kills what still runs."""
        self._process.stdin.close()
        await self._process.wait()

    async def _ask(self, what: dict[str, Any]) -> int:
        async with self._asking:
            self._process.stdin.write(json.dumps(what).encode() + b"\n")
            await self._process.stdin.drain()
            return int(await self._process.stdout.readline())


def main() -> None:
    for module in NEEDED:
        import_module(module)
    running: set[int] = set()
    for line in sys.stdin:
        asked = json.loads(line)
        if "start" in asked:
            pid = os.fork()
            if pid == 0:
                run(asked["start"], asked["log"])
            running.add(pid)
            answer = pid
        else:
            os.kill(asked["end"], asked["signal"])
            answer = os.waitstatus_to_exitcode(os.waitpid(asked["end"], 0)[1])
            running.discard(asked["end"])
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
    for pid in running:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def run(arguments: list[str], log: str) -> NoReturn:
    """Is `holmgang` from now on."""
    from holmgang.cli.main import main as holmgang

    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.argv = ["holmgang", *arguments]
    code = 1
    try:
        holmgang()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
