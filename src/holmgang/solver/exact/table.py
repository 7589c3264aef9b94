"""Tabulates a ruleset in numbers: all reachable states and their successors."""

import logging
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import Any, NamedTuple

from holmgang.engine.compiled.kernels import EMPTY
from holmgang.engine.compiled.native import Announce, Kernels, NumberKernels, silent, zeros
from holmgang.errors import TooLarge
from holmgang.games.contract import State
from holmgang.games.ruleset import Ruleset, canonical
from holmgang.solver.exact import mirror_kernels, order_kernels, table_kernels
from holmgang.solver.exact.table_kernels import (
    AFTER_THROW,
    COUNTS,
    DONE,
    NESTED,
    STATES,
    TableDraft,
)
from holmgang.solver.numbers import NUMBERS, Numbers

log = logging.getLogger(__name__)

MOST_STATES = 2_000_000
MOST_MIB = 2048
LARGE_BLOCK = 256  # states; smaller blocks are solved together
TINY_ROOMS = (1 << 10, 1 << 14, 1 << 14, 1 << 15)  # filled in less than a second by Python
GROWTH, MOST_GROWTH = 1.5, 16  # minimum and maximum factor by which an array grows
PIECE = 1 << 14  # numbers appended at once: they fit the processor's cache
FIRST_ROOMS = (1 << 12, 1 << 16, 1 << 16, 1 << 17)  # for states, pairs, options and entries
BY_STATE = ("reds", "blues", "levels", "pair_starts")
BY_PAIR, BY_OPTION, BY_ENTRY = (
    ("option_starts", "deciders"),
    ("entry_starts", "constants", "decided"),
    ("successors", "chances"),
)
STATE_BYTES = 600  # for each state: values, bounds, mixes and their history
PAIR_BYTES = 8  # for each pair: the answer taken


def floats(size: int, value: float = 0.0) -> "array[float]":
    return array("d", [value]) * size


@dataclass
class StateTable:
    """The undecided states of a ruleset, as packed rows and in numbers."""

    ruleset: Ruleset
    kernels: Kernels
    count: int
    """Number of listed states."""
    mirrored: int
    """`count` if only one of two mirror images is listed, otherwise 0."""
    rows: "array[int]"
    numbers: Numbers
    blocks: list[tuple[int, int]] = field(default_factory=list)
    """First and end of the states that are solved together; no state leads to a later block."""
    components: list[tuple[int, int]] = field(default_factory=list)
    """First and end of states that can reach each other; a block has one or more components."""

    @property
    def start(self) -> int:
        """The state in which the game starts."""
        return self.count - 1

    @property
    def states(self) -> int:
        """Number of all undecided states, mirror images included."""
        return self.count + (self.count - sum(self.numbers.levels) if self.mirrored else 0)

    @property
    def places(self) -> int:
        """Length of an array of values by state, mirror images included."""
        return self.count + self.mirrored

    @cached_property
    def fields(self) -> int:
        return len(self.kernels.layout.names)

    def row(self, state: int) -> "array[int]":
        return self.rows[state * self.fields : (state + 1) * self.fields]

    def state(self, number: int) -> State:
        """A listed state."""
        state: State = self.kernels.bound.kernels["unpack"](self.rows, number * self.fields)
        return state

    def leads_to_images(self, first: int, end: int) -> bool:
        """Whether this component leads to mirror images of its states."""
        numbers = self.numbers
        for state in range(first, end) if self.mirrored else ():
            pair = numbers.pair_starts[state]
            pairs = (pair, pair + numbers.reds[state] * numbers.blues[state])
            entries = slice(*(numbers.entry_starts[numbers.option_starts[p]] for p in pairs))
            if any(after >= self.mirrored + first for after in numbers.successors[entries]):
                return True
        return False

    def __iter__(self) -> Iterator[tuple[int, State]]:
        """Every listed state with its number."""
        for number in range(self.count):
            yield number, self.state(number)


def writing(ruleset: Ruleset, *, interpret: bool = False) -> Kernels:
    """The kernels for all rulesets of a game, which take the rules as an argument."""
    return writing_for(by_default(ruleset), interpret=interpret)


@lru_cache(maxsize=64)
def is_tiny(ruleset: Ruleset) -> bool:
    """Whether Python writes the table sooner than the kernels that write it would be compiled."""
    if writing(ruleset).is_cached("write_table"):
        return False
    kernels = writing(ruleset, interpret=True)
    writer = TableWriter(
        ruleset, kernels, False, MOST_STATES, MOST_MIB, folds=False, rooms=TINY_ROOMS
    )
    return writer.fits([ruleset.initial()])


@lru_cache(maxsize=16)
def writing_for(ruleset: Ruleset, *, interpret: bool) -> Kernels:
    return Kernels(ruleset, (table_kernels, mirror_kernels), interpret=interpret)


def by_default(ruleset: Ruleset) -> Ruleset:
    """The same game with its default rules."""
    return canonical(Ruleset(ruleset.entry, ruleset.game.rules.Rules()))


def given_rules(ruleset: Ruleset) -> "array[int]":
    """The rules as a kernel argument."""
    return array("q", ruleset.rules)


@lru_cache(maxsize=2)
def sorting(*, interpret: bool = False) -> NumberKernels:
    return NumberKernels("solver", (order_kernels,), interpret=interpret)


def make_ready(ruleset: Ruleset, announce: Announce = silent, *, interpret: bool = False) -> None:
    """Compiles the kernels that `tabulate` needs: none for a tiny game."""
    interpret = interpret or is_tiny(ruleset)
    kernels = writing(ruleset, interpret=interpret)
    for name in ("fill_slots", "write_table"):
        kernels(name, announce)
    for name in order_kernels.SPECS:
        sorting(interpret=interpret)(name, announce)


def tabulate(
    ruleset: Ruleset,
    *,
    most_states: int = MOST_STATES,
    most_mib: int = MOST_MIB,
    mirror: bool = True,
    interpret: bool = False,
) -> StateTable:
    """Tabulates a ruleset. Both of two mirror images are listed without `mirror`, or if a game from
    outside this package turns out to treat them differently. Raises `UsageError` if the ruleset has
    too many states, needs too much memory, or is of a kind that the solver does not support.
    """
    interpret = interpret or is_tiny(ruleset)
    kernels = writing(ruleset, interpret=interpret)
    is_symmetric = mirror and mirrors_itself(ruleset)

    def written(*, folds: bool) -> TableWriter:
        writer = TableWriter(ruleset, kernels, is_symmetric, most_states, most_mib, folds=folds)
        writer.write([ruleset.initial()])
        return writer

    try:
        writer = written(folds=True)
    except CannotFold:
        writer = written(folds=False)
    if is_symmetric and ruleset.game.is_outside:
        asymmetric = first_asymmetric(ruleset, writer.rows, interpret=interpret)
        if asymmetric is not None:
            log.warning(
                "%s is not symmetric: its rules treat %s and its mirror image differently",
                ruleset.text,
                ruleset.format_text(asymmetric),
            )
            return tabulate(
                ruleset,
                most_states=most_states,
                most_mib=most_mib,
                mirror=False,
                interpret=interpret,
            )
    return writer.table(interpret=interpret)


def first_asymmetric(
    ruleset: Ruleset, rows: "array[int]", *, interpret: bool = False
) -> State | None:
    """One of these states that the rules treat differently from its mirror image, if there is any.
    Conformance tests check this for our own games.
    """
    kernels = writing(ruleset, interpret=interpret)
    fields = len(kernels.layout.names)
    given = given_rules(ruleset)
    found = kernels("first_asymmetric")(given, len(rows) // fields, rows, zeros(2 * fields))
    if found < 0:
        return None
    state: State = kernels.bound.kernels["unpack"](rows, found * fields)
    return state


class KnownStates(NamedTuple):
    """States with known values, at which the tabulated game ends."""

    rows: "array[int]"
    """Packed; of two mirror images the lower one, if the table is symmetric."""
    values: "array[float]"
    decided: "array[float]"
    errors: "array[float]"
    """The largest error of each value."""

    @classmethod
    def joined(cls, parts: "Sequence[KnownStates]") -> "KnownStates":
        rows, values, decided, errors = (
            array(column[0].typecode, chain.from_iterable(column))
            for column in zip(*parts, strict=True)
        )
        return cls(rows, values, decided, errors)


def tabulate_beyond(
    ruleset: Ruleset,
    starts: Sequence[State],
    known: KnownStates,
    *,
    mirror: bool,
    most_states: int,
    folds: bool = True,
    interpret: bool = False,
) -> tuple[StateTable, float]:
    """A table of the states that can be reached from `starts` without passing a known one, and the
    largest error of the known states reached. Raises the errors of `tabulate`, and `CannotFold`.
    """
    kernels = writing(ruleset, interpret=interpret)
    most = len(known.values) + most_states
    writer = TableWriter(ruleset, kernels, mirror, most, MOST_MIB, folds=folds)
    writer.enter_known(known.rows)
    writer.write(starts)
    error = writer.take_out_known(known)
    return writer.table(interpret=interpret), error


def mirrors_itself(ruleset: Ruleset) -> bool:
    """Whether the game is symmetric, including its start and endless play."""
    start = ruleset.initial()
    is_fair = ruleset.is_symmetric and ruleset.endless_utility == 0
    return is_fair and ruleset.mirror(start) == start


class CannotFold(Exception):  # noqa: N818 - tells that answers have to be listed
    """An answer follows another one, or a die roll."""


class TableWriter:
    """Writes a table; its arrays grow as needed."""

    def __init__(
        self,
        ruleset: Ruleset,
        kernels: Kernels,
        is_symmetric: bool,
        most_states: int,
        most_mib: int,
        *,
        folds: bool,
        rooms: Sequence[int] = FIRST_ROOMS,
    ) -> None:
        """With `folds`, answers are part of the round before. The arrays begin with these rooms."""
        if most_states < 1:
            raise TooLarge(f"{ruleset.text} has more than {most_states} states")
        self.ruleset = ruleset
        self.folds = folds
        self.kernels = kernels
        self.is_symmetric = is_symmetric
        self.most_states = most_states
        self.most_mib = most_mib
        self.fields = len(kernels.layout.names)
        self.counts = zeros(COUNTS)
        self.rooms = zeros(len(FIRST_ROOMS))
        self.rows = zeros(0)
        self.slots = zeros(0)
        self.row = zeros(2 * self.fields)
        arrays: dict[str, Any] = {
            name: array("d" if name in NUMBERS.floats else "q") for name in Numbers._fields
        }
        arrays["endless"] = floats(1, ruleset.endless_utility)
        self.numbers = Numbers(**arrays)
        for what, room in enumerate(rooms):
            self.make_room(what, min(room, most_states) if what == STATES else room)

    def enter_known(self, rows: "array[int]") -> None:
        """Enters states as already written, without successors."""
        known = len(rows) // self.fields
        self.make_room(STATES, min(known + FIRST_ROOMS[STATES], self.most_states))
        self.rows[: len(rows)] = rows
        self.counts[STATES] = self.counts[DONE] = known
        self.make_room(STATES, self.rooms[STATES])

    def take_out_known(self, known: KnownStates) -> float:
        """Removes the known states, which were entered first: an option that leads to one of them
        ends there with its value. Returns the largest error of the known states reached.
        """
        count, numbers = len(known.values), self.numbers
        starts, successors, chances = zeros(1), array("q"), array("d")
        largest = 0.0
        for option, (first, end) in enumerate(pairwise(numbers.entry_starts)):
            for entry in range(first, end):
                after, chance = numbers.successors[entry], numbers.chances[entry]
                index = max(after, ~after)  # the complement stands for the mirror image
                if index >= count:
                    successors.append(after - count if after >= 0 else after + count)
                    chances.append(chance)
                    continue
                value = known.values[index]
                numbers.constants[option] += chance * (value if after >= 0 else -value)
                numbers.decided[option] += chance * known.decided[index]
                largest = max(largest, known.errors[index])
            starts.append(len(successors))
        self.numbers = numbers._replace(
            **{name: getattr(numbers, name)[count:] for name in BY_STATE},
            entry_starts=starts,
            successors=successors,
            chances=chances,
        )
        self.rows = self.rows[count * self.fields :]
        self.counts[STATES] -= count
        return largest

    def table(self, *, interpret: bool) -> StateTable:
        """The table, with its states in the order in which they are solved."""
        count = self.counts[STATES]
        mirrored = count if self.is_symmetric else 0
        table = StateTable(self.ruleset, self.kernels, count, mirrored, self.rows, self.numbers)
        sort_states(table, sorting(interpret=interpret))
        return table

    def write(self, starts: Sequence[State]) -> None:
        """Writes all reachable states, and trims the arrays. Raises `CannotFold`."""
        self.enter(starts)
        while (full := self.go_on()) >= 0:
            self.grow(full)
        self.slots = zeros(0)
        for what in range(len(FIRST_ROOMS)):
            self.make_room(what, self.counts[what])

    def fits(self, starts: Sequence[State]) -> bool:
        """Whether all reachable states have room as it is. Writes them."""
        self.enter(starts)
        return self.go_on() < 0

    def enter(self, starts: Sequence[State]) -> None:
        enter = self.kernels.bound.kernels["number_of"]
        for start in starts:
            if self.counts[STATES] == self.rooms[STATES]:
                self.grow(STATES)
            enter(self.ruleset.rules, start, self.draft(), self.numbers)

    def go_on(self) -> int:
        """Writes states. Returns the array that is full; negative if there are no more states.
        Raises `CannotFold`.
        """
        kernel = self.kernels("write_table")
        full: int = kernel(given_rules(self.ruleset), self.draft(), self.numbers)
        if full in (NESTED, AFTER_THROW):
            raise CannotFold
        return full

    def draft(self) -> TableDraft:
        settings = array("q", [self.is_symmetric, len(self.slots), self.folds])
        return TableDraft(settings, self.rows, self.slots, self.row, self.counts, self.rooms)

    def grow(self, what: int) -> None:
        """Grows an array to the size expected from the states written so far."""
        expected = self.counts[what] * self.counts[STATES] // max(1, self.counts[DONE])
        room = max(int(GROWTH * self.rooms[what]), min(expected, MOST_GROWTH * self.rooms[what]))
        if what == STATES:
            if self.rooms[what] == self.most_states:
                raise TooLarge(
                    f"{self.ruleset.text} has more than {self.most_states:,} states:"
                    " too many to solve"
                )
            room = min(room, self.most_states)
        if self.bytes_needed() > self.most_mib << 20:
            raise TooLarge(
                f"{self.ruleset.text} needs more than {self.most_mib:,} MiB of memory:"
                " too much to solve"
            )
        self.make_room(what, room)

    def bytes_needed(self) -> int:
        """The minimum memory for solving, estimated from the states written so far."""
        states, pairs, options, entries = self.counts[: len(FIRST_ROOMS)]
        done = max(1, self.counts[DONE])
        by_state = (8 * (2 * self.fields + len(BY_STATE) + 5) + STATE_BYTES) * states
        others = (8 * len(BY_PAIR) + PAIR_BYTES) * pairs
        others += 8 * (len(BY_OPTION) * options + len(BY_ENTRY) * entries)
        return by_state + others * states // done

    def make_room(self, what: int, room: int) -> None:
        """Resizes the arrays of one kind."""
        ends = {"option_starts": 1, "entry_starts": 1}
        for name in (BY_STATE, BY_PAIR, BY_OPTION, BY_ENTRY)[what]:
            resize(getattr(self.numbers, name), room + ends.get(name, 0))
        self.rooms[what] = room
        if what == STATES:
            resize(self.rows, room * self.fields)
            if room > self.counts[STATES]:
                self.slots = array("q", [EMPTY]) * (1 << (2 * room).bit_length())
                self.kernels("fill_slots")(
                    self.rows, self.counts[STATES], self.slots, len(self.slots)
                )


def resize(numbers: "array[int] | array[float]", size: int) -> None:
    """Appends zeros to the array or truncates it."""
    piece = array(numbers.typecode, bytes(8 * min(PIECE, max(0, size - len(numbers)))))
    while size > len(numbers):
        numbers.extend(piece[: size - len(numbers)] if size - len(numbers) < PIECE else piece)
    del numbers[size:]


def sort_states(table: StateTable, kernels: NumberKernels) -> None:
    """Renumbers the states; see `order_kernels.py`. Pairs, options and entries are not moved."""
    count, old, fields = table.count, table.numbers, table.fields
    order, starts = zeros(count), zeros(count + 1)
    seen, lowest, path, open_states = (zeros(count * size) for size in (1, 1, 2, 1))
    found = kernels("order_states")(count, old, order, starts, seen, lowest, path, open_states)
    table.components = list(pairwise(starts[: found + 1]))
    table.blocks = joined(starts[: found + 1])
    new = old._replace(
        reds=zeros(count),
        blues=zeros(count),
        levels=zeros(count),
        loops=zeros(count),
        pair_starts=zeros(count),
        red_starts=zeros(count + 1),
        blue_starts=zeros(count + 1),
    )
    kernels("renumber")(count, table.mirrored, order, seen, old, new)
    rows = zeros(count * fields)
    for place, state in enumerate(order):
        rows[place * fields : (place + 1) * fields] = table.row(state)
    table.rows, table.numbers = rows, new


def joined(starts: "array[int]") -> list[tuple[int, int]]:
    """First and end of each block; small blocks are joined with the next ones."""
    blocks: list[tuple[int, int]] = []
    first = 0
    for start, end in pairwise(starts):
        if end - start >= LARGE_BLOCK and start > first:
            blocks.append((first, start))
            first = start
        if end - first >= LARGE_BLOCK or end == starts[-1]:
            blocks.append((first, end))
            first = end
    return blocks
