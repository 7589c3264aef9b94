"""Many games at once in arrays: an environment for learning and analysis.

>>> env = batch("bagh", 4, seed=1)
>>> rewards, done = env.step([1, 1, 1, 1], [3, 3, 3, 3])
>>> env.states[0].tolist(), env.fields[0]
([3, 0, 0, 0, 2, 0, 0, 0], 'red.hp')
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holmgang.engine.compiled.kernels import WIDTH
from holmgang.engine.compiled.native import Announce, kernels_of, silent
from holmgang.engine.keys import parse_seed
from holmgang.errors import ChoiceError, UsageError
from holmgang.games.contract import SEATS, State
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import JsonObject, brief

IntArray = NDArray[np.int64]
MOST_PLACES = 1 << 24
REWARDS: IntArray = np.array([0, 1, -1])  # for red, if nobody, red or blue has won


class Batch:
    """`places` games side by side. When the game of a place ends, the next one starts there.

    Place p plays the games p, p + places, p + 2 * places … of the seed, independently of the other
    places. The dice are drawn from the seed (default: random).
    """

    def __init__(
        self,
        ruleset: str | Ruleset,
        places: int,
        *,
        seed: int | None = None,
        limit: int | None = None,
        announce: Announce = silent,
    ) -> None:
        self.ruleset = as_ruleset(ruleset)
        if type(places) is not int or not 1 <= places <= MOST_PLACES:
            raise UsageError(f"a batch has from 1 to {MOST_PLACES} places; not {brief(places)}")
        self.places = places
        self.limit = self.ruleset.entry.round_limit if limit is None else limit
        kernels = kernels_of(self.ruleset)
        self.fields = kernels.layout.names
        """The names of the columns of `states`."""
        self._step = kernels("batch_step", announce)
        width = len(self.fields)
        self._states, self.states = written(places, width)
        self._final_states, self.final_states = written(places, width)
        """The final state of the last finished game of each place."""
        self._games, self.games = written(places)
        """The number of the game in each place."""
        self._rounds, self.rounds = written(places)
        """The rounds played in that game."""
        self._menus, self.menus = written(places, 2)
        """The choices of each seat as a bit set; 0 if it has no choice."""
        self._ends: IntArray = np.zeros(places, np.int64)
        self.reset(parse_seed(seed))

    def reset(self, seed: int | None = None) -> IntArray:
        """Starts again, with the given seed or the same one. Returns the states."""
        if seed is not None:
            self.seed = parse_seed(seed)
        start = self.ruleset.initial()
        self._games[:] = np.arange(self.places)
        self._rounds[:] = 0
        self._states[:] = packed(self.ruleset, start)
        self._menus[:] = [self.ruleset.choice_set(start, seat) for seat in (0, 1)]
        return self.states

    @property
    def choices(self) -> int:
        """The largest number of choices: the width of `masks`."""
        return WIDTH

    def masks(self) -> NDArray[np.bool_]:
        """Which choices are legal: places × seats × choices."""
        places: NDArray[np.bool_] = (self.menus[:, :, None] >> np.arange(WIDTH)) & 1 == 1
        return places

    def step(self, red: ArrayLike, blue: ArrayLike) -> tuple[IntArray, NDArray[np.bool_]]:
        """Plays one round in every place. Returns red's rewards (1, 0 or -1) and which games ended.

        The choice of a seat without choices is ignored. If any choice is illegal, raises
        `ChoiceError` and plays nothing.
        """
        mine, theirs = self._numbers(red, "red"), self._numbers(blue, "blue")
        for seat, chosen in enumerate((mine, theirs)):
            self._check(seat, chosen)
        self._step(
            self.seed,
            self.limit,
            self.places,
            self._games,
            self._rounds,
            self._states,
            self._menus,
            mine,
            theirs,
            self._ends,
            self._final_states,
        )
        done = self._ends != 0
        rewards = REWARDS[np.where(self._ends > 0, self._ends % 3, 0)]
        return rewards, done

    def _check(self, seat: int, chosen: IntArray) -> None:
        menus = self.menus[:, seat]
        in_range = (chosen >= 0) & (chosen < WIDTH)
        legal = in_range & (menus >> np.where(in_range, chosen, 0) & 1 == 1) | (menus == 0)
        if not legal.all():
            place = int(np.argmin(legal))
            raise ChoiceError(
                f"{SEATS[seat]} may not choose {chosen[place]} at place {place}; its choices are "
                f"{self.legal(place, SEATS[seat])}"
            )

    def legal(self, place: int, seat: str) -> list[int]:
        menu = int(self.menus[place, SEATS.index(seat)])
        return [choice for choice in range(WIDTH) if menu >> choice & 1]

    def word(self, choice: int) -> str:
        """The word of a choice.

        >>> batch("bagh", 1).word(1)
        'attack'
        """
        return self.ruleset.word(choice)

    def state(self, place: int) -> JsonObject:
        """The state in a place as JSON."""
        kernels = kernels_of(self.ruleset)
        row = [int(number) for number in self.states[place]]
        unpacked = kernels.bound.kernels["unpack"](row, 0)
        return self.ruleset.format_state(unpacked)

    def _numbers(self, values: ArrayLike, name: str) -> IntArray:
        numbers = np.ascontiguousarray(values)
        if numbers.shape != (self.places,) or numbers.dtype.kind not in "iu":
            raise ChoiceError(f"{name} must be {self.places} whole numbers, one for each place")
        return numbers.astype(np.int64, copy=False)


def written(*shape: int) -> tuple[IntArray, IntArray]:
    """An array, and a read-only view of it."""
    own: IntArray = np.zeros(shape, np.int64)
    shown = own.view()
    shown.flags.writeable = False
    return own, shown


def batch(ruleset: str | Ruleset, places: int, *, seed: int | None = None, **options: Any) -> Batch:
    """A new `Batch`."""
    return Batch(ruleset, places, seed=seed, **options)


def step_states(
    ruleset: str | Ruleset, states: ArrayLike, red: ArrayLike, blue: ArrayLike, faces: ArrayLike
) -> tuple[IntArray, IntArray]:
    """Plays one round in each of many packed states, with the given faces of the die. Returns the
    states after it, and how each game ended (0: not yet; else 3 * reason + winner + 1).

    Nothing is checked: choices must be legal, and faces below `chance`.
    """
    kernels = kernels_of(as_ruleset(ruleset))
    before = np.ascontiguousarray(states, np.int64)
    count, width = len(before), len(kernels.layout.names)
    given = [np.ascontiguousarray(values, np.int64) for values in (red, blue, faces)]
    if before.shape != (count, width) or any(values.shape != (count,) for values in given):
        raise UsageError(f"states must be rows of {width}, with two choices and a face for each")
    after, ends = np.zeros_like(before), np.zeros(count, np.int64)
    kernels("step_rows")(count, before, *given, after, ends)
    return after, ends


def pack_state(ruleset: Ruleset, state: State) -> IntArray:
    """A state (JSON or short text) as a row of numbers, in the order of `Batch.fields`."""
    return packed(ruleset, ruleset.parse_state(state))


def packed(ruleset: Ruleset, state: State) -> IntArray:
    kernels = kernels_of(ruleset)
    row = np.zeros(len(kernels.layout.names), np.int64)
    kernels.bound.kernels["pack"](state, row, 0)
    return row
