"""Tablebases: solutions as files, in which any state is looked up without loading the whole file.

A file is a line of JSON (the ruleset, the bounds and the layout), padded with blanks, followed by
little-endian arrays. The first ones have 8-byte numbers for each state: the value to red, the
probability that someone wins, red's mix, blue's mix, and, if a seat may answer a reveal, the value
that decides its answer. The next ones have 4-byte numbers: the distances of the value from its
lower and its upper bound. The last one has the keys of the states in ascending order, of 4 bytes if
that is enough, otherwise of 8.

All mixes have the length of the longest one. If the rules treat both seats alike, only the one with
the lower key of two states that mirror each other is stored. A state in which one seat answers a
reveal is not stored: it is derived from its successors.
"""

import json
import mmap
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, prod
from operator import mul
from pathlib import Path
from struct import calcsize
from threading import Lock
from typing import Any, Literal, NamedTuple, Self, cast, get_origin, get_type_hints

from holmgang.engine.compiled import kernels
from holmgang.engine.compiled.binding import bind
from holmgang.engine.compiled.native import Announce, silent
from holmgang.errors import RecordError, StateError, UsageError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, State
from holmgang.games.ruleset import load
from holmgang.games.shape import brief
from holmgang.machine import write_whole
from holmgang.solver import matrix, numbers
from holmgang.solver.checksum import Origin, check_origin, checksum, origin
from holmgang.solver.evaluation import ByChoice, Evaluation, Source, mean_worth
from holmgang.solver.exact import (
    certificate,
    extrapolation,
    order_kernels,
    sharpen_kernels,
    sharpening,
    solve,
    sweep_kernels,
    table,
    table_kernels,
)
from holmgang.solver.exact.certificate import PATIENCE, certify, evaluate
from holmgang.solver.exact.solve import Solution, sweeping
from holmgang.solver.exact.table import (
    MOST_MIB,
    KnownStates,
    StateTable,
    floats,
    make_ready,
    tabulate,
)

FORMAT = 4
LONGEST_HEADER = 1 << 16
SWAPPED = sys.byteorder == "big"
FINE = 1e-9  # tolerance for a repeated proof
SETTLED = 1e-6  # tolerance for values and probabilities, from sweeps that may converge slowly
KNOWN = 1e-7  # states with a smaller error are not solved again for an extension
GUIDED = 1e-3  # how far a value that decides an answer may be from the bounds of its state
ROUNDED = 1e-5  # relative tolerance for an exploitability computed from bounds of 4 bytes
TINY = 1e-14  # absolute tolerance for the same
TABLE_CODE = (
    kernels,
    *(certificate, extrapolation, matrix, numbers, order_kernels, sharpen_kernels, sharpening),
    *(solve, sweep_kernels, table, table_kernels),
)
"""The modules that determine the content of a table, besides the rules."""


class TableDescription(Origin):
    """The part of the header that follows from the rules."""

    solved_states: int
    stored_states: int
    symmetric: bool
    answers: bool
    least: list[int]
    spans: list[int]
    reds: int
    blues: int


class TableHeader(TableDescription):
    holmgang_table: int
    exploitability: float
    worst_exploitability: float
    checksum: int


Code = Literal["d", "f", "I", "q"]  # types of arrays


@dataclass(frozen=True)
class Keys:
    """Converts packed states to single numbers, using the range of each field in the table."""

    least: Sequence[int]
    spans: Sequence[int]

    @property
    def kind(self) -> Literal["I", "q"]:
        """The array type of keys."""
        return "I" if prod(self.spans) <= 1 << 32 else "q"

    def key(self, row: Sequence[int]) -> int:
        """The key of a packed state; -1 if the table cannot contain the state."""
        key = 0
        for number, least, span in zip(row, self.least, self.spans, strict=True):
            if not 0 <= number - least < span:
                return -1
            key = key * span + number - least
        return key

    def row(self, key: int) -> "array[int]":
        """The packed state of a key."""
        row = array("q")
        for least, span in zip(reversed(self.least), reversed(self.spans), strict=True):
            key, number = divmod(key, span)
            row.append(number + least)
        row.reverse()
        return row


# Writing


def write(solution: Solution, path: Path) -> Path:
    """Writes the solution to a file atomically. Raises `UsageError`."""
    write_whole(path, encode(solution))
    return path


def describe(table: StateTable) -> TableDescription:
    """The part of the header that describes the ruleset and the layout."""
    columns = [table.rows[place :: table.fields] for place in range(table.fields)]
    return {
        **origin(table.ruleset, *TABLE_CODE),
        "solved_states": table.states,
        "stored_states": table.count,
        "symmetric": table.mirrored > 0,
        "answers": any(table.numbers.deciders),
        "least": [min(column) for column in columns],
        "spans": [max(column) - min(column) + 1 for column in columns],
        "reds": max(table.numbers.reds),
        "blues": max(table.numbers.blues),
    }


def encode(solution: Solution) -> bytes:
    """The solution as the content of a file."""
    table, numbers = solution.table, solution.table.numbers
    header: TableHeader = {
        "holmgang_table": FORMAT,
        **describe(table),
        "exploitability": solution.exploitability,
        "worst_exploitability": solution.worst_exploitability,
        "checksum": 0,
    }
    keys = Keys(header["least"], header["spans"])
    reds, blues, answers = header["reds"], header["blues"], header["answers"]
    stored = sorted(zip(all_keys(table, keys), range(table.count), strict=True))
    order = [index for _, index in stored]
    values, lows, highs = solution.values, solution.lows, solution.highs
    arrays: list[array[float] | array[int]] = [
        array("d", (values[index] for index in order)),
        array("d", (solution.decided[index] for index in order)),
        padded(order, solution.red_mixes, numbers.red_starts, reds),
        padded(order, solution.blue_mixes, numbers.blue_starts, blues),
        array("d", (solution.guides[index] for index in order) if answers else ()),
        array("f", (distance(values[index] - lows[index]) for index in order)),
        array("f", (distance(highs[index] - values[index]) for index in order)),
        array(keys.kind, (key for key, _ in stored)),
    ]
    if SWAPPED:
        for part in arrays:
            part.byteswap()
    header["checksum"] = checksum(header, *arrays)
    text = json.dumps(header).encode()
    text += b" " * (-(len(text) + 1) % 8) + b"\n"
    return b"".join((text, *arrays))


def all_keys(table: StateTable, keys: Keys) -> list[int]:
    """The key of every listed state. The lower of two mirror images is listed; it also has the
    lower key.
    """
    every = [0] * table.count
    for place, (least, span) in enumerate(zip(keys.least, keys.spans, strict=True)):
        column = table.rows[place :: table.fields]
        every = [key * span + number - least for key, number in zip(every, column, strict=True)]
    return every


def distance(exact: float) -> float:
    """The distance to store for a bound: rounding it to 4 bytes does not make it too small."""
    return max(0.0, exact) * (1 + 1e-6) + 1e-16


def padded(
    order: list[int], mixes: "array[float]", starts: numbers.Ints, width: int
) -> "array[float]":
    """The mixes of the stored states, padded with zeros to the same width."""
    out = floats(len(order) * width)
    for place, index in enumerate(order):
        mix = mixes[starts[index] : starts[index + 1]]
        out[place * width : place * width + len(mix)] = mix
    return out


# Reading


class Stored(NamedTuple):
    """A stored state, without its mixes."""

    value: float
    decided: float
    low: float
    high: float
    guide: float
    """The value by which a seat chooses its answer."""

    def evaluation(self, red: ByChoice, blue: ByChoice) -> Evaluation:
        low, high = max(-1.0, self.low), min(1.0, self.high)
        return Evaluation(self.value, low, high, red, blue, self.decided, Source.TABLE)


class Tablebase:
    """An open tablebase; it may be used as a context manager, and by several threads.

    Raises `RecordError` if the file is damaged, `RulesetError` if it is for other rules or computed
    by other code.
    """

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        """`content` is used instead of the file, if given."""
        self.path = path
        self.extensions: list[Tablebase] = []
        """More states, solved on request; see `extension.py`."""
        self.refused: dict[State, int] = {}
        """States that were refused: each leads to more than this many states outside the table."""
        self.extending = Lock()
        mapped = map_file(path) if content is None else content
        first = mapped[: mapped.find(b"\n", 0, LONGEST_HEADER) + 1]
        self.header = parse_header(first, path)
        self.ruleset = load(self.header["ruleset"])
        check_origin(self.header, origin(self.ruleset, *TABLE_CODE), path)
        self._keys = Keys(self.header["least"], self.header["spans"])
        count, reds, blues = (self.header[name] for name in ("stored_states", "reds", "blues"))
        guides = count if self.header["answers"] else 0
        layout: list[tuple[Code, int]] = [("d", count), ("d", count)]
        layout += [("d", count * reds), ("d", count * blues)]
        layout += [("d", guides), ("f", count), ("f", count), (self._keys.kind, count)]
        view, at = memoryview(mapped), len(first)
        self._parts: list[Any] = []
        for kind, size in layout:
            end = at + size * calcsize(kind)
            if end > len(view):
                break
            self._parts.append(view[at:end].cast(kind) if size else view[at:end])
            at = end
        self._body = view[len(first) :]
        if len(self._parts) != len(layout) or at != len(view):
            self.__exit__()
            raise RecordError(f"{path} is cut off or has extra bytes at its end")
        self._values, self._decided, self._reds, self._blues, self._guides = self._parts[:5]
        self._below, self._above, self._index = self._parts[5:]
        self._bound = bind(self.ruleset)
        self._fields = len(self._bound.layout.names)
        if {len(self._keys.least), len(self._keys.spans)} != {self._fields}:
            raise RecordError(f"{path} is damaged: its fields are not those of {self.ruleset.text}")
        self._menus: dict[int, list[int]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for part in (*self._parts, self._body):
            part.release()

    @property
    def exploitability(self) -> float:
        return float(self.header["exploitability"])

    @property
    def count(self) -> int:
        """Number of stored states."""
        return len(self._index)

    def state(self, place: int) -> State:
        """A stored state, by its place from 0 to `count` - 1."""
        state: State = self._bound.kernels["unpack"](self._keys.row(self._index[place]), 0)
        return state

    @property
    def keys(self) -> "tuple[Keys, Sequence[int]]":
        """The keys of the stored states, and how to read them."""
        return self._keys, self._index

    @property
    def mixes(self) -> tuple[Sequence[float], Sequence[float]]:
        """The mixes of red and of blue in the stored states: the chances of the choices on a menu,
        padded with zeros to the same length in all states.
        """
        return self._reds, self._blues

    def check_sum(self) -> None:
        """Raises `RecordError` if the checksum does not match."""
        if checksum(self.header, self._body) != self.header.get("checksum"):
            raise RecordError(
                f"{self.path} is damaged (checksum mismatch); rebuild it with holmgang solve"
            )

    @property
    def parts(self) -> "tuple[Tablebase, ...]":
        """The table and its extensions."""
        return (self, *self.extensions)

    def has(self, state: State) -> bool:
        """Whether the table or an extension contains an undecided state."""
        try:
            self.value(state)
        except StateError:
            return False
        return True

    @cached_property
    def known_states(self) -> KnownStates:
        """The stored states with an error of at most `KNOWN`."""
        rows, values, decided, errors = array("q"), array("d"), array("d"), array("d")
        for place, key in enumerate(self._index):
            found = self._stored(place, mirrored=False)
            error = max(found.value - found.low, found.high - found.value)
            error += 2 * abs(found.guide - found.value) + 4 * (1 - PATIENCE)
            if error <= KNOWN:
                rows.extend(self._keys.row(key))
                values.append(found.value)
                decided.append(found.decided)
                errors.append(error)
        return KnownStates(rows, values, decided, errors)

    def value(self, state: State) -> float:
        """The value of an undecided state."""
        found = self._find(state)
        return self._answered(state).value if found is None else found.value

    def evaluate(self, state: State) -> Evaluation:
        """Evaluates an undecided state. Raises `StateError` if it is not in the table."""
        for part in self.parts:
            place, mirrored = part._place(state)
            if place >= 0:
                mixes = [part._mix(state, seat, place, mirrored) for seat in (RED, BLUE)]
                return part._stored(place, mirrored).evaluation(*mixes)
        return self._answered(state)

    def _mix(self, state: State, seat: int, place: int, mirrored: bool) -> ByChoice:
        menu = self._menu(state, seat)
        is_red = (seat == RED) != mirrored
        numbers, width = (
            (self._reds, self.header["reds"]) if is_red else (self._blues, self.header["blues"])
        )
        chances = numbers[place * width : place * width + len(menu)]
        return dict(zip(menu, chances, strict=True))

    def pair_value(self, state: State, red: int, blue: int) -> float:
        """The expected value of two choices in a state."""
        return mean_worth(self.ruleset, state, red, blue, self.value)

    def _stored(self, place: int, mirrored: bool) -> "Stored":
        value, decided = self._values[place], self._decided[place]
        low, high = value - self._below[place], value + self._above[place]
        guide = self._guides[place] if self._guides else value
        if mirrored:
            return Stored(-value, decided, -high, -low, -guide)
        return Stored(value, decided, low, high, guide)

    def _menu(self, state: State, seat: int) -> list[int]:
        """The choices of a seat, cached: there are few different menus."""
        mask = self.ruleset.choice_set(state, seat)
        menu = self._menus.get(mask)
        if menu is None:
            menu = self._menus[mask] = self.ruleset.choices(state, seat)
        return menu

    def _find(self, state: State) -> "Stored | None":
        """The state as stored here or in an extension."""
        for part in self.parts:
            place, mirrored = part._place(state)
            if place >= 0:
                return part._stored(place, mirrored)
        return None

    def _place(self, state: State) -> tuple[int, bool]:
        """The place of a state, or -1, and whether its mirror image is stored there."""
        row = [0] * self._fields  # not shared: other threads may look up states too
        for mirrored in (False, True) if self.header["symmetric"] else (False,):
            looked_up = state
            if mirrored:
                looked_up = self.ruleset.mirror(state)
            self._bound.kernels["pack"](looked_up, row, 0)
            key = self._keys.key(row)
            place = bisect_left(self._index, key) if key >= 0 else len(self._index)
            if place < len(self._index) and self._index[place] == key:
                return place, mirrored
        return -1, False

    def _answered(self, state: State) -> Evaluation:
        """Evaluates a state in which one seat answers, from its successors."""
        menus = [self.ruleset.choices(state, seat) for seat in (RED, BLUE)]
        if all(menus) or not any(menus):
            raise StateError(f"{self.ruleset.text} cannot reach this state")
        side = 1 if menus[RED] else -1
        options: list[tuple[float, int, Stored]] = []
        for choice in menus[RED] or menus[BLUE]:
            red, blue = (choice, NO_CHOICE) if side > 0 else (NO_CHOICE, choice)
            throws = self.ruleset.throws(state, red, blue)
            weights = [weight for _, weight in throws]
            faces = sum(weights)
            after = [
                self._following(self.ruleset.resolve_unchecked(state, red, blue, face))
                for face, _ in throws
            ]
            columns = zip(*after, strict=True)
            mean = Stored(*(sum(map(mul, weights, column)) / faces for column in columns))
            error = (len(after) + 2) * sys.float_info.epsilon  # rounding must not narrow bounds
            mean = mean._replace(
                low=max(mean.low - error, min(each.low for each in after)),
                high=min(mean.high + error, max(each.high for each in after)),
            )
            options.append((side * mean.guide, choice, mean))
        _, best, taken = max(options, key=lambda option: option[0])
        # The decider may prefer any option, so its bound is the best bound of all options.
        if side > 0:
            taken = taken._replace(high=max(option.high for _, _, option in options))
        else:
            taken = taken._replace(low=min(option.low for _, _, option in options))
        mixes = [{c: float(c == best) for c in menu} for menu in menus]
        return taken.evaluation(*mixes)

    def _following(self, state: State) -> "Stored":
        """A successor of an answer. Its guide is discounted as in certificates."""
        worth = self.ruleset.utility(state)
        if worth is not None:
            return Stored(worth, abs(worth), worth, worth, worth)
        stored = self._find(state)
        if stored is None:
            raise StateError(f"{self.ruleset.text} cannot reach this state")
        endless = self.ruleset.endless_utility
        return stored._replace(guide=endless + PATIENCE * (stored.guide - endless))


def map_file(path: Path) -> mmap.mmap:
    """Maps a file into memory. Raises `RecordError`."""
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise RecordError(f"{path} is empty") from None


def parse_header(line: bytes, path: Path) -> TableHeader:
    header: Any
    try:
        header = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or "holmgang_table" not in header:
        raise RecordError(f"{path} is not a Holmgang tablebase")
    if header["holmgang_table"] != FORMAT:
        raise RecordError(
            f"{path} is a tablebase in another format; this version reads format {FORMAT}; rebuild"
            " it with holmgang solve"
        )
    known = get_type_hints(TableHeader)
    for name, kind in known.items():
        if type(header.get(name)) is not (get_origin(kind) or kind):
            raise RecordError(f"{path} is damaged: its header lacks {name}")
    if unknown := header.keys() - known.keys():
        raise RecordError(f"{path} is damaged: its header has an unknown {brief(min(unknown))}")
    fields = (*header["least"], *header["spans"])
    are_whole = all(type(number) is int for number in fields)
    sizes = (*(header[name] for name in ("stored_states", "reds", "blues")), *header["spans"])
    if not are_whole or min(sizes) < 1:
        raise RecordError(f"{path} is damaged: a number in its header is out of range")
    return cast("TableHeader", header)


# Checking


def check(path: Path, *, most_mib: int = MOST_MIB, announce: Announce = silent) -> float:
    """Computes the exploitability again from the mixes in the file. Raises `RecordError` if the
    file is damaged, its bounds are not proven, its values and probabilities are not those of its
    mixes, or its header is wrong.
    """
    with Tablebase(path) as stored:
        stored.check_sum()
        make_ready(stored.ruleset, announce)
        header = stored.header
        try:
            table = tabulate(
                stored.ruleset,
                most_states=header["solved_states"],
                most_mib=most_mib,
                mirror=header["symmetric"],
            )
        except UsageError as error:
            raise RecordError(f"{path} cannot be checked: {error}") from None
        said = dict(header)
        for name, right in describe(table).items():
            if said[name] != right:
                raise RecordError(
                    f"{path}: {name} in its header is {brief(said[name])}, not {brief(right)}"
                )
        read = read_back(stored, table)
    solver, lows, highs = sweeping(), read.lows, read.highs
    proof = certify(solver, table, read.guides, read.red_mixes, read.blue_mixes)
    worth, decided = evaluate(solver, table, read.guides, read.red_mixes, read.blue_mixes)
    beyond = (
        max(low - guide, guide - high)
        for low, guide, high in zip(lows, read.guides, highs, strict=False)
    )
    for what, differences, allowed in (
        ("bounds that are off by {} from what is proven", below(lows, proof.lows), FINE),
        ("bounds that are off by {} from what is proven", below(proof.highs, highs), FINE),
        ("bounds that leave out a value by {}", below(lows, read.values), FINE),
        ("bounds that leave out a value by {}", below(read.values, highs), FINE),
        ("values that are off by {} from those of its mixes", apart(read.values, worth), SETTLED),
        (
            "chances that are off by {} from those of its mixes",
            apart(read.decided, decided),
            SETTLED,
        ),
        ("values for answers that are off by {}", beyond, GUIDED),
    ):
        off = max(differences)
        if off > allowed:
            raise RecordError(f"{path} has {what.format(f'{off:.1e}')}")
    gaps = [high - low for high, low in zip(highs, lows, strict=True)]
    for name, claim, proven, gap in (
        ("exploitability", header["exploitability"], proof.exploitability, gaps[table.start]),
        ("worst_exploitability", header["worst_exploitability"], proof.worst, max(gaps)),
    ):
        if not (claim >= proven - FINE and abs(claim - gap) <= ROUNDED * gap + TINY):
            raise RecordError(
                f"{path} claims {name} {claim:.1e}; {proven:.1e} is proven, {gap:.1e} by its bounds"
            )
    return proof.exploitability


def below(lower: "array[float]", upper: "array[float]") -> Iterator[float]:
    """By how much each number exceeds its upper bound; mirror images are left out."""
    return (low - high for low, high in zip(lower, upper, strict=False))


def apart(numbers: "array[float]", others: "array[float]") -> Iterator[float]:
    return (abs(one - other) for one, other in zip(numbers, others, strict=False))


class ReadBack(NamedTuple):
    """The columns of a file in the order of a state table; guides include mirror images."""

    values: "array[float]"
    decided: "array[float]"
    lows: "array[float]"
    highs: "array[float]"
    guides: "array[float]"
    red_mixes: "array[float]"
    blue_mixes: "array[float]"


def read_back(stored: Tablebase, table: StateTable) -> ReadBack:
    """Reads a table back. Raises `RecordError` if a state is missing or a number is invalid."""
    numbers, header = table.numbers, stored.header
    by_state = [floats(table.count) for _ in range(4)]
    guides = floats(table.places)
    mixes = floats(numbers.red_starts[-1]), floats(numbers.blue_starts[-1])
    for index, state in table:
        place, mirrored = stored._place(state)
        if place < 0 or mirrored:
            raise RecordError(f"{stored.path} is damaged: it lacks a state")
        found = stored._stored(place, mirrored)
        if not all(isfinite(number) for number in found):
            raise RecordError(f"{stored.path} is damaged: a value of a state is not finite")
        for column, number in zip(by_state, found, strict=False):
            column[index] = number
        guides[index] = found.guide
        if table.mirrored:
            guides[table.mirrored + index] = -found.guide
        for seat, (starts, part, width) in enumerate(
            (
                (numbers.red_starts, stored._reds, header["reds"]),
                (numbers.blue_starts, stored._blues, header["blues"]),
            )
        ):
            mix = array("d", part[place * width : (place + 1) * width])
            size = starts[index + 1] - starts[index]
            is_mix = all(share >= 0 for share in mix) and abs(sum(mix) - 1) <= FINE
            if not is_mix or any(mix[size:]):
                raise RecordError(f"{stored.path} has an invalid mix")
            mixes[seat][starts[index] : starts[index + 1]] = mix[:size]
    values, decided, lows, highs = by_state
    return ReadBack(values, decided, lows, highs, guides, *mixes)
