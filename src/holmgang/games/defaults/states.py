"""Default JSON and short text of states, from the fields of `State`, and back."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from holmgang.errors import StateError
from holmgang.game import Seat
from holmgang.games.contract import AnyNotation, AnyRules, State
from holmgang.games.fields import SEAT_WORDS
from holmgang.games.shape import LARGEST, JsonObject, brief, read_bool, read_int, read_object


class States:
    """`State(red=Fighter(2, 0), blue=Fighter(1, 3))` is
    `{"red": {"lives": 2, "ammo": 0}, "blue": {"lives": 1, "ammo": 3}}`.
    """

    def __init__(self, rules_module: AnyRules) -> None:
        self.state = rules_module.State
        hints = get_type_hints(self.state, include_extras=True)
        self.formats = [(name, formatter(kind)) for name, kind in hints.items()]

    def format_state(self, rules: object, state: State) -> JsonObject:
        return {
            name: value if form is None else form(value)
            for (name, form), value in zip(self.formats, state, strict=True)
        }

    def parse_state(self, rules: object, value: object) -> State:
        state: State = parsed(self.state, {"state": value}, "state", "")
        return state


class Texts:
    """The same state is `2.0/1.3`."""

    def __init__(self, rules_module: AnyRules, json: AnyNotation) -> None:
        """`json` has the game's `format_state` and `parse_state`."""
        self.state = rules_module.State
        self.initial = rules_module.initial
        self.json = json

    def format_text(self, rules: object, state: State) -> str:
        return "/".join(
            ".".join(str(int(number)) for number in numbers(value))
            for value in state._asdict().values()
        )

    def parse_text(self, rules: object, text: str) -> State:
        try:
            given = iter([[int(number) for number in part.split(".")] for part in text.split("/")])
            hints = get_type_hints(self.state)
            found = self.state(*(filled(hints[name], iter(next(given, ()))) for name in hints))
        except ValueError:
            found = None
        if found is None or self.format_text(rules, found) != text:
            start = self.initial(rules)
            raise StateError(
                f"a state as text is {fields_of(self.json.format_state(rules, start))}, such as "
                f"{self.format_text(rules, start)}; not {brief(text)}"
            )
        state: State = self.json.parse_state(rules, self.json.format_state(rules, found))
        return state


def fields_of(shown: JsonObject) -> str:
    """The fields of a text.

    >>> fields_of({"turn": 0, "red": {"hp": 3, "ammo": 0}})
    'turn/hp.ammo of red'
    """
    return "/".join(
        f"{'.'.join(leaf_names(value))} of {name}" if isinstance(value, dict) else name
        for name, value in shown.items()
    )


def leaf_names(shown: JsonObject) -> Iterator[str]:
    for name, value in shown.items():
        if isinstance(value, dict):
            yield from leaf_names(value)
        else:
            yield name


Formatter = Callable[[Any], Any]


def formatter(kind: Any) -> Formatter | None:
    """The function that makes JSON of values of this type; None if they are JSON already."""
    if kind == Seat:
        return lambda value: SEAT_WORDS.get(value, value)
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if kind is bool:
        return bool  # rules may set it to 0 or 1
    if get_origin(kind) is tuple:
        forms = [formatter(each) for each in get_args(kind)]
        return lambda value: [
            each if form is None else form(each) for form, each in zip(forms, value, strict=True)
        ]
    if hasattr(kind, "_fields"):
        hints = get_type_hints(kind, include_extras=True)
        inner = {name: formatter(hints[name]) for name in kind._fields}
        if not any(inner.values()):
            as_dict: Formatter = kind._asdict
            return as_dict
        return lambda value: {
            name: each if form is None else form(each)
            for (name, form), each in zip(inner.items(), value, strict=True)
        }
    return None


def parsed(kind: Any, holder: Any, key: Any, where: str) -> Any:
    """The part of a state under a key, checked and converted to this type."""
    value, path = holder[key], f"{where}.{key}" if where else str(key)
    inside = "" if path == "state" else path
    allowed = range(-LARGEST, LARGEST + 1)
    if kind == Seat:
        return parsed_seat(value, path)
    if get_origin(kind) is Annotated:
        kind, *notes = get_args(kind)
        allowed = next((note for note in notes if isinstance(note, range)), allowed)
    if get_origin(kind) is tuple:
        kinds = get_args(kind)
        if not isinstance(value, list) or len(value) != len(kinds):
            raise StateError(f"{path} must be a list of {len(kinds)}; not {brief(value)}")
        return tuple(parsed(each, value, place, inside) for place, each in enumerate(kinds))
    if hasattr(kind, "_fields"):
        value = read_object(value, path, kind._fields)
        hints = get_type_hints(kind, include_extras=True)
        return kind(*(parsed(hints[name], value, name, inside) for name in kind._fields))
    named = {str(key): value}
    if kind is bool:
        return read_bool(named, str(key), where)
    return read_int(named, str(key), where, allowed[0], allowed[-1])


def parsed_seat(value: object, path: str) -> int:
    for seat, seat_word in SEAT_WORDS.items():
        if value == seat_word:
            return seat
    raise StateError(f'{path} must be "red", "blue" or null; not {brief(value)}')


def numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for inner in value:
            yield from numbers(inner)
    else:
        yield value


def filled(kind: Any, given: Iterator[int]) -> Any:
    """A value of this type, with the given numbers."""
    if get_origin(kind) is tuple:
        return tuple(filled(each, given) for each in get_args(kind))
    if hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        return kind(*(filled(hints[name], given) for name in kind._fields))
    number = next(given, None)
    if number is None:
        raise ValueError("too few numbers")
    return number != 0 if kind is bool else number
