"""The meaning of a button or a select, encoded in its custom id, which Discord stores.

So a button that was made before a restart still works, and one of an earlier round is recognised.
"""

from typing import NamedTuple

LONGEST = 100
"""Maximum length of a custom id."""
SEPARATOR = ":"


class Press(NamedTuple):
    """A pressed component: its action, and the match, game and round it belongs to."""

    action: str
    match: str = ""
    game: int = 0
    round: int = 0
    rest: tuple[str, ...] = ()
    """Further arguments of the action."""


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
    """The press that a custom id encodes; None if the id is not one of ours.

    >>> parse_press("choose:K3fXq7bTzA:1:4:attack").rest
    ('attack',)
    """
    action, *others = text.split(SEPARATOR)
    if len(others) < 3 or not (others[1].isdecimal() and others[2].isdecimal()):
        return None
    match, game, round, *rest = others
    return Press(action, match, int(game), int(round), tuple(rest))
