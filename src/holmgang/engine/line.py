"""A line of play in short form, such as `b/a g/h a/g=2`: one word per decision round.

Red's choice comes before the slash and blue's after it; if only one seat chooses, its choice stands
alone. If a die is thrown, `=` and the number of the result follow. If it is missing, the error
lists the possible results.
"""

import json
from typing import NamedTuple

from holmgang.errors import ChanceError, ChoiceError, HolmgangError, StateError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS, State, Transition
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief

MOST_ROUNDS = 10_000
MOST_LISTED = 12
MOST_FACES = 20_000


class Throw(NamedTuple):
    """A result of the die: its first face, the chance outcome as JSON, and its number of faces."""

    face: int
    thrown: str
    weight: int


def play_line(ruleset: Ruleset, state: State, line: str) -> State:
    """The state after the line. Errors name the round."""
    return play_rounds(ruleset, state, line)[0]


def play_rounds(ruleset: Ruleset, state: State, line: str) -> tuple[State, Transition | None]:
    """The state after the line, and the last round if there was one."""
    last = None
    words = line.split()
    if len(words) > MOST_ROUNDS:
        raise ChoiceError(f"a line has at most {MOST_ROUNDS:,} rounds; not {len(words):,}")
    for number, word in enumerate(words, start=1):
        try:
            last = play_round(ruleset, state, word)
        except HolmgangError as error:
            raise type(error)(f"round {number}, {brief(word)}: {error}") from None
        state = ruleset.resolve_unchecked(*last)
    return state, last


def play_round(ruleset: Ruleset, state: State, word: str) -> Transition:
    ended = ruleset.outcome(state)
    if ended is not None:
        raise StateError(f"the duel is already over ({ended.reason})")
    chosen, _, thrown = word.partition("=")
    given = chosen.split("/")
    asked = [seat for seat in (0, 1) if ruleset.choices(state, seat)]
    if len(given) != len(asked):
        names = "red and blue choose" if len(asked) > 1 else f"only {SEATS[asked[0]]} chooses"
        raise ChoiceError(f"{names} here")
    choices = {
        seat: ruleset.parse_choice(state, seat, ruleset.expand_short(text) or text.lower())
        for seat, text in zip(asked, given, strict=True)
    }
    red, blue = (choices.get(seat, NO_CHOICE) for seat in (RED, BLUE))
    results = results_of(ruleset, state, red, blue)
    number = 1 if len(results) == 1 and not thrown else parse_thrown(thrown, results)
    return Transition(state, red, blue, list(results.values())[number - 1].face)


def format_round(ruleset: Ruleset, played: Transition) -> str:
    """The word for a played round, as `play_round` reads it."""
    state, red, blue, face = played
    chosen = "/".join(ruleset.short(choice) for choice in (red, blue) if choice != NO_CHOICE)
    results = results_of(ruleset, state, red, blue)
    if len(results) == 1:
        return chosen
    after = ruleset.resolve_unchecked(state, red, blue, face)
    return f"{chosen}={list(results).index(after) + 1}"


def parse_thrown(text: str, results: dict[State, Throw]) -> int:
    if text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= len(results):
        return int(text)
    listed = [f"={number} {throw.thrown}" for number, throw in enumerate(results.values(), start=1)]
    more = "; …" if len(listed) > MOST_LISTED else ""
    raise ChanceError(f"add the result of the die, one of {'; '.join(listed[:MOST_LISTED])}{more}")


def results_of(ruleset: Ruleset, state: State, red: int, blue: int) -> dict[State, Throw]:
    """Every state that can follow, with the throw that leads to it."""
    faces = ruleset.chance(state, red, blue)
    if faces > MOST_FACES:
        raise ChanceError(f"the die has {faces:,} faces here, which is too many to try")
    results: dict[State, Throw] = {}
    for face in range(faces):
        after = ruleset.resolve_unchecked(state, red, blue, face)
        known = results.get(after)
        if known is None:
            thrown = ruleset.format_chance(state, red, blue, face)
            results[after] = Throw(face, json.dumps(thrown), 1)
        else:
            results[after] = known._replace(weight=known.weight + 1)
    return results
