"""`holmgang step`: answers lines from standard input, in batches.

A program may send millions of lines and read later, or wait for the answer to each line: everything
that has arrived is answered with one write. Every line gets one line as its answer.
"""

import json
import os
import sys
from collections.abc import Iterator

from holmgang.engine.step import LONGEST_LINE, answer_line

CHUNK = 1 << 18
MOST_BYTES = 4 * LONGEST_LINE
"""Longer lines exceed the allowed length in any encoding, and are not kept."""


def error_line(message: str) -> str:
    return json.dumps({"error": message}, separators=(",", ":"))


TOO_LONG = error_line(f"a line may have at most {LONGEST_LINE} characters")


def serve_lines() -> None:
    """Answers until the input ends or the reader is gone."""
    source, target = sys.stdin.fileno(), sys.stdout.fileno()
    splitter = LineSplitter()
    while chunk := os.read(source, CHUNK):
        write_all(target, answers(splitter.feed(chunk)))
    write_all(target, answers(splitter.finish()))


class LineSplitter:
    """Cuts chunks into lines. None stands for a line that was too long to be kept."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> Iterator[bytes | None]:
        *whole, last = chunk.split(b"\n")
        for piece in whole:
            self._keep(piece)
            yield self._take()
        self._keep(last)

    def finish(self) -> Iterator[bytes | None]:
        """The last line, if it has no end."""
        if self._length:
            yield self._take()

    def _keep(self, piece: bytes) -> None:
        self._length += len(piece)
        if self._length > MOST_BYTES:
            self._kept.clear()
        else:
            self._kept.append(piece)

    def _take(self) -> bytes | None:
        line = None if self._length > MOST_BYTES else b"".join(self._kept)
        self._kept.clear()
        self._length = 0
        return line


def answers(lines: Iterator[bytes | None]) -> bytes:
    return "".join(answer(line) + "\n" for line in lines).encode()


def answer(line: bytes | None) -> str:
    if line is None:
        return TOO_LONG
    try:
        return answer_line(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return error_line(f"not UTF-8: byte {error.start + 1} of the line")


def write_all(target: int, answered: bytes) -> None:
    view = memoryview(answered)
    while view:
        view = view[os.write(target, view) :]
