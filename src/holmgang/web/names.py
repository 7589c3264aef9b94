"""Valid names of people: nobody can impersonate someone else or break a page with a name."""

import unicodedata
from collections.abc import Iterable

from holmgang.errors import UsageError
from holmgang.players.levels import KINDS
from holmgang.store.folding import fold

SHORTEST, LONGEST = 2, 20
RESERVED = {
    *KINDS,
    "admin",
    "administrator",
    "anonymous",
    "blue",
    "bot",
    "computer",
    "draw",
    "holmgang",
    "human",
    "level",
    "me",
    "mod",
    "moderator",
    "nobody",
    "none",
    "null",
    "red",
    "root",
    "server",
    "support",
    "system",
    "undefined",
    "you",
}
ALLOWED = f"{SHORTEST} to {LONGEST} letters, digits, - or _, with single spaces between them"
INVISIBLE = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180F, 0x3164, 0xFFA0),
            *range(0x180B, 0x180E),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""Letters and marks that show nothing: those with the property Default_Ignorable_Code_Point, which
Python does not know."""
MIXED_SCRIPTS = frozenset({"CJK", "HIRAGANA", "KATAKANA"})


def clean_name(given: str, taken: Iterable[str] = ()) -> str:
    """The name as it is stored: in one Unicode form, without surrounding spaces. Names in `taken`,
    such as those of bots, are reserved too. Raises `UsageError`.

    >>> clean_name(" Åsa  ")
    'Åsa'
    >>> clean_name("guest 7")
    Traceback (most recent call last):
    holmgang.errors.UsageError: the name guest 7 is reserved
    """
    name = unicodedata.normalize("NFKC", given).strip(" ")
    if not SHORTEST <= len(name) <= LONGEST or not all(map(is_allowed, name)) or "  " in name:
        raise UsageError(f"a name must have {ALLOWED}")
    if not any(character.isalpha() for character in name):
        raise UsageError("a name needs at least one letter")
    if len(scripts := scripts_of(name)) > 1 and not scripts <= MIXED_SCRIPTS:
        raise UsageError("all letters of a name must be of one script")
    key = fold(name)
    if key.startswith("guest") or key in map(fold, {*RESERVED, *taken}):
        raise UsageError(f"the name {name} is reserved")
    return name


def is_allowed(character: str) -> bool:
    """Allows letters with their marks, ASCII digits, - _ and spaces; so no control characters, no
    characters that change the direction of text, and no invisible ones.
    """
    if character.isascii():
        return character.isalnum() or character in "-_ "
    if character in INVISIBLE:
        return False
    return unicodedata.category(character) in ("Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Mn")


def scripts_of(name: str) -> set[str]:
    """The scripts of the letters, by the first word of their Unicode names. Letters of different
    scripts can look the same, so a name with several scripts could pass for another.
    """
    return {
        unicodedata.name(character, "UNNAMED").split(" ")[0].split("-")[0]
        for character in name
        if unicodedata.category(character)[0] in "LM"
    }
