"""Names that read alike: what must not belong to two accounts."""

# ruff: noqa: RUF001 - characters that look alike are the matter here

import re
import unicodedata

LOOK_ALIKE = {
    **dict(zip("авсԁеһіјкӏмноԛрѕтѵԝхуу", "abcdehijklmhoqpstvwxyy", strict=True)),  # Cyrillic
    **dict(zip("αβεζηικμνορτυχϲϳ", "abezhikmnoptyxcj", strict=True)),  # Greek
    **dict(zip("ɑɡ01i", "agoll", strict=True)),
}
"""Letters and digits by the Latin letter they can be taken for, in lower case or as capitals; I, l
and 1 are one letter."""
PAIRS = {"rn": "m", "vv": "w"}
LATIN_FORM = re.compile(r"LATIN (?:SMALL )?LETTER (?:SMALL CAPITAL|SCRIPT|DOTLESS) ([A-Z])")
"""The Unicode names of other forms of Latin letters."""


def fold(name: str) -> str:
    """A key that is the same for names that read alike: without case, spaces and signs, and with
    one letter for all that look the same.

    >>> fold("Ann-Lee"), fold("ANN lee"), fold("BIll 10"), fold("bill lo")
    ('annlee', 'annlee', 'bllllo', 'bllllo')
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    # Decomposed, so that a letter with an accent is mapped as its letter is.
    key = "".join(map(_one_letter, unicodedata.normalize("NFD", re.sub(r"[-_\s]", "", folded))))
    for pair, letter in PAIRS.items():
        key = key.replace(pair, letter)
    return unicodedata.normalize("NFC", key)


def _one_letter(character: str) -> str:
    if character.isascii() or character in LOOK_ALIKE:
        return LOOK_ALIKE.get(character, character)
    form = LATIN_FORM.fullmatch(unicodedata.name(character, ""))
    letter = form[1].lower() if form else character
    return LOOK_ALIKE.get(letter, letter)
