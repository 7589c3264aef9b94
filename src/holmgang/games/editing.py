"""Editing a position: the numbers of a state as the fields of a form, and changing one of them.

The form is derived from the game's types, bounds and notation. A state is possible if its numbers
are within `Ruleset.field_bounds` and the game's parser accepts it.
"""

from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from holmgang.errors import HolmgangError, StateError
from holmgang.games.contract import SEATS, State
from holmgang.games.fields import Bounds, leaves_of, numbers_of
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief

MOST = 999_999
"""The largest value in a form, for a number without a limit."""
KEPT = 64
FEW = 8
"""Words are looked up for numbers with at most this many values."""


class Field(NamedTuple):
    """One number of a state in a form."""

    path: str
    """The path, such as `red.hp`."""
    seat: str | None
    label: str
    value: int
    least: int
    most: int
    is_flag: bool
    words: list[str] | None
    """A word for each value from `least` on, if the game has words: `red`, `blue`."""


def form(ruleset: Ruleset, state: State) -> list[Field]:
    """The fields that can be changed in this state. Numbers that are unused now, or that have only
    one possible value, are left out.
    """
    fields = []
    for (path, kind), number in zip(leaves(ruleset), numbers_of(state), strict=True):
        value, (least, most) = int(number), limits(ruleset, path)
        is_small = most - least < FEW
        others = range(least, most + 1) if is_small else (value + 1, value - 1)
        if any(can_become(ruleset, state, path, other) for other in others if other != value):
            words = words_of(ruleset, state, path, least, most) if is_small else None
            seat, label = named(written(ruleset, state, path, value))
            fields.append(Field(path, seat, label, value, least, most, kind is bool, words))
    return fields


def edited(ruleset: Ruleset, state: State, path: str, value: int) -> State:
    """The state with one number changed. If the game does not accept that alone (a new creature
    needs hit points too), a zero next to it becomes 1.

    Raises `StateError` if the state is impossible.
    """
    paths = [each for each, _ in leaves(ruleset)]
    if path not in paths:
        raise StateError(f"no field {brief(path)}; the fields are {', '.join(paths)}")
    numbers = dict(zip(paths, numbers_of(state), strict=True))
    numbers[path] = value
    try:
        return possible(ruleset, rebuilt(ruleset, list(numbers.values())))
    except StateError as refused:
        family = path.rpartition(".")[0]
        beside = [each for each in paths if family and each.rpartition(".")[0] == family]
        for each in beside:
            if each != path and numbers[each] == 0:
                repaired = {**numbers, each: 1}
                try:
                    return possible(ruleset, rebuilt(ruleset, list(repaired.values())))
                except StateError:
                    continue
        raise refused from None


def possible(ruleset: Ruleset, state: State) -> State:
    """The state as the game formats and parses it. Raises `StateError` if it is impossible."""
    for (path, _), value in zip(leaves(ruleset), numbers_of(state), strict=True):
        least, most = bounds(ruleset, path)
        if (least is not None and value < least) or (most is not None and value > most):
            span = f"from {least} to {most}" if most is not None else f"from {least} up"
            span = f"at most {most}" if least is None else span
            raise StateError(f"{path} is {span} in {ruleset.text}; not {brief(int(value))}")
    return ruleset.parse_json(ruleset.format_state(state))


@lru_cache(KEPT)
def leaves(ruleset: Ruleset) -> tuple[tuple[str, type], ...]:
    return tuple(leaves_of(ruleset.game.rules.State))


@lru_cache(KEPT)
def all_bounds(ruleset: Ruleset) -> dict[str, Bounds]:
    return ruleset.field_bounds


def bounds(ruleset: Ruleset, path: str) -> Bounds:
    return all_bounds(ruleset).get(path, (None, None))


def limits(ruleset: Ruleset, path: str) -> tuple[int, int]:
    """The least and greatest value in a form."""
    least, most = bounds(ruleset, path)
    return -MOST if least is None else least, MOST if most is None else most


def rebuilt(ruleset: Ruleset, numbers: list[int]) -> State:
    """The state with these numbers, in the order of `leaves_of`."""
    rest = iter(numbers)

    def build(like: Any) -> Any:
        if isinstance(like, tuple):
            parts = [build(each) for each in like]
            return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)
        return bool(next(rest)) if isinstance(like, bool) else int(next(rest))

    state: State = build(ruleset.initial())
    return state


def can_become(ruleset: Ruleset, state: State, path: str, value: int) -> bool:
    """Whether the state with this number is possible and different."""
    try:
        return bool(edited(ruleset, state, path, value) != state)
    except StateError:
        return False


def written(ruleset: Ruleset, state: State, path: str, value: int) -> str:
    """The path with the name from the game's notation, if that differs."""
    *above, last = steps(path)
    holder = found_at(ruleset, state, path, value, above)
    other = found_at(ruleset, state, path, value + 1, above)
    if isinstance(holder, dict) and isinstance(other, dict) and last not in holder:
        changed = [key for key in holder if holder[key] != other.get(key)]
        if len(changed) == 1:
            return path.removesuffix(str(last)) + str(changed[0])
    return path


def words_of(ruleset: Ruleset, state: State, path: str, least: int, most: int) -> list[str] | None:
    """The game's words for the values of a number; None if it uses numbers."""
    where = steps(path)
    found = [found_at(ruleset, state, path, value, where) for value in range(least, most + 1)]
    if not any(isinstance(each, str) for each in found):
        return None
    return [each if isinstance(each, str) else "none" for each in found]


def found_at(ruleset: Ruleset, state: State, path: str, value: int, where: list[str | int]) -> Any:
    """The value at a place in the JSON of the state with this number; None if there is none."""
    paths = [each for each, _ in leaves(ruleset)]
    numbers = [
        value if each == path else number
        for each, number in zip(paths, numbers_of(state), strict=True)
    ]
    try:
        found: Any = ruleset.format_state(rebuilt(ruleset, numbers))
        for key in where:
            found = found[key]
    except (HolmgangError, LookupError, TypeError):
        return None
    return found


def steps(path: str) -> list[str | int]:
    """The keys and indices of a path: `red.minions[0].kind` is red, minions, 0, kind."""
    parts = (each.partition("[") for each in path.split("."))
    pairs = ((key, place.rstrip("]")) for key, _, place in parts)
    return list(chain.from_iterable((key, int(place)) if place else (key,) for key, place in pairs))


def named(path: str) -> tuple[str | None, str]:
    """The seat that a number belongs to, and its label.

    >>> named("red.minions[0].kind")
    ('red', 'minion 1 kind')
    """
    first, *rest = steps(path)
    seat = first if first in SEATS and rest else None
    words: list[str] = []
    for step in rest if seat else [first, *rest]:
        if isinstance(step, int):
            words[-1] = f"{words[-1].removesuffix('s')} {step + 1}"
        else:
            words.append(step.replace("_", " "))
    return (str(seat) if seat else None), " ".join(words)
