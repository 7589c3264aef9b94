"""Converts states to rows of whole numbers and back: one column for each number of the state.

The two functions for a game are generated from the types of its `State`, so that they can be
compiled and no game has to write its own.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from holmgang.games.defaults.symmetry import MirrorImage
from holmgang.games.fields import leaves_of


class StateLayout(NamedTuple):
    """How a game's states are packed. `names` are the columns, such as `red.hp`."""

    names: tuple[str, ...]
    pack_source: str
    unpack_source: str
    rules_source: str = ""
    """Source of the function that makes the rules of a game from an array of their values."""
    mirror_source: str = ""
    """Source of the default mirror image; empty if the game has its own."""


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


def mirror_source(image: MirrorImage) -> str:
    values = ", ".join(
        f"(1 - state.{name} if state.{name} >= 0 else state.{name})" if is_seat else f"state.{name}"
        for name, is_seat in image.fields.items()
    )
    return f"def mirror(rules, state):\n    return State({values})\n"


def packers(
    rules_module: Any, mirror: Callable[..., Any]
) -> tuple[StateLayout, dict[str, Callable[..., Any]]]:
    """The layout of a game's states, and the functions `pack`, `unpack`, `rules_of` and `mirror`.
    The last is the given function, or generated if that is the default.
    """
    values = ", ".join(f"given[{place}]" for place in range(len(rules_module.Rules._fields)))
    made = layout(rules_module.State)._replace(
        rules_source=f"def rules_of(given):\n    return Rules({values})\n",
        mirror_source=mirror_source(mirror) if isinstance(mirror, MirrorImage) else "",
    )
    scope = {**vars(rules_module), "mirror": mirror}
    exec("".join(made[1:]), scope)  # noqa: S102 - our own text, from types
    return made, {name: scope[name] for name in (*GENERATED, "mirror")}


GENERATED = ("pack", "unpack", "rules_of")
