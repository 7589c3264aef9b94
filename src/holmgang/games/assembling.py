"""Assembles a `Game` from the modules of its author, with a default for each function that they
lack.
"""

import inspect
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from holmgang.games.contract import AnyGame, Game
from holmgang.games.defaults.board import Board
from holmgang.games.defaults.bounds import FieldBounds
from holmgang.games.defaults.chance import Chance
from holmgang.games.defaults.picture import Picture
from holmgang.games.defaults.states import States, Texts
from holmgang.games.defaults.story import Story
from holmgang.games.defaults.symmetry import Symmetry
from holmgang.games.defaults.words import Words

STATE_JSON = ("format_state", "parse_state")
STATE_TEXT = ("format_text", "parse_text")
CHOICE_WORDS = ("format_choice", "parse_choice", "format_short", "expand_short", "choice_count")
CHANCE_JSON = ("format_chance", "parse_chance", "format_outcome")
SYMMETRY = ("is_symmetric", "mirror")
STORY = ("tell", "preview", "ending")
OPTIONAL = (
    "is_legal",
    "impossible",
    "points_of_side",
    "harmless",
    "is_timid",
    "label",
    "amounts",
    "lesson",
    "summary",
)


class Part:
    """The functions of one part of a game, by name."""

    def __init__(self, **functions: Any) -> None:
        vars(self).update(functions)


def part(**functions: Any) -> Any:
    """A `Part`, typed so that it fits any part of the contract."""
    return Part(**functions)


def assemble(
    folder: str,
    rules: ModuleType,
    notation: ModuleType | None = None,
    story: ModuleType | None = None,
    board: ModuleType | None = None,
    picture: ModuleType | None = None,
    estimate: ModuleType | None = None,
    dominance: ModuleType | None = None,
    holding: ModuleType | None = None,
    guide: ModuleType | None = None,
) -> AnyGame:
    """The game with these modules; all but the rules are optional. A name is looked up first in the
    module that is meant for it, and then in the rules.
    """

    def own(name: str, module: ModuleType | None) -> Any:
        """The author's function or constant of that name, or None."""
        return getattr(module, name, None) or getattr(rules, name, None)

    words = part()
    parts: list[tuple[Iterable[str], Any]] = [
        (STATE_JSON, States(rules)),
        (STATE_TEXT, Texts(rules, words)),
        (
            CHOICE_WORDS,
            Words(*(own(name, notation) for name in ("Choice", "KEYS", "choice_count"))),
        ),
        (CHANCE_JSON, Chance(rules)),
        (SYMMETRY, Symmetry(rules, own("mirror", notation))),
        (("field_bounds",), FieldBounds(rules)),
    ]
    for names, default in parts:
        vars(words).update((name, own(name, notation) or getattr(default, name)) for name in names)
    told = Story(rules, words)
    optional = {
        name: next(filter(None, (own(name, module) for module in (notation, story, guide))), None)
        for name in OPTIONAL
    }
    page = Path(inspect.getfile(rules)).with_name("RULES.md")
    return Game(
        folder,
        rules,
        words,
        part(**{name: own(name, story) or getattr(told, name) for name in STORY}),
        part(draw=own("draw_board", board) or Board(words).draw_board),
        part(draw=own("draw_picture", picture) or Picture(rules, words).draw_picture),
        estimate or (rules if hasattr(rules, "estimate") else None),
        dominance,
        holding,
        **optional,
        axes=own("AXES", notation) or ("", ""),
        presets=tuple(own("PRESETS", guide) or ()),
        groups=tuple(own("GROUPS", guide) or ()),
        page=page if Path(inspect.getfile(rules)).name == "rules.py" else None,
        key=folder,
    )
