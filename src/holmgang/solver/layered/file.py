"""Layers as files: the arrivals of each score, from which all other states can be solved.

A finished file is a line of JSON, then two compressed blocks for each layer: the values of all
arrivals at each turn, and the probabilities that someone wins, as multiples of 2**-30. A draft has
the layers solved so far: a line of JSON, then for each layer a line and its two blocks. It is only
appended to, so an interruption loses at most the layer that was being solved.
"""

import fcntl
import json
import os
import sys
import zlib
from array import array
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, BinaryIO, Self, TypedDict, cast, get_type_hints

from holmgang.engine.compiled import kernels
from holmgang.errors import RecordError, UsageError
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import JsonObject, brief
from holmgang.machine import write_whole
from holmgang.solver import matrix
from holmgang.solver.checksum import Origin, check_origin, checksum, origin
from holmgang.solver.exact.table import floats
from holmgang.solver.layered import layer, layer_kernels, places, turn_kernels
from holmgang.solver.layered.layer import Arrivals
from holmgang.solver.layered.places import Score

FORMAT = 3
DRAFT_FORMAT = 2
SCALE = 2.0**30
MASK, SIGN = 2**32 - 1, 2**31  # numbers of 32 bits, which wrap around
STORED_ERROR = 0.55 / SCALE  # half a step, and a margin for processors that round differently
LONGEST_LINE = 1 << 26
KEPT = 64  # unpacked layers in memory
LAYERS_CODE = kernels, matrix, layer, layer_kernels, places, turn_kernels
"""The modules that determine the content of a file, besides the rules."""


class StartHeader(TypedDict):
    start: dict[str, float | None]
    """Value and chances at the start of the game."""
    exploitability: float


class RulesetHeader(Origin):
    states: int
    places: int
    arrivals: int
    turns: int


class LayersHeader(StartHeader, RulesetHeader):
    """The first line of a finished file."""

    holmgang_layers: int
    layers: list[list[Any]]  # red and blue score, first turn, error, sizes of the blocks
    checksum: int


# Blocks


def pack_block(numbers: "array[float]", width: int) -> bytes:
    """Compresses rows of numbers from -1 to 1. They change smoothly from turn to turn, so the
    second differences of each column are small. These are stored, with their bytes grouped by
    significance.
    """
    bends = array("I")
    for column in range(width):
        before = slope = 0
        for number in numbers[column::width]:
            now = round(number * SCALE)
            bends.append((now - before - slope) & MASK)
            slope, before = now - before, now
    if sys.byteorder == "big":
        bends.byteswap()
    raw = bends.tobytes()
    return zlib.compress(b"".join(raw[plane::4] for plane in range(4)), 9)


def unpack_block(block: bytes, width: int, rows: int) -> "array[float]":
    """The rows of a block. Raises `RecordError` if it is damaged or of another size."""
    size = width * rows
    unpacker = zlib.decompressobj()
    try:
        planes = unpacker.decompress(block, 4 * size + 1)
    except zlib.error:
        raise RecordError("a layer of the file is damaged") from None
    if len(planes) != 4 * size or not unpacker.eof:
        raise RecordError("a layer of the file has the wrong size")
    raw = bytearray(4 * size)
    for plane in range(4):
        raw[plane::4] = planes[plane * size : (plane + 1) * size]
    bends = array("I", bytes(raw))
    if sys.byteorder == "big":
        bends.byteswap()
    numbers = floats(size)
    for column in range(width):
        now = slope = 0
        for row in range(rows):
            slope += bends[column * rows + row]
            now = (now + slope + SIGN & MASK) - SIGN
            numbers[row * width + column] = now / SCALE
    return numbers


def read_line(file: BinaryIO) -> JsonObject | None:
    """The JSON object in the next line, or None."""
    line = file.readline(LONGEST_LINE)
    try:
        value = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def format_line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


# Drafts


@dataclass(frozen=True)
class Done:
    """The line of a solved layer in a draft."""

    score: Score
    first: int
    error: float
    seconds: float
    sizes: tuple[int, int]
    checksum: int
    start: StartHeader | None = None
    """Only in the layer that contains the start of the game."""


class LayerDraft:
    """The layers solved so far, in a file beside the finished one."""

    def __init__(self, path: Path, ruleset: Ruleset, turns: int, width: int) -> None:
        """Continues an existing draft of this ruleset."""
        self.path = path.with_name(path.name + ".draft")
        self.turns, self.width = turns, width
        self.done: dict[Score, Done] = {}
        self._at: dict[Score, int] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+b")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise UsageError(f"{path} is being solved by another process") from None
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from None
        self._read({"holmgang_layers_draft": DRAFT_FORMAT, **origin(ruleset, *LAYERS_CODE)})
        self.arrivals = lru_cache(KEPT)(self._arrivals)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read(self, header: object) -> None:
        """Finds the complete layers, and truncates the rest."""
        self._file.seek(0)
        end = 0
        if read_line(self._file) == header:
            end = self._file.tell()
            while line := read_line(self._file):
                done = Done(
                    **{**line, "score": tuple(line["score"]), "sizes": tuple(line["sizes"])}
                )
                at = self._file.tell()
                blocks = self._file.read(sum(done.sizes))
                if zlib.crc32(blocks) != done.checksum:
                    break
                self.done[done.score], self._at[done.score] = done, at
                end = self._file.tell()
        self._file.truncate(end)
        if end == 0:
            self._append(format_line(header))

    def _append(self, content: bytes) -> int:
        """Appends the content. Returns its position."""
        try:
            at = self._file.seek(0, os.SEEK_END)
            self._file.write(content)
            self._file.flush()
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from None
        return at

    def add(
        self,
        score: Score,
        known: Arrivals,
        *,
        seconds: float,
        start: StartHeader | None,
    ) -> None:
        values = pack_block(known.values, self.width)
        decided = pack_block(known.decided, self.width)
        error = known.error + STORED_ERROR
        sizes, crc = (len(values), len(decided)), zlib.crc32(values + decided)
        done = Done(score, known.first, error, seconds, sizes, crc, start)
        line = format_line(asdict(done))
        self._at[score] = self._append(line + values + decided) + len(line)
        self.done[score] = done

    def _arrivals(self, score: Score) -> Arrivals:
        done = self.done[score]
        rows = self.turns - done.first
        values, decided = (unpack_block(block, self.width, rows) for block in self._blocks(done))
        return Arrivals(done.first, values, decided, done.error)

    def _blocks(self, done: Done) -> tuple[bytes, bytes]:
        self._file.seek(self._at[done.score])
        return self._file.read(done.sizes[0]), self._file.read(done.sizes[1])

    def finish(self, path: Path, known: RulesetHeader, start: StartHeader) -> int:
        """Writes the finished file atomically and removes the draft. Returns the file's size."""
        layers = [[*done.score, done.first, done.error, *done.sizes] for done in self.done.values()]
        body = b"".join(block for done in self.done.values() for block in self._blocks(done))
        line = {"holmgang_layers": FORMAT, **known, **start, "layers": layers}
        write_whole(path, format_line({**line, "checksum": checksum(line, body)}) + body)
        self.path.unlink(missing_ok=True)
        return path.stat().st_size


# Finished files


class LayerFile:
    """A finished file. Raises `RecordError` if it is damaged, `RulesetError` if it is for other
    rules or computed by other code.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                found = read_line(file)
                self._body = file.read()
        except OSError as error:
            raise RecordError(f"cannot read {path}: {error.strerror}") from None
        if found is None or "holmgang_layers" not in found:
            raise RecordError(f"{path} is not a Holmgang layers file")
        if found["holmgang_layers"] != FORMAT:
            raise RecordError(
                f"{path} has format {brief(found['holmgang_layers'])}; this version reads format"
                f" {FORMAT}; rebuild it with holmgang solve"
            )
        if checksum(found, self._body) != found.get("checksum"):
            raise RecordError(f"{path} is damaged or cut off")
        known = get_type_hints(LayersHeader).keys()
        for what, names in (("lacks", known - found.keys()), ("has", found.keys() - known)):
            if names:
                raise RecordError(f"{path} is damaged: its header {what} {brief(min(names))}")
        header = cast("LayersHeader", found)
        self.ruleset = load(header["ruleset"])
        check_origin(header, origin(self.ruleset, *LAYERS_CODE), path)
        self.header = header
        self.firsts: dict[Score, int] = {}
        self.errors: dict[Score, float] = {}
        self._spans: dict[Score, tuple[int, int, int]] = {}
        try:
            at = self._read_layers()
        except (TypeError, ValueError):
            at = -1
        numbers = (found[name] for name in ("places", "arrivals", "turns"))
        if at != len(self._body) or any(type(number) is not int for number in numbers):
            raise RecordError(f"{path} is damaged: its header does not match its layers")
        self.arrivals: Callable[[Score], Arrivals] = lru_cache(KEPT)(self._arrivals)

    def _read_layers(self) -> int:
        """Reads the positions of the layers from the header. Returns the end of the last one."""
        at = 0
        for red, blue, first, largest_error, *sizes in self.header["layers"]:
            self.firsts[red, blue], self.errors[red, blue] = first, float(largest_error)
            begin, middle, at = accumulate(sizes, initial=at)
            self._spans[red, blue] = (begin, middle, at)
        return at

    def _arrivals(self, score: Score) -> Arrivals:
        first = self.firsts[score]
        width, rows = self.header["arrivals"], self.header["turns"] - first
        values, decided = (
            unpack_block(self._body[begin:end], width, rows)
            for begin, end in pairwise(self._spans[score])
        )
        return Arrivals(first, values, decided, self.errors[score])
