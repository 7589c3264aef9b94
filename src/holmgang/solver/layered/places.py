"""Places, scores and the board of a game with a clock.

A game has a clock if its states have the fields `turn`, `red.score` and `blue.score`, turn and
scores only grow, and there are no dice. The rest of a state is its place. Everything here is
derived from the rules; `UsageError` is raised if the game has no clock.
"""

from array import array
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate

from holmgang.engine.compiled.kernels import EMPTY
from holmgang.engine.compiled.native import Announce, Kernels, silent, zeros
from holmgang.engine.compiled.packing import layout
from holmgang.errors import StateError, UsageError
from holmgang.games.contract import State
from holmgang.games.ruleset import Ruleset
from holmgang.solver.layered import layer_kernels
from holmgang.solver.layered.layer_kernels import NOT_LAYERED, POINTS, STEPS, Ground

CLOCK = ("turn", "red.score", "blue.score")
MOST_MIB = 1024  # memory limit for solving
PLACE_NUMBERS = 100  # of 8 bytes for each place, besides its state: measured in league 2
KEPT_BYTES = 14  # for each place and turn of a kept layer: value, chance and pair
MOST_TURNS = 100_000
MOST_KEYS = 1 << 26

Score = tuple[int, int]


def has_clock(ruleset: Ruleset) -> bool:
    """Whether the ruleset's states have the fields that solving by layers needs."""
    return all(name in layout(ruleset.game.rules.State).names for name in CLOCK)


def not_layered(ruleset: Ruleset) -> UsageError:
    return UsageError(
        f"{ruleset.text} cannot be solved by layers: turns and scores must only grow, there must be"
        " no dice, and the turn must not change how a round is resolved"
    )


@dataclass(frozen=True)
class StepKind:
    """The number of turns that a round takes, and the points that each seat scores in it."""

    step: int
    red: int
    blue: int

    @property
    def number(self) -> int:
        """The number of this kind in the kernels (`kind_of`)."""
        return (self.red * POINTS + self.blue) * STEPS + self.step

    @property
    def scores(self) -> bool:
        return self.red + self.blue > 0


class Places:
    """All places of a ruleset, and the shape of its board."""

    def __init__(
        self,
        ruleset: Ruleset,
        *,
        most: int | None = None,
        announce: Announce = silent,
        interpret: bool = False,
    ) -> None:
        """`most` is the largest number of places (default: by the memory limit)."""
        if not has_clock(ruleset):
            raise UsageError(
                f"{ruleset.text} cannot be solved by layers: its states lack {', '.join(CLOCK)}"
            )
        self.ruleset = ruleset
        self.kernels = Kernels(ruleset, (layer_kernels,), interpret=interpret)
        names = self.kernels.layout.names
        self.width = len(names)
        self.fields = array("q", (names.index(name) for name in CLOCK))
        self.pack = self.kernels.bound.kernels["pack"]
        self.unpack = self.kernels.bound.kernels["unpack"]
        self.is_symmetric = ruleset.is_symmetric
        kinds, arrivals = self._enumerate(most or (MOST_MIB << 20) // self.place_bytes, announce)
        for name in ("count_choices", "tabulate_turn"):
            self.kernels(name, announce)
        self.turns = self._count_turns()
        self.arrivals = array("q", (place for place in range(self.count) if arrivals[place]))
        self._set_choices()
        self._set_ground()
        self._set_board(kinds)

    @property
    def place_bytes(self) -> int:
        """Approximate memory for solving, per place."""
        return 8 * (self.width + PLACE_NUMBERS)

    def layer_bytes(self, turn: int) -> int:
        """The memory of a layer that is kept with all turns from this one on."""
        each_turn = KEPT_BYTES * self.count * max(0, self.turns - turn)
        return each_turn + 8 * (self.pair_starts[-1] + self.count + 2 * self.board_size)

    # Enumerating places

    def _enumerate(self, most: int, announce: Announce) -> tuple["array[int]", "array[int]"]:
        """The kinds of step and the arrivals, marked by 1."""
        kernel = self.kernels("enumerate_places", announce)
        capacity, kinds = 1 << 12, zeros(POINTS * POINTS * STEPS)
        while True:
            capacity = min(capacity, most)
            size = 1 << (2 * capacity).bit_length()
            rows, slots = zeros(capacity * self.width), array("q", [EMPTY]) * size
            arrivals, self.start = zeros(capacity), zeros(len(CLOCK))
            hashed = rows, capacity, slots, size, zeros(self.width)
            found = kernel(*hashed, self.fields, self.start, kinds, arrivals)
            if found >= 0:
                break
            if found == NOT_LAYERED:
                raise not_layered(self.ruleset)
            if capacity == most:
                memory = most * self.place_bytes >> 20
                raise UsageError(
                    f"{self.ruleset.text} has too many states: more than {most:,}"
                    f" for a single turn and score, which takes more than {memory:,} MiB of memory"
                )
            capacity *= 4
        self.count: int = found
        self.rows = rows[: found * self.width]
        return kinds, arrivals

    def state(self, place: int, turn: int, score: Score) -> State:
        """The state of a place, turn and score."""
        row = self.rows[place * self.width : (place + 1) * self.width]
        for field, value in zip(self.fields, (turn, *score), strict=True):
            row[field] = value
        state: State = self.unpack(row, 0)
        return state

    def is_on(self, place: int, turn: int, score: Score) -> bool:
        state = self.state(place, turn, score)
        return self.ruleset.ending(state).reason == 0

    def _count_turns(self) -> int:
        """The first turn at which the duel is over in any case."""
        for turn in range(self.start[0], MOST_TURNS):
            if not self.is_on(0, turn, (self.start[1], self.start[2])):
                return turn
        raise not_layered(self.ruleset)

    def find(self, state: State) -> tuple[int, int, Score]:
        """Place, turn and score of a state. Raises `StateError` if there is no such place."""
        row = zeros(self.width)
        self.pack(state, row, 0)
        turn, red, blue = (row[field] for field in self.fields)
        place = int(self.kernels.bound.kernels["place_of"](row, self.ground))
        if place == EMPTY:
            raise StateError(f"{self.ruleset.text} cannot reach this state")
        return place, turn, (red, blue)

    def _set_choices(self) -> None:
        self.reds, self.blues = zeros(self.count), zeros(self.count)
        self.kernels("count_choices")(self.count, self.rows, self.reds, self.blues)
        self.most_choices = max(self.reds + self.blues)
        sizes = (red * blue for red, blue in zip(self.reds, self.blues, strict=True))
        self.pair_starts = array("q", accumulate(sizes, initial=0))

    def _set_ground(self) -> None:
        """Ranks the values of every field. The key of a place is the sum of its values' ranks."""
        axes, ranks, size = array("q"), array("q"), 1
        keys = [0] * self.count
        for field in range(self.width):
            if field in self.fields:
                continue
            column = self.rows[field :: self.width]
            values = sorted(set(column))
            span = range(values[0], values[-1] + 1)
            axes.extend((field, values[0], len(span), len(ranks)))
            rank = {value: size * number for number, value in enumerate(values)}
            ranks.extend(rank.get(value, EMPTY) for value in span)
            if len(values) > 1:
                keys = [key + rank[value] for key, value in zip(keys, column, strict=True)]
            size *= len(values)
        if size > MOST_KEYS:
            raise UsageError(f"{self.ruleset.text} has too many states")
        places, numbers = (array("q", [EMPTY]) * length for length in (size, self.count))
        for place, key in enumerate(keys):
            places[key] = place
        for number, place in enumerate(self.arrivals):
            numbers[place] = number
        self.ground = Ground(
            fields=self.fields,
            rows=self.rows,
            pair_starts=self.pair_starts,
            arrivals=numbers,
            axes=axes,
            ranks=ranks,
            places=places,
        )

    @cached_property
    def mirrors(self) -> "array[int]":
        """The mirror image of every place."""
        mirrors = array("q", [EMPTY]) * self.count
        for place in range(self.count):
            if mirrors[place] == EMPTY:
                mirror = self.mirror(place)
                mirrors[place], mirrors[mirror] = mirror, place
        return mirrors

    @cached_property
    def arrival_mirrors(self) -> "array[int]":
        """The mirror image of every arrival, by the numbers of arrivals."""
        return array("q", (self.ground.arrivals[self.mirror(place)] for place in self.arrivals))

    def mirror(self, place: int) -> int:
        state = self.unpack(self.rows, place * self.width)
        return self.find(self.ruleset.mirror(state))[0]

    # Successors

    def _set_board(self, kinds: "array[int]") -> None:
        """Sets the start of the block of each kind of step."""
        seen = [
            kind
            for red in range(POINTS)
            for blue in range(POINTS)
            for step in range(STEPS)
            if kinds[(kind := StepKind(step, red, blue)).number]
        ]
        sizes = [len(self.arrivals) if kind.scores else self.count for kind in seen]
        *starts, end = accumulate(sizes, initial=0)
        self.blocks = dict(zip(seen, starts, strict=True))
        self.draw_code = end + 1
        self.board_size = end + 3
        self.longest_step = max((kind.step for kind in seen), default=0)

    # Scores

    def canonical(self, score: Score) -> Score:
        """The score under which a layer is stored: of two mirrored scores, that with red ahead."""
        red, blue = score
        return (blue, red) if self.is_symmetric and red < blue else score

    def scores(self) -> dict[Score, int]:
        """Every score of an undecided duel, with its first turn. Each score comes before the scores
        that may follow it.
        """
        start = self.canonical((self.start[1], self.start[2]))
        firsts, waiting = {start: self.start[0]}, [(sum(start), start)]
        while waiting:
            _, score = heappop(waiting)
            for kind in self.blocks:
                turn = firsts[score] + kind.step
                after = (score[0] + kind.red, score[1] + kind.blue)
                if kind.scores and turn < self.turns and self.is_on(0, turn, after):
                    after = self.canonical(after)
                    if after not in firsts:
                        heappush(waiting, (sum(after), after))
                    firsts[after] = min(turn, firsts.get(after, turn))
        return dict(sorted(firsts.items(), key=lambda item: (sum(item[0]), item[0])))
