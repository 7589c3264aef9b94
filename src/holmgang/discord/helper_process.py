"""Pictures and analyses, made in separate processes: both hold Python's global lock for so long
that interactions would not be answered in time.

This module is also the program of such a process: it reads requests and writes answers, each
preceded by its length, until its input ends.
"""

import asyncio
import struct
import sys
from collections import OrderedDict
from contextlib import suppress
from typing import BinaryIO, NamedTuple

import orjson

from holmgang.engine.picture import rasterise
from holmgang.engine.record import parse
from holmgang.errors import HolmgangError
from holmgang.games.finding import load_environment

LENGTH = struct.Struct(">I")
WIDTH = 900
THEME = "dark"  # as most people have Discord
PICTURE, ANALYSIS = b"P", b"A"
MOST_KEPT = 64
PICTURE_SECONDS = 30.0
ANALYSIS_SECONDS = 120.0
"""Time limit for one answer, including the start of the process."""
BUDGET_MS = 4000.0
"""Search time of an analysis."""


class NoAnswer(Exception):  # noqa: N818 - it reads as what happened
    """A picture or an analysis that could not be made. The duel goes on without it."""


class HelperProcess:
    """Answers requests one by one, in a process that is started when it is first needed."""

    def __init__(self, width: int) -> None:
        """`width` is that of pictures in pixels."""
        self._width = width
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._work: asyncio.Task[bytes] | None = None
        self._is_killed = False
        self._is_closed = False

    async def ask(self, kind: bytes, content: bytes, seconds: float) -> bytes:
        """The answer to a request of that kind. Raises `NoAnswer`.

        A request that has begun is answered even if this is cancelled, perhaps twice: a process
        that nobody waited for would outlive the event loop.
        """
        async with self._lock:
            await self._finish_work()
            self._work = asyncio.create_task(self._answer(kind + content, seconds))
            return await asyncio.shield(self._work)

    async def _finish_work(self) -> None:
        """Waits for the answer to a request that was cancelled. Call it with the lock."""
        if self._work is not None:
            with suppress(NoAnswer):
                await asyncio.shield(self._work)

    async def _answer(self, request: bytes, seconds: float) -> bytes:
        try:
            async with asyncio.timeout(seconds):
                return await self._ask(request)
        except (OSError, EOFError, TimeoutError) as error:
            self._kill()
            raise NoAnswer(f"no answer from a helper process: {error!r}") from None

    async def _ask(self, request: bytes) -> bytes:
        process = await self._running()
        to, back = process.stdin, process.stdout
        if to is None or back is None:
            raise OSError("the process has no pipes")
        to.write(LENGTH.pack(len(request)) + request)
        await to.drain()
        (length,) = LENGTH.unpack(await back.readexactly(LENGTH.size))
        answer = await back.readexactly(length)
        if not answer:
            raise EOFError("it could not be made")
        return answer

    async def _running(self) -> asyncio.subprocess.Process:
        """The process, which is started if there is none that could answer."""
        process = self._process
        if process is not None and (self._is_killed or process.returncode is not None):
            await self._end()
        if self._is_closed:
            raise OSError("it is closed")
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "holmgang.discord.helper_process",
                str(self._width),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the bot, which ends this process
            )
            self._is_killed = False
        if self._is_closed:  # meanwhile
            raise OSError("it is closed")
        return self._process

    def _kill(self) -> None:
        self._is_killed = True
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def _end(self) -> None:
        """Waits for the end of the process, if there is one, and of its pipes. The process is not
        forgotten if this is cancelled.
        """
        if self._process is not None:
            self._kill()
            if self._process.stdin is not None:
                self._process.stdin.close()
                with suppress(OSError):  # that the process did not read everything
                    await self._process.stdin.wait_closed()
            await self._process.communicate()
            self._process = None

    async def close(self) -> None:
        """Ends the process for good, and what waits for it."""
        self._is_closed = True
        self._kill()
        async with self._lock:
            await self._finish_work()
            await self._end()


class Told(NamedTuple):
    """An analysis: three sentences and the curve as SVG."""

    sentences: list[str]
    curve: str


class Helpers:
    """One process for pictures and one for analyses."""

    def __init__(self, width: int = WIDTH) -> None:
        self._painter, self._analyst = HelperProcess(width), HelperProcess(width)
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    async def png(self, svg: str) -> bytes:
        """A picture as PNG. Raises `NoAnswer`."""
        if svg not in self._kept:
            self._kept[svg] = await self._painter.ask(PICTURE, svg.encode(), PICTURE_SECONDS)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return self._kept[svg]

    async def analysis(self, record: bytes) -> Told:
        """The analysis of a duel. Raises `NoAnswer`."""
        answer = await self._analyst.ask(ANALYSIS, record, ANALYSIS_SECONDS)
        return Told(**orjson.loads(answer))

    async def close(self) -> None:
        await asyncio.gather(self._painter.close(), self._analyst.close())


# In the process


def serve(source: BinaryIO, sink: BinaryIO, width: int) -> None:
    """Answers until the source ends; the length 0 means that the answer could not be made."""
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        request = source.read(length)
        try:
            made = MAKERS[request[:1]](request[1:], width)
        except (HolmgangError, ValueError) as error:
            sys.stderr.write(f"{error}\n")
            made = b""
        sink.write(LENGTH.pack(len(made)) + made)
        sink.flush()


def make_picture(svg: bytes, width: int) -> bytes:
    return rasterise(svg.decode(), width=width, theme=THEME)


def make_analysis(record: bytes, _width: int) -> bytes:
    from holmgang.analysis.analyse import analyse
    from holmgang.analysis.curve import draw

    found = analyse(parse(record.decode(), "the record"), budget_ms=BUDGET_MS)
    return orjson.dumps({"sentences": found.summary, "curve": draw(found.as_json())})


MAKERS = {PICTURE: make_picture, ANALYSIS: make_analysis}


if __name__ == "__main__":
    load_environment()
    with suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.buffer, sys.stdout.buffer, int(sys.argv[1]))
