"""The choices of a seat as shown to people, and the parsing of their input."""

from collections.abc import Sequence
from typing import NamedTuple

from holmgang.errors import ChoiceError
from holmgang.games.contract import SEATS, State
from holmgang.games.ruleset import Ruleset

MOST_LISTED = 16
SMALLEST_GRID = 16


class Option(NamedTuple):
    """A choice: its key or keys, its word, and its effect."""

    key: str
    word: str
    note: str
    is_fatal: bool = False
    """Whether it loses at once, whatever the other seat does."""


class MenuGrid(NamedTuple):
    """A menu of pairs `row/column`."""

    rows: list[str]
    columns: list[str]
    axes: tuple[str, str]


def options(ruleset: Ruleset, state: State, seat: str) -> list[Option]:
    """The menu of a seat for typing; empty if it has nothing to choose.

    If a word accepts more numbers than are listed, the note of the last one says so.
    """
    number = SEATS.index(seat)
    offered = [
        Option(
            ruleset.short(choice),
            ruleset.word(choice),
            ruleset.preview(state, number, choice),
            ruleset.is_fatal(state, number, choice),
        )
        for choice in ruleset.choices(state, number)
    ]
    for verb, (_, most) in ruleset.amounts(state, number).items():
        hint_at_amount(offered, verb, most)
    return offered


def hint_at_amount(offered: list[Option], verb: str, most: int) -> None:
    """Adds a note to the last number listed for a word: that others up to `most` work too."""
    numbers = {
        int(option.word.removeprefix(f"{verb} ")): place
        for place, option in enumerate(offered)
        if option.word.startswith(f"{verb} ") and option.word.removeprefix(f"{verb} ").isdecimal()
    }
    last = max(numbers, default=most)
    if last < most:
        option = offered[numbers[last]]
        hint = f"{option.note} Any N works: {verb} {min(last + 2, most)}."
        offered[numbers[last]] = option._replace(note=hint)


def is_one_key(offered: list[Option]) -> bool:
    """Whether every choice is a single key, so that no Enter is needed."""
    return all(len(option.key) == 1 for option in offered)


def find_grid(ruleset: Ruleset, offered: list[Option]) -> MenuGrid | None:
    """The menu as a grid, if it is large and has every combination of two parts."""
    grid = grid_of(ruleset, [option.word for option in offered])
    if grid is None or len(offered) < SMALLEST_GRID:
        return None
    return grid if len(offered) == len(grid.rows) * len(grid.columns) else None


def grid_of(ruleset: Ruleset, words: list[str]) -> MenuGrid | None:
    """The rows and columns of a menu of pairs, some possibly missing; None for other menus."""
    pairs = [word.split("/") for word in words]
    if any(len(pair) != 2 for pair in pairs):
        return None
    rows = list(dict.fromkeys(row for row, _ in pairs))
    columns = list(dict.fromkeys(column for _, column in pairs))
    return MenuGrid(rows, columns, ruleset.game.axes)


def find_option(ruleset: Ruleset, offered: list[Option], typed: str) -> Option | None:
    """The listed option that the typed text means so far, if any."""
    try:
        word = read_choice(ruleset, offered, typed)
    except ChoiceError:
        return None
    return next((option for option in offered if option.word == word), None)


def read_choice(ruleset: Ruleset, offered: list[Option], typed: str) -> str:
    """The word for the typed text: a short form, a word, or an unambiguous beginning of one.

    It need not be legal. Errors never repeat the text, as the opponent may be looking.
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
    """The words as a list in a sentence; abbreviated if there are many.

    >>> listed(["boost", "attack", "guard"])
    'boost, attack or guard'
    """
    if len(words) > MOST_LISTED:
        return f"{', '.join(words[:3])}, … {words[-1]}"
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def label_text(words: Sequence[str]) -> str:
    """The words of a label on one line.

    >>> label_text(["Normal attack", "burn 2", "Blue"])
    'Normal attack: burn 2, Blue'
    """
    verb, *meanings = words
    return f"{verb}: {', '.join(meanings)}" if meanings else verb
