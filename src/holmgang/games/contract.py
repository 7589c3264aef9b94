"""What a game folder provides: four modules that the rest of Holmgang builds on, and some that help
whoever searches.

A game's own types stay its own: to everyone else a `Rules`, a `State` and an `Outcome` are opaque,
apart from `outcome.reason` (0 while the duel is on) and `outcome.winner`.
"""

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol, cast

RED, BLUE, NOBODY = 0, 1, -1
SEATS = ("red", "blue")
NO_CHOICE = -1
"""Stands for the choice of a seat that has nothing to choose."""


class Transition(NamedTuple):
    """One round in numbers: the state it began in, both choices, and the face thrown."""

    before: Any
    red: int
    blue: int
    face: int

    def choice(self, seat: int) -> int:
        return (self.red, self.blue)[seat]


class Scene(NamedTuple):
    """What a picture shows besides the state. All of it is optional."""

    caption: str = ""
    """In the middle of the header: the round, or how the duel ended."""
    names: tuple[str, str] = ("Red", "Blue")
    last: Transition | None = None
    """The round that led to the state."""
    chosen: tuple[bool, bool] = (False, False)
    """Which seats have chosen in the open round. A picture never shows what they chose."""
    winner: int | None = None
    """Who won, if the duel did not end by the rules (a forfeit, for example)."""
    prefix: str = ""
    """Put before every id, so that one page can show several pictures."""
    theme: str = ""
    """`light` or `dark`; empty to follow the reader's device."""


class RulesModule(Protocol):
    """`rules.py`: the rulebook. It may import nothing but the standard library.

    A choice is a small whole number, -1 for a seat with nothing to choose. A set of choices is a
    number with one bit for each. Chance is one throw of a die with `chance` equally likely faces;
    1 means that nothing is thrown.

    It may also have `is_legal`, for a game with more legal choices than a set can list;
    `points_of_side`, if a side that is disqualified gets fewer points than one that loses; and, for
    a die of which many faces have the same result, `face_groups(rules, state, red, blue)`, the
    number of groups of such faces, and `face_group(rules, state, red, blue, group)`, one face of a
    group and the number of faces in it. The solver then resolves one face of each group.
    """

    @property
    def Rules(self) -> Any: ...  # noqa: N802 - these are classes of that module
    @property
    def State(self) -> Any: ...  # noqa: N802
    @property
    def Reason(self) -> Any: ...  # noqa: N802
    @property
    def __name__(self) -> str: ...
    def initial(self, rules: Any) -> Any: ...
    def choices(self, rules: Any, state: Any, seat: int) -> int: ...
    def chance(self, rules: Any, state: Any, red: int, blue: int) -> int: ...
    def resolve(self, rules: Any, state: Any, red: int, blue: int, face: int) -> Any: ...
    def outcome(self, rules: Any, state: Any) -> Any: ...


class NotationModule(Protocol):
    """`notation.py`: everything as JSON and text, and back. Parsers raise only our own errors."""

    def format_state(self, rules: Any, state: Any) -> dict[str, Any]: ...
    def parse_state(self, rules: Any, value: Any) -> Any: ...
    def format_text(self, rules: Any, state: Any) -> str: ...
    def parse_text(self, rules: Any, text: str) -> Any: ...
    def format_choice(self, rules: Any, choice: int) -> str: ...
    def parse_choice(self, rules: Any, word: str) -> int: ...
    def format_short(self, rules: Any, choice: int) -> str: ...
    def expand_short(self, rules: Any, text: str) -> str | None: ...
    def format_chance(
        self, rules: Any, state: Any, red: int, blue: int, face: int
    ) -> dict[str, Any] | None: ...
    def parse_chance(self, rules: Any, state: Any, red: int, blue: int, value: Any) -> int: ...
    def format_outcome(self, rules: Any, state: Any, outcome: Any) -> dict[str, Any]: ...
    def is_symmetric(self, rules: Any) -> bool: ...
    def mirror(self, rules: Any, state: Any) -> Any: ...


class StoryModule(Protocol):
    """`story.py`: what happened, and what a choice is for, in words."""

    def tell(
        self, rules: Any, before: Any, red: int, blue: int, face: int, after: Any
    ) -> list[str]: ...
    def preview(self, rules: Any, state: Any, seat: int, choice: int) -> str: ...
    def ending(self, rules: Any, state: Any, outcome: Any) -> str: ...


class BoardModule(Protocol):
    """`board.py`: the state as a person at a terminal looks at it, in Rich's markup."""

    def draw(self, rules: Any, state: Any, width: int) -> list[str]: ...


class PictureModule(Protocol):
    """`picture.py`: the state as SVG text, for every shell that is not a terminal."""

    def draw(self, rules: Any, state: Any, scene: Scene = ...) -> str: ...


class Game(NamedTuple):
    """One folder with a game: of `holmgang.games`, or of another package."""

    folder: str
    rules: RulesModule
    notation: NotationModule
    story: StoryModule
    board: BoardModule
    picture: PictureModule | None = None
    """None: the fields of the state are drawn as a table (`plain_picture.py`)."""
    estimate: ModuleType | None = None
    """`estimate(rules, state)`: how good an undecided state looks to red, between -1 and 1. It is
    an opinion for those who search; like the rules it needs only the standard library."""
    dominance: ModuleType | None = None
    """For a game in which the seats take turns: which choices are enough to look at."""
    holding: ModuleType | None = None
    """For such a game: where a seat is proven never to lose."""

    @property
    def page(self) -> Path:
        """The rules for people: RULES.md beside rules.py, wherever that is."""
        return Path(inspect.getfile(cast(ModuleType, self.rules))).with_name("RULES.md")
