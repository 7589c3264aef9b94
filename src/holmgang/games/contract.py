"""What a game provides: modules of plain functions, which other code calls through a `Ruleset`.
`assembling.py` makes a `Game` from its author's functions and from defaults.

A game's types are its own: to other code a `State` is opaque, and an outcome has only `reason` (0
while the duel goes on) and `winner`. `Game` lists the parts of a game, including the optional ones.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from holmgang.game import BLUE, NO_CHOICE, NOBODY, RED
from holmgang.games.drawing import Row
from holmgang.games.fields import Bounds
from holmgang.games.guide import LessonStep, Preset, Summary
from holmgang.games.shape import JsonObject

__all__ = ["BLUE", "NOBODY", "NO_CHOICE", "RED"]
SEATS = ("red", "blue")
SEAT_NAMES = ("Red", "Blue")
UTILITY = (1.0, -1.0, 0.0)
"""The value of an outcome to red, by its winner: red, blue, nobody."""

R = TypeVar("R")
S = TypeVar("S")
R_contra = TypeVar("R_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)


def other_seat(seat: str) -> str:
    return SEATS[1 - SEATS.index(seat)]


class State(Protocol):
    """A state of some game: a NamedTuple of ints, bools and such tuples."""

    def _asdict(self) -> JsonObject: ...
    def __hash__(self) -> int: ...
    def __iter__(self) -> Iterator[object]: ...


class Ending(Protocol):
    """The outcome of a state by the rules, in numbers."""

    @property
    def reason(self) -> int:
        """A member of the game's `Reason`; 0 while the duel goes on."""
        ...

    @property
    def winner(self) -> int:
        """`RED`, `BLUE` or `NOBODY`."""
        ...


class Transition(NamedTuple):
    """One round in numbers: the state before it, both choices, and the face thrown."""

    before: Any
    red: int
    blue: int
    face: int

    def choice(self, seat: int) -> int:
        return (self.red, self.blue)[seat]


class Scene(NamedTuple):
    """What a picture shows besides the state; all optional. `svg.labelled` adds names."""

    last: Transition | None = None
    """The round that led to the state."""
    winner: int | None = None
    """Who won, if the duel did not end by the rules (a forfeit, for example)."""
    prefix: str = ""
    """Prefix of every id, so that one page can show several pictures."""
    theme: str = ""
    """`light` or `dark`; empty to follow the reader's device."""
    has_style: bool = True
    """Whether the picture contains its style sheet; False on a page with `svg.page_style`."""


class ChoiceLabel(NamedTuple):
    """A choice as people read it: a verb, and its arguments."""

    verb: str
    """Capitalised: `Normal attack`."""
    parts: tuple[tuple[str, str], ...] = ()
    """The name and the meaning of each argument of the word. For `2` and `1` in `normal 2 1`:
    `("Burn", "burn 2")`, `("Target", "bubble (6 hp)")`."""

    @property
    def words(self) -> list[str]:
        """The verb and the meaning of each argument."""
        return [self.verb, *(meaning for _, meaning in self.parts)]


class Clause(NamedTuple):
    """One thing that happened in a round, from which a sentence is made."""

    who: int
    """The seat it is about; `NOBODY` for both or neither."""
    what: str
    """The rest of the clause in words: `attacks for 3`."""
    amount: int | None = None
    """The number in it, if there is one: the damage of an attack, or the hp that are left."""
    why: "Clause | None" = None
    """Why it had no effect, or had one that the choices alone do not explain: `Blue guards`."""
    thing: str = ""
    """A thing of that seat, if it is the subject: `shield` in `Red's shield mends`."""
    continues: bool = False
    """Whether it may be in the same sentence as the clause before it."""
    is_reason_told: bool = False
    """Whether another clause already tells the reason."""
    is_hit: bool = False
    """Whether it is a hit, which pages accompany with a sound."""

    @property
    def text(self) -> str:
        """The clause in words, without the reason and a full stop."""
        if self.who == NOBODY:
            return self.what
        owner = f"{SEAT_NAMES[self.who]}'s {self.thing}" if self.thing else SEAT_NAMES[self.who]
        return f"{owner} {self.what}"

    @property
    def full_text(self) -> str:
        """The clause with its reason: `Red's guard does nothing: Blue does not attack`."""
        return f"{self.text}: {self.why.text}" if self.says_why and self.why else self.text

    @property
    def says_why(self) -> bool:
        return self.why is not None and not self.is_reason_told


def sentences(clauses: Iterable[Clause]) -> list[str]:
    """What happened, for people. A clause with a reason is a sentence of its own.

    >>> sentences([Clause(RED, "boosts to 1", 1), Clause(BLUE, "heals 1", 1, continues=True)])
    ['Red boosts to 1; Blue heals 1.']
    """
    told: list[str] = []
    can_go_on = False
    for clause in clauses:
        if clause.continues and can_go_on and not clause.says_why:
            told[-1] += f"; {clause.text}"
        else:
            told.append(clause.full_text)
        can_go_on = not clause.says_why
    return [f"{each}." for each in told]


def note_text(notes: Iterable[str]) -> str:
    """The notes on a choice as sentences.

    >>> note_text(["1 damage", "if both attack, only Blue hits"])
    '1 damage. If both attack, only Blue hits.'
    """
    return " ".join(f"{note[:1].upper()}{note[1:]}." for note in notes)


class RulesModule(Protocol[R, S]):
    """`rules.py`: the rulebook. It may import nothing but the standard library and `holmgang.game`.

    A choice is a small whole number, -1 for a seat with nothing to choose. A set of choices is a
    bit mask. Chance is one throw of a die with `chance` equally likely faces; 1 means that nothing
    is thrown. A game without dice may leave out `chance`.

    It may also have `endless(rules)`, the outcome of a duel that never ends or reaches the round
    limit. Without it, or if its reason is 0, that is a draw with the reason `limit`.

    If many faces of a die have the same result, it may also have `face_groups(rules, state, red,
    blue)`, the number of groups of such faces, and `face_group(rules, state, red, blue, group)`,
    one face of a group and the number of faces in it. Compiled code then resolves only one face of
    each group.
    """

    @property
    def Rules(self) -> type[R]: ...  # noqa: N802 - these are classes of that module
    @property
    def State(self) -> type[S]: ...  # noqa: N802
    @property
    def Reason(self) -> Any: ...  # noqa: N802
    @property
    def __name__(self) -> str: ...
    def __hash__(self) -> int: ...
    def initial(self, rules: R) -> S: ...
    def choices(self, rules: R, state: S, seat: int) -> int: ...
    def resolve(self, rules: R, state: S, red: int, blue: int, face: int) -> S: ...
    def outcome(self, rules: R, state: S) -> Ending: ...


class NotationModule(Protocol[R_contra, S]):
    """`notation.py`: converts everything to JSON and text, and back. Parsers raise only
    `HolmgangError`.
    """

    def format_state(self, rules: R_contra, state: S) -> JsonObject: ...
    def parse_state(self, rules: R_contra, value: object) -> S: ...
    def format_text(self, rules: R_contra, state: S) -> str: ...
    def parse_text(self, rules: R_contra, text: str) -> S: ...
    def format_choice(self, rules: R_contra, choice: int) -> str: ...
    def parse_choice(self, rules: R_contra, word: str) -> int: ...
    def format_short(self, rules: R_contra, choice: int) -> str: ...
    def expand_short(self, rules: R_contra, text: str) -> str | None: ...
    def format_chance(
        self, rules: R_contra, state: S, red: int, blue: int, face: int
    ) -> JsonObject | None: ...
    def parse_chance(
        self, rules: R_contra, state: S, red: int, blue: int, value: object
    ) -> int: ...
    def format_outcome(self, rules: R_contra, state: S, outcome: Any) -> JsonObject: ...
    def is_symmetric(self, rules: R_contra) -> bool: ...
    def mirror(self, rules: R_contra, state: S) -> S: ...
    def choice_count(self, rules: R_contra) -> int: ...  # all choices on menus are below it
    def field_bounds(self, rules: R_contra) -> dict[str, Bounds]: ...  # in all states of play


class StoryModule(Protocol[R_contra, S_contra]):
    """`story.py`: what happened, and what a choice does, in words."""

    def tell(
        self, rules: R_contra, before: S_contra, red: int, blue: int, face: int, after: S_contra
    ) -> list[Clause]: ...
    def preview(self, rules: R_contra, state: S_contra, seat: int, choice: int) -> list[str]: ...
    def ending(self, rules: R_contra, state: S_contra, outcome: Any) -> str: ...


class BoardModule(Protocol[R_contra, S_contra]):
    """`board.py`: the state in rows of text with roles, which each shell colours."""

    def draw(self, rules: R_contra, state: S_contra, width: int) -> list[Row]: ...


class PictureModule(Protocol[R_contra, S_contra]):
    """`picture.py`: the state as SVG text, for all other shells."""

    def draw(self, rules: R_contra, state: S_contra, scene: Scene = ...) -> str: ...


class Game(NamedTuple, Generic[R, S]):
    """One game, as `assembling.assemble` makes it from its modules."""

    folder: str
    rules: RulesModule[R, S]
    notation: NotationModule[R, S]
    story: StoryModule[R, S]
    board: BoardModule[R, S]
    picture: PictureModule[R, S]
    estimate: ModuleType | None = None
    """`estimate(rules, state)`: a heuristic value of an undecided state to red, between -1 and 1,
    for searches. Like the rules, it needs only the standard library."""
    dominance: ModuleType | None = None
    """For a game in which the seats take turns: which choices a search has to consider."""
    holding: ModuleType | None = None
    """For such a game: in which states a seat provably cannot lose."""
    is_legal: Callable[[R, S, int, int], bool] | None = None
    """`is_legal(rules, state, seat, choice)`, if more choices are legal than a menu lists."""
    impossible: Callable[[R], str] | None = None
    """Why these rules cannot be played; empty if they can. None: all rules can be played."""
    points_of_side: Callable[[bool], int] | None = None
    """The points of a side, given whether it was disqualified, in a game with points."""
    axes: tuple[str, str] = ("", "")
    """Names of the two parts of a choice `a/b`, in a game with such choices."""
    harmless: Callable[[R, S, int], int] | None = None
    """`harmless(rules, state, seat)`: the choice made for a seat that has run out of time. None:
    the first choice on offer."""
    is_timid: Callable[[R, S, int, int], bool] | None = None
    """`is_timid(rules, state, seat, choice)`: whether a choice holds back, for a seat that nearly
    always wins. Weak levels prefer these, to give the other seat a chance. None: no choice does."""
    label: Callable[[R, S, int, int], ChoiceLabel] | None = None
    """`label(rules, state, seat, choice)`: the label of a choice for people. None: its word."""
    amounts: Callable[[R, S, int], Mapping[str, tuple[int, int]]] | None = None
    """`amounts(rules, state, seat)`: the words that accept any number from least to most, such as
    `{"heal": (0, 9)}`, in a game where more numbers are legal than a menu lists."""
    lesson: Callable[[R], Sequence[LessonStep]] | None = None
    """`lesson(rules)`: the guided rounds for newcomers; empty if it does not fit these rules. None:
    they are derived from the rules."""
    summary: Callable[[R], Summary] | None = None
    """`summary(rules)`: the rules on one screen. None: it is derived from the rules."""
    presets: tuple[Preset, ...] = ()
    """Named sets of rules; empty: only those of the catalogue."""
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The rules in groups with a title, for forms; those that are missing come last."""
    page: Path | None = None
    """The rulebook for people: RULES.md next to rules.py. None: it is made from the docstring."""
    key: str = ""
    """The input of a ruleset's hash besides the values of its rules: the folder, and the code of a
    game that is not part of Holmgang."""

    @property
    def is_outside(self) -> bool:
        """Whether it is not part of Holmgang."""
        return self.key != self.folder


AnyGame = Game[Any, Any]
AnyRules = RulesModule[object, State]
AnyNotation = NotationModule[object, State]
