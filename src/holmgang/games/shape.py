"""Reading JSON of a known shape, with errors that say where and what is allowed.

The `notation.py` of every game builds on these. `where` is the path of the thing read, such as
`red.hp`.
"""

from collections.abc import Sequence
from typing import Any

from holmgang.errors import StateError

LARGEST = 10**15
"""No number of a state may be larger: sums of thousands of them still fit a machine integer."""


def brief(value: object) -> str:
    """The value as an error message quotes it: cut short, whatever it is.

    >>> brief("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    """
    if isinstance(value, int) and not -LARGEST <= value <= LARGEST:
        return "a number of more than 15 digits"
    if isinstance(value, str | bytes):
        value = value[:80]
    elif isinstance(value, list | dict):
        return f"a {'list' if isinstance(value, list) else 'JSON object'} of {len(value)}"
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def read_object(value: Any, where: str, keys: Sequence[str]) -> dict[str, Any]:
    """The value, if it is a JSON object with exactly these keys."""
    if not isinstance(value, dict):
        raise StateError(f"{where} must be a JSON object with {', '.join(keys)}; not {brief(value)}")
    if len(value) != len(keys) or any(key not in value for key in keys):
        missing = [key for key in keys if key not in value]
        if missing:
            raise StateError(f"{where} lacks {', '.join(missing)}")
        unknown = next(key for key in value if key not in keys)
        raise StateError(f"{where} has an unknown {brief(unknown)}; it has {', '.join(keys)}")
    return value


def read_int(value: Any, where: str, least: int = 0, most: int = LARGEST) -> int:
    if type(value) is int and least <= value <= most:
        return value
    span = f"from {least} up" if most == LARGEST else f"from {least} to {most}"
    if least == -LARGEST:
        span = f"down to -{LARGEST}" if most != LARGEST else "of at most 15 digits"
    raise StateError(f"{where} must be a whole number {span}; not {brief(value)}")


def read_bool(value: Any, where: str) -> bool:
    if type(value) is bool:
        return value
    raise StateError(f"{where} must be true or false; not {brief(value)}")


def read_word(value: Any, where: str, words: Sequence[str]) -> int:
    """The place of the value in `words`."""
    if isinstance(value, str) and value in words:
        return words.index(value)
    raise StateError(f"{where} must be one of {', '.join(words)}; not {brief(value)}")
