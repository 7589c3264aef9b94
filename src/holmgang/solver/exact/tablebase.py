"""Tablebases: a solution as a file that answers for any state at once, without loading it whole.

A file is a line of JSON (what was solved, how well, and the layout), padded with blanks, and then
five arrays of 8-byte numbers, little-endian: a key for each state in ascending order, its value to
red, the chance that anyone wins, red's mix, blue's mix. A mix has a place for each choice of the
state that offers most. Where the rules treat the seats alike, of two states that mirror each other
only the one with the lower key is stored. A state in which one seat answers a reveal is not stored:
it is worked out from those that follow.
"""

import json
import mmap
import sys
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from holmgang.engine import rounds
from holmgang.engine.compiled.binding import bind
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.mix import Mix
from holmgang.errors import RecordError, RulesetError, StateError
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import load
from holmgang.machine import write_whole
from holmgang.solver.checksum import checksum
from holmgang.solver.exact.certificate import PATIENCE, certify
from holmgang.solver.exact.solve import Solution, sweeping
from holmgang.solver.exact.table import Table, floats, make_ready, tabulate
from holmgang.solver.finding import WORTH, mean_worth
from holmgang.solver.position import Position, judged

FORMAT = 1
LONGEST_HEADER = 1 << 16
SWAPPED = sys.byteorder == "big"
FINE = 1e-9  # by how much a proof that is repeated may differ
HEADER = {
    **dict.fromkeys(("ruleset", "ruleset_hash"), str),
    **dict.fromkeys(("solved_states", "stored_states", "sweeps", "reds", "blues"), int),
    **dict.fromkeys(("exploitability", "worst_exploitability"), float),
    **dict.fromkeys(("least", "spans"), list),
    "symmetric": bool,
}


@dataclass(frozen=True)
class Keys:
    """States as single numbers: each field within the span it has in the table."""

    least: Sequence[int]
    spans: Sequence[int]

    def key(self, row: Sequence[int]) -> int:
        """The key of a packed state; -1 if the table cannot have it."""
        key = 0
        for number, least, span in zip(row, self.least, self.spans, strict=True):
            if not 0 <= number - least < span:
                return -1
            key = key * span + number - least
        return key


# Writing


def write(solution: Solution, path: Path) -> Path:
    """Writes the solution to a file, which is there whole or not at all. Raises `UsageError`."""
    table, ruleset = solution.table, solution.ruleset
    columns = [table.rows[place :: table.fields] for place in range(table.fields)]
    keys = Keys([min(column) for column in columns], [max(c) - min(c) + 1 for c in columns])
    numbers = table.numbers
    reds, blues = max(numbers.reds), max(numbers.blues)
    stored = sorted(stored_states(table, keys))
    header = {
        "holmgang_table": FORMAT,
        "ruleset": ruleset.text,
        "ruleset_hash": ruleset.hash,
        "solved_states": table.count,
        "stored_states": len(stored),
        "exploitability": solution.exploitability,
        "worst_exploitability": solution.worst_exploitability,
        "sweeps": solution.sweeps,
        "symmetric": ruleset.game.notation.is_symmetric(ruleset.rules),
        "least": keys.least,
        "spans": keys.spans,
        "reds": reds,
        "blues": blues,
    }
    arrays = (
        array("q", (key for key, _ in stored)),
        array("d", (solution.values[index] for _, index in stored)),
        array("d", (solution.decided[index] for _, index in stored)),
        padded(stored, solution.red_mixes, numbers.red_starts, reds),
        padded(stored, solution.blue_mixes, numbers.blue_starts, blues),
    )
    if SWAPPED:
        for part in arrays:
            part.byteswap()
    header["checksum"] = checksum(header, *arrays)
    text = json.dumps(header).encode()
    text += b" " * (-(len(text) + 1) % 8) + b"\n"
    write_whole(path, b"".join((text, *arrays)))
    return path


def stored_states(table: Table, keys: Keys) -> list[tuple[int, int]]:
    """The key and the number of every state that is stored: of twins the one of the lower key."""
    every = [0] * table.count
    for place, (least, span) in enumerate(zip(keys.least, keys.spans, strict=True)):
        column = table.rows[place :: table.fields]
        every = [key * span + number - least for key, number in zip(every, column, strict=True)]
    return [
        (key, state)
        for state, (key, twin) in enumerate(zip(every, table.numbers.twins, strict=True))
        if twin < 0 or key <= every[twin]
    ]


def padded(
    stored: list[tuple[int, int]], mixes: "array[float]", starts: "array[int]", width: int
) -> "array[float]":
    """The mixes of the stored states, each filled up with 0 to the same width."""
    out = floats(len(stored) * width)
    for place, (_, index) in enumerate(stored):
        mix = mixes[starts[index] : starts[index + 1]]
        out[place * width : place * width + len(mix)] = mix
    return out


# Reading


class Tablebase:
    """An open tablebase; it may be used as a context manager.

    Raises `RecordError` if the file is not a whole table, `RulesetError` if it belongs to other
    rules than this Holmgang's.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                first = file.readline(LONGEST_HEADER)
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise RecordError(f"cannot read {path}: {error.strerror}") from None
        except ValueError:
            raise RecordError(f"{path} is empty") from None
        self.header = parse_header(first, path)
        self.ruleset = load(self.header["ruleset"])
        if self.ruleset.hash != self.header["ruleset_hash"]:
            raise RulesetError(f"{path} was solved for other rules of {self.ruleset.text}")
        self._keys = Keys(self.header["least"], self.header["spans"])
        count, reds, blues = (self.header[name] for name in ("stored_states", "reds", "blues"))
        sizes = (count, count, count, count * reds, count * blues)
        if len(self._map) != len(first) + 8 * sum(sizes):
            raise RecordError(f"{path} is cut off or has something behind its end")
        view, at = memoryview(self._map), len(first)
        parts: list[Any] = []
        for size in sizes:
            parts.append(view[at : at + 8 * size].cast("d" if parts else "q"))
            at += 8 * size
        self._parts = parts
        self._body = view[len(first) :]
        self._index, self._values, self._decided, self._reds, self._blues = parts
        self._bound = bind(self.ruleset)
        self._row = [0] * len(self._bound.layout.names)
        self._menus: dict[int, list[str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for part in (*self._parts, self._body):
            part.release()

    @property
    def exploitability(self) -> float:
        return float(self.header["exploitability"])

    def check_sum(self) -> None:
        """Raises `RecordError` unless every byte is as it was written."""
        if checksum(self.header, self._body) != self.header.get("checksum"):
            raise RecordError(
                f"{self.path} is damaged: its checksum is another; holmgang solve makes it anew"
            )

    def value(self, state: Any) -> float:
        """What an undecided state, of the game's own kind, is worth to red."""
        place, mirrored = self._place(state)
        return self._stored(place, mirrored)[0] if place >= 0 else self._answered(state).value

    def position(self, state: Any) -> Position:
        """All that is known of an undecided state. Raises `StateError` if it cannot be reached."""
        place, mirrored = self._place(state)
        if place < 0:
            return self._answered(state)
        mixes = []
        for seat in (RED, BLUE):
            menu = self._menu(state, seat)
            is_red = (seat == RED) != mirrored
            numbers, width = (
                (self._reds, self.header["reds"]) if is_red else (self._blues, self.header["blues"])
            )
            chances = numbers[place * width : place * width + len(menu)]
            mixes.append(dict(zip(menu, chances, strict=True)))
        return self._known(*self._stored(place, mirrored), *mixes)

    def pair_value(self, state: Any, red: int, blue: int) -> float:
        """What two choices in a state are worth to red, over all that chance can do."""
        return mean_worth(self.ruleset, state, red, blue, self.value)

    def _stored(self, place: int, mirrored: bool) -> tuple[float, float]:
        """The value to red, and the chance that anyone wins."""
        value = self._values[place]
        return -value if mirrored else value, self._decided[place]

    def _menu(self, state: Any, seat: int) -> list[str]:
        """What a seat may choose, in words. There are few menus, so they are kept."""
        mask = self.ruleset.game.rules.choices(self.ruleset.rules, state, seat)
        if mask not in self._menus:
            self._menus[mask] = rounds.menu_words(self.ruleset, state, seat)
        return self._menus[mask]

    def _word(self, choice: int) -> str:
        return self.ruleset.game.notation.format_choice(self.ruleset.rules, choice)

    def _place(self, state: Any) -> tuple[int, bool]:
        """Where the state is stored, and whether as its mirror image; -1 if it is not."""
        for mirrored in (False, True) if self.header["symmetric"] else (False,):
            looked_up = state
            if mirrored:
                looked_up = self.ruleset.game.notation.mirror(self.ruleset.rules, state)
            self._bound.kernels["pack"](looked_up, self._row, 0)
            key = self._keys.key(self._row)
            place = bisect_left(self._index, key) if key >= 0 else len(self._index)
            if place < len(self._index) and self._index[place] == key:
                return place, mirrored
        return -1, False

    def _answered(self, state: Any) -> Position:
        """A state in which one seat answers: its best choice, worked out from what follows."""
        game, rules = self.ruleset.game.rules, self.ruleset.rules
        menus = [rounds.menu(self.ruleset, state, seat) for seat in (RED, BLUE)]
        if all(menus) or not any(menus):
            raise StateError(f"{self.ruleset.text} never comes to this state")
        side = 1 if menus[RED] else -1
        best: tuple[float, float, int] | None = None
        for choice in menus[RED] or menus[BLUE]:
            red, blue = (choice, NO_CHOICE) if side > 0 else (NO_CHOICE, choice)
            faces = game.chance(rules, state, red, blue)
            worths = [
                self._worth(game.resolve(rules, state, red, blue, face)) for face in range(faces)
            ]
            value, decided = (sum(numbers) / faces for numbers in zip(*worths, strict=True))
            if best is None or side * value > side * best[0]:
                best = (value, decided, choice)
        assert best is not None  # noqa: S101 - there was a choice
        mixes = [{self._word(c): float(c == best[2]) for c in menu} for menu in menus]
        return self._known(best[0], best[1], *mixes)

    def _known(self, value: float, decided: float, red: Mix, blue: Mix) -> Position:
        slack = self.header["worst_exploitability"] / 2
        low, high = max(-1.0, value - slack), min(1.0, value + slack)
        return Position(value, *judged(value, decided), red, blue, low, high)

    def _worth(self, state: Any) -> tuple[float, float]:
        """The value of a state, a trifle less if it is undecided, as certificates have it; and the
        chance that anyone wins.
        """
        ended = self.ruleset.game.rules.outcome(self.ruleset.rules, state)
        if ended.reason:
            worth = WORTH[ended.winner]
            return worth, abs(worth)
        place, mirrored = self._place(state)
        if place < 0:
            raise StateError(f"{self.ruleset.text} never comes to this state")
        value, decided = self._stored(place, mirrored)
        return PATIENCE * value, decided


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
        if not isinstance(header.get(name), kind):
            raise RecordError(f"{path} is damaged: its header has no {name}")
    return header


# Checking


def check(path: Path, *, announce: Announce = silent) -> float:
    """Computes the exploitability anew from the mixes in the file and nothing else. Raises
    `RecordError` if the file is damaged, or its values are not those of its mixes.
    """
    with Tablebase(path) as stored:
        stored.check_sum()
        make_ready(stored.ruleset, announce)
        table = tabulate(stored.ruleset, most_states=stored.header["solved_states"])
        kernels, numbers = sweeping(), table.numbers
        unpack = table.kernels.bound.kernels["unpack"]
        values = floats(table.count)
        red_mixes, blue_mixes = floats(numbers.red_starts[-1]), floats(numbers.blue_starts[-1])
        for index in range(table.count):
            position = stored.position(unpack(table.rows, index * table.fields))
            values[index] = position.value
            for mixes, starts, words in (
                (red_mixes, numbers.red_starts, position.red),
                (blue_mixes, numbers.blue_starts, position.blue),
            ):
                chances = array("d", words.values() or (1.0,))
                mixes[starts[index] : starts[index + 1]] = chances
        slack = stored.header["worst_exploitability"]
    proof = certify(kernels, table, values, red_mixes, blue_mixes)
    off = max(abs(said - found) for said, found in zip(values, proof.values, strict=True))
    if off > slack + proof.worst + FINE:
        raise RecordError(f"{path} has values that are off by {off:.1e} from those of its mixes")
    return proof.exploitability
