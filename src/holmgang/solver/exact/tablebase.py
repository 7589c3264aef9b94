"""Tablebases: a solution as a file that answers for any state at once, without loading it whole.

A file is a line of JSON (what was solved, how well, and the layout), padded with blanks, and then
arrays, little-endian. Of 8-byte numbers: its value to red for each state, the chance that someone
wins, red's mix, blue's mix, and, where a seat may answer a reveal, the value that decides its
answer. Of 4-byte numbers: the distance of the value from its lower bound and from its upper bound.
Last a key for each state, in ascending order, of 4 bytes if that is enough and 8 otherwise.

A mix has a place for each choice of the state that offers most. Where the rules treat the seats
alike, of two states that mirror each other only the one with the lower key is stored. A state in
which one seat answers a reveal is not stored: it is worked out from those that follow.
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
from pathlib import Path
from struct import calcsize
from threading import Lock
from typing import Any, NamedTuple, Self

from holmgang.engine.compiled.binding import bind
from holmgang.engine.compiled.native import Announce, silent
from holmgang.errors import RecordError, StateError, UsageError
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import load
from holmgang.games.shape import brief
from holmgang.machine import write_whole
from holmgang.solver import matrix, numbers
from holmgang.solver.checksum import check_origin, checksum, origin
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

FORMAT = 4  # 2 had mixes that were optimal and not sharp, 3 a number that no check could confirm
LONGEST_HEADER = 1 << 16
SWAPPED = sys.byteorder == "big"
FINE = 1e-9  # by how much a proof that is repeated may differ
SETTLED = 1e-6  # the same for values and chances, found by sweeps that may close in slowly
KNOWN = 1e-7  # the largest error of a state that need not be solved again for an extension
GUIDED = 1e-3  # how far from the bounds of its state a value that decides an answer may be
ROUNDED = 1e-5  # by how much, as a part, an exploitability may differ from bounds of 4 bytes,
TINY = 1e-14  # and by how much in any case
SOLVER = (
    *(certificate, extrapolation, matrix, numbers, order_kernels, sharpen_kernels, sharpening),
    *(solve, sweep_kernels, table, table_kernels),
)
"""The modules that decide what is in a table, besides the rules."""
HEADER = {
    **dict.fromkeys(("ruleset", "ruleset_hash", "rules_code", "solver_code"), str),
    **dict.fromkeys(("holmgang_table", "checksum"), int),
    **dict.fromkeys(("solved_states", "stored_states", "reds", "blues"), int),
    **dict.fromkeys(("exploitability", "worst_exploitability"), float),
    **dict.fromkeys(("least", "spans"), list),
    **dict.fromkeys(("symmetric", "answers"), bool),
}


@dataclass(frozen=True)
class Keys:
    """States as single numbers: each field within the span it has in the table."""

    least: Sequence[int]
    spans: Sequence[int]

    @property
    def kind(self) -> str:
        """The type code of an array of keys."""
        return "I" if prod(self.spans) <= 1 << 32 else "q"

    def key(self, row: Sequence[int]) -> int:
        """The key of a packed state; -1 if the table cannot have it."""
        key = 0
        for number, least, span in zip(row, self.least, self.spans, strict=True):
            if not 0 <= number - least < span:
                return -1
            key = key * span + number - least
        return key

    def row(self, key: int) -> "array[int]":
        """The packed state that has the key."""
        row = array("q")
        for least, span in zip(reversed(self.least), reversed(self.spans), strict=True):
            key, number = divmod(key, span)
            row.append(number + least)
        row.reverse()
        return row


# Writing


def write(solution: Solution, path: Path) -> Path:
    """Writes the solution to a file, which is there whole or not at all. Raises `UsageError`."""
    write_whole(path, encode(solution))
    return path


def describe(table: StateTable) -> dict[str, Any]:
    """What the header of a table has to say of the ruleset and of the layout."""
    columns = [table.rows[place :: table.fields] for place in range(table.fields)]
    return {
        **origin(table.ruleset, *SOLVER),
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
    header = {
        "holmgang_table": FORMAT,
        **describe(table),
        "exploitability": solution.exploitability,
        "worst_exploitability": solution.worst_exploitability,
    }
    keys = Keys(header["least"], header["spans"])
    reds, blues, answers = header["reds"], header["blues"], header["answers"]
    stored = sorted(zip(all_keys(table, keys), range(table.count), strict=True))
    order = [index for _, index in stored]
    values, lows, highs = solution.values, solution.lows, solution.highs
    arrays: list[array[Any]] = [
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
    """The key of every listed state. Of two that mirror each other the one with the lower row is
    listed, which has the lower key.
    """
    every = [0] * table.count
    for place, (least, span) in enumerate(zip(keys.least, keys.spans, strict=True)):
        column = table.rows[place :: table.fields]
        every = [key * span + number - least for key, number in zip(every, column, strict=True)]
    return every


def distance(exact: float) -> float:
    """The distance of a bound as it is stored: never less, when it is rounded to 4 bytes."""
    return max(0.0, exact) * (1 + 1e-6) + 1e-16


def padded(
    order: list[int], mixes: "array[float]", starts: "array[int]", width: int
) -> "array[float]":
    """The mixes of the stored states, each filled up with 0 to the same width."""
    out = floats(len(order) * width)
    for place, index in enumerate(order):
        mix = mixes[starts[index] : starts[index + 1]]
        out[place * width : place * width + len(mix)] = mix
    return out


# Reading


class Stored(NamedTuple):
    """What is stored of a state, apart from the mixes; to red."""

    value: float
    decided: float
    low: float
    high: float
    guide: float
    """Decides which answer leads here."""

    def evaluation(self, red: ByChoice, blue: ByChoice) -> Evaluation:
        low, high = max(-1.0, self.low), min(1.0, self.high)
        return Evaluation(self.value, low, high, red, blue, self.decided, Source.TABLE)


class Tablebase:
    """An open tablebase; it may be used as a context manager, and by several threads.

    Raises `RecordError` if the file is not a whole table, `RulesetError` if it belongs to other
    rules or other code than this Holmgang's.
    """

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        """`content` stands for a file that is not written."""
        self.path = path
        self.extensions: list[Tablebase] = []
        """Further states of the ruleset, solved since; see `extension.py`."""
        self.refused: dict[Any, int] = {}
        """States that lead to more than so many others outside the table."""
        self.extending = Lock()
        mapped = map_file(path) if content is None else content
        first = mapped[: mapped.find(b"\n", 0, LONGEST_HEADER) + 1]
        self.header = parse_header(first, path)
        self.ruleset = load(self.header["ruleset"])
        check_origin(self.header, origin(self.ruleset, *SOLVER), path)
        self._keys = Keys(self.header["least"], self.header["spans"])
        count, reds, blues = (self.header[name] for name in ("stored_states", "reds", "blues"))
        guides = count if self.header["answers"] else 0
        layout: list[tuple[Any, int]] = [("d", count), ("d", count)]
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
            raise RecordError(f"{path} is damaged: it has other fields than {self.ruleset.text}")
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

    def state(self, place: int) -> Any:
        """One of the stored states, by its place from 0 to `count` - 1."""
        return self._bound.kernels["unpack"](self._keys.row(self._index[place]), 0)

    def check_sum(self) -> None:
        """Raises `RecordError` unless every byte is as it was written."""
        if checksum(self.header, self._body) != self.header.get("checksum"):
            raise RecordError(
                f"{self.path} is damaged (checksum mismatch); rebuild it with holmgang solve"
            )

    @property
    def parts(self) -> "tuple[Tablebase, ...]":
        """The table and its extensions."""
        return (self, *self.extensions)

    def has(self, state: Any) -> bool:
        """Whether anything is known of an undecided state."""
        try:
            self.value(state)
        except StateError:
            return False
        return True

    @cached_property
    def known_states(self) -> KnownStates:
        """The stored states whose values are so well known that they need not be solved again."""
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

    def value(self, state: Any) -> float:
        """What an undecided state, of the game's own kind, is worth to red."""
        found = self._find(state)
        return self._answered(state).value if found is None else found.value

    def evaluate(self, state: Any) -> Evaluation:
        """All that is known of an undecided state. Raises `StateError` if it cannot be reached."""
        for part in self.parts:
            place, mirrored = part._place(state)
            if place >= 0:
                mixes = [part._mix(state, seat, place, mirrored) for seat in (RED, BLUE)]
                return part._stored(place, mirrored).evaluation(*mixes)
        return self._answered(state)

    def _mix(self, state: Any, seat: int, place: int, mirrored: bool) -> ByChoice:
        menu = self._menu(state, seat)
        is_red = (seat == RED) != mirrored
        numbers, width = (
            (self._reds, self.header["reds"]) if is_red else (self._blues, self.header["blues"])
        )
        chances = numbers[place * width : place * width + len(menu)]
        return dict(zip(menu, chances, strict=True))

    def pair_value(self, state: Any, red: int, blue: int) -> float:
        """What two choices in a state are worth to red, over all that chance can do."""
        return mean_worth(self.ruleset, state, red, blue, self.value)

    def _stored(self, place: int, mirrored: bool) -> "Stored":
        value, decided = self._values[place], self._decided[place]
        low, high = value - self._below[place], value + self._above[place]
        guide = self._guides[place] if self._guides else value
        if mirrored:
            return Stored(-value, decided, -high, -low, -guide)
        return Stored(value, decided, low, high, guide)

    def _menu(self, state: Any, seat: int) -> list[int]:
        """What a seat may choose. There are few menus, so they are kept."""
        mask = self.ruleset.choice_set(state, seat)
        menu = self._menus.get(mask)
        if menu is None:
            menu = self._menus[mask] = self.ruleset.choices(state, seat)
        return menu

    def _find(self, state: Any) -> "Stored | None":
        """What is stored of a state, here or in an extension."""
        for part in self.parts:
            place, mirrored = part._place(state)
            if place >= 0:
                return part._stored(place, mirrored)
        return None

    def _place(self, state: Any) -> tuple[int, bool]:
        """Where the state is stored, and whether as its mirror image; -1 if it is not."""
        row = [0] * self._fields  # of this look-up alone: there may be others at the same time
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

    def _answered(self, state: Any) -> Evaluation:
        """A state in which one seat answers: its best choice, worked out from what follows."""
        menus = [self.ruleset.choices(state, seat) for seat in (RED, BLUE)]
        if all(menus) or not any(menus):
            raise StateError(f"{self.ruleset.text} cannot reach this state")
        side = 1 if menus[RED] else -1
        options: list[tuple[float, int, Stored]] = []
        for choice in menus[RED] or menus[BLUE]:
            red, blue = (choice, NO_CHOICE) if side > 0 else (NO_CHOICE, choice)
            throws = self.ruleset.throws(state, red, blue)
            faces = sum(weight for _, weight in throws)
            after = [
                [weight * number for number in self._following(following)]
                for face, weight in throws
                for following in (self.ruleset.resolve_unchecked(state, red, blue, face),)
            ]
            mean = Stored(*(sum(numbers) / faces for numbers in zip(*after, strict=True)))
            options.append((side * mean.guide, choice, mean))
        _, best, taken = max(options, key=lambda option: option[0])
        # The other option may be as good, so it counts for the bound that the decider might exceed.
        if side > 0:
            taken = taken._replace(high=max(option.high for _, _, option in options))
        else:
            taken = taken._replace(low=min(option.low for _, _, option in options))
        mixes = [{c: float(c == best) for c in menu} for menu in menus]
        return taken.evaluation(*mixes)

    def _following(self, state: Any) -> "Stored":
        """A state after an answer. An undecided one guides by a trifle less compared with endless
        play, as in certificates.
        """
        worth = self.ruleset.utility(state)
        if worth is not None:
            return Stored(worth, abs(worth), worth, worth, worth)
        stored = self._find(state)
        if stored is None:
            raise StateError(f"{self.ruleset.text} cannot reach this state")
        endless = self.ruleset.endless_utility
        return stored._replace(guide=endless + PATIENCE * (stored.guide - endless))


def map_file(path: Path) -> mmap.mmap:
    """The content of a file, read as it is needed."""
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise RecordError(f"{path} is empty") from None


def parse_header(line: bytes, path: Path) -> dict[str, Any]:
    try:
        header = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or "holmgang_table" not in header:
        raise RecordError(f"{path} is not a Holmgang tablebase")
    if header["holmgang_table"] != FORMAT:
        raise RecordError(f"{path} is a tablebase of another format than {FORMAT}")
    for name, kind in HEADER.items():
        if type(header.get(name)) is not kind:
            raise RecordError(f"{path} is damaged: its header has no {name}")
    if unknown := header.keys() - HEADER.keys():
        raise RecordError(f"{path} is damaged: its header has {brief(min(unknown))}")
    fields = (*header["least"], *header["spans"])
    are_whole = all(type(number) is int for number in fields)
    sizes = (*(header[name] for name in ("stored_states", "reds", "blues")), *header["spans"])
    if not are_whole or min(sizes) < 1:
        raise RecordError(f"{path} is damaged: its header has an impossible number")
    return header


# Checking


def check(path: Path, *, most_mib: int = MOST_MIB, announce: Announce = silent) -> float:
    """Computes the exploitability again from the mixes in the file. Raises `RecordError` if the
    file is damaged, if its bounds are not proven, if its values and chances are not those of its
    mixes, or if its header says anything else than what was found.
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
        for name, right in describe(table).items():
            if header[name] != right:
                raise RecordError(
                    f"{path} says {name} {brief(header[name])}; {brief(right)} is right"
                )
        read = read_back(stored, table)
    kernels, lows, highs = sweeping(), read.lows, read.highs
    proof = certify(kernels, table, read.guides, read.red_mixes, read.blue_mixes)
    worth, decided = evaluate(kernels, table, read.guides, read.red_mixes, read.blue_mixes)
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
    for name, proven, gap in (
        ("exploitability", proof.exploitability, gaps[table.start]),
        ("worst_exploitability", proof.worst, max(gaps)),
    ):
        said = header[name]
        if not (said >= proven - FINE and abs(said - gap) <= ROUNDED * gap + TINY):
            raise RecordError(
                f"{path} claims {name} {said:.1e}; {proven:.1e} is proven, {gap:.1e} by its bounds"
            )
    return proof.exploitability


def below(lower: "array[float]", upper: "array[float]") -> Iterator[float]:
    """By how much numbers are above those that they should be below; mirror images are left out."""
    return (low - high for low, high in zip(lower, upper, strict=False))


def apart(numbers: "array[float]", others: "array[float]") -> Iterator[float]:
    return (abs(one - other) for one, other in zip(numbers, others, strict=False))


class ReadBack(NamedTuple):
    """The columns of a file by the numbers of a state table; the guides with mirror images."""

    values: "array[float]"
    decided: "array[float]"
    lows: "array[float]"
    highs: "array[float]"
    guides: "array[float]"
    red_mixes: "array[float]"
    blue_mixes: "array[float]"


def read_back(stored: Tablebase, table: StateTable) -> ReadBack:
    """Raises `RecordError` if a state is missing, or a mix or another number is none."""
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
            raise RecordError(f"{stored.path} is damaged: a number of a state is none")
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
                raise RecordError(f"{stored.path} has a mix that is none")
            mixes[seat][starts[index] : starts[index + 1]] = mix[:size]
    values, decided, lows, highs = by_state
    return ReadBack(values, decided, lows, highs, guides, *mixes)
