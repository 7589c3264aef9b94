"""The characters that not every terminal has, and what stands for them there."""

import codecs
from typing import TextIO

PLAIN = {
    "♥": "*",
    "▲": "^",
    "◆": "+",
    "◇": ".",
    "█": "#",
    "░": ".",
    "●": "o",
    "─": "-",
    "═": "=",
    "└": "+",
    "┘": "+",
    "┴": "+",
    "→": "->",
    "–": "-",
    "—": "-",
    "−": "-",
    "…": "...",
    "×": "x",
    "·": "|",
    "’": "'",
    "“": '"',
    "”": '"',
    "≤": "<=",
    "≥": ">=",
    "•": "*",
}
TABLE = str.maketrans(PLAIN)


def is_unicode(stream: TextIO) -> bool:
    """Whether everything that Holmgang draws can be written there."""
    return fits("".join(PLAIN), stream)


def fits(text: str, stream: TextIO) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def fitted(text: str, stream: TextIO) -> str:
    """The text as that stream can take it.

    Where fancy characters are missing, plain ones stand for them; what else is missing becomes `?`.
    """
    if not is_unicode(stream):
        text = text.translate(TABLE)
    encoding = stream.encoding or "ascii"
    return text if fits(text, stream) else text.encode(encoding, "replace").decode(encoding)


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """What is written in the place of what a stream cannot take: an error handler of codecs."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(PLAIN.get(sign, "?") for sign in signs), error.end


codecs.register_error("holmgang", stand_in)
