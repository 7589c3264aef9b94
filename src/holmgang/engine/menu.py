"""The choices of a seat as shown to people: to type (`options`, `read_choice`), and as controls on
a page (`controls`).
"""

from collections.abc import Mapping
from math import prod
from typing import NamedTuple

from holmgang.errors import ChoiceError
from holmgang.games.contract import SEATS, ChoiceLabel, State
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject

MOST_LISTED = 16
SMALLEST_GRID = 16


class Option(NamedTuple):
    """A choice: its key or keys, its word, and what it would do."""

    key: str
    word: str
    note: str


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
        )
        for choice in ruleset.choices(state, number)
    ]
    for verb, (_, most) in ruleset.amounts(state, number).items():
        hint_at_amount(offered, verb, most)
    return offered


def hint_at_amount(offered: list[Option], verb: str, most: int) -> None:
    """Notes on the last number listed for a word that others up to `most` work too."""
    numbers = {
        int(option.word.removeprefix(f"{verb} ")): place
        for place, option in enumerate(offered)
        if option.word.startswith(f"{verb} ") and option.word.removeprefix(f"{verb} ").isdecimal()
    }
    last = max(numbers, default=most)
    if last < most:
        option = offered[numbers[last]]
        hint = f"{option.note}; any N works: {verb} {min(last + 2, most)}"
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


# On a page


class Verb(NamedTuple):
    """Choices with the same first word, and with every combination of their arguments."""

    word: str
    choices: dict[tuple[str, ...], int]
    """By their arguments."""


def controls(ruleset: Ruleset, state: State, seat: str) -> JsonObject | None:
    """The `menu` of the live protocol: what a seat may choose, and by which controls. None for a
    seat that has nothing to choose.

    >>> from holmgang.games.ruleset import load
    >>> bagh = load("bagh")
    >>> menu = controls(bagh, bagh.initial(), "red")
    >>> menu["controls"], menu["options"][0]
    ('cards', {'word': 'boost', 'label': 'Boost', 'key': 'b', 'note': 'boost 0 → 1'})
    """
    number = SEATS.index(seat)
    choices = ruleset.choices(state, number)
    if not choices:
        return None
    words = [ruleset.word(choice) for choice in choices]
    offered = [
        {
            "word": word,
            "label": label_text(ruleset.label(state, number, choice)),
            "key": ruleset.short(choice),
            "note": ruleset.preview(state, number, choice),
        }
        for word, choice in zip(words, choices, strict=True)
    ]
    grid = grid_of(ruleset, words)
    if grid is not None:
        return {
            "controls": "dials",
            "options": offered,
            "axes": list(grid.axes),
            "rows": grid.rows,
            "columns": grid.columns,
        }
    if not any(" " in word for word in words):
        return {"controls": "cards", "options": offered}
    verbs = verbs_of(dict(zip(words, choices, strict=True)))
    amounts = ruleset.amounts(state, number)
    keys = verb_keys(
        [[ruleset.short(choice) for choice in verb.choices.values()] for verb in verbs]
    )
    described = [
        {
            "word": verb.word,
            "label": ruleset.label(state, number, next(iter(verb.choices.values()))).verb,
            "key": key,
            "parts": parts_of(ruleset, state, number, verb, amounts),
        }
        for verb, key in zip(verbs, keys, strict=True)
    ]
    return {"controls": "parts", "options": offered, "verbs": described}


def label_text(label: ChoiceLabel) -> str:
    """The label on one line: `Normal attack: burn 2, the player`."""
    if not label.parts:
        return label.verb
    return f"{label.verb}: {', '.join(value for _, value in label.parts)}"


def verbs_of(choices: Mapping[str, int]) -> list[Verb]:
    """The choices by their first words, in the order of the menu."""
    groups: dict[tuple[str, int], dict[tuple[str, ...], int]] = {}
    for word, choice in choices.items():
        first, *arguments = word.split(" ")
        groups.setdefault((first, len(arguments)), {})[tuple(arguments)] = choice
    return [verb for (first, _), group in groups.items() for verb in whole_verbs(first, group)]


def whole_verbs(word: str, choices: dict[tuple[str, ...], int]) -> list[Verb]:
    """One verb, if every combination of arguments is a choice; otherwise one for each value of the
    first argument, which then belongs to the verb.
    """
    values = [set(column) for column in zip(*choices, strict=True)]
    if len(choices) == prod(map(len, values)):
        return [Verb(word, choices)]
    groups: dict[str, dict[tuple[str, ...], int]] = {}
    for (first, *rest), choice in choices.items():
        groups.setdefault(first, {})[tuple(rest)] = choice
    return [
        verb for first, group in groups.items() for verb in whole_verbs(f"{word} {first}", group)
    ]


def verb_keys(shorts: list[list[str]]) -> list[str]:
    """A key for each verb, from the short forms of its choices: the first letter, or the
    shortest form if another verb has that letter too.
    """
    firsts = [own[0][:1] for own in shorts]
    return [
        first if firsts.count(first) == 1 else min(own, key=len)
        for first, own in zip(firsts, shorts, strict=True)
    ]


def parts_of(
    ruleset: Ruleset,
    state: State,
    number: int,
    verb: Verb,
    amounts: Mapping[str, tuple[int, int]],
) -> list[JsonObject]:
    """The arguments after the verb: each with its values, or with least and most."""
    count = len(next(iter(verb.choices)))
    parts: list[dict[str, str]] = [{} for _ in range(count)]
    names = [""] * count
    for arguments, choice in verb.choices.items():
        labels = ruleset.label(state, number, choice).parts[-count:]
        for place, (argument, (name, value)) in enumerate(zip(arguments, labels, strict=True)):
            parts[place][argument] = value
            names[place] = name
    if verb.word in amounts and count == 1:
        least, most = amounts[verb.word]
        listed_numbers = [int(value) for value in parts[0]]
        return [{"label": names[0], "least": least, "most": most, "listed": listed_numbers}]
    return [
        {
            "label": name,
            "values": [{"value": value, "label": label} for value, label in values.items()],
        }
        for name, values in zip(names, parts, strict=True)
    ]
