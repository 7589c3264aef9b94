"""The menu of the live protocol: what a seat may choose, for people to pick from."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import prod
from typing import NamedTuple

from holmgang.engine.menu import grid_of, label_text
from holmgang.games.contract import SEATS, State, note_text
from holmgang.games.ruleset import Ruleset
from holmgang.wire.match import Menu, MenuOption, MenuPart, MenuVerb, PartValue

MOST_KEPT = 4096
"""Menus of 1 to 13 KB. Nearly all menus of BAGH were among the last 4,096, three quarters among the
last 1,024."""
FEWEST_ALIKE = 4
"""Options whose notes end alike, from which on the end is shown once for all of them."""


class VerbChoices(NamedTuple):
    """Choices that begin alike and have as many arguments, of which every combination is there."""

    word: str
    choices: dict[tuple[str, ...], int]
    """By their arguments."""


@lru_cache(MOST_KEPT)
def menu_of(ruleset: Ruleset, state: State, seat: str) -> Menu | None:
    """What a seat may choose, and how to ask for it; None if it has nothing to choose. Matches
    share their first states and some later ones, so menus are cached.

    >>> from holmgang.games.ruleset import load
    >>> bagh = load("bagh")
    >>> menu = menu_of(bagh, bagh.initial(), "red")
    >>> menu.controls, menu.options[0]  # doctest: +NORMALIZE_WHITESPACE
    ('cards', MenuOption(word='boost', label='Boost', key='b',
    note='Boost 0 → 1: your next attack does 2.', own=0, fatal=False, group=''))
    """
    number = SEATS.index(seat)
    choices = ruleset.choices(state, number)
    if not choices:
        return None
    words = [ruleset.word(choice) for choice in choices]
    notes = [ruleset.notes(state, number, choice) for choice in choices]
    options = [
        MenuOption(
            word=word,
            label=label_text(ruleset.label(state, number, choice).words),
            key=ruleset.short(choice),
            note=note_text(note),
            fatal=ruleset.is_fatal(state, number, choice),
        )
        for word, choice, note in zip(words, choices, notes, strict=True)
    ]
    grid = grid_of(ruleset, words)
    if grid is not None:
        rows, columns, axes = grid
        return Menu(controls="dials", options=options, axes=list(axes), rows=rows, columns=columns)
    if not any(" " in word for word in words):
        shared = shared_end(notes)
        for option, note in zip(options, notes, strict=True):
            own = note[: -len(shared)]
            if own and own + shared == note:
                option.own = len(note_text(own))
        set_groups(options)
        return Menu(controls="cards", options=options, shared=note_text(shared))
    verbs = verbs_of(dict(zip(words, choices, strict=True)))
    amounts = ruleset.amounts(state, number)
    keys = verb_keys(
        [[ruleset.short(choice) for choice in verb.choices.values()] for verb in verbs]
    )
    described = [
        MenuVerb(
            word=verb.word,
            label=ruleset.label(state, number, next(iter(verb.choices.values()))).verb,
            key=key,
            parts=parts_of(ruleset, state, number, verb, amounts),
        )
        for verb, key in zip(verbs, keys, strict=True)
    ]
    return Menu(controls="parts", options=options, verbs=described)


def shared_end(notes: list[list[str]]) -> list[str]:
    """The effects with which the notes of several choices end; empty if too few end alike.

    >>> shared_end([["walk"], *(["drug", each, "energy −5"] for each in "abcd")])
    ['energy −5']
    """
    [(end, count)] = Counter(note[-1] for note in notes if len(note) > 1).most_common(1) or [
        ("", 0)
    ]
    if count < FEWEST_ALIKE:
        return []
    alike = [note for note in notes if len(note) > 1 and note[-1] == end]
    size = 1
    while all(len(note) > size + 1 and note[-size - 1] == alike[0][-size - 1] for note in alike):
        size += 1
    return alike[0][-size:]


def set_groups(options: list[MenuOption]) -> None:
    """Groups the options of a large menu whose names end alike, such as `double_walk`."""
    ends = {option.word: option.word.split("_")[-1] for option in options if "_" in option.word}
    counts = Counter(ends.values())
    for option in options:
        end = ends.get(option.word, "")
        if FEWEST_ALIKE <= counts[end] < len(options):
            option.group = end


def verbs_of(choices: Mapping[str, int]) -> list[VerbChoices]:
    """The choices by their first words, in the order of the menu."""
    groups: dict[tuple[str, int], dict[tuple[str, ...], int]] = {}
    for word, choice in choices.items():
        first, *arguments = word.split(" ")
        groups.setdefault((first, len(arguments)), {})[tuple(arguments)] = choice
    return [verb for (first, _), group in groups.items() for verb in whole_verbs(first, group)]


def whole_verbs(word: str, choices: dict[tuple[str, ...], int]) -> list[VerbChoices]:
    """One verb, if every combination of arguments is a choice; otherwise one for each value of the
    first argument, which then belongs to the verb.
    """
    values = [set(column) for column in zip(*choices, strict=True)]
    if len(choices) == prod(map(len, values)):
        return [VerbChoices(word, choices)]
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
    verb: VerbChoices,
    amounts: Mapping[str, tuple[int, int]],
) -> list[MenuPart]:
    """What has to be said after the verb: each part with its values, or with least and most."""
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
        return [MenuPart(label=names[0], least=least, most=most, listed=listed_numbers)]
    return [
        MenuPart(
            label=name,
            values=[PartValue(value=value, label=label) for value, label in values.items()],
        )
        for name, values in zip(names, parts, strict=True)
    ]
