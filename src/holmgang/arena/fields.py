"""Dataclasses from JSON that others may have written: whether each field is of its kind."""

from dataclasses import fields
from functools import cache
from typing import Any

from holmgang.games.shape import brief


@cache
def kinds(cls: Any) -> list[tuple[str, Any]]:
    """The fields of a dataclass, and what may be in them; where a float may be, also an int."""
    return [(each.name, kind_of(each.type)) for each in fields(cls)]


def kind_of(annotation: Any) -> Any:
    if annotation is float:
        return int | float
    if annotation == float | None:
        return int | float | None
    return getattr(annotation, "__origin__", annotation)


def known(cls: Any, value: dict[str, Any]) -> dict[str, Any]:
    """The fields that the class has. Raises TypeError if one is of another kind."""
    found = {}
    for name, kind in kinds(cls):
        if name in value:
            if not isinstance(value[name], kind):
                raise TypeError(f"{name} cannot be {brief(value[name])}")
            found[name] = value[name]
    return found


def whole(cls: Any, value: dict[str, Any]) -> dict[str, Any]:
    """The same, but also raises TypeError if there is a field that the class does not have."""
    found = known(cls, value)
    unknown = value.keys() - found.keys()
    if unknown:
        raise TypeError(f"it cannot have {brief(min(unknown))}")
    return found
