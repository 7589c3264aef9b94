"""Many games at once in arrays: an environment for learning and analysis.

>>> env = batch("bagh", 4, seed=1)
>>> rewards, done = env.step([1, 1, 1, 1], [3, 3, 3, 3])
>>> env.states[0].tolist(), env.fields[0]
([3, 0, 0, 0, 2, 0, 0, 0], 'red.hp')
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holmgang.engine.compiled.kernels import WIDTH
from holmgang.engine.compiled.native import Announce, Kernels, kernels_of, silent
from holmgang.engine.keys import parse_seed
from holmgang.errors import ChoiceError, UsageError
from holmgang.games.contract import SEATS, State
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import JsonObject, brief
from holmgang.simulation import row_kernels
from holmgang.simulation.policy import Policy
from holmgang.simulation.simulate import MOST_ROUNDS

IntArray = NDArray[np.int64]
MOST_PLACES = 1 << 24
REWARDS: IntArray = np.array([0, 1, -1])  # for red, if nobody, red or blue has won


class Batch:
    """`places` games in parallel. When the game in a place ends, the next one starts there.

    Place p plays games number p, p + places, p + 2 * places … of the seed, independently of the
    other places. The dice are drawn from the seed (default: random).
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
        if type(self.limit) is not int or not 1 <= self.limit <= MOST_ROUNDS:
            raise UsageError(
                f"limit must be a whole number from 1 to {MOST_ROUNDS}; not {brief(limit)}"
            )
        kernels = kernels_of(self.ruleset)
        self.fields = kernels.layout.names
        """The names of the columns of `states`."""
        self._kernels, self._announce = kernels, announce
        self._step = kernels("batch_step", announce)
        width = len(self.fields)
        self._states, self.states = written(places, width)
        self._final_states, self.final_states = written(places, width)
        """The final state of the last finished game of each place."""
        self._games, self.games = written(places)
        """The number of the game in each place."""
        self._rounds, self.rounds = written(places)
        """The number of rounds played in that game."""
        self._menus, self.menus = written(places, 2)
        """The choices of each seat as a bit set; 0 if it has no choice."""
        self._ends, self.ends = written(places)
        """How the game in each place ended in the last step: 0 if it did not end, -1 for a draw by
        the round limit, else 3 * reason + winner + 1."""
        self._none: IntArray = np.zeros(places, np.int64)
        self.reset(parse_seed(seed))

    def reset(self, seed: int | None = None, *, first: int = 0) -> IntArray:
        """Restarts with the given seed (default: the same one). Place 0 starts with game number
        `first`. Returns the states.
        """
        if seed is not None:
            self.seed = parse_seed(seed)
        start = self.ruleset.initial()
        self._games[:] = np.arange(first, first + self.places)
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

    def step(
        self, red: ArrayLike, blue: ArrayLike, *, paused: ArrayLike | None = None
    ) -> tuple[IntArray, NDArray[np.bool_]]:
        """Plays one round in every place. Returns red's rewards (1, 0 or -1) and which games ended.

        The choice of a seat without choices is ignored. If any choice is illegal, raises
        `ChoiceError` and plays nothing. The places marked in `paused` are not played, but their
        choices are checked too.
        """
        mine, theirs = self._numbers(red, "red"), self._numbers(blue, "blue")
        for seat, chosen in enumerate((mine, theirs)):
            self._check(seat, chosen)
        held = self._none if paused is None else np.ascontiguousarray(paused, np.int64)
        if held.shape != (self.places,):
            raise UsageError(f"paused must be {self.places} truth values, one for each place")
        self._step(
            self.seed,
            self.limit,
            self.places,
            self._games,
            self._rounds,
            self._states,
            self._menus,
            held,
            mine,
            theirs,
            self._ends,
            self._final_states,
        )
        done = self._ends != 0
        rewards = REWARDS[np.where(self._ends > 0, self._ends % 3, 0)]
        return rewards, done

    def draw(self, policy: Policy, seat: str) -> IntArray:
        """The choices that a policy makes for a seat, drawn as in `simulate`; -1 where the seat has
        no choice.

        >>> env = batch("bagh", 2, seed=1)
        >>> env.draw(Policy("bagh", {"guard": 1}), "blue").tolist()
        [2, 2]
        """
        if policy.ruleset != self.ruleset:
            raise UsageError(f"that policy is for {policy.ruleset}, not for {self.ruleset}")
        chosen: IntArray = np.zeros(self.places, np.int64)
        self._kernels("policy_choices", self._announce)(
            self.seed,
            self.places,
            self._games,
            self._rounds,
            self._states,
            SEATS.index(seat),
            np.zeros(len(self.fields), np.int64),
            *policy.arguments,
            chosen,
        )
        return chosen

    def faces(self, red: ArrayLike, blue: ArrayLike) -> tuple[IntArray, IntArray]:
        """For each place, the face that `step` throws after these choices, and the number of faces
        of the die (1 if nothing is thrown).

        >>> env = batch("bagh:max_boost=1", 1, seed=1)
        >>> thrown, faces = env.faces([1], [3])
        >>> int(thrown[0]), int(faces[0])
        (0, 1)
        """
        made = []
        for seat, given in enumerate((red, blue)):
            chosen = self._numbers(given, SEATS[seat])
            self._check(seat, chosen)
            made.append(np.where(self._menus[:, seat] != 0, chosen, -1))
        thrown: IntArray = np.zeros(self.places, np.int64)
        kernel = row_kernels_of(self.ruleset)("row_throws", self._announce)
        kernel(self.seed, self.places, self._games, self._rounds, self._states, *made, thrown)
        return thrown, face_counts(self.ruleset, self._states, *made)

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
        return self.ruleset.format_state(unpacked(self.ruleset, self.states[place]))

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

    Nothing is checked: choices must be legal, and each face below the number of faces.
    """
    kernels = kernels_of(as_ruleset(ruleset))
    before = rows_of(kernels, states)
    given = columns(before, red, blue, faces)
    after, ends = np.zeros_like(before), np.zeros(len(before), np.int64)
    kernels("step_rows")(len(before), before, *given, after, ends)
    return after, ends


def face_counts(
    ruleset: str | Ruleset, states: ArrayLike, red: ArrayLike, blue: ArrayLike
) -> IntArray:
    """The number of faces of the die after two choices (-1 for no choice) in each of many packed
    states; 1 if nothing is thrown. All faces are equally likely.

    Nothing is checked: choices must be legal.
    """
    kernels = row_kernels_of(as_ruleset(ruleset))
    before = rows_of(kernels, states)
    faces: IntArray = np.zeros(len(before), np.int64)
    kernels("row_faces")(len(before), before, *columns(before, red, blue), faces)
    return faces


def choice_sets(ruleset: str | Ruleset, states: ArrayLike) -> IntArray:
    """The choices of both seats in each of many packed states, as bit sets: states × seats.

    >>> choice_sets("bagh", [[3, 0, 0, 0, 3, 0, 0, 0]]).tolist()
    [[15, 15]]
    """
    kernels = row_kernels_of(as_ruleset(ruleset))
    rows = rows_of(kernels, states)
    menus: IntArray = np.zeros((len(rows), len(SEATS)), np.int64)
    kernels("row_menus")(len(rows), rows, menus)
    return menus


@lru_cache(maxsize=16)
def row_kernels_of(ruleset: Ruleset) -> Kernels:
    return Kernels(ruleset, (row_kernels,))


def rows_of(kernels: Kernels, states: ArrayLike) -> IntArray:
    """Packed states as an array for the kernels. Raises `UsageError`."""
    rows = np.ascontiguousarray(states, np.int64)
    width = len(kernels.layout.names)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise UsageError(f"states must be rows of {width} numbers; not of shape {rows.shape}")
    return rows


def columns(rows: IntArray, *given: ArrayLike) -> list[IntArray]:
    """The arguments as arrays of one number for each row. Raises `UsageError`."""
    made = [np.ascontiguousarray(values, np.int64) for values in given]
    if any(values.shape != (len(rows),) for values in made):
        raise UsageError(f"choices and faces must be {len(rows)} numbers, one for each state")
    return made


def unpacked(ruleset: Ruleset, row: IntArray) -> State:
    """The state of a row of numbers."""
    state: State = kernels_of(ruleset).bound.kernels["unpack"](row.tolist(), 0)
    return state


def packed(ruleset: Ruleset, state: State) -> IntArray:
    kernels = kernels_of(ruleset)
    row = np.zeros(len(kernels.layout.names), np.int64)
    kernels.bound.kernels["pack"](state, row, 0)
    return row
