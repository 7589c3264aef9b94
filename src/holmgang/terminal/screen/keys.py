"""The line of keys at the bottom of a screen, and letters for a list of words."""

from rich.text import Text

from holmgang.terminal.screen.palette import DIM, KEY


def keys_line(*pairs: tuple[str, str]) -> Text:
    """Keys with what they do. What does not fit is cut off, so the important ones come first."""
    return Text("  ", no_wrap=True, overflow="ellipsis").join(
        Text.assemble((f" {key} ", KEY), (f" {word}", DIM)) for key, word in pairs
    )


def initials(names: list[str]) -> list[str]:
    """A different letter for each name: the first of one of its words, otherwise any free one.

    >>> initials(["bagh", "bagh-advantage", "fencing"])
    ['b', 'a', 'f']
    """
    taken: list[str] = []
    for name in names:
        wished = (
            [part[0] for part in name.split("-")] + list(name) + list("abcdefghijklmnopqrstuvwyz")
        )
        taken.append(next(letter for letter in wished if letter not in taken and letter.isalpha()))
    return taken
