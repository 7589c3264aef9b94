"""Reads policies of all forms in the same way: as weights of a seat's choices in a state.

`policy_level` turns a policy into a level, so that it can play wherever a level can.

>>> from holmgang.games.ruleset import load
>>> bagh = load("bagh")
>>> read = mix_reader(bagh, lambda state, seat: "guard" if state.red.hp < 3 else {"attack": 2})
>>> read(bagh.initial(), 0, [0, 1, 2, 3])
[0.0, 2.0, 0.0, 0.0]
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import inf

from holmgang.engine.compiled.native import kernels_of, zeros
from holmgang.engine.course import Course
from holmgang.engine.keys import draw
from holmgang.engine.mix import sample
from holmgang.errors import ChoiceError, StateError, UsageError
from holmgang.games.contract import SEATS, State
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.players.levels import Level
from holmgang.players.player import Player
from holmgang.players.readiness import Ready
from holmgang.simulation.policy import Policy, Weights

Mix = str | Mapping[str, int | float | Fraction]
"""Weights by choice, or the word of the one choice that is always made."""
MixOf = Callable[[State, str], Mix]
"""The mix of a seat, `red` or `blue`, in a state."""
PlayablePolicy = Weights | Mapping[object, Mix] | Policy | MixOf
"""A policy that needs no table of all states."""

ALLOWED = (
    "a policy is weights by choice, mixes by state, a Policy, or a function of a state and a seat"
    " that returns weights by choice or one choice"
)

Shares = list[float]
"""A weight for each choice on a menu."""
MixReader = Callable[[State, int, list[int]], Shares]
"""The weights of a seat in a state, for the choices on its menu."""


def mix_reader(ruleset: Ruleset, policy: object) -> MixReader:
    """The reader for a policy of this form. Raises `UsageError` if it is not a policy."""
    if isinstance(policy, Policy):
        if policy.ruleset != ruleset:
            raise UsageError(f"that policy is for {policy.ruleset.text}, not for {ruleset.text}")
        return weights_reader(policy)
    if isinstance(policy, Mapping):
        if any(isinstance(mix, str | Mapping) for mix in policy.values()):
            return states_reader(ruleset, policy)
        return weights_reader(Policy(ruleset, policy))
    if callable(policy):
        return function_reader(ruleset, policy)
    raise UsageError(f"{ALLOWED}; not {brief(policy)}")


def weights_reader(policy: Policy) -> MixReader:
    """Reads weights as the kernels do: if no legal choice has a weight, all are equally likely."""
    kernels = kernels_of(policy.ruleset)
    pack, fields = kernels.bound.kernels["pack"], len(kernels.layout.names)
    places = {
        tuple(policy.states[row * fields : (row + 1) * fields]): row for row in range(policy.rows)
    }
    packed = zeros(fields)

    def read(state: State, seat: int, menu: list[int]) -> Shares:
        row = policy.rows
        if places:
            pack(state, packed, 0)
            row = places.get(tuple(packed), row)
        weights = [float(policy.weight(row, choice)) for choice in menu]
        return weights if any(weights) else [1.0] * len(menu)

    return read


def states_reader(ruleset: Ruleset, mixes: Mapping[object, Mix]) -> MixReader:
    by_state = {ruleset.parse_state(state): mix for state, mix in mixes.items()}

    def read(state: State, seat: int, menu: list[int]) -> Shares:
        if state not in by_state:
            raise StateError(
                f"the policy has no mix for {ruleset.format_text(state)}, which the game can reach"
            )
        return shares_of(ruleset, state, seat, menu, by_state[state])

    return read


def function_reader(ruleset: Ruleset, mix_of: MixOf) -> MixReader:
    def read(state: State, seat: int, menu: list[int]) -> Shares:
        return shares_of(ruleset, state, seat, menu, mix_of(state, SEATS[seat]))

    return read


def shares_of(ruleset: Ruleset, state: State, seat: int, menu: list[int], mix: object) -> Shares:
    """The weights of a mix that is given in words."""
    if isinstance(mix, str):
        mix = {mix: 1}
    if not isinstance(mix, Mapping):
        raise UsageError(
            f"{place(ruleset, state, seat)}: a mix is weights by choice, such as"
            f" {{{ruleset.word(menu[0])!r}: 1}}, or one word; not {brief(mix)}"
        )
    weights = [0.0] * len(menu)
    for word, weight in mix.items():
        if weight == 0:
            continue
        choice = ruleset.parse_choice(state, seat, word)
        if choice not in menu:
            raise ChoiceError(
                f"{place(ruleset, state, seat)}: {brief(word)} is legal, but not on the menu that"
                " the table has"
            )
        weights[menu.index(choice)] = weight
    return checked(ruleset, state, seat, weights)


def checked(ruleset: Ruleset, state: State, seat: int, weights: list[float]) -> Shares:
    numbers = [as_number(weight) for weight in weights]
    if not all(0 <= weight < inf for weight in numbers):
        wrong = next(n for n, weight in enumerate(numbers) if not 0 <= weight < inf)
        raise ChoiceError(
            f"{place(ruleset, state, seat)}: weights must be numbers from 0 up; that of"
            f" {ruleset.words(state, seat)[wrong]} is {brief(weights[wrong])}"
        )
    if not any(numbers):
        allowed = ", ".join(ruleset.words(state, seat))
        raise ChoiceError(
            f"{place(ruleset, state, seat)}: no choice has a weight; the choices are {allowed}"
        )
    return numbers


def as_number(weight: float) -> float:
    """The weight as a float; -1 if it is none."""
    try:
        return float(weight)
    except (TypeError, ValueError, OverflowError):
        return -1.0


def place(ruleset: Ruleset, state: State, seat: int) -> str:
    return f"{SEATS[seat]} in {ruleset.format_text(state)}"


# Playing


class PolicyPlayer:
    """Draws from the mixes of a policy with the key of its seat."""

    def __init__(self, name: str, read: MixReader, seat: int, key: int) -> None:
        self.name = name
        self._read, self._seat, self._key = read, seat, key

    def choose(self, course: Course) -> int:
        menu = list(course.position.menus[self._seat].choices.values())
        shares = self._read(course.position.state, self._seat, menu)
        return sample(dict(zip(menu, shares, strict=True)), draw(self._key, course.round))

    def accepts_draw(self, course: Course) -> bool:
        return False


def policy_level(ruleset: Ruleset, policy: object, name: str = "policy") -> Level:
    """A level that plays the policy's mixes. Raises `UsageError` if it is not a policy."""
    sit: Callable[[int, int], Player] = partial(PolicyPlayer, name, mix_reader(ruleset, policy))
    return Level(name, "plays by a policy", sit, Ready())
