"""Converts states to rows of whole numbers and back: one column for each number of the state.

The two functions for a game are generated from the types of its `State`, so that they can be
compiled and no game has to write its own.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from holmgang.games.fields import leaves_of


class StateLayout(NamedTuple):
    """How a game's states are packed. `names` are the columns, such as `red.hp`."""

    names: tuple[str, ...]
    pack_source: str
    unpack_source: str


def layout(state_type: type) -> StateLayout:
    leaves = list(leaves_of(state_type))
    names = tuple(path for path, _ in leaves)
    packing = "\n".join(
        f"    row[at + {place}] = {'1 if ' if kind is bool else ''}state.{path}"
        f"{' else 0' if kind is bool else ''}"
        for place, (path, kind) in enumerate(leaves)
    )
    places = iter(range(len(leaves)))
    return StateLayout(
        names,
        f"def pack(state, row, at):\n{packing}\n",
        f"def unpack(row, at):\n    return {constructor(state_type, places)}\n",
    )


def constructor(kind: Any, places: Iterator[int]) -> str:
    """The expression that builds a state from a row."""
    if get_origin(kind) is tuple:
        return "(" + "".join(constructor(item, places) + ", " for item in get_args(kind)) + ")"
    if hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        inside = ", ".join(constructor(hints[name], places) for name in kind._fields)
        return f"{kind.__name__}({inside})"
    place = f"row[at + {next(places)}]"
    return f"{place} != 0" if kind is bool else place


def packers(rules_module: Any) -> tuple[StateLayout, Callable[..., None], Callable[..., Any]]:
    """The layout of a game's states, and its two functions."""
    made = layout(rules_module.State)
    scope = dict(vars(rules_module))
    exec(made.pack_source + made.unpack_source, scope)  # noqa: S102 - our own text, from types
    return made, scope["pack"], scope["unpack"]
