"""The choices of a seat as a person is offered them, and what a person types for one."""

from typing import Any, NamedTuple

from holmgang.errors import ChoiceError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset

MOST_LISTED = 16
SMALLEST_GRID = 16


class Option(NamedTuple):
    """A choice: the key or keys for it, its word, and what it would do."""

    key: str
    word: str
    note: str


class MenuGrid(NamedTuple):
    """A menu of pairs `row/column`, of which every combination is there."""

    rows: list[str]
    columns: list[str]
    axes: tuple[str, str]


def options(ruleset: Ruleset, state: Any, seat: str) -> list[Option]:
    """The menu of a seat; empty if it has nothing to choose."""
    number = SEATS.index(seat)
    return [
        Option(
            ruleset.short(choice),
            ruleset.word(choice),
            ruleset.preview(state, number, choice),
        )
        for choice in ruleset.choices(state, number)
    ]


def is_one_key(offered: list[Option]) -> bool:
    """Whether a single key decides, or a line has to be finished with Enter."""
    return all(len(option.key) == 1 for option in offered)


def find_grid(ruleset: Ruleset, offered: list[Option]) -> MenuGrid | None:
    """The menu as a grid, if it is a large one of pairs."""
    pairs = [option.word.split("/") for option in offered]
    if len(pairs) < SMALLEST_GRID or any(len(pair) != 2 for pair in pairs):
        return None
    rows = list(dict.fromkeys(row for row, _ in pairs))
    columns = list(dict.fromkeys(column for _, column in pairs))
    axes = ruleset.game.axes
    return MenuGrid(rows, columns, axes) if len(pairs) == len(rows) * len(columns) else None


def find_option(ruleset: Ruleset, offered: list[Option], typed: str) -> Option | None:
    """The option that the text stands for so far, if it is one of those listed."""
    try:
        word = read_choice(ruleset, offered, typed)
    except ChoiceError:
        return None
    return next((option for option in offered if option.word == word), None)


def read_choice(ruleset: Ruleset, offered: list[Option], typed: str) -> str:
    """The word for what was typed: a short form, a word, or the beginning of only one word.

    It need not be legal. What it raises never repeats what was typed: someone may be looking.
    """
    text = " ".join(typed.split())
    words = [option.word for option in offered]
    short = ruleset.expand_short(text)
    if short is not None:
        return short
    for form in (text.lower(), text.lower().replace(" ", "_").replace("-", "_")):
        if form in words or is_choice(ruleset, form):
            return form
        begun = [word for word in words if form and word.startswith(form)]
        if len(begun) == 1:
            return begun[0]
        if begun:
            raise ChoiceError(f"That could be any of {listed(begun)}.")
    raise ChoiceError(f"That is not a choice here. Choose one of {listed(words)}.")


def is_choice(ruleset: Ruleset, word: str) -> bool:
    try:
        ruleset.parse_word(word)
    except ChoiceError:
        return False
    return True


def listed(words: list[str]) -> str:
    """The words as a sentence has them; only some, where there are many.

    >>> listed(["boost", "attack", "guard"])
    'boost, attack or guard'
    """
    if len(words) > MOST_LISTED:
        return f"{', '.join(words[:3])}, … {words[-1]}"
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
