"""Writes a ruleset down in numbers: enumerates its states from the rules and what may follow."""

from array import array
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from holmgang.engine.compiled.kernels import EMPTY
from holmgang.engine.compiled.native import Announce, Kernels, NumberKernels, silent, zeros
from holmgang.errors import UsageError
from holmgang.games.ruleset import Ruleset
from holmgang.solver.exact import order_kernels, table_kernels
from holmgang.solver.numbers import Numbers

MOST_STATES = 2_000_000
LARGE_BLOCK = 256  # states; smaller blocks are solved together


def floats(size: int, value: float = 0.0) -> "array[float]":
    return array("d", [value]) * size


@dataclass
class Table:
    """The undecided states of a ruleset, as packed rows and in numbers."""

    ruleset: Ruleset
    kernels: Kernels
    count: int
    rows: "array[int]"
    numbers: Numbers
    blocks: list[tuple[int, int]] = field(default_factory=list)
    """Where the states that are solved together start and end: none leads to a later block."""

    @property
    def start(self) -> int:
        """The state in which the game starts."""
        return self.count - 1

    @cached_property
    def fields(self) -> int:
        return len(self.kernels.layout.names)

    def row(self, state: int) -> "array[int]":
        return self.rows[state * self.fields : (state + 1) * self.fields]


@lru_cache(maxsize=16)
def writing(ruleset: Ruleset, *, interpret: bool = False) -> Kernels:
    return Kernels(ruleset, (table_kernels,), interpret=interpret)


@lru_cache(maxsize=2)
def sorting(*, interpret: bool = False) -> NumberKernels:
    return NumberKernels("solver", (order_kernels,), interpret=interpret)


def make_ready(ruleset: Ruleset, announce: Announce = silent, *, interpret: bool = False) -> None:
    """Compiles what `tabulate` needs, if it is not yet."""
    for name in table_kernels.ENTRIES:
        writing(ruleset, interpret=interpret)(name, announce)
    for name in order_kernels.ENTRIES:
        sorting(interpret=interpret)(name, announce)


def tabulate(ruleset: Ruleset, *, most_states: int = MOST_STATES, interpret: bool = False) -> Table:
    """Raises `UsageError` if the ruleset has too many states, or some that are not provided for."""
    kernels = writing(ruleset, interpret=interpret)
    rows, slots, count = enumerate_states(ruleset, kernels, most_states)
    reds, blues = zeros(count), zeros(count)
    pairs = kernels("count_choices")(count, rows, reds, blues)
    room = 2 * pairs
    while True:
        numbers = allot(count, pairs, pairs * table_kernels.MOST_FOLDED, room)
        numbers = numbers._replace(reds=reds, blues=blues)
        row = zeros(len(kernels.layout.names))
        written = kernels("write_numbers")(count, rows, slots, len(slots), row, numbers, room)
        if written >= 0:
            break
        if written == -2:
            raise UsageError(f"{ruleset.text} answers after a throw, which cannot be solved yet")
        room *= 2
    table = Table(ruleset, kernels, count, rows, numbers)
    sort_states(table, written, sorting(interpret=interpret))
    if ruleset.game.notation.is_symmetric(ruleset.rules):
        find_twins(table)
    return table


def allot(states: int, pairs: int, options: int, entries: int) -> Numbers:
    """Room for so many."""
    return Numbers(
        reds=zeros(states),
        blues=zeros(states),
        red_starts=zeros(states + 1),
        blue_starts=zeros(states + 1),
        loops=zeros(states),
        twins=array("q", [-1]) * states,
        pair_starts=zeros(states + 1),
        option_starts=zeros(pairs + 1),
        choosers=zeros(pairs),
        entry_starts=zeros(options + 1),
        constants=floats(options),
        decided=floats(options),
        successors=zeros(entries),
        chances=floats(entries),
    )


def enumerate_states(
    ruleset: Ruleset, kernels: Kernels, most: int
) -> tuple["array[int]", "array[int]", int]:
    fields = len(kernels.layout.names)
    capacity = 1 << 17
    while True:
        capacity = min(capacity, most)
        size = 1 << (2 * capacity).bit_length()
        rows, slots = zeros(capacity * fields), array("q", [EMPTY]) * size
        found = kernels("enumerate_table")(rows, capacity, slots, size, zeros(fields))
        if found >= 0:
            return rows[: found * fields], slots, found
        if found == -2:
            raise UsageError(f"{ruleset.text} has answers to answers, which cannot be solved yet")
        if capacity == most:
            raise UsageError(f"{ruleset.text} has more than {most:,} states: too many to solve")
        capacity *= 4


def sort_states(table: Table, options: int, kernels: NumberKernels) -> None:
    """Numbers the states anew, so that most of what may follow a state has a lower number, and
    those that can reach each other stand together.
    """
    count, old, fields = table.count, table.numbers, table.fields
    order, blocks = zeros(count), zeros(count + 1)
    left, seen, lowest, path, open_states = (zeros(count * size) for size in (1, 1, 1, 2, 1))
    room = left, seen, lowest, path, open_states
    found = kernels("order_states")(count, old, order, blocks, *room)
    table.blocks = joined(blocks[: found + 1])
    places = zeros(count)
    for place, state in enumerate(order):
        places[state] = place
    table.numbers = allot(count, len(old.choosers), options, old.entry_starts[options])
    kernels("renumber")(count, order, places, old, table.numbers)
    rows = zeros(count * fields)
    for place, state in enumerate(order):
        rows[place * fields : (place + 1) * fields] = table.row(state)
    table.rows = rows


def joined(starts: "array[int]") -> list[tuple[int, int]]:
    """Where blocks start and end, small ones joined with the next ones."""
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


def find_twins(table: Table) -> None:
    """Notes for every state the one in which the seats are changed."""
    bound, notation = table.kernels.bound.kernels, table.ruleset.game.notation
    width, rules = table.fields, table.ruleset.rules
    found = {table.row(state).tobytes(): state for state in range(table.count)}
    row, twins = zeros(width), table.numbers.twins
    for state in range(table.count):
        if twins[state] < 0:
            bound["pack"](
                notation.mirror(rules, bound["unpack"](table.rows, state * width)), row, 0
            )
            twin = found[row.tobytes()]
            twins[state], twins[twin] = twin, state
