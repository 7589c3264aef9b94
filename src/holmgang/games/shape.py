"""Reading JSON of a known shape, with errors that say where and what is allowed.

The `notation.py` of every game uses these. `where` is the path of the value that is read, such as
`red`.
"""

from collections.abc import Mapping
from typing import Any

from holmgang.errors import StateError

JsonObject = dict[str, Any]
"""A JSON object, parsed or to be written."""

LARGEST = 10**18
"""The largest number in a state, so that what a round adds still fits a machine integer."""


def brief(value: object) -> str:
    """The value, of any type, as quoted in an error message: abbreviated if it is long.

    >>> brief("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    """
    if isinstance(value, int) and not -LARGEST <= value <= LARGEST:
        return "a number of more than 18 digits"
    if isinstance(value, str | bytes):
        value = value[:80]
    elif isinstance(value, list | dict):
        return f"a {'list' if isinstance(value, list) else 'JSON object'} of {len(value)}"
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def printable(text: str) -> str:
    r"""The text with everything escaped that a terminal might interpret.

    >>> print(printable("\x1b[2J"))
    \x1b[2J
    """
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def counted(number: int, word: str) -> str:
    """A number with its noun, in the plural if needed.

    >>> counted(1, "game"), counted(2000, "game")
    ('1 game', '2,000 games')
    """
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def read_object(value: object, where: str, keys: tuple[str, ...]) -> JsonObject:
    """The value, if it is a JSON object with exactly these keys."""
    if not isinstance(value, dict):
        raise StateError(
            f"{where} must be a JSON object with {', '.join(keys)}; not {brief(value)}"
        )
    if tuple(value) != keys and value.keys() != set(keys):
        missing = [key for key in keys if key not in value]
        if missing:
            raise StateError(f"{where} lacks {', '.join(missing)}")
        unknown = next(key for key in value if key not in keys)
        raise StateError(f"{where} has an unknown {brief(unknown)}; it has {', '.join(keys)}")
    return value


def read_int(
    holder: Mapping[str, object], key: str, where: str = "", least: int = 0, most: int = LARGEST
) -> int:
    """The whole number under a key; `where` is the path of its holder."""
    value = holder[key]
    if type(value) is int and least <= value <= most:
        return value
    span = f"from {least} to {most}" if most != LARGEST else f"from {least} up"
    if least == -LARGEST:
        span = "of at most 18 digits"
    raise StateError(f"{path(where, key)} must be a whole number {span}; not {brief(value)}")


def check_ints(holder: Mapping[str, object], keys: tuple[str, ...], where: str, least: int) -> None:
    """Checks many keys at once, like `read_int`."""
    for key in keys:
        value = holder[key]
        if type(value) is not int or not least <= value <= LARGEST:
            read_int(holder, key, where, least)


def read_bool(holder: Mapping[str, object], key: str, where: str = "") -> bool:
    value = holder[key]
    if type(value) is bool:
        return value
    raise StateError(f"{path(where, key)} must be true or false; not {brief(value)}")


def read_word(
    holder: Mapping[str, object], key: str, words: tuple[str, ...], where: str = ""
) -> int:
    """The index in `words` of the word under a key."""
    value = holder.get(key)
    if isinstance(value, str) and value in words:
        return words.index(value)
    raise StateError(f"{path(where, key)} must be one of {', '.join(words)}; not {brief(value)}")


def path(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
