"""What a button or a select stands for, written into its custom id, which Discord keeps for us.

So a button that was made before a restart still works, and one of an earlier round is recognised.
"""

from typing import NamedTuple

LONGEST = 100
"""Of a custom id."""
SEPARATOR = ":"


class Press(NamedTuple):
    """Something that was pressed: what it does, in which match, for which round of which game."""

    action: str
    match: str = ""
    game: int = 0
    round: int = 0
    rest: tuple[str, ...] = ()
    """What else the action needs."""


def format_press(press: Press) -> str:
    """The custom id.

    >>> format_press(Press("choose", "K3fXq7bTzA", 1, 4, ("attack",)))
    'choose:K3fXq7bTzA:1:4:attack'
    """
    parts = (press.action, press.match, str(press.game), str(press.round), *press.rest)
    text = SEPARATOR.join(parts)
    if len(text) > LONGEST:
        raise ValueError(f"a custom id has at most {LONGEST} characters: {text}")
    return text


def parse_press(text: str) -> Press | None:
    """What the custom id stands for; None if it is none of ours.

    >>> parse_press("choose:K3fXq7bTzA:1:4:attack").rest
    ('attack',)
    """
    action, *others = text.split(SEPARATOR)
    if len(others) < 3 or not (others[1].isdecimal() and others[2].isdecimal()):
        return None
    match, game, round, *rest = others
    return Press(action, match, int(game), int(round), tuple(rest))
