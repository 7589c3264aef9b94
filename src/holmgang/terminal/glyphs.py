"""Plain replacements for characters that some terminals lack."""

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
    """Whether the stream can encode everything that Holmgang draws."""
    return fits("".join(PLAIN), stream)


def fits(text: str, stream: TextIO) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def fitted(text: str, stream: TextIO) -> str:
    """The text as the stream can encode it: with plain replacements, or `?` where there is none."""
    if not is_unicode(stream):
        text = text.translate(TABLE)
    encoding = stream.encoding or "ascii"
    return text if fits(text, stream) else text.encode(encoding, "replace").decode(encoding)


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """An error handler for codecs: the replacement for what a stream cannot encode."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(PLAIN.get(sign, "?") for sign in signs), error.end


codecs.register_error("holmgang", stand_in)
