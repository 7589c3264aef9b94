"""The numbers of a state and their paths, such as `red.hp`."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin, get_type_hints

from holmgang.game import BLUE, NOBODY, RED

Bounds = tuple[int | None, int | None]
"""The least and the greatest value of a number; None where there is no limit."""

FLAG: Bounds = (0, 1)
SEAT_WORDS = {RED: "red", BLUE: "blue", NOBODY: None}
"""The JSON of fields of the type `Seat`."""


def leaves_of(kind: Any, path: str = "") -> Iterator[tuple[str, type]]:
    """The path and the type of every number in a state of this type."""
    if get_origin(kind) is tuple:
        for place, item in enumerate(get_args(kind)):
            yield from leaves_of(item, f"{path}[{place}]")
    elif hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        for name in kind._fields:
            yield from leaves_of(hints[name], f"{path}.{name}" if path else name)
    elif kind in (int, bool):
        yield path, kind
    else:
        raise TypeError(f"a state must consist of ints, bools and NamedTuples of them; not {kind}")


def numbers_of(state: Any) -> Iterator[int]:
    """The numbers of a state, in the order of `leaves_of`."""
    for item in state:
        if isinstance(item, tuple):
            yield from numbers_of(item)
        else:
            yield item


def of_both(bounds: Mapping[str, Bounds]) -> dict[str, Bounds]:
    """The same bounds for red and for blue.

    >>> of_both({"hp": (0, 3)})
    {'red.hp': (0, 3), 'blue.hp': (0, 3)}
    """
    return {f"{seat}.{name}": limits for seat in ("red", "blue") for name, limits in bounds.items()}
