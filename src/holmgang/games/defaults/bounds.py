"""Default bounds of the numbers of a state: those in the types, otherwise those of all states that
play can reach, or none if there are too many states.
"""

from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from holmgang.game import Seat
from holmgang.games.contract import AnyRules, State
from holmgang.games.defaults.exploring import reached
from holmgang.games.fields import FLAG, Bounds, leaves_of, numbers_of


class FieldBounds:
    def __init__(self, rules_module: AnyRules) -> None:
        self.rules_module = rules_module

    def field_bounds(self, rules: object) -> dict[str, Bounds]:
        found = dict(declared(self.rules_module.State))
        if all(bounds is not None for bounds in found.values()):
            return {path: bounds or (None, None) for path, bounds in found.items()}
        known = reached(self.rules_module, rules)
        columns = zip(*map(numbers_of, known.states), strict=True)
        spans: list[Bounds] = [(int(min(column)), int(max(column))) for column in columns]
        if not known.is_all:
            seats = seats_of(self.rules_module.State)
            spans = [
                span if path in seats else (None, None)
                for path, span in zip(found, spans, strict=True)
            ]
        return {
            path: span if bounds is None else bounds
            for (path, bounds), span in zip(found.items(), spans, strict=True)
        }


def seats_of(state_type: type[State]) -> set[str]:
    """The fields that hold a seat. They always have bounds, because a few states show all seats."""
    hints = get_type_hints(state_type, include_extras=True)
    return {name for name, kind in hints.items() if kind == Seat}


def declared(state_type: type[State]) -> Iterator[tuple[str, Bounds | None]]:
    """The bounds in the types, such as `Annotated[int, range(10)]`, by path; None without any."""
    ranges = dict(ranges_of(state_type, ""))
    for path, kind in leaves_of(state_type):
        allowed = ranges.get(path)
        if allowed is not None:
            yield path, (allowed[0], allowed[-1])
        else:
            yield path, FLAG if kind is bool else None


def ranges_of(kind: Any, path: str) -> Iterator[tuple[str, range]]:
    if get_origin(kind) is Annotated:
        for note in get_args(kind)[1:]:
            if isinstance(note, range):
                yield path, note
        kind = get_args(kind)[0]
    if get_origin(kind) is tuple:
        for place, item in enumerate(get_args(kind)):
            yield from ranges_of(item, f"{path}[{place}]")
    elif hasattr(kind, "_fields"):
        for name, hint in get_type_hints(kind, include_extras=True).items():
            yield from ranges_of(hint, f"{path}.{name}" if path else name)
