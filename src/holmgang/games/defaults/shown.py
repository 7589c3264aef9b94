"""The fields of a state as people see them: by side, with labels, in the words of its JSON."""

from typing import NamedTuple

from holmgang.games.contract import SEATS
from holmgang.games.shape import JsonObject

Fields = dict[str, object]
"""Values by label: numbers, truth values, words, None."""


class Shown(NamedTuple):
    red: Fields
    blue: Fields
    shared: Fields

    @property
    def sides(self) -> tuple[Fields, Fields]:
        return self.red, self.blue

    @property
    def labels(self) -> list[str]:
        """The labels of both sides."""
        return list(dict.fromkeys((*self.red, *self.blue)))


def shown(json: JsonObject) -> Shown:
    """The fields of a state, given as JSON.

    >>> shown({"turn": 3, "red": {"hp": 1}, "blue": {"hp": 2}, "red_gold": 5, "blue_gold": 0})
    Shown(red={'hp': 1, 'gold': 5}, blue={'hp': 2, 'gold': 0}, shared={'turn': 3})
    """
    found = Shown({}, {}, {})
    for key, value in json.items():
        seat, _, rest = key.partition("_")
        fields, label = (found.shared, key) if seat not in SEATS else (
            found.sides[SEATS.index(seat)],
            rest,
        )  # fmt: skip
        add(fields, label.replace("_", " "), value)
    return found


def add(fields: Fields, label: str, value: object) -> None:
    """Adds a value, or the values in it, by their labels."""
    if isinstance(value, dict):
        for key, inner in value.items():
            add(fields, f"{label} {key.replace('_', ' ')}".strip(), inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value, start=1):
            add(fields, f"{label.removesuffix('s')} {place}".strip(), inner)
    else:
        fields[label] = value


def word(value: object) -> str:
    """A value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in SEATS:
        return str(value).capitalize()
    return "none" if value is None else str(value)
